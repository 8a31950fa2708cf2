"""The command `gambol plan`: reads a plan, solves it, simulates the figure along it, and writes its files."""

import json
import math
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table
from rich.text import Text

from gambol.cli.defaults import OUT
from gambol.cli.figures.examples import examples_folder
from gambol.cli.film_files import write_exports, write_plots
from gambol.cli.interrupts import exit_code
from gambol.cli.log import collected_warnings
from gambol.cli.output import Output
from gambol.cli.plan.figures import FIGURES
from gambol.cli.plan.progress import SolverProgress
from gambol.cli.plan.starting import Start, read_start_motion
from gambol.cli.session import DONE, Session
from gambol.cli.targets import Targets
from gambol.cli.video import camera_of, write_video_of
from gambol.errors import GambolError, PlanError, did_you_mean
from gambol.formats import atomic_write
from gambol.formats.table import read_table
from gambol.plan import PlanResult, solve
from gambol.plan.file import PlanFile, TrackingOptions, read_plan
from gambol.plan.track import Tracking, track, tracking_task, trajectory_film
from gambol.view import RenderWarning, opengl, with_floor, write_effort_picture, write_page
from gambol.view.scene.bones import bones
from gambol.world import Film

UNSOLVED = 1  # exit code: no motion was found that satisfies the plan
SIMULATION_INTERRUPTED = "interrupted while the plan was simulated; the files show the plan alone"


@dataclass(frozen=True)
class PlanRequest:
    """The options of the command line, as given by the user."""

    file: Path
    backend: str = "auto"
    track: bool = True
    page: bool = True
    output: Output = field(default_factory=lambda: Output(OUT))


def run_plan(request: PlanRequest, session: Session) -> int:
    """Solve a plan, write its files, and return the exit code. Raises GambolError before any work."""
    targets = Targets.of(request.output, request.file.stem)
    suffixes = (".json", ".npz", ".png", *((".html",) if request.page else ()))
    targets.check_files(suffixes)
    plan_file = read_plan(_plan_path(request.file), FIGURES)
    start = read_start_motion(plan_file.start)
    with collected_warnings() as notes, SolverProgress(session.error_console, plan_file.plan.name) as progress:
        if (result := _solved(plan_file, start, request.backend, progress)) is None:
            session.fail("interrupted while the plan to start from was solved; nothing is written")
            return exit_code()
        tracking, reason = None, ""
        if request.track and plan_file.tracking.follow and not result.interrupted:
            progress.show(f"{plan_file.plan.name}: simulating it under a controller")
            tracking, reason = _tracked(result, plan_file.tracking)
        film = motion_film(result, tracking)
        summary = plan_summary(result, tracking, request)
        paths = _write(film, result, summary, targets, request, progress.show)
    stopped = reason == SIMULATION_INTERRUPTED
    session.warn([*notes, reason] if reason and not stopped else notes)
    session.console.print(_table(result, tracking))
    session.console.print(Text("wrote " + ", ".join(map(str, paths))), soft_wrap=True)
    if result.interrupted:
        session.fail(f"interrupted after {result.iterations} iterations; the files show the best motion so far")
        return exit_code()
    if stopped:
        session.fail(reason)
        return exit_code()
    if not result.solved:
        session.fail(f"no motion was found that satisfies the plan: {result.message}; the files show the nearest")
        return UNSOLVED
    return DONE


def _solved(plan_file: PlanFile, start: Start, backend: str, progress: SolverProgress) -> PlanResult | None:
    """Solve a plan from its starting motion; return None if the plan that gives this motion was interrupted."""
    first = start.motion(backend, progress)
    if isinstance(first, PlanResult) and first.interrupted:
        return None
    return solve(plan_file.plan, start_from=first, window=plan_file.start.window, backend=backend, progress=progress)


def planned_film(session: Session, path: Path, backend: str = "auto") -> Callable[[], Film]:
    """Return a function that solves the plan in a file, and returns the film of its motion.

    Raises GambolError for a file that cannot be read; the function raises it if no motion satisfies the plan.
    """
    plan_file = read_plan(_plan_path(path), FIGURES)
    start = read_start_motion(plan_file.start)

    def film() -> Film:
        with SolverProgress(session.error_console, plan_file.plan.name) as progress:
            result = _solved(plan_file, start, backend, progress)
        if result is None or not result.solved:
            reason = "interrupted" if result is None or result.interrupted else result.message
            raise GambolError(f'"{path.name}": no motion was found that satisfies the plan: {reason}')
        return motion_film(result, None)

    return film


def _plan_path(path: Path) -> Path:
    """Return the path of a plan, or of an example by its name.

    Raises GambolError, with a similar name, for an unknown plan.
    """
    known, folder = plan_names(), examples_folder() / "plans"
    if path.is_file():
        return path
    if str(path) in known:
        return folder / f"{path}.toml"
    suggestion = did_you_mean(path.stem, known)
    raise GambolError(f'there is no plan "{path}"; {suggestion}; `gambol plan` lists those in {folder}')


def _tracked(result: PlanResult, options: TrackingOptions) -> tuple[Tracking | None, str]:
    """Return the simulation along a plan, or None and the reason why there is none."""
    cycles = options.cycles if result.plan.cycle else 1
    try:
        return track(result, cycles=cycles, rate=options.rate, weights=options.weights), ""
    except PlanError as error:
        return None, f"the plan is not simulated: {error}"
    except KeyboardInterrupt:
        return None, SIMULATION_INTERRUPTED


