"""A load-bearing reflex with stable patterns: a leg may step if the remaining standing legs support the body.

[McKenna 1990, sections 2.3 and 5.2: a table of stable stepping patterns]

A pattern is a set of legs that stand. It is stable if it contains one of the minimal supports, such as a tripod. A leg
in potential step waits while

    a leg in front of it or behind it steps, or
    the opposite leg steps, unless the pair is between two others and the legs that then stand are a stable pattern, or
    it bears too much and the other standing legs are not a stable pattern, unless all others stand, or
    another leg has waited longer than it, and longer than the patience.

So both middle legs may be lifted together, as locusts do in a depression of the ground. No leg waits forever. If a leg
has waited longer than the patience, and longer than every other leg, no other leg begins a step before it. When the
stepping legs have landed, it steps regardless of these rules.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gambol.errors import WorldError
from gambol.gait.leg import Leg, neighbours
from gambol.gait.modifier import GaitModifier, ModifierInput
from gambol.gait.reflex import bears_too_much
from gambol.lanes import Scalar, logical_not, where


@dataclass(frozen=True)
class StablePatterns(GaitModifier):
    """The load-bearing reflex of all legs of a gait, instead of the reflex that reads loads only.

    supports: minimal sets of legs that support the body, as their indices. loads: limits of the torque of each leg's
    supporting joint, above which it carries too much [N m]. patience: time for which a leg may have to wait for younger
    requests [s]. Raises WorldError for unknown legs and a negative patience.
    """

    legs: tuple[Leg, ...]
    supports: tuple[tuple[int, ...], ...]
    loads: tuple[float, ...]
    patience: float = 0.05

    def __post_init__(self) -> None:
        count = len(self.legs)
        if len(self.loads) != count:
            raise WorldError(f"{count} legs need as many loads, not {len(self.loads)}")
        if not 0.0 <= self.patience < math.inf:
            raise WorldError(f"a leg cannot wait for {self.patience} s; give 0 or more")
        for support in self.supports:
            if not all(0 <= i < count for i in support):
                raise WorldError(f"a support by the legs {support} does not exist; there are legs 0 to {count - 1}")

    @property
    def required_senses(self) -> tuple[str, ...]:
        """The torques of the supporting joints, by the names in the gait's signals."""
        return ("spring_torques",)

    def numbers(self) -> dict[str, Any]:
        """Return the loads and the patience."""
        return {"loads": list(self.loads), "patience": self.patience}

    def memory(self) -> list[Scalar]:
        """Return the time for which each leg has waited in potential step [s]."""
        return [0.0] * len(self.legs)

    def structure(self) -> tuple[Any, ...]:
        """Return the minimal supports."""
        return ("stable patterns", self.supports)

    def remembered(self, now: ModifierInput) -> list[Scalar]:
        """Return the time that each leg has waited [s]."""
        waits = [(state > 0.5) & (state < 1.5) for state in now.gait.state]
        return [where(waiting, time + now.dt, 0.0) for waiting, time in zip(waits, now.own, strict=True)]

    def blocks(self, now: ModifierInput, leg: int, states: Sequence[Scalar], blocked: Scalar) -> Scalar:
        """Return True if a leg must wait, by the rules of this module; `blocked` is not used."""
        one, supported = self.legs[leg], self._supported_without(leg, states)
        beside = [j for j in neighbours(self.legs, one) if self.legs[j].side == one.side]
        opposite = [j for j in neighbours(self.legs, one) if self.legs[j].side != one.side]
        others_stand = logical_not(any_of([state > 1.5 for j, state in enumerate(states) if j != leg]))
        load = bears_too_much(now.numbers["loads"][leg], now.senses.spring_torques[one.reflex_joints[1]])
        opposite_steps = any_of([states[j] > 1.5 for j in opposite])
        unsupported = opposite_steps if len(beside) < 2 else opposite_steps & logical_not(supported)
        waits = any_of([states[j] > 1.5 for j in beside]) | unsupported | (load & logical_not(supported | others_stand))
        return waits | any_of([self._goes_first(now, j, leg, states) for j in range(len(self.legs)) if j != leg])

    def _supported_without(self, leg: int, states: Sequence[Scalar]) -> Scalar:
        """Return True if the legs that stand support the body without a leg."""
        stands = [state < 1.5 for state in states]
        return any_of([_all_of([stands[j] for j in support]) for support in self.supports if leg not in support])

    def _goes_first(self, now: ModifierInput, other: int, leg: int, states: Sequence[Scalar]) -> Scalar:
        """Return True if another leg has waited longer than this leg, and longer than the patience."""
        waits, time = (states[other] > 0.5) & (states[other] < 1.5), now.own[other]
        return waits & (time > now.own[leg]) & (time > now.numbers["patience"])


def any_of(conditions: Sequence[Scalar]) -> Scalar:
    """Return True if one of some conditions holds."""
    result: Scalar = False
    for condition in conditions:
        result = condition | result
    return result


def _all_of(conditions: Sequence[Scalar]) -> Scalar:
    """Return True if all of some conditions hold."""
    result: Scalar = True
    for condition in conditions:
        result = condition & result
    return result
