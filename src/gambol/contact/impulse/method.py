"""The contact method `impulse`: sequential collisions in each large fixed step."""

from dataclasses import dataclass
from typing import ClassVar

from gambol.contact.generation.contact_set import empty_cache
from gambol.contact.generation.scene import ConstraintScene
from gambol.contact.impulse.hypothesis import may_add_energy
from gambol.contact.impulse.step_solver import by_collisions
from gambol.contact.memory import ContactMemory
from gambol.contact.method import (
    TIME_STEPPING,
    Scheme,
    TimeSteppingMethod,
    check_at_least_one,
)
from gambol.contact.stepping.problem import ITERATIONS, ImpulseProblem
from gambol.contact.stepping.sweep import ImpulseSolution


@dataclass(frozen=True)
class Impulse(TimeSteppingMethod):
    """Contacts that arrive collide one after the other; resting contacts are held by sweeps.

    hypothesis: hypothesis of restitution: "stronge", "poisson", or "newton", which is limited where it would add
    energy. max_contacts: number of simultaneous contacts; None: see default_max_contacts(). iterations: sweeps in a
    step. resting: how resting contacts are held: by "sweeps", or by "micro-impulses", small plastic collisions one
    after the other, which need no memory of the previous step. Raises WorldError for an unknown hypothesis, other
    values of `resting`, and numbers below 1.
    """

    hypothesis: str = "stronge"
    max_contacts: int | None = None
    iterations: int = ITERATIONS
    resting: str = "sweeps"

    name: ClassVar[str] = "impulse"
    scheme: ClassVar[Scheme] = TIME_STEPPING
    figure_parameters: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_at_least_one(max_contacts=self.max_contacts, iterations=self.iterations)
        by_collisions(self.hypothesis, self.resting)

    def memory(self, scene: ConstraintScene) -> ContactMemory:
        """Return a cache of impulses and speeds."""
        limited = may_add_energy(self.hypothesis)
        return ContactMemory(cache=empty_cache(scene, with_speeds=True, may_limit_restitution=limited))

    def impulses(self, problem: ImpulseProblem) -> ImpulseSolution:
        """Return the impulses of a step by collisions."""
        return by_collisions(self.hypothesis, self.resting)(problem)
