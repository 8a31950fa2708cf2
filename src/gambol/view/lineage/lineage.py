"""The data of a lineage page, independent of the search that produced the creatures."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.view.live.gene_settings import NO_GENES, GeneSettings
from gambol.world import State
from gambol.world.film import Film


@dataclass(frozen=True)
class GeneInfo:
    """A gene on the page: its name, unit and bounds."""

    name: str
    unit: str
    lower: float
    upper: float


@dataclass(frozen=True)
class Generation:
    """Fitness of a generation: best, median, lower and upper quartile; NaN if unknown."""

    best: float
    median: float
    lower: float
    upper: float


@dataclass(frozen=True)
class Individual:
    """A creature of the family tree.

    number: number of the creature; generation: number of its generation; parents: numbers of creatures, some of which
    may be absent from the page; origin: the operator that created it; marked: the reason why it has no score, or "";
    terms: terms of its fitness, by name; genes, values: its genes and their values; film: film of its motion, or None.
    start: its first state, of one world, and the inputs of that world (rows, 1); None if the page only plays the film;
    motion_note: the reason why the page plays the film, or ""; gene_settings: sliders of its genes.
    """

    number: int
    generation: int
    parents: tuple[int, ...]
    origin: str
    fitness: float
    marked: str = ""
    terms: Mapping[str, float] = field(default_factory=dict[str, float])
    genes: tuple[GeneInfo, ...] = ()
    values: tuple[float, ...] = ()
    film: Film | None = None
    start: tuple[State, NDArray[Any]] | None = None
    motion_note: str = ""
    gene_settings: GeneSettings = NO_GENES


@dataclass(frozen=True)
class Lineage:
    """The ancestry of a creature.

    about: texts on the run, by name; individuals: creatures in any order; line: numbers of the creatures in the line of
    descent, the oldest first, the creature itself last; left_out: notes on data that is not shown; film_command: a
    command that films a creature, with NUMBER for its number; trials: a note that says which trials gave the terms and
    the films, or "". Raises GambolError for a line with missing individuals, and for different numbers of values and
    genes.
    """

    title: str
    about: Mapping[str, str]
    generations: tuple[Generation, ...]
    individuals: tuple[Individual, ...]
    line: tuple[int, ...]
    left_out: tuple[str, ...] = ()
    film_command: str = ""
    trials: str = ""

    def __post_init__(self) -> None:
        known = {individual.number for individual in self.individuals}
        missing = [number for number in self.line if number not in known]
        if missing or not self.line:
            raise GambolError(f'the lineage "{self.title}" lacks the creature {missing[0] if missing else "itself"}')
        for individual in self.individuals:
            if len(individual.values) != len(individual.genes):
                raise GambolError(
                    f"creature {individual.number} has {len(individual.values)} values of {len(individual.genes)} genes"
                )
