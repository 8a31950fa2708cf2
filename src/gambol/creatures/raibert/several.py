"""Several control laws of one machine, each for some legs: a bounding quadruped is two hoppers with one trunk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from gambol.control import Senses
from gambol.creatures.raibert.gains import Memory
from gambol.creatures.raibert.law import RaibertLaw
from gambol.gait.course import Course
from gambol.lanes import Scalar


@dataclass(frozen=True)
class SeveralLaws:
    """Control laws of one figure. laws: laws, each for some of the legs, in the order of the actuators and feet."""

    laws: tuple[RaibertLaw, ...]

    required_senses = RaibertLaw.required_senses

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of each law, by its index."""
        return {str(k): law.numbers() for k, law in enumerate(self.laws)}

    def memory(self) -> tuple[Memory, ...]:
        """Return the memory of each law."""
        return tuple(law.memory() for law in self.laws)

    def structure(self) -> tuple[Any, ...]:
        """Return the structure of each law."""
        return tuple(law.structure() for law in self.laws)

    @property
    def course(self) -> Course:
        """The course of all of them."""
        return self.laws[0].course

    def with_course(self, course: Course) -> SeveralLaws:
        """Return the same laws on a course."""
        return SeveralLaws(tuple(law.with_course(course) for law in self.laws))

    def commands(
        self, numbers: Mapping[str, Any], memory: tuple[Memory, ...], senses: Senses, dt: Scalar
    ) -> tuple[list[Scalar], tuple[Memory, ...]]:
        """Return the commands of all legs in order, and the new memories."""
        commands: list[Scalar] = []
        memories: list[Memory] = []
        first = 0
        for k, (law, old) in enumerate(zip(self.laws, memory, strict=True)):
            last = first + len(law.legs)
            own, new = law.commands(numbers[str(k)], old, replace(senses, contacts=senses.contacts[first:last]), dt)
            commands, first = [*commands, *own], last
            memories.append(new)
        return commands, tuple(memories)
