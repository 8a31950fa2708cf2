"""A controller made of a signal pattern and of actuators that follow it.

    command = middle + half range * signal

Held commands, such as torques, have this value during the whole control step. Other commands, such as targets of
servos, have it at the end of the control step; within the step they move at a constant rate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NoReturn

from gambol.actuation import Actuator
from gambol.control.controller import Senses
from gambol.errors import WorldError
from gambol.lanes import Scalar, where

if TYPE_CHECKING:
    from gambol.control.patterns.pattern import Pattern


@dataclass(frozen=True, slots=True)
class DriveMemory:
    """A drive's memory.

    pattern: memory of the pattern. targets: commands of all actuators at the start of the control step, in the order of
    Drive.commanded; rates: their rates, 0 for held commands.
    """

    pattern: Any
    targets: list[Scalar]
    rates: list[Scalar]


@dataclass(frozen=True)
class Drive:
    """A controller whose actuators follow a pattern.

    pattern: one signal, from -1 to 1, for each command of the actuators, in their order; FunctionPattern(f) makes one
    of a function. actuators: by name; one that names no joints acts at the joint of the link of its own name. feet:
    links whose contacts and loads the pattern may read. Commands start in the middle of their ranges. Raises WorldError
    if there is no actuator.
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
        """The links at whose joints actuators act, each once, in the order of the actuators."""
        return tuple(dict.fromkeys(joint for name, a in self.actuators.items() for joint in a.joint_names(name)))

    @property
    def commanded(self) -> tuple[tuple[str, str], ...]:
        """The name of the actuator and of the command for each signal, in the order of the signals."""
        return tuple((name, command) for name, actuator in self.actuators.items() for command in actuator.commands)

    @property
    def bounds(self) -> tuple[tuple[float, float], ...]:
        """Lower and upper bound of each command, in its unit and in the order of the signals."""
        return tuple(pair for actuator in self.actuators.values() for pair in actuator.bounds(actuator.numbers()))

    def signals_of(self, commands: Sequence[float]) -> list[float]:
        """Return the signals that stand for commands in their units, such as torques [N m].

        commands: one for each of `commanded`. Raises WorldError for another number of commands.
        """
        if len(self.bounds) != len(commands):
            raise WorldError(f"{len(commands)} commands were given; {self._description()}")
        return [
            (2.0 * x - lower - upper) / (upper - lower) if upper > lower else 0.0
            for x, (lower, upper) in zip(commands, self.bounds, strict=True)
        ]

    @property
    def required_senses(self) -> tuple[str, ...]:
        """Names of the senses that its pattern reads."""
        return tuple(self.pattern.required_senses)

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of the pattern, and of each actuator."""
        actuators = {name: actuator.numbers() for name, actuator in self.actuators.items()}
        return {"pattern": self.pattern.numbers(), "actuators": actuators}

    def memory(self) -> DriveMemory:
        """Return the initial memory: commands in the middle of their ranges."""
        numbers = {name: actuator.numbers() for name, actuator in self.actuators.items()}
        middles = list(self._commands(numbers, [0.0] * len(self.commanded)))
        return DriveMemory(self.pattern.memory(), middles, [0.0] * len(middles))

    def decide(self, numbers: Mapping[str, Any], memory: DriveMemory, senses: Senses, dt: Scalar) -> DriveMemory:
        """Return the memory during a control step of dt [s], with the commands and their rates.

        numbers: as from numbers(). senses: at the start of the control step. Before the first one, commands are in the
        middle of their ranges.
        """
        end_time, count = senses.time + dt, len(self.commanded)
        signals, pattern = self.pattern.signals(numbers["pattern"], memory.pattern, senses, end_time, dt)
        if len(signals) != count:
            raise WorldError(f"the pattern has {len(signals)} signals; {self._description()}")
        is_first, held = senses.time <= 0.0, self._held()
        middles = self._commands(numbers["actuators"], [0.0] * count)
        start = [where(is_first, middle, old) for middle, old in zip(middles, memory.targets, strict=True)]
        goals = list(self._commands(numbers["actuators"], signals))
        per_second = 1.0 / dt
        targets = [goal if hold else x for goal, x, hold in zip(goals, start, held, strict=True)]
        rates = [0.0 if hold else (goal - x) * per_second for goal, x, hold in zip(goals, start, held, strict=True)]
        return DriveMemory(pattern, targets, rates)

    def _commands(self, numbers: Mapping[str, Any], signals: Sequence[Scalar]) -> Iterator[Scalar]:
        """Yield the commands of all actuators for signals; numbers: of the actuators by name."""
        first = 0
        for name, actuator in self.actuators.items():
            end = first + len(actuator.commands)
            yield from actuator.command_values(numbers[name], signals[first:end])
            first = end

    def _held(self) -> list[bool]:
        """Return for each command whether it is constant during a control step."""
        return [actuator.held for actuator in self.actuators.values() for _ in actuator.commands]

    def _description(self) -> str:
        """Return the end of an error message: how many commands its actuators have."""
        count = len(self.commanded)
        return f"{len(self.actuators)} actuators have {count} commands, and each needs one"

    def rest_angle(self, memory: DriveMemory, joint: str, elapsed: Scalar) -> NoReturn:
        """Raise WorldError: a drive moves no rest angles of springs."""
        raise WorldError(f'a drive does not move the rest angle of "{joint}"; it commands actuators')

    def commands(self, memory: DriveMemory, actuator: str, elapsed: Scalar) -> list[Scalar]:
        """Return the commands of an actuator at a time `elapsed` into a control step [s]."""
        numbered = [k for k, (name, _) in enumerate(self.commanded) if name == actuator]
        if self.actuators[actuator].held:
            return [memory.targets[k] for k in numbered]
        return [memory.targets[k] + memory.rates[k] * elapsed for k in numbered]

    def advanced(self, memory: DriveMemory, dt: Scalar) -> DriveMemory:
        """Return the memory with the commands at the end of a control step of dt [s]."""
        return replace(memory, targets=[x + r * dt for x, r in zip(memory.targets, memory.rates, strict=True)])

    def structure(self) -> tuple[Any, ...]:
        """Return the pattern's kind and structure, those of all actuators in their order, and the feet."""
        kind = type(self.pattern)
        pattern_structure = (kind.__module__, kind.__qualname__, self.pattern.structure())
        actuators = tuple((name, a.kind, a.joints, a.structure()) for name, a in self.actuators.items())
        return ("drive", pattern_structure, actuators, self.feet)
