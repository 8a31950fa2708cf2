"""A controller made of a pattern of signals and of actuators that follow them.

    target = middle + reach signal

A frame's target is the pattern's at the frame's end; it moves there at a constant rate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from gambol.control.actuator import Actuator, target_of
from gambol.control.controller import Senses
from gambol.errors import WorldError
from gambol.lanes import Scalar, where

if TYPE_CHECKING:
    from gambol.control.gait import GaitController
    from gambol.control.patterns.pattern import Pattern


@dataclass(frozen=True, slots=True)
class DriveMemory:
    """What a drive remembers: its pattern's memory; targets when the frame began [rad or m], and their rates."""

    pattern: Any
    targets: list[Scalar]
    rates: list[Scalar]


@dataclass(frozen=True)
class Drive:
    """Actuators that follow a pattern.

    pattern: makes one signal, from -1 to 1, for each actuator. actuators: by name of the link whose joint it is, in
    the order of the signals. feet: links whose touch the pattern may feel.
    Targets begin in the middle of their ranges. Raises WorldError where nothing is driven.
    """

    pattern: Pattern
    actuators: Mapping[str, Actuator]
    feet: tuple[str, ...] = ()
    gait: GaitController | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        if not self.actuators:
            raise WorldError("a drive needs at least one actuator, by the name of the link whose joint it moves")

    @property
    def joints(self) -> tuple[str, ...]:
        """The links whose joints have actuators, in the order of the signals."""
        return tuple(self.actuators)

    @property
    def wants(self) -> tuple[str, ...]:
        """The senses that its pattern reads."""
        return tuple(self.pattern.wants)

    def numbers(self) -> dict[str, Any]:
        """The numbers of the pattern, and of each actuator."""
        actuators = {name: actuator.numbers() for name, actuator in self.actuators.items()}
        return {"pattern": self.pattern.numbers(), "actuators": actuators}

    def memory(self) -> DriveMemory:
        """What it remembers at the start: targets rest in the middle."""
        middles = [target_of(actuator.numbers(), 0.0) for actuator in self.actuators.values()]
        return DriveMemory(self.pattern.memory(), middles, [0.0] * len(middles))

    def decide(self, numbers: Mapping[str, Any], memory: DriveMemory, senses: Senses, dt: Scalar) -> DriveMemory:
        """The memory in a frame of dt [s]: where targets go in it.

        Before the first frame targets are in the middle of the ranges that numbers tell.
        """
        ends = senses.time + dt
        signals, pattern = self.pattern.signals(numbers["pattern"], memory.pattern, senses, ends, dt)
        if len(signals) != len(self.actuators):
            raise WorldError(
                f"the pattern makes {len(signals)} signals for {len(self.actuators)} actuators; one for each is needed"
            )
        ranges = [numbers["actuators"][name] for name in self.joints]
        first = senses.time <= 0.0
        begin = [where(first, target_of(of, 0.0), old) for of, old in zip(ranges, memory.targets, strict=True)]
        goals = [target_of(of, signal) for of, signal in zip(ranges, signals, strict=True)]
        often = 1.0 / dt
        return DriveMemory(pattern, begin, [(goal - x) * often for goal, x in zip(goals, begin, strict=True)])

    def rest_angle(self, memory: DriveMemory, joint: str, elapsed: Scalar) -> tuple[Scalar, Scalar]:
        """An actuator's target [rad or m] and its rate, some time into a frame [s]."""
        k = self.joints.index(joint)
        return memory.targets[k] + memory.rates[k] * elapsed, memory.rates[k]

    def advanced(self, memory: DriveMemory, dt: Scalar) -> DriveMemory:
        """The memory with targets where a frame of dt [s] took them."""
        return replace(memory, targets=[x + r * dt for x, r in zip(memory.targets, memory.rates, strict=True)])

    def structure(self) -> tuple[Any, ...]:
        """The pattern's kind and structure, joints in their order, and feet."""
        kind = type(self.pattern)
        of = (kind.__module__, kind.__qualname__, self.pattern.structure())
        return ("drive", of, self.joints, self.feet)
