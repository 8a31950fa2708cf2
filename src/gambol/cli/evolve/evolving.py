"""The command `gambol evolve`: from what was asked for to a run, lived to its end, and its best creature on show."""

from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from rich.text import Text

from gambol.cli.evolve.keepsake import Keepsake, outcome_table, trials_told, tried_told, whose_life
from gambol.cli.evolve.place import opened, run_named, told
from gambol.cli.evolve.request import EYE, Request
from gambol.cli.evolve.watching import Watch, figures
from gambol.cli.interrupts import exit_code
from gambol.cli.session import DONE, Session
from gambol.cli.walk import noted
from gambol.errors import EvolveError, GambolError
from gambol.evolve.archive import Archive
from gambol.evolve.life import breed
from gambol.evolve.run import Crew, Ending, Run, Settings, begun, crew_named, resumed, settings_of

NONE_COUNTS = 1  # exit code: every creature scored nothing

FEW = 33
"""A population that is enough for every search: islands need eight."""


@dataclass(frozen=True)
class Evolving:
    """What one command does. resume: the word for a run to go on with, None to begin one. out: the folder."""

    request: Request
    resume: str | None
    executor: str
    workers: int | None
    db: str | None
    out: Path

    def go(self, session: Session) -> int:
        """Live a run and show the best of it; the command's exit code. GambolError before any work."""
        with ExitStack() as stack:
            crew = stack.enter_context(crew_named(self.executor, self.workers, lambda why: session.warn([why])))
            settings = None if self.resume is not None else self._checked()
            crew.reach()  # before a run is begun that nobody could live
            archive = stack.enter_context(opened(self.db, self.out, make=settings is not None))
            with noted() as notes:
                run = begun(archive, settings, breed) if settings else self._resumed(archive)
            session.warn(notes)
            self._keepsake(run.settings).check()
            session.console.print(Text(title_of(run), style="bold"), soft_wrap=True)
            ending = self._lived(run, crew, session)
            if ending.interrupted:
                session.fail(
                    f"interrupted after {counted(ending)}, which are stored; go on with\n  {self._again(ending)}"
                )
                return exit_code()
            return self._shown(run, session)

    def _checked(self) -> Settings:
        """The settings of a new run, before anything is made for it."""
        settings = self.request.settings()
        if settings.search == EYE:
            raise GambolError(f'--search: in "{EYE}" a person chooses; `gambol breed` lets you')
        check_bred(settings)
        self._keepsake(settings).check()
        return settings

    def _resumed(self, archive: Archive) -> Run:
        """The run to go on with. Raises GambolError for settings that are not its own."""
        number = run_named(archive, self.resume or "last")
        stored = settings_of(archive, number)
        if stored.search == EYE:
            raise GambolError(
                f"run {number} is bred by eye; go on with `gambol breed {number}{told(self.db, self.out)}`"
            )
        return resumed(archive, number, breed, self.request.changed(stored))

    def _lived(self, run: Run, crew: Crew, session: Session) -> Ending:
        """Live all generations that are left; an error on the way says how to go on."""
        history = [one.best for one in run.archive.generations(run.id)]
        if run.done == run.settings.generations:
            return Ending(run.id, run.done, interrupted=False)
        try:
            title = "" if session.console.is_terminal else title_of(run)  # it stands right above
            with Watch(session.errors, title, run.settings, history) as watch:
                return run.go(crew, watch)
        except GambolError as error:
            again = self._again(Ending(run.id, run.done, interrupted=True))
            raise EvolveError(f"{error}\nWhen that is mended, go on with\n  {again}") from error

    def _again(self, ending: Ending) -> str:
        return f"gambol evolve --resume {ending.run}{told(self.db, self.out)}" + (
            f" --out {self.out}" if self.db is not None and self.out != Path("out") else ""
        )

    def _shown(self, run: Run, session: Session) -> int:
        """Print and write the best creature of a run."""
        best = run.archive.best(run.id)
        if not best:
            session.warn(["no creature's fitness counts: all were marked; look at why with `gambol lineage`"])
            return NONE_COUNTS
        one = best[0]
        whose = f"best of {run.lived:,}: creature {one.number} of generation {one.generation}"
        session.console.print(Text(f"{whose}, fitness {figures(one.outcome.fitness)}"), soft_wrap=True)
        session.console.print(outcome_table(one.outcome, trials_told(run.settings)), soft_wrap=True)
        with noted() as notes, session.errors.status("") as status:
            paths = self._keepsake(run.settings).write(
                run.settings, whose_life(run.settings, run.id, one), one, lambda words: status.update(Text(words))
            )
        session.warn(notes)
        session.console.print(Text("wrote " + ", ".join(map(str, paths))), soft_wrap=True)
        lineage = f"gambol lineage {run.id}{told(self.db, self.out)} --open"
        session.console.print(Text(f"where it comes from: {lineage}", style="dim"), soft_wrap=True)
        return DONE

    def page(self) -> Path:
        """The page of the best creature, once a run is lived."""
        with opened(self.db, self.out) as archive:
            return self._keepsake(settings_of(archive, run_named(archive, self.resume or "last"))).file(".html")

    def _keepsake(self, settings: Settings) -> Keepsake:
        return Keepsake(self.out, settings.task)


def check_bred(settings: Settings) -> None:
    """Raise GambolError for settings that no breeding is made of; where that is for the population, it says so."""
    try:
        breed(settings)
    except EvolveError as error:
        larger = (replace(settings, population=n) for n in range(settings.population + 1, FEW))
        if enough := next(filter(can_breed, larger), None):
            few = f"a population of {settings.population} is too small for --search {settings.search}"
            raise GambolError(f"--population: {few}, which needs {enough.population} or more ({error})") from error
        raise


def can_breed(settings: Settings) -> bool:
    """Whether a breeding is made of settings."""
    try:
        breed(settings)
    except EvolveError:
        return False
    return True


def title_of(run: Run) -> str:
    """A run in a line: its number and what it is asked for."""
    s = run.settings
    what = "body and control" if s.body == "free" or s.options.get("evolve") == "both" else "control"
    return (
        f"run {run.id}: {s.task}, {s.body}, {what} by {s.control}, search {s.search}, "
        f"{s.population} x {s.generations} lives of {s.seconds:g} s{tried_told(s)}, seed {s.seed}"
    )


def counted(ending: Ending) -> str:
    """How many generations there are, in words."""
    return f"{ending.generations} generation{'' if ending.generations == 1 else 's'}"
