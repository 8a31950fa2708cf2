"""Chunks of a generation: workers receive them as plain data, and return outcomes as plain data.

The chunks depend only on the settings, so outcomes are the same for any number of workers.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from gambol.errors import EvolveError
from gambol.evolve.outcome import Outcome
from gambol.evolve.run.search_setup import Evaluator
from gambol.evolve.run.settings import Settings

NOT_A_NUMBER = "is not a number"

PlainOutcome = tuple[float, dict[str, float], list[float], str]
"""The fields of an Outcome, in their order."""


@dataclass(frozen=True)
class Chunk:
    """Individuals of a generation that are evaluated together. first: index of the first one."""

    first: int
    genotypes: Sequence[Any]
    seeds: Sequence[int]

    @property
    def description(self) -> str:
        """The range of individuals, as text for messages."""
        return f"individuals {self.first} to {self.first + len(self.seeds) - 1} of the generation"


def chunks_of(genotypes: Sequence[Any], seeds: Sequence[int], size: int) -> list[Chunk]:
    """Return the chunks of a generation. size: of all chunks but the last, which may be smaller."""
    starts = range(0, len(seeds), size)
    return [Chunk(first, genotypes[first : first + size], seeds[first : first + size]) for first in starts]


def evaluate_chunk(
    evaluate: Evaluator, settings: Mapping[str, Any], genotypes: Sequence[Any], seeds: Sequence[int]
) -> list[PlainOutcome]:
    """Return the outcomes of a chunk, as plain data; called in a worker.

    evaluate: the evaluator. settings: of the run, as plain data. genotypes: as plain data. seeds: one for each. Raises
    EvolveError unless the evaluator returns one outcome for each genotype.
    """
    outcomes: Sequence[object] = evaluate(Settings.of_plain(settings), genotypes, seeds)
    if len(outcomes) != len(genotypes):
        raise EvolveError(f"the task gave {len(outcomes)} outcomes for {len(genotypes)} genotypes; give one for each")
    return [_plain(_sanitised(outcome)) for outcome in outcomes]


def outcome_of(plain: PlainOutcome) -> Outcome:
    """Return the outcome that a worker sent as plain data."""
    fitness, terms, behaviour, marked = plain
    return Outcome(fitness, terms, tuple(behaviour), marked)


def _sanitised(outcome: object) -> Outcome:
    """Return an outcome of floats, with NaN for values that are not finite; it is marked if this makes it invalid."""
    if not isinstance(outcome, Outcome):
        raise EvolveError(f"the task gave {outcome!r} in place of an Outcome")
    fitness, behaviour = _number(outcome.fitness), tuple(map(_number, outcome.behaviour))
    invalid = any(map(math.isnan, (fitness, *behaviour)))
    return replace(
        outcome,
        fitness=fitness,
        terms={name: _number(value) for name, value in outcome.terms.items()},
        behaviour=behaviour,
        marked=outcome.marked or (NOT_A_NUMBER if invalid else ""),
    )


def _number(value: object) -> float:
    """Return a value as a float; NaN if it is not a finite number. -0.0 becomes 0.0, as in some databases."""
    try:
        number = float(cast("Any", value)) + 0.0
    except (TypeError, ValueError):
        return math.nan
    return number if math.isfinite(number) else math.nan


def _plain(outcome: Outcome) -> PlainOutcome:
    return outcome.fitness, dict(outcome.terms), list(outcome.behaviour), outcome.marked
