"""Courses of the dog and of Raibert's machines in three dimensions: turns, paths, slopes and steps.

The sixteen courses of a family run side by side. Sizes of courses follow from each creature: its speed, its largest
rate of turn, and its length.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide import HeightGrid
from gambol.creatures.entry import CreatureEntry
from gambol.creatures.table import creature_entry
from gambol.dynamics import STANDARD_GRAVITY
from gambol.world import Engine, Film, World, run, start
from validation.courses.course import (
    COURSES,
    JITTER,
    MIN_SPEED_FRACTION,
    Family,
    Outcome,
    Walked,
    along_path,
    first,
    random_path,
)

Array = NDArray[np.float64]
SEED = 20
RATE = 50.0  # frames/s
TURN_SECONDS = 10.0
"""Time in which a turn is measured, after it has begun [s]."""
MAX_RATE_ERROR = 0.1
"""Largest error of a rate of turn, over the largest rate."""
SEGMENTS, BEND, SLACK = 7, 0.7, 1.4
"""Of a path: number of segments, largest bend between two [rad], and its time over that at the asked speed. A segment
is so long that the largest bend takes half of the largest rate of turn."""
MAX_SIDE_ERROR, SEEN = 0.2, 2.0
"""Largest error of a speed to the side, over the largest one; time after which the direction of a walk is seen [s]."""
STEEPEST = math.radians(20.0)
LOWEST_STEP, HIGHEST_STEP = 0.02, 0.15
"""Heights of steps over the standing height."""
SPACING, STEP_DISTANCE, STRIP = 0.05, 3.0, 2.0
"""Cells of the ground with steps, mean distance of a step from the start, and width of a strip [m]."""


@dataclass(frozen=True)
class Runner:
    """A creature of which courses are tried.

    name, options: of its world. short: for names of families. title: in the table. speed: asked speed [m/s]. turn:
    largest rate of turn [rad/s]. length: of its body, or of a hop of the hopper [m]. settled: time after which it has
    its speed and its rate of turn [s].
    """

    name: str
    short: str
    title: str
    speed: float
    turn: float
    length: float
    settled: float
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    backward: float = 0.0
    sideways: float = 0.0
    fall: float | None = None

    @property
    def entry(self) -> CreatureEntry:
        """Its row in the table of creatures."""
        return creature_entry(self.name)

    def world(self, **options: Any) -> World:
        """Return its world on a course, at the asked speed unless `options` have another one."""
        speed = {"speed": self.speed} if "speed" in self.entry.options else {}
        return self.entry.world(**speed | dict(self.options) | options)

    def has(self, kind: str) -> bool:
        """Return True for a kind of courses that it can be asked."""
        return bool(self.backward if kind.startswith("backward") else kind != "sideways" or self.sideways)

    def fell(self, film: Film, ground: Array | float = 0.0) -> list[bool]:
        """Return for each world whether its trunk came too low. ground: height below the trunk (F, W) [m]."""
        trunk = film.link_names.index(self.entry.trunk)
        low = film.position[:, :, trunk, 2] - ground < (self.entry.fall_height if self.fall is None else self.fall)
        return [bool(x) for x in low.any(axis=0)]


def _quadruped(gait: str, turn: float) -> Runner:
    return Runner(
        "raibert-quadruped",
        f"quadruped-{gait}",
        f"Raibert's quadruped, {gait}",
        1.0,
        turn,
        0.8,
        10.0,
        {"gait": gait},
        1.0,
        0.6,
    )


RUNNERS = (
    Runner("dog", "dog-trot", "dog, trot", 2.0, 0.6, 0.9, 4.0, {}, 0.8, 0.29),
    Runner("dog", "dog-walk", "dog, walk", 1.0, 0.6, 0.9, 4.0, {"gait": "walk"}, 0.8, 0.13),
    Runner("raibert-hopper-3d", "hopper", "Raibert's hopper", 1.5, 0.5, 1.0, 10.0, {}, 1.5, 1.5),
    _quadruped("trot", 0.5),
    _quadruped("pace", 0.25),
    _quadruped("bound", 0.5),
    Runner("simbicon-3d", "person", "person (simbicon-3d)", 1.08, 0.5, 0.7, 4.0, fall=0.6),
)


def ran(worlds: list[World], seconds: float, **start_options: Any) -> Film:
    """Return the film of worlds of one structure, in a quarter of their time step.

    With the whole of it the dog gains 2 % of its energy when it starts to walk, and 4 % on steps.
    """
    fine = [replace(world, timing=replace(world.timing, step=0.25 * world.timing.step)) for world in worlds]
    state = start(fine[0], len(fine), jitter=JITTER, seed=SEED, **start_options)
    return run(fine[0], state, seconds, rate=RATE, numbers=Engine(fine[0]).numbers_of(fine))


def turns(runner: Runner, direction: float = 1.0) -> Walked:
    """Run with constant rates of turn; the course is the direction of the velocity, second by second.

    direction: -1 for backward.
    """
    asked = np.random.default_rng(SEED).uniform(-runner.turn, runner.turn, COURSES)
    wanted = runner.speed if direction > 0.0 else runner.backward
    backward = {} if direction > 0.0 else {"speed": -wanted}
    film = ran([runner.world(turn=float(rate), **backward) for rate in asked], runner.settled + TURN_SECONDS)
    ways = np.diff(film.signals["centre"][round(runner.settled * RATE) :: round(RATE), :, :2], axis=0)
    course = np.unwrap(np.arctan2(ways[..., 1], ways[..., 0]), axis=0)
    got, speed = np.polyfit(np.arange(len(course)), course, 1)[0], np.hypot(ways[..., 0], ways[..., 1]).mean(axis=0)
    outcomes = [
        Outcome(
            first(
                (down, "fell"),
                (abs(g - a) > MAX_RATE_ERROR * runner.turn, f"{math.degrees(g):.1f} instead of {math.degrees(a):.1f}"),
                (v < MIN_SPEED_FRACTION * wanted, f"only {v:.2f} m/s"),
            ),
            {"asked [deg/s]": math.degrees(a), "got [deg/s]": math.degrees(g), "speed [m/s]": float(v)},
        )
        for down, a, g, v in zip(runner.fell(film), asked, got, speed, strict=True)
    ]
    return Walked(film, outcomes)


def backward(runner: Runner) -> Walked:
    """Run backward with constant rates of turn, at the start of which the body faces along x."""
    walked = turns(runner, -1.0)
    ahead = walked.film.signals["centre"][round(SEEN * RATE), :, 0] > 0.0
    outcomes = [
        replace(one, failure=one.failure or ("went forward" if wrong else ""))
        for one, wrong in zip(walked.outcomes, ahead, strict=True)
    ]
    return replace(walked, outcomes=outcomes)


def sideways(runner: Runner) -> Walked:
    """Move to a side on the spot."""
    asked = np.random.default_rng(SEED).uniform(-runner.sideways, runner.sideways, COURSES)
    film = ran([runner.world(speed=0.0, sideways=float(u)) for u in asked], runner.settled + TURN_SECONDS)
    centre = film.signals["centre"][round(runner.settled * RATE) :, :, :2]
    got, side = (centre[-1] - centre[0]) / ((len(centre) - 1) / RATE), MAX_SIDE_ERROR * runner.sideways
    outcomes = [
        Outcome(
            first(
                (down, "fell"),
                (abs(v - u) > side, f"{v:.2f} instead of {u:.2f} m/s"),
                (abs(ahead) > side, f"{ahead:.2f} m/s forward"),
            ),
            {f"{name} [cm/s]": 100.0 * float(x) for name, x in (("asked", u), ("got", v), ("forward", ahead))},
        )
        for down, u, (ahead, v) in zip(runner.fell(film), asked, got, strict=True)
    ]
    return Walked(film, outcomes)


def paths(runner: Runner, direction: float = 1.0) -> Walked:
    """Follow random paths. direction: -1 for backward."""
    rng = np.random.default_rng(SEED)
    wanted = runner.speed if direction > 0.0 else runner.backward
    segment = 2.0 * BEND * wanted / runner.turn
    courses = [random_path(rng, SEGMENTS, segment, BEND) for _ in range(COURSES)]
    seconds = SLACK * max(path.length for path in courses) / wanted
    backward = {} if direction > 0.0 else {"speed": -wanted}
    film = ran([runner.world(path=path, **backward) for path in courses], seconds)
    outcomes: list[Outcome] = []
    for k, (path, down) in enumerate(zip(courses, runner.fell(film), strict=True)):
        distance, along = along_path(film.signals["centre"][:, k, :2], path)
        arrived = along >= path.length - runner.length
        end = int(np.argmax(arrived)) if arrived.any() else len(along) - 1
        largest = float(distance[: end + 1].max())
        failure = first(
            (down, "fell"),
            (not arrived.any(), f"{100 * along.max() / path.length:.0f} % of the path in {seconds:.0f} s"),
            (largest > 0.5 * runner.length, f"{largest:.2f} m beside the path"),
        )
        outcomes.append(Outcome(failure, {"largest distance [m]": largest, "speed [m/s]": along[end] / film.time[end]}))
    return Walked(film, outcomes, [path.points() for path in courses])


def slopes(runner: Runner) -> Walked:
    """Run straight up or down slopes: the ground is level, and gravity is inclined."""
    angles, flat, g = (
        np.random.default_rng(SEED).uniform(-STEEPEST, STEEPEST, COURSES),
        runner.world(),
        STANDARD_GRAVITY,
    )
    if runner.name == "dog":  # whose law is told the slope
        worlds = [runner.world(slope=float(a)) for a in angles]
    else:
        worlds = [replace(flat, gravity=(-g * math.sin(a), 0.0, -g * math.cos(a))) for a in angles]
    film = ran(worlds, runner.settled + TURN_SECONDS)
    x = film.signals["centre"][..., 0]
    speed = (x[-1] - x[round(runner.settled * RATE)]) / TURN_SECONDS
    outcomes = [
        Outcome(
            first(
                (down, f"fell at {math.degrees(a):.0f} degrees"), (v < MIN_SPEED_FRACTION * runner.speed, "too slow")
            ),
            {"slope [deg]": math.degrees(a), "speed [m/s]": float(v)},
        )
        for down, a, v in zip(runner.fell(film), angles, speed, strict=True)
    ]
    return Walked(film, outcomes)


def steps(runner: Runner) -> Walked:
    """Run straight over one step up, of random height and distance, in strips of one height grid."""
    rng, cells = np.random.default_rng(SEED), round(STRIP / SPACING)
    heights = rng.uniform(LOWEST_STEP, HIGHEST_STEP, COURSES) * runner.entry.height
    edges = rng.uniform(0.8, 1.2, COURSES) * STEP_DISTANCE
    seconds = runner.settled + TURN_SECONDS
    x = SPACING * np.arange(-100, round((2.0 * runner.speed * seconds + STEP_DISTANCE) / SPACING))
    profiles = [np.where(edge <= x, height, 0.0) for edge, height in zip(edges, heights, strict=True)]
    ground = HeightGrid(np.repeat(profiles, cells, axis=0).T.copy(), SPACING, float(x[0]), 0.0)
    world = runner.world(ground=ground)
    sides = (np.arange(COURSES) + 0.5) * STRIP
    film = ran([world] * COURSES, seconds, position=np.column_stack([0.0 * sides, sides, np.full(COURSES, _z(world))]))
    trunk = film.position[:, :, film.link_names.index(runner.entry.trunk)]
    below = np.where(trunk[..., 0] > edges, heights, 0.0)
    outcomes = [
        Outcome(
            first((down, f"fell at {100 * h:.0f} cm"), (beyond < runner.length, f"not over {100 * h:.0f} cm")),
            {"height [cm]": 100.0 * h, "way beyond the step [m]": float(beyond)},
        )
        for down, h, beyond in zip(runner.fell(film, below), heights, trunk[-1, :, 0] - edges, strict=True)
    ]
    return Walked(film, outcomes)


def _z(world: World) -> float:
    """Return the initial height of the root of a world [m]."""
    return world.initial.q[6]


KINDS: Mapping[str, tuple[str, Callable[[Runner], Walked], str]] = {
    "turn": (
        "turn",
        turns,
        f"rates of turn up to the largest one, {TURN_SECONDS:.0f} s: not fallen, the mean rate within a tenth of the "
        "largest one, at least half of the asked speed",
    ),
    "path": (
        "path",
        paths,
        f"{SEGMENTS} segments with bends up to {BEND} rad that need half of the largest rate of turn, smoothed: not "
        f"fallen, the end reached in {SLACK} times the time at the asked speed, never more than half a length beside",
    ),
    "backward": (
        "backward, with turns",
        backward,
        "the same as turn, at the speed backward",
    ),
    "sideways": (
        "sideways",
        sideways,
        f"speeds up to the largest one to either side, forward 0, {TURN_SECONDS:.0f} s: not fallen, the mean speed "
        f"within {MAX_SIDE_ERROR} of the largest one, and as little forward",
    ),
    "backward-path": (
        "path, backward",
        partial(paths, direction=-1.0),
        "as path, at the speed backward",
    ),
    "slopes": (
        "slopes up and down to 20 degrees",
        slopes,
        "not fallen, at least half of the asked speed",
    ),
    "steps": (
        f"a step of {LOWEST_STEP} to {HIGHEST_STEP} of the standing height",
        steps,
        "not fallen, a length beyond the step at the end",
    ),
}
"""Title, function and criterion of each kind of course."""

FAMILIES = tuple(
    Family(
        f"{runner.short}-{kind}",
        f"{runner.title}: {title}",
        criterion,
        partial(walk, runner),
        trails=1.0 if kind.endswith("path") else 0.0,
    )
    for runner in RUNNERS
    for kind, (title, walk, criterion) in KINDS.items()
    if runner.has(kind)
)
"""The families, in the order of the table."""
