"""The command `gambol run`: from a file to a world or a script, its film and its results."""

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from gambol.cli import choices
from gambol.cli.figures import results
from gambol.cli.figures.creatures import check_genotype_run, film_genotype, is_genotype
from gambol.cli.figures.sources import DEFAULT_OPTIONS, SCRIPT, ReadOptions, file_format, read_model
from gambol.cli.walk import JITTER
from gambol.collide import Ground, Plane
from gambol.collide.broad import allowed_pairs
from gambol.collide.hills import random_hills
from gambol.creatures.models import CONTROL_STEP, LARGE_STEP, initial_state, world_of_model
from gambol.errors import GambolError, did_you_mean
from gambol.formats import Model
from gambol.formats.heights import READERS
from gambol.lanes import Precision
from gambol.script import Script, read_script
from gambol.view import with_floor
from gambol.view.scene.bones import bones
from gambol.world import Film, State, Timing, World, run
from gambol.world.run import Progress
from gambol.world.world import CONTACT_METHODS, FIXED_STEP_METHODS

SECONDS = 2.0  # of a run without --seconds
INTEGRATOR = "rkf45"
STEP = (
    1.0 / 2400.0
)  # s, of methods with a fixed step: 20 steps in the shortest bounce on a ground with default parameters
HILLS = 0.2  # height of hills, as a fraction of the figure's size
TOLERANCES: dict[str, float] = {"float64": 1e-7, "float32": 1e-4}  # of adaptive methods


@dataclass(frozen=True)
class RunRequest:
    """The options of the command line, as written; None: the default of the file or of the method."""

    file: Path
    seconds: float | None = None
    method: str = "aba"
    integrator: str | None = None
    step: float | None = None
    tolerance: float | None = None
    ground: str | None = None
    spacing: float = 0.05
    seed: int = 0
    precision: Precision = "float64"
    lanes: int = 1
    contact: str | None = None
    reading: ReadOptions = DEFAULT_OPTIONS


@dataclass(frozen=True)
class PreparedRun:
    """A run ready to be simulated. seconds: longest duration [s]; film, summary: functions; notes: of its reader."""

    name: str
    seconds: float
    film: Callable[[Progress], Film]
    summary: Callable[[Film], dict[str, Any]]
    notes: tuple[str, ...] = ()


def prepare_run(request: RunRequest, out: Path, tell: Callable[[str], None]) -> PreparedRun:
    """Return the run of a request. Raises GambolError for everything that is wrong with it, before any work.

    out: folder for files that a script writes; tell(line): receives every line that it prints.
    """
    if request.seconds is not None and not 0.0 < request.seconds < float("inf"):
        raise GambolError(f"--seconds: {request.seconds:g} is not possible; give more than 0")
    kind = file_format(request.file)
    if kind == SCRIPT:
        return _prepare_script(request, out, tell)
    if kind == ".toml" and is_genotype(request.file):
        return _prepare_genotype(request)
    return _prepare_figure(request, read_model(request.file, request.reading))


def _prepare_script(request: RunRequest, out: Path, tell: Callable[[str], None]) -> PreparedRun:
    """Return the run of a script, which contains its own simulation."""
    _check_unused_options(request, "is a script, which sets this itself")
    script: Script = read_script(request.file)

    rehearsal = script.dry_run(seconds=request.seconds)

    def film(progress: Progress) -> Film:
        made = script.run(out, request.seconds, progress, tell)
        return made if rehearsal.spec.ground_on or not _drawable(made) else with_floor(made)

    return PreparedRun(
        request.file.stem,
        rehearsal.max_seconds,
        film,
        lambda film: request_summary(request) | results.film_summary(film),
    )


def _prepare_genotype(request: RunRequest) -> PreparedRun:
    """Return the run of a genotype's creature, moved by its own control as in the task walk."""
    _check_unused_options(request, "is a genotype, which sets this itself; convert it to a figure file to choose")
    seconds = request.seconds or SECONDS
    check_genotype_run(request.file, seconds)

    def film(progress: Progress) -> Film:
        made = film_genotype(request.file, seconds)
        progress(1, 1)
        return made

    return PreparedRun(
        request.file.stem, seconds, film, lambda film: request_summary(request) | results.film_summary(film)
    )


def _check_unused_options(request: RunRequest, why: str) -> None:
    """Raise GambolError, naming the option, for a request with other options than --seconds."""
    plain = asdict(RunRequest(request.file, request.seconds))
    for key, value in asdict(request).items():
        if value != plain[key]:
            raise GambolError(f'--{key.replace("_", "-")}: "{request.file.name}" {why}')


