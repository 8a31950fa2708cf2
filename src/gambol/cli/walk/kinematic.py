"""The command `gambol walk --kinematic`: a walk by inverse kinematics, without forces, of any creature with legs."""

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gambol.cli import choices
from gambol.cli.defaults import ROACH
from gambol.cli.log import collected_warnings
from gambol.cli.output import Output
from gambol.cli.targets import Targets
from gambol.cli.walk.creature import prepare_walk
from gambol.cli.walk.creature_request import CreatureRequest
from gambol.cli.walk.roach import RoachRequest, prepare_roach_walk
from gambol.creatures.table import creature_entry
from gambol.creatures.terrain import standing_height
from gambol.dynamics import STANDARD_GRAVITY, kinematics
from gambol.errors import GambolError
from gambol.gait import GroundPath
from gambol.plan.path import Ease, PacedCurve
from gambol.plan.walk import Foot, Footfalls, KinematicWalk, kinematic_walk, lowest_points
from gambol.spatial import interpolating
from gambol.world import World, start

if TYPE_CHECKING:
    from gambol.cli.session import Session

Array = NDArray[np.float64]

FROUDE = 0.2
"""Froude number v^2 / (g h) of a walk without a given speed: that of a brisk walk of animals."""

STRIDE, SPRAWLED_STRIDE, DUTY, LIFT, CROUCH = 0.8, 0.5, 0.6, 0.12, 0.1
"""Length of a stride, also with more than four legs; duty factor, height of a step, and height by which the body is
lowered, so that legs reach their footholds; lengths are divided by the standing height."""

RISE = 0.1
"""Fraction of the walk in which it becomes faster, and slower at the end."""

STRIDES = 10.0
"""Number of strides of a walk without --seconds and --path."""

FRAMES_PER_STRIDE = 24.0


def show_kinematic_walk(session: "Session", name: str, options: dict[str, Any], output: Output) -> int:
    """Compute a walk, print and write its results; return the exit code.

    options: options by name, and the speed [m/s]. Raises GambolError before files are written.
    """
    speed = options.pop("speed", None)
    request = RoachRequest(**options) if name == ROACH else CreatureRequest(creature_entry(name).name, **options)
    targets = Targets.of(output, name, request.lanes)
    targets.check()
    with collected_warnings() as notes, session.error_console.status(f"placing the feet of {name}"):
        walk = walk_kinematically(request, speed)
    session.warn(notes)
    summary = kinematic_summary(request, walk)
    for line in (walk.film.name, *(f"{title} {summary[title]:.4g}" for title in MEASURES)):
        session.print_line(line)
    session.write_files(walk.film, summary, targets, "a kinematic walk has no forces to simulate")
    return 0


MEASURES = ("speed_m_per_s", "largest_lean_deg", "foothold_error_m")
"""The measures that are printed."""


def walk_kinematically(request: RoachRequest | CreatureRequest, speed: float | None) -> KinematicWalk:
    """Return the walk of a request along its path, its circle (turn), or straight on.

    speed: speed in the middle of the walk [m/s]; None: that of FROUDE. Raises GambolError for options that have no
    effect, for a creature without legs, and as kinematic_walk() does.
    """
    world, height, limbs, name = _standing(request)
    v = math.sqrt(FROUDE * STANDARD_GRAVITY * height) if speed is None else speed
    if not 0.0 < v < math.inf:
        raise GambolError(f"--speed: {v:g} is not possible; a kinematic walk needs more than 0")
    if len(limbs) < 2 or world.figure.root.joint.kind != "free":
        raise GambolError(f"--kinematic: the {name} has no legs on a free trunk; leave it out")
    q = start(world, drop=0.0).q[0].copy()
    q[4:6], q[6] = 0.0, q[6] - CROUCH * height
    feet = lowest_points(world, q, limbs)
    period = (STRIDE if len(limbs) <= 4 else SPRAWLED_STRIDE) * height / v
    curve, duration = _curve(request, v, period)
    footfalls = Footfalls(period, DUTY, _alternating(world, q, feet), LIFT * height)
    return kinematic_walk(
        world, q, feet, PacedCurve(curve, duration, Ease(RISE, RISE)), footfalls, rate=FRAMES_PER_STRIDE / period
    )


