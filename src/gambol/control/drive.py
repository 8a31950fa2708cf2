"""A controller made of a signal pattern and of actuators that follow it.

    target = middle + half range * signal

At the end of a control step the target follows the signal; within the step it moves at a constant rate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from gambol.actuation.actuator import Actuator, target_of
from gambol.control.controller import Senses
from gambol.errors import WorldError
from gambol.lanes import Scalar, where

if TYPE_CHECKING:
    from gambol.control.patterns.pattern import Pattern


@dataclass(frozen=True, slots=True)
class DriveMemory:
    """A drive's memory: that of its pattern; targets at the start of the control step [rad or m], and their rates."""

    pattern: Any
    targets: list[Scalar]
    rates: list[Scalar]


@dataclass(frozen=True)
class Drive:
    """A controller whose actuators follow a pattern.

    pattern: one signal, from -1 to 1, for each actuator; FunctionPattern(f) makes one of a function. actuators: by name
    of the link whose joint it drives, in the order of the signals. feet: links whose contacts and loads the pattern may
    read. Targets start in the middle of their ranges. Raises WorldError if there is no actuator.
    """

    pattern: Pattern
    actuators: Mapping[str, Actuator]
    feet: tuple[str, ...] = ()
    gait: None = field(init=False, default=None)

    def __post_init__(self) -> None:
        if not self.actuators:
            raise WorldError("a drive needs at least one actuator, by the name of the link whose joint it moves")

    @property
    def joints(self) -> tuple[str, ...]:
        """The links whose joints have actuators, in the order of the signals."""
        return tuple(self.actuators)

    @property
    def required_senses(self) -> tuple[str, ...]:
        """Names of the senses that its pattern reads."""
        return tuple(self.pattern.required_senses)

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of the pattern, and of each actuator."""
        actuators = {name: actuator.numbers() for name, actuator in self.actuators.items()}
        return {"pattern": self.pattern.numbers(), "actuators": actuators}

    def memory(self) -> DriveMemory:
        """Return the initial memory: targets in the middle."""
        middles = [target_of(actuator.numbers(), 0.0) for actuator in self.actuators.values()]
        return DriveMemory(self.pattern.memory(), middles, [0.0] * len(middles))

    def decide(self, numbers: Mapping[str, Any], memory: DriveMemory, senses: Senses, dt: Scalar) -> DriveMemory:
        """Return the memory during a control step of dt [s], with the rates of the targets.

        numbers: as from numbers(). senses: at the start of the control step. Before the first one, targets are in the
        middle of their ranges.
        """
        end_time = senses.time + dt
        signals, pattern = self.pattern.signals(numbers["pattern"], memory.pattern, senses, end_time, dt)
        if len(signals) != len(self.actuators):
            raise WorldError(
                f"the pattern has {len(signals)} signals for {len(self.actuators)} actuators; it needs one for each"
            )
        actuators = [numbers["actuators"][name] for name in self.joints]
        is_first = senses.time <= 0.0
        start = [
            where(is_first, target_of(actuator, 0.0), old)
            for actuator, old in zip(actuators, memory.targets, strict=True)
        ]
        goals = [target_of(actuator, signal) for actuator, signal in zip(actuators, signals, strict=True)]
        per_second = 1.0 / dt
        return DriveMemory(pattern, start, [(goal - x) * per_second for goal, x in zip(goals, start, strict=True)])

    def rest_angle(self, memory: DriveMemory, joint: str, elapsed: Scalar) -> tuple[Scalar, Scalar]:
        """Return the target of an actuator [rad or m] and its rate, at a time `elapsed` into a control step [s]."""
        k = self.joints.index(joint)
        return memory.targets[k] + memory.rates[k] * elapsed, memory.rates[k]

    def advanced(self, memory: DriveMemory, dt: Scalar) -> DriveMemory:
        """Return the memory with the targets at the end of a control step of dt [s]."""
        return replace(memory, targets=[x + r * dt for x, r in zip(memory.targets, memory.rates, strict=True)])

    def structure(self) -> tuple[Any, ...]:
        """Return the pattern's kind and structure, the joints in their order, and the feet."""
        kind = type(self.pattern)
        pattern_structure = (kind.__module__, kind.__qualname__, self.pattern.structure())
        return ("drive", pattern_structure, self.joints, self.feet)