def _prepare_figure(request: RunRequest, model: Model) -> PreparedRun:
    """Return the run of a figure that moves by its springs and weight alone."""
    model = replace(model, ground=False) if request.ground == "none" else model
    contact, ground = contact_of(request, model), _ground(request, world_of_model(model).size)
    made = world_of_model(model, ground=ground, timing=_timing(request, contact), contact=contact)
    world = replace(made, dynamics=request.method)
    jitter = JITTER if request.lanes > 1 else 0.0
    try:
        state = initial_state(
            model, world, request.lanes, jitter=jitter, seed=request.seed, precision=request.precision
        )
    except GambolError as error:
        raise GambolError(f"{request.file.name}: {error}") from error
    initial = state.copied()

    def film(progress: Progress) -> Film:
        return _with_scenery(_run(request, world, state, progress), model, world)

    def summary(film: Film) -> dict[str, Any]:
        return request_summary(request) | results.summary(film, model, initial, state)

    fixed = file_format(request.file) == ".urdf" and request.reading.base is None
    notes = (*model.notes, *results.run_notes(model, world, fixed))
    return PreparedRun(request.file.stem, request.seconds or SECONDS, film, summary, notes)


def _run(request: RunRequest, world: World, state: State, progress: Progress) -> Film:
    threads = (os.cpu_count() or 1) if request.lanes > 1 else 1
    rate = 1.0 / world.timing.control_step
    return run(world, state, request.seconds or SECONDS, rate=rate, threads=threads, progress=progress)


def _with_scenery(film: Film, model: Model, world: World) -> Film:
    """Return the film with bones for links without shapes, and a floor below a figure without a ground."""
    drawn = replace(film, shapes=(*film.shapes, *bones(model.figure)))
    return drawn if world.has_ground or not _drawable(drawn) else with_floor(drawn)


def _drawable(film: Film) -> bool:
    """True if the film has frames and shapes, and all positions are finite."""
    return bool(np.isfinite(film.position).all() and len(film.time) and film.shapes)


def contact_of(request: RunRequest, model: Model) -> str:
    """Return the requested contact method, or else one that suits the other options: penalty for smooth motion.

    Without possible contacts, motion is smooth.
    """
    smooth = request.integrator is not None or request.tolerance is not None or request.method != "aba"
    if request.contact is None:
        return "penalty" if smooth or model.figure.prescribed or not _touches(request, model) else "stepping"
    if request.contact not in CONTACT_METHODS:
        raise GambolError(
            f'--contact: "{request.contact}" is unknown; {did_you_mean(request.contact, CONTACT_METHODS)}'
        )
    if smooth and request.contact in FIXED_STEP_METHODS:
        raise GambolError(
            f'--contact: "{request.contact}" takes large steps of its own and ignores --method, --integrator and '
            "--tolerance; leave them out, or give --contact penalty"
        )
    return request.contact


def _touches(request: RunRequest, model: Model) -> bool:
    """True if contact is possible: with the ground, or between parts."""
    grounded = model.ground or request.ground not in (None, "none")
    return grounded or bool(allowed_pairs(model.figure, springs=model.springs, overlap=None))


def _timing(request: RunRequest, contact: str) -> Timing:
    """Return the timing of a request. Raises GambolError that names the option."""
    large = contact in FIXED_STEP_METHODS
    timing = Timing(CONTROL_STEP, STEP, "semi-implicit euler" if large else request.integrator or INTEGRATOR)
    adaptive = timing.integrator.adaptive
    if request.tolerance is not None and not adaptive:
        raise GambolError(f'--tolerance: the integrator "{request.integrator}" has a fixed step; give --step')
    step = request.step if request.step is not None else LARGE_STEP if large else 1e-4 if adaptive else STEP
    if not 0.0 < step <= CONTROL_STEP * (1.0 + 1e-9):
        raise GambolError(f"--step: {step:g} s is not possible; give more than 0, and at most {CONTROL_STEP:.5f}")
    sharp = timing.tolerance if large else TOLERANCES[request.precision]
    tolerance = sharp if request.tolerance is None else request.tolerance
    if not 0.0 < tolerance < float("inf"):
        raise GambolError(f"--tolerance: {tolerance:g} is not possible; give more than 0, such as 1e-7")
    return replace(timing, step=step, tolerance=tolerance)


def _ground(request: RunRequest, size: float) -> Ground | None:
    """Return the requested ground for a figure of this size [m]; None for that of the file."""
    if request.ground in (None, "none"):
        return None
    if request.ground == "flat":
        return Plane()
    if request.ground == "hills":
        return random_hills(HILLS * size, wavelength=2.0 * size, reach=20.0 * size, level=size, seed=request.seed)
    if Path(request.ground).suffix.lower() not in READERS and not Path(request.ground).exists():
        hint = choices.hint(
            request.ground, ("none", "flat", "hills"), f"give a file that ends in {' or '.join(READERS)}"
        )
        raise GambolError(f'--ground: "{request.ground}" is unknown; {hint}')
    return choices.height_file(request.ground, request.spacing)


def request_summary(request: RunRequest) -> dict[str, Any]:
    """Return the options, for the JSON file."""
    text = {key: value for key, value in asdict(request).items() if key != "reading"}
    return {"asked": text | {"file": str(request.file)} | asdict(request.reading)}
