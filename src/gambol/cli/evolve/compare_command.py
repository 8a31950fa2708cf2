"""The command `gambol compare`: runs searches with equal settings and seeds, and writes a plot and tables of them."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from gambol.cli.evolve.archive_lookup import open_archive
from gambol.cli.evolve.evolve_command import check_population
from gambol.cli.evolve.progress import ProgressDisplay, duration_text, fitness_text
from gambol.cli.evolve.request import CHOICE, Request
from gambol.cli.interrupts import exit_code
from gambol.cli.session import DONE, Session
from gambol.cli.targets import check_targets
from gambol.errors import EvolveError, GambolError
from gambol.evolve.archive import Archive
from gambol.evolve.compare import (
    TABLES,
    SearchRun,
    compare,
    pair_tests,
    plan_of,
    search_runs,
    summaries,
    write_table,
)
from gambol.evolve.compare.statistics import by_search
from gambol.evolve.evaluate import search_setup
from gambol.evolve.runs import Progress, Settings, make_worker_pool
from gambol.evolve.runs.evolve import check_device
from gambol.view.search_plot import PICTURES, SearchCurves, write_search_plot

AGAIN = "the same command continues"


class CompareDisplay:
    """Display of the progress of a comparison: the progress of the current run, and its number.

    It is a context manager.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._index = -1
        self._display: ProgressDisplay | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._display is not None:
            self._display.__exit__(kind, error, traceback)

    def __call__(self, index: int, count: int, settings: Settings, progress: Progress) -> None:
        """Show the progress of a run after a generation; see CompareProgress. A log gets one line for each run."""
        title = f"{index + 1} of {count}: {settings.search}, seed {settings.seed}, run {progress.run}"
        if not self._console.is_terminal:
            if progress.generation + 1 == progress.generations:
                self._console.print(Text(f"{title}: best {fitness_text(progress.run_best)}"), soft_wrap=True)
            return
        if index != self._index or self._display is None:
            self.__exit__(None, None, None)
            self._index = index
            self._display = ProgressDisplay(self._console, title, settings).__enter__()
        self._display(progress)


@dataclass(frozen=True)
class CompareCommand:
    """The options.

    searches: names of searches. request: other options, and the first seed. seeds: number of seeds. device: see
    check_device().
    """

    searches: Sequence[str]
    request: Request
    seeds: int
    executor: str
    workers: int | None
    device: str
    db: str | None
    folder: Path

    def execute(self, session: Session) -> int:
        """Run the comparison and write its files; return the exit code. Raises GambolError before any work."""
        check_device(self.device, self.executor)
        plan = self._plan()
        check_targets(self.folder, self._files(plan[0]))
        with ExitStack() as stack:
            pool = stack.enter_context(
                make_worker_pool(self.executor, self.workers, lambda warning: session.warn([warning]))
            )
            pool.connect()  # first, so that no run is created without workers
            archive = stack.enter_context(open_archive(self.db, self.folder, create=True))
            with CompareDisplay(session.error_console) as display:
                try:
                    result = compare(archive, plan, pool, display, partial(search_setup, device=self.device))
                except GambolError as error:
                    raise EvolveError(f"{error}\nWhen that is fixed, {AGAIN}") from error
            if result.runs:
                self._write(archive, result.runs, plan, session)
            if result.interrupted:
                session.fail(f"interrupted after {len(result.runs)} of {len(plan)} runs, which are stored; {AGAIN}")
                return exit_code()
        return DONE

    def _plan(self) -> list[Settings]:
        """Return the settings of all runs. Raises GambolError for invalid options."""
        if CHOICE in self.searches:
            raise GambolError(f'"{CHOICE}" needs a person who chooses; use `gambol breed`')
        settings = [replace(self.request, search=search).settings() for search in self.searches]
        for each in settings:
            check_population(each)
        return plan_of(settings, self.seeds)

    def _files(self, settings: Settings) -> list[Path]:
        """Return the files that are written: pictures, then tables."""
        name = f"compare-{settings.task.replace(':', '.')}"
        return [self.folder / f"{name}{ending}" for ending in (*PICTURES, *TABLES)]

    def _write(self, archive: Archive, numbers: Sequence[int], plan: Sequence[Settings], session: Session) -> None:
        """Print and write the results of finished runs."""
        runs, files = search_runs(archive, numbers), self._files(plan[0])
        session.console.print(summary_table(runs))
        if pair_tests(runs):
            session.console.print(pair_table(runs))
        curves = {
            name: SearchCurves(each[0].evaluations.astype(float), np.array([run.best for run in each]))
            for name, each in by_search(runs).items()
        }
        first = plan[0]
        title = f"{first.task}, {first.body}: {len(runs)} runs of {first.population * first.generations:,} creatures"
        paths = [*write_search_plot(curves, files[: len(PICTURES)], title)]
        paths += [write_table(runs, first, path) for path in files[len(PICTURES) :]]
        session.console.print(Text("wrote " + ", ".join(map(str, paths))), soft_wrap=True)


def summary_table(runs: Sequence[SearchRun]) -> Table:
    """Return a table with a row for each search."""
    table = Table("search", "runs", "creatures", "median", "quartiles", "best", "time of a run", box=None)
    for row in summaries(runs):
        quartiles = f"{fitness_text(row.lower)} to {fitness_text(row.upper)}"
        fitnesses = (fitness_text(row.median), quartiles, fitness_text(row.best))
        table.add_row(Text(row.search), str(row.runs), f"{row.evaluations:,}", *fitnesses, duration_text(row.seconds))
    return table


def pair_table(runs: Sequence[SearchRun]) -> Table:
    """Return a table with a row for each pair of searches."""
    table = Table("pair", "U", "p", "p (Holm)", "first is better", box=None)
    for test in pair_tests(runs):
        numbers = (f"{test.u:g}", f"{test.p:.3g}", f"{test.p_holm:.3g}", f"{100.0 * test.superiority:.0f} %")
        table.add_row(Text(f"{test.first}, {test.second}"), *numbers)
    return table
