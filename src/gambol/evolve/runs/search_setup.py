"""The search setup of a run: its search, and its evaluator of genotypes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from gambol.evolve.outcome import Outcome
from gambol.evolve.runs.settings import Settings
from gambol.evolve.runs.table import Genes, no_genes
from gambol.evolve.search import Search

G = TypeVar("G")


class Evaluator(Protocol):
    """A function that evaluates genotypes.

    Each outcome depends only on the settings, the genotype and its seed. An evaluator must be a function of a module,
    so that workers in other processes and on other machines can import it.
    """

    def __call__(self, settings: Settings, genotypes: Sequence[Any], seeds: Sequence[int]) -> Sequence[Outcome]:
        """Return the outcomes of genotypes, in their order.

        settings: settings of the run. genotypes: as plain data. seeds: one for each genotype, below 2**32.
        """
        ...


@dataclass(frozen=True)
class SearchSetup(Generic[G]):
    """The parts of a run that depend on its kind of genotypes.

    search: a new search. to_plain: returns a genotype as plain data: mappings, sequences, numbers and strings.
    evaluate: the evaluator. steps: number of time steps of a rollout, for the reported rate. versions: versions of
    formats and packages that the search and the evaluator depend on, besides gambol's own. genes: function that returns
    the genes of a genotype, for tables.
    """

    search: Search[G]
    to_plain: Callable[[G], Any]
    evaluate: Evaluator
    steps: float = 0.0
    versions: Mapping[str, str] = field(default_factory=dict[str, str])
    genes: Genes = no_genes


SetupFactory = Callable[[Settings], SearchSetup[Any]]
"""A function that returns the search setup of settings."""
