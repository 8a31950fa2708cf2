"""Courses for steering: turns, paths, walking backward and sideways, each with random numbers from a seed."""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.creatures import Creature, roach, standing_state, world_of
from gambol.gait import GroundPath
from gambol.world import Engine, Film, World, run
from validation.courses.course import (
    COURSES,
    JITTER,
    MIN_SPEED_FRACTION,
    Family,
    Outcome,
    Walked,
    along_path,
    fell,
    first,
    headings,
    random_path,
)

Array = NDArray[np.float64]
SEED = 19
LENGTH = 0.03  # of the body [m]
CM = 100.0  # units of pictures in a metre
SETTLED = 0.3
"""Time after which the first strides are over [s]."""

TURN, TURN_SECONDS = math.radians(120.0), 1.5
"""Largest rate of turn [rad/s], and duration of the walks that turn [s]."""
MAX_HEADING_ERROR = math.radians(20.0)
"""Maximum error of heading at the end of a turn or a straight walk [rad]."""

SEGMENTS, SEGMENT, BEND = 7, 0.04, 0.7
"""Of a path: number, length [m] and largest bend to the next [rad]."""
MAX_CROSS_TRACK = 0.5 * LENGTH
"""Maximum distance from the path [m]."""
CRAB, CRAB_ERROR = 0.04, 0.012
"""Largest speed sideways, and largest error of it [m/s]."""


def commanded(world: World, **commands: Array) -> Mapping[str, Any]:
    """Return the numbers of a world with commands that differ between worlds, each (W,)."""
    control = world.numbers()["control"]
    for name, values in commands.items():
        control["modifiers"][0]["commands"][name]["values"] = [np.asarray(values, float)]
    return Engine(world).numbers(control=control)


def simulated(
    creature: Creature, world: World, seconds: float, numbers: Mapping[str, Any], *, turned: bool = False
) -> Film:
    """Return the film of all courses. turned: True if the roach looks against x at the start."""
    state = standing_state(creature, world, COURSES, jitter=JITTER, seed=SEED)
    if turned:
        state.q[:, :4] = (0.0, 0.0, 0.0, 1.0)
    return run(world, state, seconds, rate=200.0, numbers=numbers, threads=2)


def velocities(film: Film) -> tuple[Array, Array, Array]:
    """Return the mean rate of turn [rad/s], forward and leftward velocity [m/s] of each world once settled."""
    late = film.time >= SETTLED
    time, heading, place = film.time[late], headings(film)[late], film.signals["centre"][late]
    velocity = np.gradient(place, time, axis=0)
    forward = velocity[..., 0] * np.cos(heading) + velocity[..., 1] * np.sin(heading)
    left = velocity[..., 1] * np.cos(heading) - velocity[..., 0] * np.sin(heading)
    return np.polyfit(time, heading, 1)[0], forward.mean(axis=0), left.mean(axis=0)


def turns(creature: Creature, stroke: float, largest: float, hold: bool) -> Walked:
    """Walk with a constant rate of turn, forward or backward. largest: rate of turn [rad/s]."""
    world = world_of(creature, stroke=stroke, turn=largest, hold=hold)
    asked = np.random.default_rng(SEED).uniform(-largest, largest, COURSES)
    film = simulated(creature, world, TURN_SECONDS, commanded(world, turn=asked))
    got, forward, _ = velocities(film)
    error, least = (got - asked) * (TURN_SECONDS - SETTLED), MIN_SPEED_FRACTION * creature.steering.speed
    outcomes = [
        Outcome(
            first(
                (down, "fell"),
                (abs(e) > MAX_HEADING_ERROR, f"heading wrong by {math.degrees(e):.0f} degrees"),
                (v < least, f"only {v * 100:.1f} cm/s"),
            ),
            {"asked [deg/s]": math.degrees(a), "got [deg/s]": math.degrees(g), "speed [cm/s]": 100.0 * v},
        )
        for down, e, v, a, g in zip(fell(film, creature), error, stroke * forward, asked, got, strict=True)
    ]
    return Walked(film, outcomes)


def path_numbers(world: World, paths: list[GroundPath]) -> Mapping[str, Any]:
    """Return the numbers of a world with a path for each world."""
    control, each = world.numbers()["control"], [path.numbers() for path in paths]
    names = ("x", "y", "heading", "curvature", "speed")
    columns: dict[str, Any] = {name: list(np.array([one[name] for one in each]).T) for name in names}
    control["modifiers"][0]["following"]["path"] = columns | {"length": np.array([one["length"] for one in each])}
    return Engine(world).numbers(control=control)