def motion_film(result: PlanResult, tracking: Tracking | None) -> Film:
    """Return the film of a plan, in whole cycles; if there is a simulation, it is the second world of the film."""
    trajectory, plan = result.trajectory, result.plan
    if tracking is not None:
        trajectory = tracking_task(result).trajectory
    film = trajectory_film(trajectory, name=plan.name, gravity=plan.gravity, ground=plan.ground)
    film = replace(film, shapes=(*film.shapes, *bones(plan.figure)))
    film = film if trajectory.contacts else with_floor(film)
    if tracking is None or not len(tracking.film.time):
        return film
    times = film.time[film.time <= tracking.film.time[-1] + 1e-9]
    planned, simulated = film.at_times(times), tracking.film.at_times(times)
    shared = [name for name in planned.signals if name in simulated.signals]
    return replace(
        planned,
        position=np.concatenate([planned.position, simulated.position], axis=1),
        quaternion=np.concatenate([planned.quaternion, simulated.quaternion], axis=1),
        signals={name: np.concatenate([planned.signals[name], simulated.signals[name]], axis=1) for name in shared},
    )


def plan_summary(result: PlanResult, tracking: Tracking | None, request: PlanRequest) -> dict[str, Any]:
    """Return the content of the JSON file."""
    errors = {name: _finite(x) for name, x in tracking.errors.items()} if tracking else None
    return {
        "name": result.plan.name,
        "cost": _finite(result.cost),
        "violation": _finite(result.violation),
        "error": _finite(result.error),
        "iterations": result.iterations,
        "seconds": result.seconds,
        "tracking_error": _finite(tracking.error) if tracking else None,
        "tracking_errors": errors,
        "solved": result.solved,
        "interrupted": result.interrupted,
        "message": result.message,
        "duration": float(result.trajectory.times[-1]),
        "phases": {phase.name: seconds for phase, seconds in zip(result.plan.phases, result.durations, strict=True)},
        "unknowns": len(result.program.initial),
        "meshes": [asdict(step) for step in result.refinements],
        "asked": {"file": str(request.file), "backend": request.backend},
    }


def _finite(x: float) -> float | None:
    """Return a number, or None for NaN and infinity, which JSON cannot contain."""
    return float(x) if math.isfinite(x) else None


def _write(
    film: Film,
    result: PlanResult,
    summary: dict[str, Any],
    targets: Targets,
    request: PlanRequest,
    show: Callable[[str], None],
) -> list[Path]:
    """Write the files of a plan; return their paths."""
    figure = result.plan.figure
    names = [link.name for link in figure.links for _ in range(link.v.stop - link.v.start)]
    contacts = contact_names(result)
    writers: list[tuple[Path, Callable[[Path], Any]]] = [
        (targets.file(".npz"), film.save),
        (targets.file(".json"), lambda path: _write_json(summary, path)),
    ]
    if request.page:
        writers.append((targets.file(".html"), lambda path: write_page(film, path, camera=camera_of(targets.video))))
    if opengl.can_render():
        writers.append((targets.file(".png"), lambda path: write_effort_picture(film, path, names, contacts)))
    else:
        text = f"{targets.file('.png').name}: no OpenGL here, so there is no picture"
        warnings.warn(text, RenderWarning, stacklevel=2)
    for path, write in writers:
        show(f"writing {path}")
        write(path)
    paths = [path for path, _ in writers]
    planned = film.of_worlds([0])

    def show_file(text: str) -> None:
        show(f"writing {text}")

    paths += write_exports(planned, targets.exports, show_file) + write_plots(planned, targets, show_file)
    if targets.video.path is not None:  # the last, since it takes longest and may be interrupted
        paths.append(write_video_of(planned, targets.video, show_file))
    return paths


def contact_names(result: PlanResult) -> tuple[str, ...]:
    """Return the names of the points of contact in films of a plan."""
    return tracking_task(result).trajectory.contacts if result.plan.torques else result.trajectory.contacts


def _write_json(summary: dict[str, Any], path: Path) -> None:
    with atomic_write(path) as temporary:
        temporary.write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")


def _table(result: PlanResult, tracking: Tracking | None) -> Table:
    """Return the table of results to print."""
    table = Table(box=None, pad_edge=False, show_header=False, title=result.plan.name, title_justify="left")
    table.add_column()
    table.add_column(justify="right")
    table.add_row("cost", f"{result.cost:.6g}")
    table.add_row("violation", f"{result.violation:.1e}")
    table.add_row("collocation error", f"{result.error:.1e}")
    table.add_row("iterations", f"{result.iterations}")
    table.add_row("intervals", ", ".join(str(step.intervals) for step in result.refinements))
    table.add_row("time to solve", f"{result.seconds:.2f} s")
    if tracking is not None:
        table.add_row("tracking error", f"{100.0 * tracking.error:.2f} % of the amplitude")
    return table


def plan_names() -> list[str]:
    """Return the names of the plans that come with gambol."""
    return sorted(path.stem for path in (examples_folder() / "plans").glob("*.toml"))


def list_examples(session: Session) -> int:
    """Print the plans that come with gambol, and how to use them; return the exit code."""
    folder = examples_folder() / "plans"
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="bold")
    table.add_column()
    for name in plan_names():
        path = folder / f"{name}.toml"
        lines = [line[1:].strip() for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
        table.add_row(name, " ".join(lines) or read_table(path.read_text(encoding="utf-8"), path.name).text("name"))
    session.console.print(Text("A plan says where a motion begins and ends; gambol finds the motion between."))
    session.console.print(table)
    text = "write them with `gambol examples`, then: gambol plan examples/plans/cartpole.toml --open"
    session.console.print(Text(text), soft_wrap=True)
    return DONE
