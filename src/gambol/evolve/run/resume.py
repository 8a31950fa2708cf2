"""Resuming a run: its search is told the stored outcomes again, and so comes to be where it was."""

import warnings
from collections.abc import Sequence
from dataclasses import replace

from gambol.errors import EvolveError
from gambol.evolve.archive import Archive, IndividualRecord
from gambol.evolve.archive.exact import text_of
from gambol.evolve.run.breeding import Breed
from gambol.evolve.run.run import Run
from gambol.evolve.run.settings import Settings, differences
from gambol.evolve.run.vintage import changed, versions

COMPARED = ("number", "parents", "origin", "strategy", "seed", "genotype")
"""What a search must ask for again, exactly, of every individual."""


class VersionWarning(UserWarning):
    """What runs here is not what ran there, so bits may differ."""


def resumed(archive: Archive, run: int, breed: Breed, asked: Settings | None = None) -> Run:
    """A stored run, ready to go on to the result that it would have had without a break.

    breed: makes its search anew. asked: settings, which must be the stored ones, but that there may be more
    generations; None: the stored ones. Nothing is evaluated. A VersionWarning tells of other versions. Raises
    EvolveError where there is no such run, settings differ, the archive is damaged, or the search does not ask for what
    is stored.
    """
    settings = settings_of(archive, run, asked)
    breeding = breed(settings)
    stored = archive.run(run)
    differing = changed(stored.versions, versions(breeding.versions))
    if differing:
        text = f"run {run} goes on with other versions, so its creatures may move differently from here on: {differing}"
        warnings.warn(text, VersionWarning, stacklevel=2)
    again = Run(archive, run, settings, breeding)
    for generation in archive.generations(run):
        individuals = archive.individuals(run, generation.generation)
        _check(again.asked(), individuals, differing)
        again.tell(individuals)
    if settings.plain() != stored.settings:
        archive.restate(run, settings.plain())
    return again


def settings_of(archive: Archive, run: int, asked: Settings | None = None) -> Settings:
    """The settings of a stored run, or those asked for. Raises EvolveError if these differ in more than generations.

    Fewer generations than are stored are refused, too.
    """
    record = archive.run(run)
    stored = Settings.of_plain(record.settings, f"{archive.place}, run {run}")
    if asked is None:
        return stored
    if asked.generations < record.generations:
        raise EvolveError(
            f"run {run} has {record.generations} generations already, and {asked.generations} are asked for; "
            "ask for as many or more"
        )
    differing = differences(stored.plain(), replace(asked, generations=stored.generations).plain())
    if differing:
        raise EvolveError(
            f"run {run} cannot be resumed with other settings, for it would be another run ({'; '.join(differing)}); "
            "resume it with its own, of which only generations may be raised, or begin another run"
        )
    return asked


def _check(asked: Sequence[IndividualRecord], stored: Sequence[IndividualRecord], differing: str) -> None:
    """Raises EvolveError where a search asks for something else than is stored."""
    if len(asked) != len(stored):
        what = f"{len(asked)} individuals in generation {stored[0].generation} instead of {len(stored)}"
    else:
        pairs = zip(asked, stored, strict=True)
        told = (_difference(one, other) for one, other in pairs)
        what = next((line for line in told if line), "")
    if what:
        because = f"its versions differ ({differing})" if differing else "the search or its settings were changed"
        raise EvolveError(
            f"this run cannot be resumed, because {because}: the search now asks for {what}; resume it with the "
            "versions that began it, or begin another run"
        )


def _difference(asked: IndividualRecord, stored: IndividualRecord) -> str:
    """In which word an individual that is asked for is not the stored one, or ""."""
    if _text(asked, *COMPARED) == _text(stored, *COMPARED):
        return ""
    name = next(name for name in COMPARED if _text(asked, name) != _text(stored, name))
    return f"individual {stored.number} with another {name}"


def _text(individual: IndividualRecord, *names: str) -> str:
    return text_of([getattr(individual, name) for name in names], f"individual {individual.number}")
