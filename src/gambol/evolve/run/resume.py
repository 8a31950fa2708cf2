"""Resuming a run: a new search is told the stored outcomes again, and so gets into the same state."""

import warnings
from collections.abc import Sequence
from dataclasses import replace

from gambol.errors import EvolveError
from gambol.evolve.archive import Archive, IndividualRecord
from gambol.evolve.archive.exact import text_of
from gambol.evolve.run.provenance import version_changes, versions
from gambol.evolve.run.run import Run
from gambol.evolve.run.search_setup import SetupFactory
from gambol.evolve.run.settings import Settings, differences

COMPARED = ("number", "parents", "origin", "strategy", "seed", "genotype")
"""The fields of every individual that a search must propose again, exactly."""


class VersionWarning(UserWarning):
    """The versions differ from those of the stored run, so bits may differ."""


def resume_run(archive: Archive, run: int, make_setup: SetupFactory, requested: Settings | None = None) -> Run:
    """Return a stored run, ready to go on to the result that it would have had without a break.

    archive: where it is; run: its number. make_setup: returns its search setup. requested: settings, which must be the
    stored ones, but for more generations; None: the stored ones. Nothing is evaluated. A VersionWarning tells of other
    versions. Raises EvolveError where there is no such run, settings differ, the archive is damaged, or the search does
    not propose what is stored.
    """
    settings = settings_of(archive, run, requested)
    setup = make_setup(settings)
    stored = archive.run(run)
    changes = version_changes(stored.versions, versions(setup.versions))
    if changes:
        text = f"run {run} goes on with other versions, so its creatures may move differently from here on: {changes}"
        warnings.warn(text, VersionWarning, stacklevel=2)
    resumed = Run(archive, run, settings, setup)
    for generation in archive.generations(run):
        individuals = archive.individuals(run, generation.generation)
        _check(resumed.next_generation(), individuals, changes)
        resumed.tell(individuals)
    if settings.plain() != stored.settings:
        archive.update_settings(run, settings.plain())
    return resumed


def settings_of(archive: Archive, run: int, requested: Settings | None = None) -> Settings:
    """Return the settings of a stored run, or those requested.

    Raises EvolveError where these differ in more than generations. archive: where it is; run: its number. Fewer
    generations than are stored are refused, too.
    """
    record = archive.run(run)
    stored = Settings.of_plain(record.settings, f"{archive.place}, run {run}")
    if requested is None:
        return stored
    if requested.generations < record.generations:
        raise EvolveError(
            f"run {run} has {record.generations} generations already, and {requested.generations} are asked for; "
            "ask for as many or more"
        )
    changes = differences(stored.plain(), replace(requested, generations=stored.generations).plain())
    if changes:
        raise EvolveError(
            f"run {run} cannot be resumed with other settings, for it would be another run ({'; '.join(changes)}); "
            "resume it with its own, of which only generations may be raised, or begin another run"
        )
    return requested


def _check(proposed: Sequence[IndividualRecord], stored: Sequence[IndividualRecord], changes: str) -> None:
    """Raise EvolveError where a search proposes something else than is stored."""
    if len(proposed) != len(stored):
        what = f"{len(proposed)} individuals in generation {stored[0].generation} instead of {len(stored)}"
    else:
        pairs = zip(proposed, stored, strict=True)
        lines = (_difference(new, old) for new, old in pairs)
        what = next((line for line in lines if line), "")
    if what:
        because = f"its versions differ ({changes})" if changes else "the search or its settings were changed"
        raise EvolveError(
            f"this run cannot be resumed, because {because}: the search now asks for {what}; resume it with the "
            "versions that began it, or begin another run"
        )


def _difference(proposed: IndividualRecord, stored: IndividualRecord) -> str:
    """Return in which field a proposed individual is not the stored one, in words, or ""."""
    if _text(proposed, *COMPARED) == _text(stored, *COMPARED):
        return ""
    name = next(name for name in COMPARED if _text(proposed, name) != _text(stored, name))
    return f"individual {stored.number} with another {name}"


def _text(individual: IndividualRecord, *names: str) -> str:
    return text_of([getattr(individual, name) for name in names], f"individual {individual.number}")
