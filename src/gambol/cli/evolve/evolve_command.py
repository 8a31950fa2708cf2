"""The command `gambol evolve`: executes a run, and writes the files of its best creature."""

from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from rich.text import Text

from gambol.cli.defaults import OUT
from gambol.cli.evolve.archive_lookup import archive_option, device_option, find_run, open_archive
from gambol.cli.evolve.artifacts import Artifacts, film_title, outcome_table, trials_note, trials_suffix
from gambol.cli.evolve.own_modules import allow_options
from gambol.cli.evolve.progress import ProgressDisplay, fitness_text
from gambol.cli.evolve.request import CHOICE, Request
from gambol.cli.evolve.surroundings import description
from gambol.cli.interrupts import exit_code
from gambol.cli.log import collected_warnings
from gambol.cli.output import Output
from gambol.cli.session import DONE, Session
from gambol.cli.source import stored_source
from gambol.errors import EvolveError, GambolError
from gambol.evolve.archive import Archive
from gambol.evolve.evaluate import search_setup
from gambol.evolve.evaluate.options import left_out_terms, task_of
from gambol.evolve.runs import (
    Run,
    RunResult,
    Settings,
    WorkerPool,
    begin_run,
    make_worker_pool,
    resume_run,
    settings_of,
)
from gambol.evolve.runs.evolve import check_device
from gambol.evolve.runs.search_setup import SetupFactory

NONE_SCORED = 1  # exit code: every creature scored nothing

SUFFICIENT_POPULATION = 33
"""A population that is large enough for every search: islands need 8 (two on each of four), CMA-ES needs 4."""


