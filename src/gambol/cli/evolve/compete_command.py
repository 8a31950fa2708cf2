"""The command `gambol compete`: two populations of policies evolve against each other; the last contest is shown."""

from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from rich.text import Text

from gambol.cli.evolve.archive_lookup import archive_option, device_option, find_run, open_archive
from gambol.cli.evolve.artifacts import outcome_table, trials_note
from gambol.cli.evolve.contest_runs import write_contest
from gambol.cli.evolve.progress import ProgressDisplay, fitness_text
from gambol.cli.interrupts import exit_code
from gambol.cli.output import Output
from gambol.cli.session import DONE, Session
from gambol.cli.targets import Targets
from gambol.creatures.contests import CHASE, ROLES, contest_setup, is_contest
from gambol.errors import EvolveError, GambolError
from gambol.evolve.archive import IndividualRecord
from gambol.evolve.runs import Run, Settings, begin_run, make_worker_pool, resume_run, settings_of
from gambol.evolve.runs.evolve import check_device

NAME = "chase"
"""The name of the files of the last contest."""

EXECUTOR = "threads"


@dataclass(frozen=True)
class CompeteCommand:
    """The options of the command.

    chaser, runner: names of animals. changes: settings that were given. resume: number of the run to continue, or
    "last", or None. device: see check_device(). db: the archive; None: the one in the folder of the output.
    """

    chaser: str | None
    runner: str | None
    changes: dict[str, Any]
    resume: str | None
    workers: int | None
    device: str
    db: str | None
    output: Output

    def execute(self, session: Session) -> int:
        """Run the coevolution and write the last contest; return the exit code. Raises GambolError before any work."""
        check_device(self.device, EXECUTOR)
        targets, setup = Targets.of(self.output, NAME, 1), partial(contest_setup, device=self.device)
        targets.check()
        settings = None if self.resume is not None else self._new_settings()
        with ExitStack() as stack:
            pool = stack.enter_context(make_worker_pool(EXECUTOR, self.workers, lambda note: session.warn([note])))
            archive = stack.enter_context(open_archive(self.db, self.output.folder, create=settings is not None))
            if settings is None:
                number = find_run(archive, self.resume or "last")
                stored = settings_of(archive, number)
                if not is_contest(stored):
                    raise GambolError(f"run {number} is no chase; continue it with `gambol evolve --resume {number}`")
                run = resume_run(archive, number, setup, replace(stored, **self.changes))
            else:
                run = begin_run(archive, settings, setup)
            history = [generation.best for generation in archive.generations(run.id)]
            try:
                with ProgressDisplay(session.error_console, _title(run), run.settings, history) as display:
                    result = run.execute(pool, display)
            except GambolError as error:
                command = self._resume_command(run)
                raise EvolveError(f"{error}\nWhen that is fixed, continue with\n  {command}") from error
            if result.interrupted:
                session.fail(f"interrupted; continue with\n  {self._resume_command(run)}")
                return exit_code()
            return self._write_last(run, targets, session)

    def _resume_command(self, run: Run) -> str:
        where = archive_option(self.db, self.output.folder)
        return f"gambol compete --resume {run.id}{where}{device_option(self.device)}"

    def _new_settings(self) -> Settings:
        """Return the settings of a new run. Raises GambolError for invalid settings."""
        given = [word.strip() for word in CHASE.body.split(",")]
        body = ", ".join((self.chaser or given[0], self.runner or given[1]))
        settings = replace(CHASE, **self.changes, body=body)
        contest_setup(settings)
        return settings

    def _write_last(self, run: Run, targets: Targets, session: Session) -> int:
        """Print the best of the last generation on each side, and write the contest of the best chaser."""
        last = run.archive.individuals(run.id, run.generations_done - 1)
        best = [max(_of_side(last, side), key=lambda record: record.outcome.score) for side in range(len(ROLES))]
        for role, record in zip(ROLES, best, strict=True):
            text = f"best {role} of the last generation: creature {record.number}, "
            session.console.print(Text(text + f"fitness {fitness_text(record.outcome.fitness)}"), soft_wrap=True)
            session.console.print(outcome_table(record.outcome, trials_note(run.settings)), soft_wrap=True)
        contest = dict(best[0].genotype) | {"opponent": best[1].genotype["own"]}
        write_contest(run.settings, contest, 0, targets, session)
        where = archive_option(self.db, self.output.folder)
        hint = f"their ancestors: gambol lineage {run.id} {best[0].number}{where} --open"
        session.console.print(Text(hint, style="dim"), soft_wrap=True)
        return DONE


def _of_side(records: list[IndividualRecord], side: int) -> list[IndividualRecord]:
    return [record for record in records if record.genotype["side"] == side]


def _title(run: Run) -> str:
    s = run.settings
    return (
        f"run {run.id}: chase, {s.body}, policies by {s.search}, {s.population} x {s.generations} contests of "
        f"{s.seconds:g} s, seed {s.seed}"
    )