def paths(creature: Creature, stroke: float, slack: float) -> Walked:
    """Follow random paths, forward or backward. slack: time over that at the speed of the straight walk."""
    rng = np.random.default_rng(SEED + (stroke < 0.0))
    courses = [random_path(rng, SEGMENTS, SEGMENT, BEND) for _ in range(COURSES)]
    seconds = round(slack * max(path.length for path in courses) / creature.steering.speed, 1)
    world = world_of(creature, stroke=stroke, path=courses[0])
    film = simulated(creature, world, seconds, path_numbers(world, courses), turned=stroke < 0.0)
    outcomes: list[Outcome] = []
    for k, (path, down) in enumerate(zip(courses, fell(film, creature), strict=True)):
        distance, along = along_path(film.position[:, k, 0, :2], path)
        arrived = along >= 0.98 * path.length
        end = int(np.argmax(arrived)) if arrived.any() else len(along) - 1
        largest, time = float(distance[: end + 1].max()), float(film.time[end])
        failure = first(
            (down, "fell"),
            (not arrived.any(), f"{100 * along.max() / path.length:.0f} % of the path in {seconds} s"),
            (largest > MAX_CROSS_TRACK, f"{1e3 * largest:.0f} mm beside the path"),
        )
        speed = 100.0 * along[end] / max(time, 1e-9)
        outcomes.append(Outcome(failure, {"largest distance [mm]": 1e3 * largest, "speed [cm/s]": speed}))
    return Walked(film, outcomes, [path.points() for path in courses])


def crabs(creature: Creature, hold: bool) -> Walked:
    """Walk sideways, with strokes of no length."""
    world = world_of(creature, stroke=0.0, sideways=CRAB, hold=hold)
    rng = np.random.default_rng(SEED)
    asked = rng.uniform(0.01, CRAB, COURSES) * rng.choice([-1.0, 1.0], COURSES)
    film = simulated(creature, world, TURN_SECONDS, commanded(world, sideways=asked))
    got, forward, left = velocities(film)
    turned = got * (TURN_SECONDS - SETTLED)
    outcomes = [
        Outcome(
            first(
                (down, "fell"),
                (abs(y - a) > CRAB_ERROR, f"{100 * y:.1f} instead of {100 * a:.1f} cm/s"),
                (abs(t) > MAX_HEADING_ERROR, f"turned by {math.degrees(t):.0f} degrees"),
            ),
            {"asked [cm/s]": 100.0 * a, "got [cm/s]": 100.0 * y, "forward [cm/s]": 100.0 * x},
        )
        for down, a, y, t, x in zip(fell(film, creature), asked, left, turned, forward, strict=True)
    ]
    return Walked(film, outcomes)


_HEADING = f"heading at the end within {math.degrees(MAX_HEADING_ERROR):.0f} degrees"
_TURNED = (
    f"a rate of turn up to {{:.0f}} degrees a second, {TURN_SECONDS} s: not fallen, {_HEADING}, at least half of the "
    "speed of the straight walk"
)
BACKWARD_TURN = 0.25 * TURN

KINDS: Mapping[str, tuple[str, str, Callable[[Creature, bool], Walked]]] = {
    "turn": (
        "turn",
        _TURNED.format(math.degrees(TURN)),
        lambda creature, hold: turns(creature, 1.0, TURN, hold),
    ),
    "backward": (
        "backward",
        f"strokes of -1, {_TURNED.format(math.degrees(BACKWARD_TURN))} forward",
        lambda creature, hold: turns(creature, -1.0, BACKWARD_TURN, hold),
    ),
    "crab": (
        "sideways",
        f"strokes of 0, 1 to {100 * CRAB:.0f} cm/s to either side, {TURN_SECONDS} s: not fallen, speed sideways within "
        f"{100 * CRAB_ERROR:.1f} cm/s, turned by less than {math.degrees(MAX_HEADING_ERROR):.0f} degrees",
        crabs,
    ),
}
"""Title, criterion and function of each kind that is walked with and without a held heading."""

PATHS: Mapping[str, tuple[str, str, float, float]] = {
    "path": (
        "path",
        f"{SEGMENTS} segments of {1e3 * SEGMENT:.0f} mm with bends up to {BEND} rad, smoothed: not fallen, the end "
        f"reached in 1.4 times the time of a straight walk, never more than {1e3 * MAX_CROSS_TRACK:.0f} mm beside it",
        1.0,
        1.4,
    ),
    "backward-path": (
        "path, backward",
        f"as path, other bends, in 2.2 times the time of a straight walk forward, and {1e3 * MAX_CROSS_TRACK:.0f} mm",
        -1.0,
        2.2,
    ),
}
"""Title, criterion, stroke, and time over that of a straight walk, of each kind of path."""


def families(creature: Creature, suffix: str = "", of: str = "", trails: float = 0.0) -> Iterator[Family]:
    """Yield the families of a creature. suffix: ends their names; of: begins their titles; trails: see Family."""
    for name, (title, criterion, walk) in KINDS.items():
        held = f"the same courses and limits as {of}{title}, with `hold`"
        yield Family(f"{name}{suffix}", of + title, criterion, partial(walk, creature, hold=False), trails)
        yield Family(
            f"{name}-held{suffix}", f"{of}{title}, heading held", held, partial(walk, creature, hold=True), trails
        )
    for name, (title, criterion, stroke, slack) in PATHS.items():
        yield Family(f"{name}{suffix}", of + title, criterion, partial(paths, creature, stroke, slack), trails)


SETS = ("cockroach", "agile")
"""Sets of parameters of the roach that walk the courses, too."""

FAMILIES = (
    *families(roach(), trails=CM),
    *(family for name in SETS for family in families(roach(name), f"-{name}", f'set "{name}": ')),
)
"""The families of steering: of the tuned roach, and of other sets."""
