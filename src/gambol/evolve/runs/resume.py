"""Resuming a run: a new search gets the stored outcomes and so reaches the same state."""

import warnings
from collections.abc import Sequence
from dataclasses import replace

from gambol.errors import EvolveError
from gambol.evolve.archive import Archive, IndividualRecord
from gambol.evolve.archive.exact import to_json
from gambol.evolve.runs.run import Run, version_changes, versions
from gambol.evolve.runs.search_setup import SetupFactory
from gambol.evolve.runs.settings import Settings, differences

COMPARED_FIELDS = ("number", "parents", "origin", "strategy", "seed", "genotype")
"""The fields of an individual in which a new proposal must equal the stored individual exactly."""


class VersionWarning(UserWarning):
    """The versions differ from those of the stored run, so results may differ in their last bits."""


def resume_run(archive: Archive, run: int, make_setup: SetupFactory, requested: Settings | None = None) -> Run:
    """Return a stored run that continues to the same result as without the interruption. Nothing is evaluated.

    archive: archive of the run. run: number of the run. make_setup: returns its search setup. requested: settings,
    which must equal the stored settings except for more generations; None: the stored settings. Issues a VersionWarning
    if versions differ. Raises EvolveError if there is no such run, settings differ, the archive is damaged, or the
    proposals of the search differ from the stored individuals.
    """
    settings = settings_of(archive, run, requested)
    setup = make_setup(settings)
    stored = archive.run(run)
    changes = version_changes(stored.versions, versions(setup.versions))
    if changes:
        message = (
            f"run {run} goes on with other versions, so its creatures may move differently from here on: {changes}"
        )
        warnings.warn(message, VersionWarning, stacklevel=2)
    resumed = Run(archive, run, settings, setup)
    for generation in archive.generations(run):
        individuals = archive.individuals(run, generation.generation)
        _check(resumed.next_generation(), individuals, changes)
        resumed.tell(individuals)
    if settings.plain() != stored.settings:
        archive.update_settings(run, settings.plain())
    return resumed


def settings_of(archive: Archive, run: int, requested: Settings | None = None) -> Settings:
    """Return the settings of a stored run, or the requested ones.

    archive: archive of the run. run: number of the run. requested: settings, which may differ only in the number of
    generations. Raises EvolveError for other differences, and for fewer generations than are stored.
    """
    record = archive.run(run)
    stored = Settings.of_plain(record.settings, f"{archive.location}, run {run}")
    if requested is None:
        return stored
    if requested.generations < record.generations:
        raise EvolveError(
            f"run {run} has {record.generations} generations already, more than the {requested.generations} requested; "
            "request as many or more"
        )
    changes = differences(stored.plain(), replace(requested, generations=stored.generations).plain())
    if changes:
        raise EvolveError(
            f"run {run} cannot be resumed with other settings, for it would be another run ({'; '.join(changes)}); "
            "resume it with its own settings, with more generations at most, or begin another run"
        )
    return requested


def _check(proposed: Sequence[IndividualRecord], stored: Sequence[IndividualRecord], changes: str) -> None:
    """Raise EvolveError if proposed individuals differ from the stored ones. changes: changes of versions, as text."""
    if len(proposed) != len(stored):
        difference = f"{len(proposed)} individuals in generation {stored[0].generation} instead of {len(stored)}"
    else:
        pairs = zip(proposed, stored, strict=True)
        lines = (_difference(new, old) for new, old in pairs)
        difference = next((line for line in lines if line), "")
    if difference:
        reason = f"its versions differ ({changes})" if changes else "the search or its settings were changed"
        raise EvolveError(
            f"this run cannot be resumed, because {reason}: the search now proposes {difference}; resume it with the "
            "versions that began it, or begin another run"
        )


def _difference(proposed: IndividualRecord, stored: IndividualRecord) -> str:
    """Return a text about the first field in which a proposed individual differs from the stored one, or ""."""
    if _text(proposed, *COMPARED_FIELDS) == _text(stored, *COMPARED_FIELDS):
        return ""
    name = next(name for name in COMPARED_FIELDS if _text(proposed, name) != _text(stored, name))
    return f"individual {stored.number} with another {name}"


def _text(individual: IndividualRecord, *names: str) -> str:
    return to_json([getattr(individual, name) for name in names], f"individual {individual.number}")
