"""The command `gambol run`: simulates a figure, a genotype or a script from a file."""

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from gambol.cli import choices, defaults
from gambol.cli.figures import results
from gambol.cli.figures.adaptive import check_adaptive_options, prepare_adaptive
from gambol.cli.figures.controllers import (
    DEFAULT_MAX_COMMAND,
    check_control_options,
    film_rate,
    load_control,
    with_compiled_law,
)
from gambol.cli.figures.controls import read_controls
from gambol.cli.figures.creatures import check_duration, file_name, is_creature, read_creature
from gambol.cli.figures.holding import read_held
from gambol.cli.figures.numbered import is_number_file, prepare_numbered
from gambol.cli.figures.policies import prepare_policy
from gambol.cli.figures.run_request import (
    DEFAULT_SECONDS,
    PreparedRun,
    RunRequest,
    check_unused_options,
    request_summary,
)
from gambol.cli.figures.scenes import check_scene_options, prepare_scene
from gambol.cli.figures.scripts import is_drawable, prepare_script
from gambol.cli.figures.sources import read_model
from gambol.cli.figures.timing import StepOptions, accuracy_note, timing_of, with_accuracy
from gambol.cli.pages import first_state
from gambol.cli.source import source_of
from gambol.collide import Ground, Plane
from gambol.collide.broad import allowed_pairs
from gambol.collide.hills import random_hills
from gambol.contact import CONTACT_METHODS, Penalty, Stepping
from gambol.control import with_delays
from gambol.creatures.holding import HeldModel, held_model
from gambol.creatures.models import initial_state, motor_delays, world_of_model
from gambol.errors import GambolError, did_you_mean
from gambol.formats import Model
from gambol.formats.file_format import FORMATS, SCRIPT, file_format
from gambol.formats.heights import READERS
from gambol.formats.mjcf.motors import PASSIVE_ACTUATORS
from gambol.view import with_floor
from gambol.view.scene.bones import bones
from gambol.world import Film, State, World, run
from gambol.world.own_control import ControlFunction
from gambol.world.run import Progress

HILL_HEIGHT = 0.2  # of the figure's size


def prepare_run(
    request: RunRequest,
    out: Path,
    echo: Callable[[str], None],
    *,
    coordinates: bool = False,
    progress: Progress | None = None,
) -> PreparedRun:
    """Return the run of a request. Raises GambolError for any error in it, before the simulation.

    out: folder for the files that a script writes; echo(line): called with every line that it prints. coordinates: True
    to record joint coordinates. progress: called while steps for --accuracy are sought, see fit_accuracy().
    """
    if request.seconds is not None and not 0.0 < request.seconds < float("inf"):
        raise GambolError(f"--seconds: {request.seconds:g} is not possible; give more than 0")
    if is_number_file(request.file):
        return prepare_numbered(request, lambda original: prepare_run(original, out, echo))
    if request.policy is not None:
        return prepare_policy(request, request.policy)
    if is_creature(request.file):
        return _prepare_creature(request)
    if file_format(request.file) == SCRIPT:
        return prepare_script(request, out, echo, coordinates)
    check_control_options(request.controller, request.control_rate, request.control, request.compile)
    if request.adapts:
        check_adaptive_options(request)
    if not request.holds:
        model = read_model(request.file, request.reading)
        holds = model.hold and not (request.actuators or request.control)
        held = held_model(model, model.hold) if holds else None
        return _prepare_figure(request, held.model if held else model, held, coordinates, progress)
    if request.actuators or request.control:
        raise GambolError("--hold and --gains drive all motors; leave out --actuators and --control")
    held = read_held(request.file, request.reading, request.gains, grounded=request.ground != "none")
    return _prepare_figure(request, held.model, held, coordinates, progress)


def _prepare_creature(request: RunRequest) -> PreparedRun:
    """Return the run of an evolved creature: it moves under its own control, as in its rollouts."""
    without_ground = replace(request, ground=None, spacing=RunRequest.spacing, seed=0)
    check_unused_options(without_ground, "is a genotype, which sets this itself; convert it to a figure file first")
    seconds = request.seconds or DEFAULT_SECONDS
    check_duration(seconds)
    creature = read_creature(request.file)
    if request.ground is not None:
        creature = creature.on(request.ground, request.spacing, request.seed)

    def simulate(progress: Progress) -> Film:
        film = creature.film(seconds)
        progress(1, 1)
        return film

    return PreparedRun(
        file_name(request.file),
        seconds,
        simulate,
        lambda film: request_summary(request) | results.film_summary(film),
        creature.simulation(source_of("figure", request)),
    )


