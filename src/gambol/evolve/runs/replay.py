"""Replay: a second evaluation of an archived individual."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

from gambol.evolve.archive import Archive, IndividualRecord
from gambol.evolve.outcome import Outcome
from gambol.evolve.references import source_digests
from gambol.evolve.runs.resume import VersionWarning, settings_of
from gambol.evolve.runs.run import version_changes, versions
from gambol.evolve.runs.search_setup import Evaluator
from gambol.evolve.runs.settings import Settings
from gambol.evolve.runs.worker_pool import evaluate_chunk, outcome_of


@dataclass(frozen=True)
class ArchivedIndividual:
    """An archived individual with the settings of its run: together they determine its outcome."""

    settings: Settings
    individual: IndividualRecord


def load_individual(
    archive: Archive, run: int, number: int, extra_versions: Mapping[str, str] | None = None
) -> ArchivedIndividual:
    """Return an individual of an archive.

    archive: archive of the individual. run: number of its run. number: number of the individual in the run.
    extra_versions: current versions of formats, as in SearchSetup, which are compared as well. Issues a VersionWarning
    if versions differ from those of the run, or the source of a module of the user's own. Raises EvolveError for an
    unknown individual.
    """
    individual = archive.individual(run, number)
    settings = settings_of(archive, run)
    current = versions({**(extra_versions or {}), **source_digests(settings.plain())})
    changes = version_changes(archive.run(run).versions, current)
    if changes:
        message = (
            f"individual {number} of run {run} was evaluated with other versions, so it may move differently now: "
            f"{changes}"
        )
        warnings.warn(message, VersionWarning, stacklevel=2)
    return ArchivedIndividual(settings, individual)


def replay(archived: ArchivedIndividual, evaluate: Evaluator) -> tuple[Outcome, bool]:
    """Evaluate an individual again; return its outcome, and True if it equals the stored one to the last bit.

    archived: the individual. evaluate: the evaluator of its run.
    """
    individual = archived.individual
    (plain,) = evaluate_chunk(evaluate, archived.settings.plain(), [individual.genotype], [individual.seed])
    outcome = outcome_of(plain)
    return outcome, repr(outcome) == repr(individual.outcome)  # repr is exact for floats, and equal for NaN