def kinematic_summary(request: RoachRequest | CreatureRequest, walk: KinematicWalk) -> dict[str, Any]:
    """Return the content of the JSON file."""
    place, lean = walk.film.position[:, 0, 0, :2], walk.film.signals["lean"]
    way = float(np.hypot(*np.diff(place, axis=0).T).sum())
    return {
        "asked": asdict(request),
        "duration_s": walk.film.duration,
        "speed_m_per_s": way / walk.film.duration,
        "largest_lean_deg": float(np.degrees(abs(lean).max())),
        "foothold_error_m": walk.error,
    }


def _standing(request: RoachRequest | CreatureRequest) -> tuple[World, float, list[str], str]:
    """Return the world of a creature, its standing height [m], the links of its feet, and its name.

    Raises GambolError for options of the gait and of forces.
    """
    plain = type(request)() if isinstance(request, RoachRequest) else CreatureRequest(request.name)
    kept = ("ground", "spacing", "seconds", "seed", "turn", "path", "parameters", "readings")
    for option, value in asdict(request).items():
        if option not in kept and value != getattr(plain, option):
            raise GambolError(f"--{option.replace('_', '-')}: a kinematic walk has no such option; leave it out")
    unsteered = {"turn": plain.turn, "path": None, "seconds": request.seconds}
    if isinstance(request, RoachRequest):
        roach = prepare_roach_walk(_replaced(request, unsteered))
        return roach.world, standing_height(roach.creature), [leg.foot for leg in roach.creature.legs], "roach"
    walk = prepare_walk(_replaced(request, unsteered))
    return walk.world, walk.entry.height, [links[0] for links in walk.entry.limbs.values()], request.name


def _replaced(request: Any, values: dict[str, Any]) -> Any:
    return type(request)(**{**{k: getattr(request, k) for k in asdict(request)}, **values})


def _alternating(world: World, q: Array, feet: dict[str, Foot]) -> list[float]:
    """Return offsets by which neighbours in front, behind and opposite alternate: a trot, a tripod gait, a walk of two.

    Feet are ordered from hind to front on each side, by their places while standing.
    """
    state = kinematics(world.figure, q.tolist(), [0.0] * world.figure.nv)
    places = [state.poses[world.figure.link(foot.link).index].position for foot in feet.values()]
    offsets: list[float] = []
    for p in places:
        is_left = float(p.y) > 0.0
        rank = sum(float(other.x) < float(p.x) for other in places if (float(other.y) > 0.0) == is_left)
        offsets.append(0.5 * ((rank + is_left) % 2))
    return offsets


def _curve(request: RoachRequest | CreatureRequest, v: float, period: float) -> tuple[Any, float]:
    """Return the curve of the body and the duration [s]. v: speed in the middle of the walk [m/s]."""
    fraction = 1.0 - RISE  # of the full speed, averaged
    if request.path is not None:
        path: GroundPath = choices.read_path(request.path)
        points = [(x, y, 0.0) for x, y in path.points()]
        return interpolating(points), request.seconds or path.length / (fraction * v)
    seconds = request.seconds or STRIDES * period
    angle = math.radians(request.turn or 0.0) * seconds * fraction
    s = np.linspace(0.0, 1.0, 33)
    length, bend = fraction * v * seconds, max(abs(angle), 1e-9)
    x = length / bend * np.sin(bend * s)
    y = math.copysign(length / bend, angle) * (1.0 - np.cos(bend * s))
    return interpolating([(a, b, 0.0) for a, b in zip(x.tolist(), y.tolist(), strict=True)]), seconds
