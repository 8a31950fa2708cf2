"""What a run is made of, besides its settings: a search, and a way to live a genotype's life."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from gambol.evolve.outcome import Outcome
from gambol.evolve.run.settings import Settings
from gambol.evolve.search import Search

G = TypeVar("G")


class Evaluator(Protocol):
    """Lives of some genotypes: what becomes of each follows from the settings, it and its seed, and nothing else.

    It must be a function of a module, so that workers in other processes and on other machines find it.
    """

    def __call__(self, settings: Settings, genotypes: Sequence[Any], seeds: Sequence[int]) -> Sequence[Outcome]:
        """The outcomes of genotypes, plain data, in their order; seeds: one for each, below 2**32."""
        ...


@dataclass(frozen=True)
class Breeding(Generic[G]):
    """All that the loop of generations does not know itself.

    search: new, told nothing yet. plain: a genotype as plain data: mappings, sequences, numbers and words. evaluate:
    lives of genotypes. steps: in one life, to tell how fast steps go by. versions: of formats and packages that the
    search and the lives depend on, besides gambol's own.
    """

    search: Search[G]
    plain: Callable[[G], Any]
    evaluate: Evaluator
    steps: float = 0.0
    versions: Mapping[str, str] = field(default_factory=dict[str, str])


Breed = Callable[[Settings], Breeding[Any]]
"""What makes a breeding of settings."""
