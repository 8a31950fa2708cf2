"""The records of an archive as frozen dataclasses, their conversion to and from rows of tables, and their summary."""

import hashlib
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gambol.errors import EvolveError
from gambol.evolve.archive.columns import (
    CHANGED,
    INDIVIDUAL_LIMIT,
    INTEGER_LIMIT,
    integer,
    json_list,
    json_numbers,
    json_object,
    json_texts,
    number,
    text,
)
from gambol.evolve.archive.exact import from_json, to_finite_json, to_json
from gambol.evolve.outcome import Outcome


@dataclass(frozen=True)
class RunRecord:
    """A run.

    id: its number in the archive. settings: plain data. versions: versions of the libraries, by name. made: time of its
    start in UTC, in ISO 8601. generations: number of stored generations.
    """

    id: int
    settings: Mapping[str, Any]
    versions: Mapping[str, str]
    made: str
    generations: int


@dataclass(frozen=True)
class GenerationRecord:
    """A stored generation: the numbers of its individuals, and statistics of their fitness.

    first, size: it has the individuals first to first + size - 1. best, median, lower, upper: maximum, median and
    quartiles of the fitness of its valid individuals; NaN if no individual is valid. seconds: duration of proposal and
    evaluation, without storage [s]. made: time of storage in UTC, in ISO 8601.
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

    number: its index in the run, from 0. generation: from 0. place: its index in the generation, from 0. parents: the
    numbers of its parents in the run. origin: name of the operator that created it. strategy: data of the search, such
    as step sizes. genotype: plain data. seed: seed of its rollout.
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


def row_of(run: int, individual: IndividualRecord) -> dict[str, Any]:
    """Return the row of an individual of a run. Raises EvolveError for a genotype that is not plain or not finite."""
    name, outcome = f"individual {individual.number}", individual.outcome
    return {
        "run": run,
        "number": individual.number,
        "generation": individual.generation,
        "place": individual.place,
        "parents": to_json(individual.parents, name),
        "origin": individual.origin,
        "strategy": to_json(individual.strategy, name),
        "genotype": to_finite_json(individual.genotype, f"the genotype of {name}"),
        "seed": individual.seed,
        "fitness": stored_number(outcome.fitness),
        "terms": to_json(outcome.terms, name),
        "behaviour": to_json(outcome.behaviour, name),
        "marked": outcome.marked,
    }


def run_of(row: Mapping[str, Any], location: str) -> RunRecord:
    """Return the run in a row; location: the archive, for errors. Raises EvolveError for invalid columns."""
    id = integer(row["id"], f"{location}: the number of a run", minimum=-INTEGER_LIMIT)
    name = f"{location}: run {id}"
    return RunRecord(
        id=id,
        settings=json_object(row["settings"], f"{name}: settings"),
        versions=json_texts(row["versions"], f"{name}: versions"),
        made=text(row["made"], f"{name}: made"),
        generations=row["generations"],
    )


def generation_of(row: Mapping[str, Any], location: str) -> GenerationRecord:
    """Return the generation in a row; location: archive and run, for errors. Raises EvolveError for invalid columns."""
    generation = integer(row["generation"], f"{location}: the number of a generation")
    name = f"{location}: generation {generation}"
    seconds = number(row["seconds"], f"{name}: seconds")
    if not seconds >= 0.0:
        raise EvolveError(f"{name}: its duration of {seconds} s is impossible: {CHANGED}")
    return GenerationRecord(
        generation=generation,
        first=integer(row["first"], f"{name}: first", limit=INDIVIDUAL_LIMIT),
        size=integer(row["size"], f"{name}: size", 1, INDIVIDUAL_LIMIT),
        seconds=seconds,
        made=text(row["made"], f"{name}: made"),
        **{column: number(row[column], f"{name}: {column}") for column in ("best", "median", "lower", "upper")},
    )


def individual_of(row: Mapping[str, Any], location: str) -> IndividualRecord:
    """Return the individual in a row; location: archive and run, for errors. Raises EvolveError for invalid columns."""
    individual_number = integer(row["number"], f"{location}: the number of an individual")
    name = f"{location}: individual {individual_number}"
    parents = tuple(
        integer(parent, f"{name}: parents[{k}]")
        for k, parent in enumerate(json_list(row["parents"], f"{name}: parents"))
    )
    if later := [parent for parent in parents if parent >= individual_number]:
        raise EvolveError(f"{name}: its parent {later[0]} is not older: {CHANGED}")
    terms = json_object(row["terms"], f"{name}: terms")
    outcome = Outcome(
        fitness=number(row["fitness"], f"{name}: fitness"),
        terms={key: number(value, f"{name}: terms.{key}") for key, value in terms.items()},
        behaviour=json_numbers(row["behaviour"], f"{name}: behaviour"),
        marked=text(row["marked"], f"{name}: marked"),
    )
    return IndividualRecord(
        number=individual_number,
        generation=integer(row["generation"], f"{name}: generation"),
        place=integer(row["place"], f"{name}: place"),
        parents=parents,
        origin=text(row["origin"], f"{name}: origin"),
        strategy=json_numbers(row["strategy"], f"{name}: strategy"),
        genotype=from_json(text(row["genotype"], f"{name}: genotype"), f"{name}: genotype"),
        seed=integer(row["seed"], f"{name}: seed"),
        outcome=outcome,
    )


def stored_number(value: float) -> float | None:
    """Return a number for a column: None (NULL) if it is not finite; -0.0 becomes 0.0, as in SQLite."""
    return value + 0.0 if math.isfinite(value) else None


def digest_of(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return a digest of the rows of a generation, to detect damage that the database itself does not notice.

    It depends on the order of the columns, which must be the same in row_of() and in the table.
    """
    digest = hashlib.blake2b(digest_size=16)
    for row in rows:
        digest.update("\x1f".join(map(str, row.values())).encode())
    return digest.hexdigest()


NAN = float("nan")


def summary_of(fitness: Sequence[float]) -> dict[str, float]:
    """Return the best, the median, and the lower and upper quartile of fitness values by name; NaN without any.

    fitness: fitness of valid individuals, in any order. Quartiles are the quantiles 0.25 and 0.75 with linear
    interpolation.
    """
    if not fitness:
        return dict.fromkeys(("best", "median", "lower", "upper"), NAN)
    lower, _, upper = statistics.quantiles(fitness, method="inclusive") if len(fitness) > 1 else [*fitness] * 3
    return {"best": max(fitness), "median": statistics.median(fitness), "lower": lower, "upper": upper}
