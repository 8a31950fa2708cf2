"""A controller whose commands come from a control law, in their own units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gambol.actuation import Actuator
from gambol.control.actuated import ActuatedController, CommandMemory
from gambol.control.controller import Senses
from gambol.lanes import Scalar, where


class Law(Protocol):
    """A control law over generic scalars: where() of gambol.lanes stands for `if` on values that a world computes."""

    @property
    def required_senses(self) -> tuple[str, ...]:
        """Names of the Senses that it reads, besides time."""
        ...

    def numbers(self) -> dict[str, Any]:
        """Return a pytree of the numbers that may differ between worlds."""
        ...

    def memory(self) -> Any:
        """Return its memory before the first control step: a pytree of scalars, () if it has none."""
        ...

    def commands(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, dt: Scalar
    ) -> tuple[Sequence[Scalar], Any]:
        """Return the commands of all actuators in their units, in the order of the actuators, and the new memory.

        numbers: as from numbers(). memory: of the previous control step. senses: at the start of the control step of
        dt [s].
        """
        ...

    def structure(self) -> tuple[Any, ...]:
        """Return plain data; laws of one class with equal structure share a compiled program."""
        ...


@dataclass(frozen=True)
class FeedbackController(ActuatedController):
    """A controller whose commands come from a control law.

    law: see Law. actuators: by name; one that names no joints acts at the joint of the link of its own name. feet:
    links whose contacts and loads the law may read. Held commands, such as torques, are constant in a control step;
    targets of servos move to the new ones at a constant rate, but are at once at the first ones. Raises WorldError if
    there is no actuator.
    """

    law: Law
    actuators: Mapping[str, Actuator]
    feet: tuple[str, ...] = ()

    @property
    def required_senses(self) -> tuple[str, ...]:
        """Names of the senses that its law reads."""
        return tuple(self.law.required_senses)

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of the law, and of each actuator."""
        return {"law": self.law.numbers(), "actuators": self.actuator_numbers()}

    def memory(self) -> CommandMemory:
        """Return the initial memory: that of the law, and commands of 0, which are never given."""
        zeros: list[Scalar] = [0.0] * len(self.commanded)
        return CommandMemory(self.law.memory(), zeros, list(zeros))

    def decide(self, numbers: Mapping[str, Any], memory: CommandMemory, senses: Senses, dt: Scalar) -> CommandMemory:
        """Return the memory during a control step of dt [s]. numbers: as from numbers(). senses: at its start."""
        goals, inner = self.law.commands(numbers["law"], memory.inner, senses, dt)
        self.check_count(goals)
        is_first = senses.time <= 0.0
        start = [where(is_first, goal, old) for goal, old in zip(goals, memory.targets, strict=True)]
        return self.moving(inner, start, goals, dt)

    def structure(self) -> tuple[Any, ...]:
        """Return the law's class and structure, those of all actuators in their order, and the feet."""
        kind = type(self.law)
        return ("feedback", (kind.__module__, kind.__qualname__, self.law.structure()), *self.actuator_structure())
