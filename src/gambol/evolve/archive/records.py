"""The records of an archive, as plain frozen data, and their conversion to and from rows."""

import hashlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gambol.errors import EvolveError
from gambol.evolve.archive.columns import (
    CHANGED,
    INDIVIDUAL_LIMIT,
    WHOLE_LIMIT,
    json_list,
    json_numbers,
    json_object,
    json_texts,
    number,
    text,
    whole,
)
from gambol.evolve.archive.exact import plain_of, strict_text_of, text_of
from gambol.evolve.outcome import Outcome


@dataclass(frozen=True)
class RunRecord:
    """A run. made: when it began, in UTC, in ISO 8601; generations: how many are stored."""

    id: int
    settings: Mapping[str, Any]
    versions: Mapping[str, str]
    made: str
    generations: int


@dataclass(frozen=True)
class GenerationRecord:
    """A stored generation: which individuals it has, and their fitness.

    first: the number of its first individual, of size that follow one another. best, median, lower, upper: of the valid
    fitness, the last two its quartiles; NaN where there is none. seconds: how long it took to be evaluated and stored.
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
    """An evaluated individual: its origin, its genotype and its outcome.

    number: counts all of the run, from 0. generation: from 0. place: within its generation. parents: numbers of others
    of the run. origin: the operator that made it. strategy: data of the search, such as step sizes. genotype: plain
    data. seed: of its rollout.
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
    """Return the row of an individual of a run. Raises EvolveError for a genotype that is not plain or not finite."""
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


def run_of(row: Mapping[str, Any], place: str) -> RunRecord:
    """Return the run of a row. place: the archive, for errors. Raises EvolveError for invalid columns."""
    id = whole(row["id"], f"{place}: the number of a run", least=-WHOLE_LIMIT)
    name = f"{place}: run {id}"
    return RunRecord(
        id=id,
        settings=json_object(row["settings"], f"{name}: settings"),
        versions=json_texts(row["versions"], f"{name}: versions"),
        made=text(row["made"], f"{name}: made"),
        generations=row["generations"],
    )


def generation_of(row: Mapping[str, Any], place: str) -> GenerationRecord:
    """Return the generation of a row. place: archive and run, for errors. Raises EvolveError for invalid columns."""
    generation = whole(row["generation"], f"{place}: the number of a generation")
    name = f"{place}: generation {generation}"
    seconds = number(row["seconds"], f"{name}: seconds")
    if not seconds >= 0.0:
        raise EvolveError(f"{name}: it took {seconds} seconds, which cannot be: {CHANGED}")
    return GenerationRecord(
        generation=generation,
        first=whole(row["first"], f"{name}: first", below=INDIVIDUAL_LIMIT),
        size=whole(row["size"], f"{name}: size", 1, INDIVIDUAL_LIMIT),
        seconds=seconds,
        made=text(row["made"], f"{name}: made"),
        **{column: number(row[column], f"{name}: {column}") for column in ("best", "median", "lower", "upper")},
    )


def individual_of(row: Mapping[str, Any], place: str) -> IndividualRecord:
    """Return the individual of a row. place: archive and run, for errors. Raises EvolveError for invalid columns."""
    own = whole(row["number"], f"{place}: the number of an individual")
    name = f"{place}: individual {own}"
    parents = tuple(
        whole(parent, f"{name}: parents[{k}]") for k, parent in enumerate(json_list(row["parents"], f"{name}: parents"))
    )
    if late := [parent for parent in parents if parent >= own]:
        raise EvolveError(f"{name}: its parent {late[0]} was not born before it: {CHANGED}")
    terms = json_object(row["terms"], f"{name}: terms")
    outcome = Outcome(
        fitness=number(row["fitness"], f"{name}: fitness"),
        terms={key: number(value, f"{name}: terms.{key}") for key, value in terms.items()},
        behaviour=json_numbers(row["behaviour"], f"{name}: behaviour"),
        marked=text(row["marked"], f"{name}: marked"),
    )
    return IndividualRecord(
        number=own,
        generation=whole(row["generation"], f"{name}: generation"),
        place=whole(row["place"], f"{name}: place"),
        parents=parents,
        origin=text(row["origin"], f"{name}: origin"),
        strategy=json_numbers(row["strategy"], f"{name}: strategy"),
        genotype=plain_of(text(row["genotype"], f"{name}: genotype"), f"{name}: genotype"),
        seed=whole(row["seed"], f"{name}: seed"),
        outcome=outcome,
    )


def stored_number(value: float) -> float | None:
    """Return a number as a column takes it: NULL for what is not finite; zero without a sign, as in SQLite."""
    return value + 0.0 if math.isfinite(value) else None


def digest_of(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return a digest of the rows of a generation, which shows damage that the database itself does not notice."""
    digest = hashlib.blake2b(digest_size=16)
    for row in rows:
        digest.update("\x1f".join(map(str, row.values())).encode())
    return digest.hexdigest()
