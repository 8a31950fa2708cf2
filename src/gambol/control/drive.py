"""A controller made of a signal pattern and of actuators that follow it.

    command = middle + half range * signal

Held commands, such as torques, have this value during the whole control step. Other commands, such as targets of
servos, have it at the end of the control step; within the step they move at a constant rate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gambol.actuation import Actuator
from gambol.control.actuated import ActuatedController, CommandMemory
from gambol.control.command_delays import CommandDelays
from gambol.control.controller import Senses
from gambol.errors import WorldError
from gambol.lanes import Scalar, where

if TYPE_CHECKING:
    from gambol.control.patterns.pattern import Pattern


@dataclass(frozen=True)
class Drive(ActuatedController):
    """A controller whose actuators follow a pattern.

    pattern: one signal, from -1 to 1, for each command of the actuators, in their order; FunctionPattern(f) makes a
    pattern from a function. actuators: actuators by name; an actuator without joints acts at the joint of the link with
    its name. feet: links with contacts and loads that the pattern may read. Commands start in the middle of their
    ranges. delays: delays of commands, see with_delays(). Raises WorldError if there is no actuator.
    """

    pattern: Pattern
    actuators: Mapping[str, Actuator]
    feet: tuple[str, ...] = ()
    delays: CommandDelays = field(default_factory=CommandDelays)

    @property
    def bounds(self) -> tuple[tuple[float, float], ...]:
        """Lower and upper bound of each command, in its unit and in the order of the signals."""
        return tuple(pair for actuator in self.actuators.values() for pair in actuator.bounds(actuator.numbers()))

    def signals_of(self, commands: Sequence[float]) -> list[float]:
        """Return the signals that are mapped to given commands in their units, such as torques [N m].

        commands: one for each of `commanded`. Raises WorldError for another number of commands.
        """
        self.check_count(commands)
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
        return {"pattern": self.pattern.numbers(), "actuators": self.actuator_numbers(), **self.delays.numbers()}

    def memory(self) -> CommandMemory:
        """Return the initial memory: commands in the middle of their ranges."""
        middles = list(self._commands(self.actuator_numbers(), [0.0] * len(self.commanded)))
        return CommandMemory(self.pattern.memory(), middles, [0.0] * len(middles), self.delays.memory(self.commanded))

    def decide(self, numbers: Mapping[str, Any], memory: CommandMemory, senses: Senses, dt: Scalar) -> CommandMemory:
        """Return the memory during a control step of dt [s], with the commands and their rates.

        numbers: in the structure of numbers(). senses: observations at the start of the control step. Before the first
        one, commands are in the middle of their ranges.
        """
        count = len(self.commanded)
        signals, pattern = self.pattern.signals(numbers["pattern"], memory.inner, senses, senses.time + dt, dt)
        if len(signals) != count:
            raise WorldError(f"the pattern has {len(signals)} signals; {self.description()}")
        is_first = senses.time <= 0.0
        middles = self._commands(numbers["actuators"], [0.0] * count)
        start = [where(is_first, middle, old) for middle, old in zip(middles, memory.targets, strict=True)]
        targets = list(self._commands(numbers["actuators"], signals))
        goals, samples = self.delays.delayed(numbers, self.commanded, memory.samples, targets, is_first)
        return self.moving(pattern, start, goals, dt, samples)

    def _commands(self, numbers: Mapping[str, Any], signals: Sequence[Scalar]) -> Iterator[Scalar]:
        """Yield the commands of all actuators for signals; numbers: numbers of the actuators by name."""
        first = 0
        for name, actuator in self.actuators.items():
            end = first + len(actuator.commands)
            yield from actuator.command_values(numbers[name], signals[first:end])
            first = end

    def structure(self) -> tuple[Any, ...]:
        """Return kind and structure of the pattern and of all actuators in their order, and the feet."""
        kind = type(self.pattern)
        pattern_structure = (kind.__module__, kind.__qualname__, self.pattern.structure())
        return ("drive", pattern_structure, *self.actuator_structure())
