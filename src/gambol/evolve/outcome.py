"""What an individual's life came to, as data that a search learns from and an archive keeps."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Outcome:
    """What one individual scored: its fitness, and of what it is made.

    fitness: more is better. terms: the parts of the fitness by name. behaviour: numbers that tell what kind of life it
    was, for searches that want all kinds. marked: why it scores nothing ("gained energy", "froze", ...), or "".
    """

    fitness: float
    terms: Mapping[str, float] = field(default_factory=dict[str, float])
    behaviour: tuple[float, ...] = ()
    marked: str = ""

    @property
    def sound(self) -> bool:
        """Whether the fitness counts: it is finite and nothing is held against it."""
        return not self.marked and math.isfinite(self.fitness)

    @property
    def worth(self) -> float:
        """The fitness if it counts, else less than any: what searches compare."""
        return self.fitness if self.sound else -math.inf
