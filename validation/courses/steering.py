"""Courses for steering: turns, paths, walking backward and sideways, each with random numbers from a seed."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.creatures import roach, standing_state, world_of
from gambol.gait import GroundPath
from gambol.world import Engine, Film, World, run
from validation.courses.course import COURSES, SETTLED, Family, Outcome, Walked, fell, headings

Array = NDArray[np.float64]
SEED = 19
CREATURE = roach()
LENGTH, SPEED = 0.03, 0.108  # of the body [m], and of the walk [m/s]
JITTER = 0.01
"""Standard deviation of the joint angles at the start [rad]."""

TURN, TURN_SECONDS = math.radians(120.0), 1.5
"""Largest rate of turn [rad/s], and duration of the walks that turn [s]."""
MAX_HEADING_ERROR = math.radians(20.0)
"""Maximum error of heading at the end of a turn or a straight walk [rad]."""
MIN_SPEED_FRACTION = 0.5
"""Minimum share of the asked speed that counts."""

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


def simulated(world: World, seconds: float, numbers: Mapping[str, Any], *, turned: bool = False) -> Film:
    """Return the film of all courses. turned: True if the roach looks against x at the start."""
    state = standing_state(CREATURE, world, COURSES, jitter=JITTER, seed=SEED)
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


def first(*failures: tuple[bool, str]) -> str:
    """Return the first failure that happened, or an empty text."""
    return next((text for happened, text in failures if happened), "")


def turns(hold: bool) -> Walked:
    """Walk with a constant rate of turn."""
    world = world_of(CREATURE, turn=TURN, hold=hold)
    asked = np.random.default_rng(SEED).uniform(-TURN, TURN, COURSES)
    film = simulated(world, TURN_SECONDS, commanded(world, turn=asked))
    got, forward, _ = velocities(film)
    error = (got - asked) * (TURN_SECONDS - SETTLED)
    outcomes = [
        Outcome(
            first(
                (down, "fell"),
                (abs(e) > MAX_HEADING_ERROR, f"heading wrong by {math.degrees(e):.0f} degrees"),
                (v < MIN_SPEED_FRACTION * SPEED, f"only {v * 100:.1f} cm/s"),
            ),
            {"asked [deg/s]": math.degrees(a), "got [deg/s]": math.degrees(g), "speed [cm/s]": 100.0 * v},
        )
        for down, e, v, a, g in zip(fell(film, CREATURE), error, forward, asked, got, strict=True)
    ]
    return Walked(film, outcomes)


def random_path(rng: np.random.Generator) -> GroundPath:
    """Return a path that begins at the origin along x."""
    bends = np.concatenate([[0.0], rng.uniform(-BEND, BEND, SEGMENTS - 1)])
    heading = np.cumsum(bends)
    steps = SEGMENT * np.column_stack([np.cos(heading), np.sin(heading)])
    return GroundPath.through(np.concatenate([[[0.0, 0.0]], np.cumsum(steps, axis=0)]))


def path_numbers(world: World, paths: list[GroundPath]) -> Mapping[str, Any]:
    """Return the numbers of a world with a path for each world."""
    control, each = world.numbers()["control"], [path.numbers() for path in paths]
    names = ("x", "y", "heading", "curvature", "speed")
    columns: dict[str, Any] = {name: list(np.array([one[name] for one in each]).T) for name in names}
    control["modifiers"][0]["following"]["path"] = columns | {"length": np.array([one["length"] for one in each])}
    return Engine(world).numbers(control=control)


def along_path(place: Array, path: GroundPath) -> tuple[Array, Array]:
    """Return the distance from a path and the arc length of its nearest point in each frame (F,) [m]."""
    fine = np.linspace(0.0, 1.0, 2000)
    points = [np.interp(fine, np.linspace(0.0, 1.0, len(path.x)), values) for values in (path.x, path.y)]
    distance = np.hypot(place[:, 0, None] - points[0], place[:, 1, None] - points[1])
    return distance.min(axis=1), fine[distance.argmin(axis=1)] * path.length


def paths(stroke: float, slack: float) -> Walked:
    """Follow random paths, forward or backward. slack: time over that at the speed of the straight walk."""
    rng = np.random.default_rng(SEED + (stroke < 0.0))
    courses = [random_path(rng) for _ in range(COURSES)]
    seconds = round(slack * max(path.length for path in courses) / SPEED, 1)
    world = world_of(CREATURE, stroke=stroke, path=courses[0])
    film = simulated(world, seconds, path_numbers(world, courses), turned=stroke < 0.0)
    outcomes: list[Outcome] = []
    for k, (path, down) in enumerate(zip(courses, fell(film, CREATURE), strict=True)):
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


def backward(hold: bool) -> Walked:
    """Walk backward with a random rate of turn."""
    world = world_of(CREATURE, stroke=-1.0, hold=hold)
    asked = np.random.default_rng(SEED).uniform(-0.25 * TURN, 0.25 * TURN, COURSES)
    film = simulated(world, TURN_SECONDS, commanded(world, turn=asked))
    got, forward, _ = velocities(film)
    error = (got - asked) * (TURN_SECONDS - SETTLED)
    outcomes = [
        Outcome(
            first(
                (down, "fell"),
                (abs(e) > MAX_HEADING_ERROR, f"heading wrong by {math.degrees(e):.0f} degrees"),
                (-v < MIN_SPEED_FRACTION * SPEED, f"only {-v * 100:.1f} cm/s"),
            ),
            {"asked [deg/s]": math.degrees(a), "got [deg/s]": math.degrees(g), "speed [cm/s]": -100.0 * v},
        )
        for down, e, v, a, g in zip(fell(film, CREATURE), error, forward, asked, got, strict=True)
    ]
    return Walked(film, outcomes)


def crabs(hold: bool) -> Walked:
    """Walk sideways, with strokes of no length."""
    world = world_of(CREATURE, stroke=0.0, sideways=CRAB, hold=hold)
    rng = np.random.default_rng(SEED)
    asked = rng.uniform(0.01, CRAB, COURSES) * rng.choice([-1.0, 1.0], COURSES)
    film = simulated(world, TURN_SECONDS, commanded(world, sideways=asked))
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
        for down, a, y, t, x in zip(fell(film, CREATURE), asked, left, turned, forward, strict=True)
    ]
    return Walked(film, outcomes)


def steered(name: str, title: str, criterion: str, walk: Callable[[bool], Walked]) -> tuple[Family, Family]:
    """Return a family without and with a compass that holds the heading."""
    held = f"the same courses and limits as {title}, with `hold`"
    return (
        Family(name, title, criterion, lambda: walk(False)),
        Family(f"{name}-held", f"{title}, heading held", held, lambda: walk(True)),
    )


_HEADING = f"heading at the end within {math.degrees(MAX_HEADING_ERROR):.0f} degrees"
FAMILIES = (
    *steered(
        "turn",
        "turn",
        f"a rate of turn up to {math.degrees(TURN):.0f} degrees a second, {TURN_SECONDS} s: not fallen, {_HEADING}, "
        f"at least half of {100 * SPEED:.1f} cm/s",
        turns,
    ),
    *steered(
        "backward",
        "backward",
        f"strokes of -1, a rate of turn up to {math.degrees(0.25 * TURN):.0f} degrees a second, {TURN_SECONDS} s: not "
        f"fallen, {_HEADING}, at least half of {100 * SPEED:.1f} cm/s",
        backward,
    ),
    *steered(
        "crab",
        "sideways",
        f"strokes of 0, 1 to {100 * CRAB:.0f} cm/s to either side, {TURN_SECONDS} s: not fallen, speed sideways within "
        f"{100 * CRAB_ERROR:.1f} cm/s, turned by less than {math.degrees(MAX_HEADING_ERROR):.0f} degrees",
        crabs,
    ),
    Family(
        "path",
        "path",
        f"{SEGMENTS} segments of {1e3 * SEGMENT:.0f} mm with bends up to {BEND} rad, smoothed: not fallen, the end "
        f"reached in 1.4 times the time of a straight walk, never more than {1e3 * MAX_CROSS_TRACK:.0f} mm beside it",
        lambda: paths(1.0, 1.4),
    ),
    Family(
        "backward-path",
        "path, backward",
        f"as path, other bends, in 2.2 times the time of a straight walk forward, and {1e3 * MAX_CROSS_TRACK:.0f} mm",
        lambda: paths(-1.0, 2.2),
    ),
)
"""The families of steering."""
