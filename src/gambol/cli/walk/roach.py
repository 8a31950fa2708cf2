"""The roach's walk: its world from options, its simulation, and its measures."""

import math
import os
from dataclasses import asdict, dataclass, replace
from typing import Any

from gambol.cli import choices, defaults, report
from gambol.contact.surface import Grip
from gambol.contact.table import DEFAULT_METHOD
from gambol.creatures import Creature, roach, standing_state, world_of
from gambol.creatures.creature_world import Feet, Law
from gambol.creatures.entry import CreatureEntry
from gambol.creatures.gait_metrics import Walk, measure
from gambol.creatures.ground_forces import has_contacts, measure_ground_forces
from gambol.creatures.measures import measure_creature
from gambol.creatures.steered import steerable
from gambol.creatures.terrain import standing_height
from gambol.errors import GambolError
from gambol.lanes import Precision
from gambol.world import Film, State, World, run
from gambol.world.run import Progress

MIN_TRUNK_HEIGHT = 0.25
"""Height of the trunk's centre, as a fraction of its height when standing, below which the roach has fallen: its belly
touches the ground."""

MAX_FORCE_LANES = 16
"""Maximum number of lanes whose ground forces are measured: contacts need about as much memory as the other signals."""


CENTIMETRE = 0.01  # m

MAX_STEERING = {"turn": 3600.0, "crab": 100.0, "stroke": 2.0}
"""Limits of the options that steer: ten turns per second, ten times the speed of the walk, strokes of twice the length.
"""


@dataclass(frozen=True)
class RoachRequest:
    """The options of the command line, as given by the user.

    turn [deg/s], crab [cm/s], stroke: None for 1, or 0 with crab.
    """

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
    muscles: bool = False
    readings: tuple[str, ...] = ()
    grip: Grip = "feet"
    law: Law = "softened"
    turn: float = 0.0
    crab: float = 0.0
    stroke: float | None = None
    hold: bool = False
    path: str | None = None


@dataclass(frozen=True)
class RoachWalk:
    """A walk ready to be simulated. request: the options, with the default duration; seconds: duration [s]."""

    request: RoachRequest
    creature: Creature
    world: World
    state: State
    seconds: float


def prepare_roach_walk(request: RoachRequest) -> RoachWalk:
    """Return the walk of a request. Raises GambolError for invalid options, before the simulation."""
    if request.seconds is not None and not 0.0 < request.seconds < float("inf"):
        raise GambolError(f"--seconds: {request.seconds:g} is not possible; give more than 0")
    gait = choices.read_gait(request.gait)
    creature = roach(request.parameters, request.readings)
    steering = _steering(request)
    seconds = choices.walk_duration(gait, creature) if request.seconds is None else request.seconds
    if request.seconds is None and steering["path"] is not None:
        seconds = choices.path_duration(steering["path"], creature, steering["stroke"])
    world = world_of(
        creature,
        speed=gait.start,
        speed_after=gait.end,
        ramp=choices.ramp_times(seconds),
        feet=request.feet,
        ground=choices.read_ground(request.ground, creature, request.seed, request.spacing),
        reflexes=choices.read_reflexes(request.reflexes),
        contact=request.contact,
        solid_trunk=request.solid_trunk,
        muscles=request.muscles,
        grip=request.grip,
        law=request.law,
        **steering,
    )
    jitter = defaults.JITTER if request.lanes > 1 else 0.0
    state = standing_state(
        creature, world, request.lanes, jitter=jitter, seed=request.seed, precision=request.precision
    )
    return RoachWalk(replace(request, seconds=seconds), creature, world, state, seconds)


def page_state(walk: RoachWalk) -> State:
    """Return the first state for the page of a walk; its world has the same motion, and can be steered in the page."""
    world = steerable(walk.world, walk.creature)
    if world is walk.world or walk.request.lanes > 1:
        return walk.state
    return standing_state(walk.creature, world, precision=walk.request.precision)


def _steering(request: RoachRequest) -> dict[str, Any]:
    """Return the arguments of world_of() that steer. Raises GambolError for impossible values."""
    for name in ("turn", "crab", "stroke"):
        value = getattr(request, name)
        if value is not None and not abs(value) < MAX_STEERING[name]:
            raise GambolError(
                f"--{name}: {value:g} is not possible; "
                f"give a number between -{MAX_STEERING[name]:g} and {MAX_STEERING[name]:g}"
            )
    stroke = request.stroke if request.stroke is not None else (0.0 if request.crab else 1.0)
    path = None if request.path is None else choices.read_path(request.path)
    sideways = request.crab * CENTIMETRE
    return {
        "stroke": stroke,
        "turn": math.radians(request.turn),
        "sideways": sideways,
        "hold": request.hold,
        "path": path,
    }


def simulate_walk(
    walk: RoachWalk, progress: Progress | None, *, coordinates: bool = False
) -> tuple[Film, tuple[Walk, ...]]:
    """Simulate a walk; return its film, with contacts for up to MAX_FORCE_LANES lanes, and its measures.

    coordinates: True to record joint coordinates too.
    """
    threads = (os.cpu_count() or 1) if walk.request.lanes > 1 else 1
    recorded: dict[str, Any] = {"contacts": walk.request.lanes <= MAX_FORCE_LANES, "coordinates": coordinates}
    film = run(walk.world, walk.state, walk.seconds, threads=threads, progress=progress, **recorded)
    return film, measure(film, walk.world)


def walk_summary(walk: RoachWalk, film: Film, walks: tuple[Walk, ...], notes: list[str]) -> dict[str, Any]:
    """Return the content of the JSON file: measures of the roach, measures of all creatures, and forces."""
    request: dict[str, Any] = {"creature": walk.creature.name, **asdict(walk.request)}
    common = report.mean_measures(measure_creature(film, walk.world, _entry(walk)))
    forces = report.mean_measures(measure_ground_forces(film, walk.world)) if has_contacts(film) else None
    return common | {"ground_forces": forces} | report.summary(request, film, walks, notes)


def _entry(walk: RoachWalk) -> CreatureEntry:
    """Return the roach as a row of the table of creatures, for the measures that all creatures have."""
    creature, gait = walk.creature, walk.world.gait
    height = standing_height(creature)
    limbs = {leg.name: (leg.foot,) for leg in creature.legs}
    return CreatureEntry(
        name=creature.name,
        summary="a cockroach with 38 degrees of freedom",
        make_world=lambda: walk.world,
        seconds=walk.seconds,
        limbs=limbs,
        trunk=walk.world.figure.links[0].name,
        fall_height=MIN_TRUNK_HEIGHT * height,
        height=height,
        stride_limb=gait.legs[0].name if gait else "",
    )
