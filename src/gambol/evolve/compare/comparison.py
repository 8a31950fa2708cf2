"""Runs of several searches with the same seeds and settings, in one archive, which also records the finished runs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from gambol.errors import EvolveError
from gambol.evolve.archive import Archive
from gambol.evolve.archive.exact import to_json
from gambol.evolve.evaluate import search_setup
from gambol.evolve.runs import Progress, Settings, SetupFactory, WorkerPool, begin_run, resume_run
from gambol.evolve.runs.settings import MAX_INTEGER

MAX_SEEDS = 10_000
"""The largest number of seeds of a comparison."""

CompareProgress: TypeAlias = Callable[[int, int, Settings, Progress], None]
"""A function that is called after every generation: index of the run, number of runs, settings, progress."""


@dataclass(frozen=True)
class Comparison:
    """The state of a comparison. runs: numbers of the finished runs. interrupted: True if Ctrl-C ended it."""

    runs: tuple[int, ...]
    interrupted: bool


def plan_of(searches: Sequence[Settings], seeds: int) -> list[Settings]:
    """Return the settings of all runs of a comparison: all searches with the first seed, then all with the next seed.

    searches: settings for each search, with the first seed. seeds: number of seeds. Raises EvolveError for fewer than
    two searches, a search that is named twice, too few or too many seeds, and settings that differ in more than the
    search.
    """
    names = [settings.search for settings in searches]
    if len(names) < 2:
        raise EvolveError("a comparison needs two searches or more, such as es and random")
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise EvolveError(f'the search "{twice}" is named twice')
    if not 1 <= seeds <= MAX_SEEDS:
        raise EvolveError(f"a comparison has 1 to {MAX_SEEDS} seeds, not {seeds}")
    if searches[0].seed + seeds - 1 > MAX_INTEGER:
        raise EvolveError(f"the last seed would be more than {MAX_INTEGER}")
    for settings in searches[1:]:
        if replace(settings, search=names[0], options=searches[0].options) != searches[0]:
            raise EvolveError(
                f'the settings for "{settings.search}" and "{names[0]}" differ in more than the search; '
                "give equal settings"
            )
    return [replace(settings, seed=settings.seed + k) for k in range(seeds) for settings in searches]


def compare(
    archive: Archive,
    plan: Sequence[Settings],
    pool: WorkerPool,
    on_progress: CompareProgress | None = None,
    make_setup: SetupFactory = search_setup,
) -> Comparison:
    """Execute the runs of a comparison that are not yet finished in an archive.

    archive: its runs with the same settings are used; unfinished runs are continued. plan: settings of all runs, see
    plan_of(). pool: the workers. on_progress: called after every generation. make_setup: returns the setup of a run.
    Ctrl-C ends the comparison; the archive contains all complete generations, and another call continues. Raises
    EvolveError if workers or the archive fail.
    """
    stored = {_key(Settings.of_plain(record.settings)): record.id for record in reversed(archive.runs())}
    finished: list[int] = []
    for index, settings in enumerate(plan):
        known = stored.get(_key(settings))
        run = begin_run(archive, settings, make_setup) if known is None else resume_run(archive, known, make_setup)

        def report(progress: Progress, index: int = index, settings: Settings = settings) -> None:
            if on_progress is not None:
                on_progress(index, len(plan), settings, progress)

        if run.execute(pool, report).interrupted:
            return Comparison(tuple(finished), interrupted=True)
        finished.append(run.id)
    return Comparison(tuple(finished), interrupted=False)


def _key(settings: Settings) -> str:
    """Return a text that is equal for equal settings."""
    return to_json(settings.plain(), "settings")
