"""The terminal output of a command: progress, tables, warnings and the names of written files."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from rich.progress import BarColumn, ProgressColumn, SpinnerColumn, Task, TextColumn, TimeRemainingColumn
from rich.progress import Progress as ProgressBar
from rich.text import Text

from gambol.cli import console, report
from gambol.cli.defaults import ROACH
from gambol.cli.figures import results
from gambol.cli.figures.creatures import file_name
from gambol.cli.figures.run_request import RunRequest
from gambol.cli.figures.running import prepare_run
from gambol.cli.film_files import model_of_world, write_files
from gambol.cli.interrupts import exit_code
from gambol.cli.log import collected_warnings, log_to
from gambol.cli.output import Output
from gambol.cli.pages import DIRECTED, LiveSimulation, check_live_page, first_state, write_simulation_page
from gambol.cli.source import source_of
from gambol.cli.targets import Targets, check_targets
from gambol.cli.walk.creature import (
    creature_list,
    creature_notes,
    creature_page_state,
    creature_summary,
    creature_table,
    facts,
    prepare_walk,
    simulate,
    summary_of,
)
from gambol.cli.walk.creature_request import CreatureRequest
from gambol.cli.walk.roach import RoachRequest, RoachWalk, page_state, prepare_roach_walk, simulate_walk, walk_summary
from gambol.creatures.entry import CreatureEntry
from gambol.creatures.ground_forces import without_contacts
from gambol.creatures.table import CREATURES
from gambol.creatures.terrain import ground_warnings
from gambol.formats import Model
from gambol.view import GalleryEntry, write_gallery
from gambol.world import Film, was_interrupted
from gambol.world.run import Progress
from gambol.world.step import NOT_FINITE, UNDERFLOW

T = TypeVar("T")
DONE, ALL_FAILED = 0, 1  # exit codes


class Session:
    """The output of a command.

    console: prints results (standard output). error_console: prints progress, warnings and errors (standard error).
    """

    def __init__(self) -> None:
        self.console = console.output_console()
        self.error_console = console.error_console()
        self._log = log_to(self.error_console)

    def walk(self, request: RoachRequest, output: Output) -> int:
        """Simulate the roach's walk, print and write its results; return the exit code.

        request: the options. output: where its files go. Raises GambolError before any work.
        """
        return self._exit_code(self._walk_roach(request, output)[0])

    def _walk_roach(self, request: RoachRequest, output: Output) -> tuple[Film, dict[str, Any]]:
        """Simulate the roach's walk, print and write its results; return its film and its summary."""
        walk = prepare_roach_walk(request)
        targets = Targets.of(output, walk.creature.name, request.lanes)
        targets.check()
        simulation = first_state(page_state(walk), source_of("roach", request))
        check_live_page(simulation, targets)
        with collected_warnings() as notes:
            film, walks = self._with_progress_bar(
                walk.seconds, "walking", partial(simulate_walk, walk, coordinates=targets.coordinates)
            )
        notes += ground_warnings(walk.world)
        notes += report.missing_measure_notes(film, walks) + report.uncalibrated_reflex_notes(
            walk.creature, walk.request.reflexes
        )
        self.warn(notes)
        self.console.print(Text(_title(walk, film), style="bold"), soft_wrap=True)
        self.console.print(report.tables(walks))
        summary = walk_summary(walk, film, walks, notes)
        film = replace(without_contacts(film), name=_title(walk, film))
        self.write_files(film, summary, targets, simulation, model_of_world(walk.world))
        return film, summary

    def walk_creature(self, request: CreatureRequest, output: Output, row: CreatureEntry | None = None) -> int:
        """Simulate a creature by name, print and write its results; return the exit code.

        request: the options. output: where its files go. row: entry of a creature that is directed. Raises GambolError
        before any work.
        """
        return self._exit_code(self._walk_creature(request, output, row)[0])

    def _walk_creature(
        self, request: CreatureRequest, output: Output, row: CreatureEntry | None = None
    ) -> tuple[Film, dict[str, Any]]:
        """Simulate a creature by name, print and write its results; return its film and its summary."""
        targets = Targets.of(output, request.name, request.lanes)
        targets.check()
        with collected_warnings() as notes:
            with self.error_console.status(Text(f"preparing {request.name}")):
                walk = prepare_walk(request, row)
            source = source_of("creature", request) if walk.entry in CREATURES.values() else None
            simulation = first_state(creature_page_state(walk), source, None if row is None else DIRECTED)
            check_live_page(simulation, targets)
            film, measures = self._with_progress_bar(
                walk.seconds, "walking", partial(simulate, walk, coordinates=targets.coordinates)
            )
        notes += ground_warnings(walk.world) + creature_notes(walk, film, measures)
        self.warn(notes)
        self.console.print(Text(film.name, style="bold"), soft_wrap=True)
        self.console.print(creature_table(measures))
        summary = creature_summary(walk, film, measures, notes)
        self.write_files(film, summary, targets, simulation, model_of_world(walk.world))
        return film, summary

    def list_creatures(self) -> int:
        """Print the names of all creatures with their gaits, durations and options; return the exit code."""
        self.console.print(creature_list())
        return DONE

    def walk_all(self, seconds: float | None, seed: int, out: Path) -> int:
        """Simulate all creatures, and write the files of each and a page of all; return the exit code.

        seconds: simulated time of each creature, None for its default. seed: seed of the random numbers. out: the
        folder for the files. Ctrl-C ends the current walk; the page contains all walks up to it. Raises GambolError
        before any work.
        """
        page = out / "creatures.html"
        check_targets(out, [page])
        entries: list[GalleryEntry] = []
        for name in (ROACH, *CREATURES):
            film_output = Output(out, live=False)  # the page of all creatures plays films
            film, summary = (
                self._walk_roach(RoachRequest(seconds=seconds, seed=seed), film_output)
                if name == ROACH
                else self._walk_creature(CreatureRequest(name, seconds=seconds, seed=seed), film_output)
            )
            entries.append(GalleryEntry(name, summary_of(name), film, facts(summary)))
            if was_interrupted(film):
                break
        write_gallery("creatures of gambol", entries, page)
        self.console.print(Text(f"wrote {page}"), soft_wrap=True)
        return exit_code() if was_interrupted(entries[-1].film) else DONE

    def _exit_code(self, film: Film) -> int:
        """Return the exit code of a simulation: interrupted, stopped early in all worlds, or done."""
        if was_interrupted(film):
            return exit_code()
        status = film.signals["status"][-1]
        return ALL_FAILED if ((status == NOT_FINITE) | (status == UNDERFLOW)).all() else DONE

    def run(self, request: RunRequest, output: Output) -> int:
        """Simulate a file, print and write its results; return the exit code. Raises GambolError before any work.

        request: the options. output: where its files go.
        """
        targets = Targets.of(output, file_name(request.file), request.lanes)
        targets.check()
        with collected_warnings() as warnings:
            prepare = partial(prepare_run, request, output.folder, self.print_line, coordinates=targets.coordinates)
            if request.accuracy is not None:
                run = self.with_progress(lambda progress: prepare(progress=progress), "finding steps")
            else:
                with self.error_console.status(Text(f"reading {request.file.name}")):
                    run = prepare()
            if run.later is None:
                check_live_page(run.simulation, targets)
            film = self._with_progress_bar(run.seconds, "simulating", run.film)
        summary = run.summary(film)
        notes = [*run.notes, *results.run_hints(film, summary)]
        self.note(notes)
        self.warn(warnings)
        title = f"{f'{film.worlds} x ' if film.worlds > 1 else ''}{film.name}: {film.duration:.2f} s"
        subtitle = "; the first world:" if film.worlds > 1 else ""
        self.console.print(Text(title + subtitle, style="bold"), soft_wrap=True)
        self.console.print(results.table(summary))
        summary |= {"notes": [*notes, *warnings]}
        simulation = run.simulation if run.later is None else run.later()
        self.write_files(replace(film, name=title), summary, targets, simulation, run.model)
        return self._exit_code(film)

    def print_line(self, line: str) -> None:
        """Print a line of results."""
        self.console.print(Text(line), soft_wrap=True)

    def with_progress(self, work: Callable[[Progress], T], verb: str = "simulating") -> T:
        """Return the result of work(progress); at a terminal, a bar shows its progress, with a verb."""
        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
        with ProgressBar(
            *columns, console=self.error_console, transient=True, disable=not self.error_console.is_terminal
        ) as bar:
            task = bar.add_task("preparing", total=None)
            return work(lambda done, frames: bar.update(task, description=verb, completed=done, total=frames))

    def _with_progress_bar(self, seconds: float, verb: str, work: Callable[[Progress], T]) -> T:
        """Return the result of work(progress), and show a progress bar until it returns.

        seconds: simulated time of the work [s]. verb: shown in the bar, such as "walking".
        """
        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), RateColumn(), TimeRemainingColumn())
        with ProgressBar(
            *columns, console=self.error_console, transient=True, disable=not self.error_console.is_terminal
        ) as bar:
            task = bar.add_task("preparing", total=None, seconds=seconds, expected=(0.0, None))

            def show_activity(activity: str | None, expected_seconds: float | None) -> None:
                bar.update(task, description=activity, expected=(bar.get_time(), expected_seconds))

            self._log.show_in_bar = show_activity
            started = False

            def progress(done: int, frames: int) -> None:
                nonlocal started
                if not started and not self.error_console.is_terminal:
                    self.error_console.print(f"{verb} {seconds:.2f} s")
                started = True
                bar.update(task, description=verb, completed=done, total=frames)

            return work(progress)

    def write_files(
        self,
        film: Film,
        summary: dict[str, Any],
        targets: Targets,
        simulation: LiveSimulation | str,
        model: Model | None = None,
    ) -> None:
        """Write the files of a film, and print their names.

        simulation: the simulation for a live page, or the reason why there is none. model: see
        film_files.write_files().
        """
        reasons: list[str | None] = []

        def write_page(path: Path) -> None:
            reasons.append(write_simulation_page(film, path, simulation, targets))

        with collected_warnings() as notes, self.error_console.status("") as status:

            def show(path: str) -> None:
                status.update(Text(f"writing {path}"))

            paths = write_files(film, summary, targets, show, write_page, model)
        self.note([reason for reason in reasons if reason is not None])
        self.warn(notes)
        self.console.print(Text("wrote " + ", ".join(map(str, paths))), soft_wrap=True)

    def note(self, notes: Sequence[str]) -> None:
        """Print notes."""
        for note in notes:
            self.error_console.print(Text.assemble(("Note: ", "bold"), note), soft_wrap=True)

    def warn(self, notes: Sequence[str]) -> None:
        """Print notes as warnings."""
        for note in notes:
            self.error_console.print(Text.assemble(("Warning: ", "bold yellow"), note), soft_wrap=True)

    def fail(self, message: str) -> None:
        """Print an error."""
        console.print_error(message)


