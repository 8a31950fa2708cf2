"""The contact method `constraint`: contact forces in smooth motion, with impacts in between."""

import math
from dataclasses import dataclass
from typing import ClassVar

from gambol.contact.complementarity.methods import solver
from gambol.contact.generation.contact_set import empty_cache
from gambol.contact.generation.scene import ConstraintScene
from gambol.contact.memory import ContactMemory
from gambol.contact.method import (
    EVENT_DRIVEN,
    EventDrivenMethod,
    MethodUse,
    Scheme,
    check_at_least_one,
    is_explicit,
)
from gambol.errors import WorldError
from gambol.integrate import INTEGRATORS


@dataclass(frozen=True)
class Constraint(EventDrivenMethod):
    """Contact forces from conditions on the accelerations of closed contacts; impacts end a step.

    solver: solver of complementarity, a name in SOLVERS. max_contacts: number of simultaneous contacts; None: see
    default_max_contacts(). Raises WorldError for a number below 1, GambolError for a solver that is unknown or meant
    for a single contact.
    """

    solver: str = "newton"
    max_contacts: int | None = None

    name: ClassVar[str] = "constraint"
    scheme: ClassVar[Scheme] = EVENT_DRIVEN
    figure_parameters: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_at_least_one(max_contacts=self.max_contacts)
        solver(self.solver, contacts=math.inf)  # the number of contacts varies

    def check(self, use: MethodUse) -> None:
        """Raise WorldError as RigidMethod does, and for an integrator that is not an explicit one-step method."""
        EventDrivenMethod.check(self, use)
        if not is_explicit(use.integrator):
            supported = ", ".join(f'"{name}"' for name, row in INTEGRATORS.items() if is_explicit(row))
            raise WorldError(
                f'the contact method "{self.name}" does not support the integrator "{use.integrator.name}"; '
                f"take one of {supported}"
            )

    def memory(self, scene: ConstraintScene) -> ContactMemory:
        """Return a cache of impulses."""
        return ContactMemory(cache=empty_cache(scene, with_speeds=False))