def _prepare_figure(
    request: RunRequest, model: Model, held: HeldModel | None, coordinates: bool, progress: Progress | None
) -> PreparedRun:
    """Return the run of a figure that moves by its springs and weight, and by its motors if they are on.

    held: the same model if it holds a pose.
    """
    model = replace(model, ground=False) if request.ground == "none" else model
    world = _world_of(request, model, held, progress)
    if request.controller is not None and request.compile:
        world = with_compiled_law(world, request.controller, model)
    if model.matter is not None:
        check_scene_options(request)
    state = _initial_state(request, model, world)
    add_scenery = partial(_with_scenery, model=model, world=world)
    if request.adapts:
        return prepare_adaptive(request, state, add_scenery)
    if model.matter is not None:
        return prepare_scene(request, model, state, add_scenery)
    initial = state.copied()
    is_called = request.controller is not None and not request.compile  # by the program, between control steps
    control = load_control(request.controller or "", world) if is_called else None

    def simulate(progress: Progress) -> Film:
        return add_scenery(_run(request, state, control, progress, coordinates))

    def summary(film: Film) -> dict[str, Any]:
        return request_summary(request) | results.summary(film, model, initial, state)

    has_base = "base" in FORMATS[file_format(request.file)].options
    fixed_by_default = has_base and request.reading.base is None and not held
    given_notes = tuple(note for note in model.notes if not (world.actuators and note == PASSIVE_ACTUATORS))
    notes = (
        *given_notes,
        *(held.notes if held else ()),
        *results.run_notes(model, world, fixed_by_default, bool(world.actuators)),
        *([accuracy_note(world)] if request.accuracy is not None else []),
    )
    source = source_of("figure", request)
    simulation = first_state(initial, source) if control is None else "a function in Python commands its motors"
    return PreparedRun(
        request.file.stem, request.seconds or DEFAULT_SECONDS, simulate, summary, simulation, notes, model
    )


def _initial_state(request: RunRequest, model: Model, world: World) -> State:
    """Return the initial state of all worlds of a request."""
    jitter = defaults.JITTER if request.lanes > 1 else 0.0
    try:
        return initial_state(model, world, request.lanes, jitter=jitter, seed=request.seed, precision=request.precision)
    except GambolError as error:
        raise GambolError(f"{request.file.name}: {error}") from error


def _world_of(request: RunRequest, model: Model, held: HeldModel | None, progress: Progress | None) -> World:
    """Return the world of a figure. held: the same model if it holds a pose."""
    contact, ground = contact_method(request, model), _ground(request, world_of_model(model).size)
    is_driven = request.actuators or request.controller is not None
    driven: dict[str, Any] = {"actuators": is_driven, "control": read_controls(request.control)}
    if request.controller is not None:
        driven["unlimited"] = DEFAULT_MAX_COMMAND
    steps = (request.integrator, request.step, request.tolerance, request.control_rate, request.precision)
    timing = timing_of(StepOptions(*steps), contact)
    default_world = world_of_model(model, ground=ground, timing=timing, contact=contact, **driven)
    controller = held.controller if held else default_world.controller
    world = replace(default_world, dynamics=request.method, controller=controller)
    if delays := motor_delays(model, world):
        world = replace(world, controller=with_delays(controller, delays, timing.control_step))
    return with_accuracy(world, model, request, progress)


def _run(
    request: RunRequest, state: State, control: ControlFunction | None, progress: Progress, coordinates: bool
) -> Film:
    """Return the film of a request. state: initial state."""
    return run(
        state.world,
        state,
        request.seconds or DEFAULT_SECONDS,
        rate=film_rate(state.world.timing.control_step),
        threads=(os.cpu_count() or 1) if request.lanes > 1 else 1,
        progress=progress,
        coordinates=coordinates,
        control=control,
        control_rate=None if control is None else request.control_rate,
    )


def _with_scenery(film: Film, model: Model, world: World) -> Film:
    """Return the film with bones for links without shapes, and with a floor if the world has no ground."""
    film_with_bones = replace(film, shapes=(*film.shapes, *bones(model.figure)))
    return film_with_bones if world.has_ground or not is_drawable(film_with_bones) else with_floor(film_with_bones)


def contact_method(request: RunRequest, model: Model) -> str:
    """Return the requested contact method, or a default one that suits the other options.

    The default is penalty if an option needs smooth contact or if no contact is possible; else it is stepping.
    """
    needs_smooth = (
        request.integrator is not None or request.tolerance is not None or request.method != "aba" or request.adapts
    )
    if request.contact is None:
        return (
            Penalty.name
            if needs_smooth or model.figure.prescribed or not _contact_is_possible(request, model)
            else Stepping.name
        )
    if request.contact not in CONTACT_METHODS:
        raise GambolError(
            f'--contact: "{request.contact}" is unknown; {did_you_mean(request.contact, CONTACT_METHODS)}'
        )
    if needs_smooth and not request.adapts and CONTACT_METHODS[request.contact].scheme.fixed_step:
        raise GambolError(
            f'--contact: "{request.contact}" chooses its own large steps and ignores --method, --integrator and '
            "--tolerance; leave them out, or give --contact penalty"
        )
    return request.contact


def _contact_is_possible(request: RunRequest, model: Model) -> bool:
    """True if contact is possible: with the ground, or between parts."""
    has_ground = model.ground or request.ground not in (None, "none")
    return has_ground or bool(allowed_pairs(model.figure, springs=model.springs, overlap=None))


def _ground(request: RunRequest, size: float) -> Ground | None:
    """Return the requested ground, or None to use the ground of the file. size: size of the figure [m]."""
    if request.ground in (None, "none"):
        return None
    if request.ground == "flat":
        return Plane()
    if request.ground == "hills":
        return random_hills(
            HILL_HEIGHT * size, wavelength=2.0 * size, half_width=20.0 * size, level=size, seed=request.seed
        )
    if Path(request.ground).suffix.lower() not in READERS and not Path(request.ground).exists():
        remedy = choices.hint(
            request.ground, ("none", "flat", "hills"), f"give a file that ends in {' or '.join(READERS)}"
        )
        raise GambolError(f'--ground: "{request.ground}" is unknown; {remedy}')
    return choices.read_height_grid(request.ground, request.spacing)