@dataclass(frozen=True)
class EvolveCommand:
    """The options of the command.

    resume: number of the run to continue, or "last", or None for a new run. output: folder for the files of the best
    creature.
    """

    request: Request
    resume: str | None
    executor: str
    workers: int | None
    device: str
    db: str | None
    output: Output

    def execute(self, session: Session) -> int:
        """Run the evolution and write its best creature; return the exit code. Raises GambolError before any work."""
        check_device(self.device, self.executor)
        with ExitStack() as stack:
            pool = stack.enter_context(
                make_worker_pool(self.executor, self.workers, lambda warning: session.warn([warning]))
            )
            settings = None if self.resume is not None else self._checked_settings()
            pool.connect()  # first, so that no run is created without workers
            archive = stack.enter_context(open_archive(self.db, self.output.folder, create=settings is not None))
            with collected_warnings() as notes:
                run = begin_run(archive, settings, self._setup) if settings else self._resume(archive)
            session.warn(notes)
            self._artifacts(run.settings).check()
            session.console.print(Text(run_title(run), style="bold"), soft_wrap=True)
            if missing := left_out_terms(run.settings):
                terms = ", ".join(f"{term} (needs {needed})" for term, needed in missing.items())
                session.console.print(Text(f"left out: {terms}"), soft_wrap=True)
            result = self._run_to_end(run, pool, session)
            if result.interrupted:
                session.fail(
                    f"interrupted after {generations_text(result)}, which are stored; "
                    f"continue with\n  {self._resume_command(result)}"
                )
                return exit_code()
            return self._write_best(run, session)

    def _checked_settings(self) -> Settings:
        """Return the settings of a new run. Raises GambolError for invalid settings, before any file is created."""
        settings = self.request.settings()
        if settings.search == CHOICE:
            raise GambolError(f'--search: "{CHOICE}" needs a person who chooses; use `gambol breed`')
        check_population(settings)
        self._artifacts(settings).check()
        return settings

    @property
    def _setup(self) -> SetupFactory:
        """The function that returns the search and the evaluator of settings, for the device."""
        return partial(search_setup, device=self.device)

    def _resume(self, archive: Archive) -> Run:
        """Return the run to continue. Raises GambolError for options that differ from its settings."""
        run_number = find_run(archive, self.resume or "last")
        stored = settings_of(archive, run_number)
        if stored.search == CHOICE:
            raise GambolError(
                f"in run {run_number} a person chooses the parents; "
                f"continue with `gambol breed {run_number}{archive_option(self.db, self.output.folder)}`"
            )
        return resume_run(archive, run_number, self._setup, self.request.applied_to(stored))

    def _run_to_end(self, run: Run, pool: WorkerPool, session: Session) -> RunResult:
        """Run the remaining generations; the message of an error says how to resume."""
        history = [generation.best for generation in run.archive.generations(run.id)]
        if run.generations_done == run.settings.generations:
            return RunResult(run.id, run.generations_done, interrupted=False)
        try:
            title = "" if session.console.is_terminal else run_title(run)  # already printed above
            with ProgressDisplay(session.error_console, title, run.settings, history) as display:
                return run.execute(pool, display)
        except GambolError as error:
            command = self._resume_command(RunResult(run.id, run.generations_done, interrupted=True))
            raise EvolveError(f"{error}\nWhen that is fixed, continue with\n  {command}") from error

    def _resume_command(self, result: RunResult) -> str:
        return (
            f"gambol evolve --resume {result.run}{archive_option(self.db, self.output.folder)}"
            + device_option(self.device)
            + (f" --out {self.output.folder}" if self.db is not None and self.output.folder != OUT else "")
            + allow_options()
        )

    def _write_best(self, run: Run, session: Session) -> int:
        """Print and write the best creature of a run."""
        best = run.archive.best(run.id)
        if not best:
            session.warn(["no creature has a valid fitness: all are marked; `gambol lineage` shows the reasons"])
            return NONE_SCORED
        individual = best[0]
        heading = (
            f"best of {run.individuals_done:,}: creature {individual.number} of generation {individual.generation}"
        )
        session.console.print(Text(f"{heading}, fitness {fitness_text(individual.outcome.fitness)}"), soft_wrap=True)
        session.console.print(outcome_table(individual.outcome, trials_note(run.settings)), soft_wrap=True)
        with collected_warnings() as notes, session.error_console.status("") as status:
            source = stored_source(run.id, individual.number).data() if self.db is None else None
            paths = replace(self._artifacts(run.settings), source=source).write(
                run.settings,
                film_title(run.settings, run.id, individual),
                individual,
                lambda text: status.update(Text(text)),
            )
        session.warn(notes)
        session.console.print(Text("wrote " + ", ".join(map(str, paths))), soft_wrap=True)
        command = f"gambol lineage {run.id}{archive_option(self.db, self.output.folder)}{allow_options()} --open"
        session.console.print(Text(f"its ancestors: {command}", style="dim"), soft_wrap=True)
        return DONE

    def page(self) -> Path:
        """Return the path of the page of the best creature of a completed run."""
        with open_archive(self.db, self.output.folder) as archive:
            return self._artifacts(settings_of(archive, find_run(archive, self.resume or "last"))).file(".html")

    def _artifacts(self, settings: Settings) -> Artifacts:
        return Artifacts(self.output, settings.task)


def check_population(settings: Settings) -> None:
    """Raise GambolError for settings that the search does not accept.

    The message says if the population is too small.
    """
    try:
        search_setup(settings)
    except EvolveError as error:
        larger = (replace(settings, population=n) for n in range(settings.population + 1, SUFFICIENT_POPULATION))
        if sufficient := next(filter(can_build_search, larger), None):
            reason = f"a population of {settings.population} is too small for --search {settings.search}"
            raise GambolError(
                f"--population: {reason}, which needs {sufficient.population} or more ({error})"
            ) from error
        raise


def can_build_search(settings: Settings) -> bool:
    """True if a search accepts the settings."""
    try:
        search_setup(settings)
    except EvolveError:
        return False
    return True


def run_title(run: Run) -> str:
    """Return the title of a run: its number and its settings."""
    s = run.settings
    evolved = "body and control" if s.body == "free" or s.options.get("evolve") == "both" else "control"
    muscles = " with muscles" if s.options.get("muscles") else ""
    where = description(task_of(s))
    return (
        f"run {run.id}: {s.task}{where}, {s.body}{muscles}, {evolved} by {s.control}, search {s.search}, "
        f"{s.population} x {s.generations} rollouts of {s.seconds:g} s{trials_suffix(s)}, seed {s.seed}"
    )


def generations_text(result: RunResult) -> str:
    """Return the number of generations of a run as text, such as "3 generations"."""
    return f"{result.generations} generation{'' if result.generations == 1 else 's'}"
