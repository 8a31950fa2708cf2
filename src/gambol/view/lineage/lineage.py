"""What a page of descent tells, as plain data: whoever bred the creatures fills it in."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gambol.errors import GambolError
from gambol.world.film import Film


@dataclass(frozen=True)
class Trait:
    """A gene as it is shown: its name, the unit of its values, and the bounds that these keep to."""

    name: str
    unit: str
    lower: float
    upper: float


@dataclass(frozen=True)
class Generation:
    """How fit a generation was: the best, the median, the lower and the upper quartile; NaN for none."""

    best: float
    median: float
    lower: float
    upper: float


@dataclass(frozen=True)
class Person:
    """One creature of a family tree.

    parents: numbers of others, which need not be shown. origin: how it was made of them. marked: why its fitness does
    not count, or "". terms: what its life was measured by. traits: what its values are of. film: of its life, or None.
    """

    number: int
    generation: int
    parents: tuple[int, ...]
    origin: str
    fitness: float
    marked: str = ""
    terms: Mapping[str, float] = field(default_factory=dict[str, float])
    traits: tuple[Trait, ...] = ()
    values: tuple[float, ...] = ()
    film: Film | None = None


@dataclass(frozen=True)
class Lineage:
    """A creature's descent.

    about: what there is to know of the run, in words by name. people: in any order. line: numbers of those in a
    straight line of descent, the oldest first, the creature itself last. left_out: notes on what is not shown.
    again: a command that films a creature, in which NUMBER stands for its number. trials: which trial of a life terms
    are of, and which one a film shows, or "".
    Raises GambolError for a line whose people are missing, and for as many values as there are no traits.
    """

    title: str
    about: Mapping[str, str]
    generations: tuple[Generation, ...]
    people: tuple[Person, ...]
    line: tuple[int, ...]
    left_out: tuple[str, ...] = ()
    again: str = ""
    trials: str = ""

    def __post_init__(self) -> None:
        known = {one.number for one in self.people}
        missing = [number for number in self.line if number not in known]
        if missing or not self.line:
            raise GambolError(
                f'the lineage "{self.title}" has nobody to show as {missing[0] if missing else "its end"}'
            )
        for one in self.people:
            if len(one.values) != len(one.traits):
                raise GambolError(f"creature {one.number} has {len(one.values)} values of {len(one.traits)} traits")
