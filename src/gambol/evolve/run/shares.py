"""Shares of a generation, as workers get them: plain data there and back.

Where a generation is cut depends on the settings alone, so outcomes are the same for any number of workers.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from gambol.errors import EvolveError
from gambol.evolve.outcome import Outcome
from gambol.evolve.run.breeding import Evaluator
from gambol.evolve.run.settings import Settings

NOT_A_NUMBER = "is not a number"

PlainOutcome = tuple[float, dict[str, float], list[float], str]


@dataclass(frozen=True)
class Share:
    """Individuals of a generation that are evaluated together. first: the place of the first one."""

    first: int
    genotypes: Sequence[Any]
    seeds: Sequence[int]

    @property
    def name(self) -> str:
        """Which individuals these are, in words."""
        return f"individuals {self.first} to {self.first + len(self.seeds) - 1} of the generation"


def shares_of(genotypes: Sequence[Any], seeds: Sequence[int], size: int) -> list[Share]:
    """A generation cut into shares of a size; the last may be smaller."""
    cuts = range(0, len(seeds), size)
    return [Share(first, genotypes[first : first + size], seeds[first : first + size]) for first in cuts]


def lived(
    evaluate: Evaluator, settings: Mapping[str, Any], genotypes: Sequence[Any], seeds: Sequence[int]
) -> list[PlainOutcome]:
    """What a worker does: live a share. Raises EvolveError where an evaluator gives no outcome for each genotype."""
    outcomes: Sequence[object] = evaluate(Settings.of_plain(settings), genotypes, seeds)
    if len(outcomes) != len(genotypes):
        raise EvolveError(f"the task gave {len(outcomes)} outcomes for {len(genotypes)} genotypes; give one for each")
    return [_plain(_judged(outcome)) for outcome in outcomes]


def outcome_of(plain: PlainOutcome) -> Outcome:
    """The outcome that came back from a worker."""
    fitness, terms, behaviour, marked = plain
    return Outcome(fitness, terms, tuple(behaviour), marked)


def _judged(outcome: object) -> Outcome:
    """An outcome as it is told and stored: floats, NaN for all that is not finite, and marked if that counts."""
    if not isinstance(outcome, Outcome):
        raise EvolveError(f"the task gave {outcome!r} in place of an Outcome")
    fitness, behaviour = _number(outcome.fitness), tuple(map(_number, outcome.behaviour))
    lost = any(map(math.isnan, (fitness, *behaviour)))
    return replace(
        outcome,
        fitness=fitness,
        terms={name: _number(value) for name, value in outcome.terms.items()},
        behaviour=behaviour,
        marked=outcome.marked or (NOT_A_NUMBER if lost else ""),
    )


def _number(value: object) -> float:
    """A float, NaN for all that is not finite or no number; zero without a sign, which not all databases keep."""
    try:
        number = float(cast("Any", value)) + 0.0
    except (TypeError, ValueError):
        return math.nan
    return number if math.isfinite(number) else math.nan


def _plain(outcome: Outcome) -> PlainOutcome:
    return outcome.fitness, dict(outcome.terms), list(outcome.behaviour), outcome.marked
