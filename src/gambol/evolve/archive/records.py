"""What an archive holds, as plain frozen data, and how an individual becomes a row and a row an individual."""

import hashlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gambol.evolve.archive.exact import plain_of, strict_text_of, text_of
from gambol.evolve.outcome import Outcome

NAN = float("nan")


@dataclass(frozen=True)
class RunRecord:
    """A run as it was begun. made: when, in UTC, as ISO 8601 writes it; generations: how many are stored."""

    id: int
    settings: Mapping[str, Any]
    versions: Mapping[str, str]
    made: str
    generations: int


@dataclass(frozen=True)
class GenerationRecord:
    """A stored generation: which individuals it has, and how fit they were.

    first: the number of its first individual, of size that follow one another. best, median, lower, upper: of the
    fitness of those that were not marked, the last two its quartiles; NaN if all were. seconds: how long it took to
    live and to be stored.
    """

    generation: int
    first: int
    size: int
    best: float
    median: float
    lower: float
    upper: float
    seconds: float
    made: str


@dataclass(frozen=True)
class IndividualRecord:
    """One that lived: where it comes from, what it is and what its life came to.

    number: counts all of the run, from 0. place: within its generation. parents: numbers of others of the run. origin:
    the operator that made it. strategy: what it carries for the search, such as step sizes. genotype: plain data. seed:
    of its life.
    """

    number: int
    generation: int
    place: int
    parents: tuple[int, ...]
    origin: str
    strategy: tuple[float, ...]
    genotype: Any
    seed: int
    outcome: Outcome


def row_of(run: int, one: IndividualRecord) -> dict[str, Any]:
    """The row of an individual of a run. Raises EvolveError for a genotype that is no plain data or not finite."""
    name, outcome = f"individual {one.number}", one.outcome
    return {
        "run": run,
        "number": one.number,
        "generation": one.generation,
        "place": one.place,
        "parents": text_of(one.parents, name),
        "origin": one.origin,
        "strategy": text_of(one.strategy, name),
        "genotype": strict_text_of(one.genotype, f"the genotype of {name}"),
        "seed": one.seed,
        "fitness": stored_number(outcome.fitness),
        "terms": text_of(outcome.terms, name),
        "behaviour": text_of(outcome.behaviour, name),
        "marked": outcome.marked,
    }


def individual_of(row: Mapping[str, Any]) -> IndividualRecord:
    """The individual of a row."""
    name = f"individual {row['number']}"

    def read(column: str) -> Any:
        return plain_of(row[column], f"{name}: {column}")

    outcome = Outcome(
        fitness=number_of(row["fitness"]),
        terms={key: number_of(value) for key, value in read("terms").items()},
        behaviour=tuple(map(number_of, read("behaviour"))),
        marked=row["marked"],
    )
    return IndividualRecord(
        number=row["number"],
        generation=row["generation"],
        place=row["place"],
        parents=tuple(read("parents")),
        origin=row["origin"],
        strategy=tuple(map(number_of, read("strategy"))),
        genotype=read("genotype"),
        seed=row["seed"],
        outcome=outcome,
    )


def stored_number(value: float) -> float | None:
    """A number as a column takes it: NULL for what is not finite; zero without a sign, which SQLite does not know."""
    return value + 0.0 if math.isfinite(value) else None


def number_of(stored: float | None) -> float:
    """A number as it was before it was stored: those that are not finite come back as NaN."""
    return NAN if stored is None else float(stored)


def digest_of(rows: Iterable[Mapping[str, Any]]) -> str:
    """A digest of the rows of a generation, by which damage shows that the database itself does not notice."""
    digest = hashlib.blake2b(digest_size=16)
    for row in rows:
        digest.update("\x1f".join(map(str, row.values())).encode())
    return digest.hexdigest()