class RateColumn(ProgressColumn):
    """A column of the progress bar: simulated time, and its rate against real time."""

    def render(self, task: Task) -> Text:
        """Return the text of a task. Before the simulation it shows the time of the current activity.

        Fields of the task: "seconds", simulated time of the whole run [s]; "expected", the time at which the current
        activity began and its expected duration [s], None if unknown.
        """
        if not task.total:
            since, seconds = task.fields["expected"]
            if seconds is None:
                return Text(f"{task.elapsed or 0.0:.0f} s; compiles on the first run")
            return Text(f"{task.get_time() - since:.0f} of about {seconds:.0f} s; compiles on the first run")
        per_frame = task.fields["seconds"] / task.total
        speed = f"  {task.speed * per_frame:.2f} x real time" if task.speed else ""
        return Text(f"{task.completed * per_frame:.2f} of {task.fields['seconds']:.2f} s{speed}")


def _title(walk: RoachWalk, film: Film) -> str:
    request = walk.request
    count = f"{request.lanes} roaches" if request.lanes > 1 else walk.creature.name
    steered = {"turn": request.turn, "crab": request.crab, "stroke": request.stroke, "path": request.path}
    given = [f", {name} {value}" for name, value in steered.items() if value not in (None, 0.0)]
    options = f"gait {request.gait}, {request.feet} feet, {request.ground} ground"
    return f"{count}: {options}{''.join(given)}, {film.duration:.2f} s"
