"""The command `gambol evolve`: from its options to a complete run and the files of its best creature."""

from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from rich.text import Text

from gambol.cli.evolve.archive_lookup import archive_option, find_run, open_archive
from gambol.cli.evolve.artifacts import Artifacts, film_title, outcome_table, trials_note, trials_suffix
from gambol.cli.evolve.progress import ProgressDisplay, fitness_text
from gambol.cli.evolve.request import CHOICE, Request
from gambol.cli.interrupts import exit_code
from gambol.cli.session import DONE, Session
from gambol.cli.walk import collected_warnings
from gambol.errors import EvolveError, GambolError
from gambol.evolve.archive import Archive
from gambol.evolve.evaluate import search_setup
from gambol.evolve.run import Run, RunResult, Settings, WorkerPool, begin_run, make_worker_pool, resume_run, settings_of

NONE_SCORED = 1  # exit code: every creature scored nothing

ENOUGH = 33
"""A population large enough for every search: islands need eight."""


@dataclass(frozen=True)
class EvolveCommand:
    """The options of the command. resume: the run to continue, its number or "last", or None for a new run."""

    request: Request
    resume: str | None
    executor: str
    workers: int | None
    db: str | None
    out: Path

    def execute(self, session: Session) -> int:
        """Run the evolution and write its best creature; return the exit code. Raises GambolError before any work."""
        with ExitStack() as stack:
            crew = stack.enter_context(make_worker_pool(self.executor, self.workers, lambda why: session.warn([why])))
            settings = None if self.resume is not None else self._checked()
            crew.connect()  # before a run is created that no worker could evaluate
            archive = stack.enter_context(open_archive(self.db, self.out, make=settings is not None))
            with collected_warnings() as notes:
                run = begin_run(archive, settings, search_setup) if settings else self._resumed(archive)
            session.warn(notes)
            self._artifacts(run.settings).check()
            session.console.print(Text(title_of(run), style="bold"), soft_wrap=True)
            ending = self._run_to_end(run, crew, session)
            if ending.interrupted:
                session.fail(
                    f"interrupted after {generation_count(ending)}, which are stored; "
                    f"continue with\n  {self._resume_command(ending)}"
                )
                return exit_code()
            return self._write_best(run, session)

    def _checked(self) -> Settings:
        """Return the checked settings of a new run, before anything is created for it."""
        settings = self.request.settings()
        if settings.search == CHOICE:
            raise GambolError(f'--search: in "{CHOICE}" a person chooses; use `gambol breed`')
        check_population(settings)
        self._artifacts(settings).check()
        return settings

    def _resumed(self, archive: Archive) -> Run:
        """Return the run to continue. Raises GambolError for settings that differ from its own."""
        number = find_run(archive, self.resume or "last")
        stored = settings_of(archive, number)
        if stored.search == CHOICE:
            raise GambolError(
                f"run {number} is bred by choice; "
                f"continue with `gambol breed {number}{archive_option(self.db, self.out)}`"
            )
        return resume_run(archive, number, search_setup, self.request.applied_to(stored))

    def _run_to_end(self, run: Run, crew: WorkerPool, session: Session) -> RunResult:
        """Run the remaining generations; an error on the way says how to resume."""
        history = [one.best for one in run.archive.generations(run.id)]
        if run.generations_done == run.settings.generations:
            return RunResult(run.id, run.generations_done, interrupted=False)
        try:
            title = "" if session.console.is_terminal else title_of(run)  # it stands right above
            with ProgressDisplay(session.errors, title, run.settings, history) as watch:
                return run.execute(crew, watch)
        except GambolError as error:
            again = self._resume_command(RunResult(run.id, run.generations_done, interrupted=True))
            raise EvolveError(f"{error}\nWhen that is fixed, continue with\n  {again}") from error

    def _resume_command(self, ending: RunResult) -> str:
        return f"gambol evolve --resume {ending.run}{archive_option(self.db, self.out)}" + (
            f" --out {self.out}" if self.db is not None and self.out != Path("out") else ""
        )

    def _write_best(self, run: Run, session: Session) -> int:
        """Print and write the best creature of a run."""
        best = run.archive.best(run.id)
        if not best:
            session.warn(["no creature's fitness counts: all were marked; look at why with `gambol lineage`"])
            return NONE_SCORED
        one = best[0]
        whose = f"best of {run.individuals_done:,}: creature {one.number} of generation {one.generation}"
        session.console.print(Text(f"{whose}, fitness {fitness_text(one.outcome.fitness)}"), soft_wrap=True)
        session.console.print(outcome_table(one.outcome, trials_note(run.settings)), soft_wrap=True)
        with collected_warnings() as notes, session.errors.status("") as status:
            paths = self._artifacts(run.settings).write(
                run.settings, film_title(run.settings, run.id, one), one, lambda words: status.update(Text(words))
            )
        session.warn(notes)
        session.console.print(Text("wrote " + ", ".join(map(str, paths))), soft_wrap=True)
        lineage = f"gambol lineage {run.id}{archive_option(self.db, self.out)} --open"
        session.console.print(Text(f"its ancestors: {lineage}", style="dim"), soft_wrap=True)
        return DONE

    def page(self) -> Path:
        """Return the path of the page of the best creature of a completed run."""
        with open_archive(self.db, self.out) as archive:
            return self._artifacts(settings_of(archive, find_run(archive, self.resume or "last"))).file(".html")

    def _artifacts(self, settings: Settings) -> Artifacts:
        return Artifacts(self.out, settings.task)


def check_population(settings: Settings) -> None:
    """Raise GambolError for settings from which no search can be built, and say so if the population is too small."""
    try:
        search_setup(settings)
    except EvolveError as error:
        larger = (replace(settings, population=n) for n in range(settings.population + 1, ENOUGH))
        if enough := next(filter(is_breedable, larger), None):
            few = f"a population of {settings.population} is too small for --search {settings.search}"
            raise GambolError(f"--population: {few}, which needs {enough.population} or more ({error})") from error
        raise


def is_breedable(settings: Settings) -> bool:
    """True if a search can be built from settings."""
    try:
        search_setup(settings)
    except EvolveError:
        return False
    return True


def title_of(run: Run) -> str:
    """Return a line that describes a run: its number and its settings."""
    s = run.settings
    what = "body and control" if s.body == "free" or s.options.get("evolve") == "both" else "control"
    return (
        f"run {run.id}: {s.task}, {s.body}, {what} by {s.control}, search {s.search}, "
        f"{s.population} x {s.generations} rollouts of {s.seconds:g} s{trials_suffix(s)}, seed {s.seed}"
    )


def generation_count(ending: RunResult) -> str:
    """Return the number of generations as text."""
    return f"{ending.generations} generation{'' if ending.generations == 1 else 's'}"
