"""A controller with commands from a control law; commands are in the units of the actuators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from gambol.actuation import Actuator
from gambol.control.actuated import ActuatedController, CommandMemory
from gambol.control.command_delays import CommandDelays
from gambol.control.controller import Senses
from gambol.lanes import Scalar, where


class Law(Protocol):
    """A control law over generic scalars: use where() of gambol.lanes, not `if`, on values that a world computes."""

    @property
    def required_senses(self) -> tuple[str, ...]:
        """Names of the Senses that it reads, besides time."""
        ...

    def numbers(self) -> dict[str, Any]:
        """Return a pytree of the numbers that may differ between worlds."""
        ...

    def memory(self) -> Any:
        """Return its memory before the first control step: a pytree of scalars, () without memory."""
        ...

    def commands(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, dt: Scalar
    ) -> tuple[Sequence[Scalar], Any]:
        """Return the commands of all actuators in their units, in the order of the actuators, and the new memory.

        numbers: in the structure of numbers(). memory: memory of the previous control step. senses: observations at the
        start of the control step. dt: length of the control step [s].
        """
        ...

    def structure(self) -> tuple[Any, ...]:
        """Return plain data; laws of one class with equal structure share a compiled program."""
        ...


@dataclass(frozen=True)
class FeedbackController(ActuatedController):
    """A controller with commands from a control law.

    law: see Law. actuators: actuators by name; an actuator without joints acts at the joint of the link with its name.
    feet: links with contacts and loads that the law may read. Held commands, such as torques, are constant in a control
    step; targets of servos move to each new command at a constant rate; the first command acts immediately. delays:
    delays of commands, see with_delays(). Raises WorldError if there is no actuator.
    """

    law: Law
    actuators: Mapping[str, Actuator]
    feet: tuple[str, ...] = ()
    delays: CommandDelays = field(default_factory=CommandDelays)

    @property
    def required_senses(self) -> tuple[str, ...]:
        """Names of the senses that its law reads."""
        return tuple(self.law.required_senses)

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of the law, and of each actuator."""
        return {"law": self.law.numbers(), "actuators": self.actuator_numbers(), **self.delays.numbers()}

    def memory(self) -> CommandMemory:
        """Return the initial memory: the memory of the law, and commands of 0, which are never applied."""
        zeros: list[Scalar] = [0.0] * len(self.commanded)
        return CommandMemory(self.law.memory(), zeros, list(zeros), self.delays.memory(self.commanded))

    def decide(self, numbers: Mapping[str, Any], memory: CommandMemory, senses: Senses, dt: Scalar) -> CommandMemory:
        """Return the memory during a control step of dt [s].

        numbers: in the structure of numbers(). senses: observations at its start.
        """
        goals, inner = self.law.commands(numbers["law"], memory.inner, senses, dt)
        self.check_count(goals)
        is_first = senses.time <= 0.0
        goals, samples = self.delays.delayed(numbers, self.commanded, memory.samples, goals, is_first)
        start = [where(is_first, goal, old) for goal, old in zip(goals, memory.targets, strict=True)]
        return self.moving(inner, start, goals, dt, samples)

    def structure(self) -> tuple[Any, ...]:
        """Return class and structure of the law and of all actuators in their order, and the feet."""
        kind = type(self.law)
        return ("feedback", (kind.__module__, kind.__qualname__, self.law.structure()), *self.actuator_structure())
