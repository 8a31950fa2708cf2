"""The command `gambol walk`: builds a world from options, simulates it, and writes its film and its measures."""

import os
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from gambol.cli import choices, defaults, report
from gambol.cli.targets import Targets
from gambol.contact.table import DEFAULT_METHOD
from gambol.creatures import Creature, roach, standing_state, world_of
from gambol.creatures.creature_world import Feet
from gambol.errors import GambolError
from gambol.lanes import Precision
from gambol.world import Film, State, Walk, World, measure, run
from gambol.world.run import Progress


@dataclass(frozen=True)
class Request:
    """The options of the command line, as written."""

    gait: str = "tripod"
    feet: Feet = "sliding"
    ground: str = "flat"
    spacing: float = 0.005
    seconds: float | None = None
    seed: int = 0
    precision: Precision = "float64"
    reflexes: str = "on"
    lanes: int = 1
    parameters: str = defaults.PARAMETERS
    contact: str = DEFAULT_METHOD
    solid_trunk: bool = False


@dataclass(frozen=True)
class Plan:
    """A walk ready to be simulated. request: the options, with the default duration; seconds: duration [s]."""

    request: Request
    creature: Creature
    world: World
    state: State
    seconds: float


def make_plan(request: Request) -> Plan:
    """Return the plan of a request. Raises GambolError for invalid options, before the simulation."""
    if request.seconds is not None and not 0.0 < request.seconds < float("inf"):
        raise GambolError(f"--seconds: {request.seconds:g} is not possible; give more than 0")
    gait = choices.read_gait(request.gait)
    creature = roach(request.parameters)
    seconds = choices.walk_duration(gait, creature) if request.seconds is None else request.seconds
    world = world_of(
        creature,
        speed=gait.start,
        speed_after=gait.end,
        ramp=choices.ramp_times(seconds),
        feet=request.feet,
        ground=choices.read_ground(request.ground, creature, request.seed, request.spacing),
        reflexes=request.reflexes == "on",
        contact=request.contact,
        solid_trunk=request.solid_trunk,
    )
    jitter = defaults.JITTER if request.lanes > 1 else 0.0
    state = standing_state(
        creature, world, request.lanes, jitter=jitter, seed=request.seed, precision=request.precision
    )
    return Plan(replace(request, seconds=seconds), creature, world, state, seconds)


def simulate_walk(plan: Plan, progress: Progress) -> tuple[Film, tuple[Walk, ...]]:
    """Simulate a plan; return its film and its measures."""
    threads = (os.cpu_count() or 1) if plan.request.lanes > 1 else 1
    film = run(plan.world, plan.state, plan.seconds, threads=threads, progress=progress)
    return film, measure(film, plan.world)


def write_files(
    film: Film, summary: dict[str, Any], targets: Targets, show_progress: Callable[[str], None]
) -> list[Path]:
    """Write the files of a film, the quickest first; return their paths.

    summary: content of the JSON file. targets: output paths. show_progress(text): called with the name of each file.
    """
    from gambol.view import RenderWarning, opengl, write_page, write_picture, write_video

    def write_video_with_progress(path: Path) -> Path:
        return write_video(film, path, progress=lambda done, frames: show_progress(f"{path}: frame {done} of {frames}"))

    picture = targets.file(".png")
    if "stepping" not in film.signals and not opengl.can_render():
        warnings.warn(f"{picture.name}: no OpenGL here, so there is no picture", RenderWarning, stacklevel=2)
        picture = None
    writers: list[tuple[Path | None, Callable[[Path], Any]]] = [
        (targets.file(".npz"), film.save),
        (targets.file(".json"), lambda path: report.write_summary(summary, path)),
        (targets.file(".html"), lambda path: write_page(film, path)),
        (picture, lambda path: write_picture(film, path)),
        (targets.video, write_video_with_progress),
    ]
    paths: list[Path] = []
    for path, write in writers:
        if path is not None:
            show_progress(str(path))
            write(path)
            paths.append(path)
    return paths


def walk_summary(plan: Plan, film: Film, walks: tuple[Walk, ...], notes: list[str]) -> dict[str, Any]:
    """Return the content of the JSON file of measures."""
    request: dict[str, Any] = {"creature": plan.creature.name, **asdict(plan.request)}
    return report.summary(request, film, walks, notes)


@contextmanager
def collected_warnings() -> Generator[list[str]]:
    """Yield a list. The warnings of the block are added to it, and are not printed."""
    notes: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        try:
            yield notes
        finally:
            notes += [str(w.message) for w in caught if issubclass(w.category, UserWarning)]
