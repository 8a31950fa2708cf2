"""Living an archived individual's life once more."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

from gambol.evolve.archive import Archive, IndividualRecord
from gambol.evolve.outcome import Outcome
from gambol.evolve.run.breeding import Evaluator
from gambol.evolve.run.resume import VersionWarning, settings_of
from gambol.evolve.run.settings import Settings
from gambol.evolve.run.shares import lived, outcome_of
from gambol.evolve.run.vintage import changed, versions


@dataclass(frozen=True)
class Ancestor:
    """An individual with all that its life follows from. settings: of its run."""

    settings: Settings
    individual: IndividualRecord


def ancestor(archive: Archive, run: int, number: int, more: Mapping[str, str] | None = None) -> Ancestor:
    """An individual of an archive, to be seen again.

    more: versions of formats here, as of Breeding, if they are to be compared, too. A VersionWarning tells of other
    versions than it lived with. Raises EvolveError where there is no such individual.
    """
    individual = archive.individual(run, number)
    differing = changed(archive.run(run).versions, versions(more))
    if differing:
        text = (
            f"individual {number} of run {run} lived with other versions, so it may move differently now: {differing}"
        )
        warnings.warn(text, VersionWarning, stacklevel=2)
    return Ancestor(settings_of(archive, run), individual)


def replayed(ancestor: Ancestor, evaluate: Evaluator) -> tuple[Outcome, bool]:
    """The outcome of living a life again, and whether it is the stored one to the last bit."""
    one = ancestor.individual
    (plain,) = lived(evaluate, ancestor.settings.plain(), [one.genotype], [one.seed])
    outcome = outcome_of(plain)
    return outcome, repr(outcome) == repr(one.outcome)  # the digits of floats are exact, and NaN is like NaN
