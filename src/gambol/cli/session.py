"""One command's conversation with the terminal: progress, tables, warnings and what was written."""

from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from gambol.cli import report
from gambol.cli.targets import Targets
from gambol.cli.walk import Plan, Request, described, noted, planned, walked, written
from gambol.view.opengl import require_render
from gambol.world import Film, Walk, was_interrupted
from gambol.world.step import NOT_FINITE, UNDERFLOW

DONE, NONE_ARRIVED, INTERRUPTED = 0, 1, 130  # exit codes; the last is a shell's for Ctrl-C


class Session:
    """console: what is asked for is printed here. errors: warnings and errors are printed here."""

    def __init__(self, console: Console, errors: Console) -> None:
        self.console = console
        self.errors = errors

    def walk(self, request: Request, out: Path, video: Path | None) -> int:
        """Run a request, print and write what came of it; the command's exit code. GambolError before any work."""
        plan = planned(request)
        targets = Targets(out, plan.creature.name, video)
        targets.check()
        if video is not None:
            require_render("a video")
        with noted() as notes:
            film, walks = self._walked(plan)
        notes += report.missing(film, walks) + report.uncalibrated(plan.creature, plan.request.reflexes)
        self._warn(notes)
        self.console.print(Text(_title(plan, film), style="bold"), soft_wrap=True)
        self.console.print(report.tables(walks))
        self._write(plan, replace(film, name=_title(plan, film)), walks, notes, targets)
        if was_interrupted(film):
            return INTERRUPTED
        stopped = film.signals["status"][-1]
        return NONE_ARRIVED if ((stopped == NOT_FINITE) | (stopped == UNDERFLOW)).all() else DONE

    def _walked(self, plan: Plan) -> tuple[Film, tuple[Walk, ...]]:
        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), RateColumn(), TimeRemainingColumn())
        with Progress(*columns, console=self.errors, transient=True) as bar:
            task = bar.add_task("preparing", total=None, seconds=plan.seconds)

            def progress(done: int, frames: int) -> None:
                if done == 1 and not self.errors.is_terminal:  # no bar is seen there
                    self.errors.print(f"walking {plan.seconds:.2f} s")
                bar.update(task, description="walking", completed=done, total=frames)

            return walked(plan, progress)

    def _write(self, plan: Plan, film: Film, walks: tuple[Walk, ...], notes: list[str], targets: Targets) -> None:
        summary = described(plan, film, walks, notes)
        with noted() as more, self.errors.status("") as status:
            paths = written(film, summary, targets, lambda words: status.update(Text(f"writing {words}")))
        self._warn(more)
        self.console.print(Text("wrote " + ", ".join(map(str, paths))), soft_wrap=True)

    def _warn(self, notes: list[str]) -> None:
        for note in notes:
            self.errors.print(Text.assemble(("Warning: ", "bold yellow"), note), soft_wrap=True)

    def fail(self, message: str) -> None:
        """Print an error."""
        self.errors.print(Text.assemble(("Error: ", "bold red"), message), soft_wrap=True)


class RateColumn(ProgressColumn):
    """Simulated time and how fast it goes by, against real time."""

    def render(self, task: Task) -> Text:
        """The column of a task whose field "seconds" is its whole simulated time [s]."""
        if not task.total:
            return Text("compiles on the first run")
        per_frame = task.fields["seconds"] / task.total
        speed = f"  {task.speed * per_frame:.2f} x real time" if task.speed else ""
        return Text(f"{task.completed * per_frame:.2f} of {task.fields['seconds']:.2f} s{speed}")


def _title(plan: Plan, film: Film) -> str:
    asked = plan.request
    count = f"{asked.lanes} roaches" if asked.lanes > 1 else plan.creature.name
    return f"{count}: gait {asked.gait}, {asked.feet} feet, {asked.ground} ground, {film.duration:.2f} s"
