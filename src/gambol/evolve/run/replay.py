"""Replay: the evaluation of an archived individual once more."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

from gambol.evolve.archive import Archive, IndividualRecord
from gambol.evolve.outcome import Outcome
from gambol.evolve.run.chunks import evaluate_chunk, outcome_of
from gambol.evolve.run.provenance import version_changes, versions
from gambol.evolve.run.resume import VersionWarning, settings_of
from gambol.evolve.run.search_setup import Evaluator
from gambol.evolve.run.settings import Settings


@dataclass(frozen=True)
class ArchivedIndividual:
    """An individual of an archive with everything that determines its outcome. settings: of its run."""

    settings: Settings
    individual: IndividualRecord


def load_individual(
    archive: Archive, run: int, number: int, more: Mapping[str, str] | None = None
) -> ArchivedIndividual:
    """Return an individual of an archive.

    archive: that has it. run, number: of the individual. more: present versions of formats, as in SearchSetup, to be
    compared too. Issues a VersionWarning if versions differ from those of the run. Raises EvolveError for an unknown
    individual.
    """
    individual = archive.individual(run, number)
    changes = version_changes(archive.run(run).versions, versions(more))
    if changes:
        text = (
            f"individual {number} of run {run} was evaluated with other versions, so it may move differently now: "
            f"{changes}"
        )
        warnings.warn(text, VersionWarning, stacklevel=2)
    return ArchivedIndividual(settings_of(archive, run), individual)


def replay(archived: ArchivedIndividual, evaluate: Evaluator) -> tuple[Outcome, bool]:
    """Return the outcome of evaluating an individual again, and True where it is the stored one to the last bit."""
    individual = archived.individual
    (plain,) = evaluate_chunk(evaluate, archived.settings.plain(), [individual.genotype], [individual.seed])
    outcome = outcome_of(plain)
    return outcome, repr(outcome) == repr(individual.outcome)  # repr is exact for floats, and NaN equals NaN in it
