"""The outcome of an evaluated genotype. Searches learn from it, and archives store it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Outcome:
    """The outcome of one evaluated genotype.

    fitness: more is better. terms: values of the fitness' terms by name, without weights. behaviour: behaviour
    descriptors (also called measures), for quality-diversity searches. marked: the reason why the rollout scores
    nothing ("gained energy", "froze", ...), or "" if it is valid.
    """

    fitness: float
    terms: Mapping[str, float] = field(default_factory=dict[str, float])
    behaviour: tuple[float, ...] = ()
    marked: str = ""

    @property
    def valid(self) -> bool:
        """True if the fitness counts: it is finite, and the rollout is not marked."""
        return not self.marked and math.isfinite(self.fitness)

    @property
    def score(self) -> float:
        """The fitness if it is valid, else minus infinity: the number that searches compare."""
        return self.fitness if self.valid else -math.inf
