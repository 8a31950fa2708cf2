"""Courses on uneven ground: steps, slopes, hills, and hills after the loss of a leg, with reflexes on and off.

The sixteen courses of a family lie side by side as strips of one height grid. The roach walks along x.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gambol.collide import HeightGrid
from gambol.collide.hills import random_hills
from gambol.creatures import Creature, roach, standing_state, world_of
from gambol.creatures.terrain import HILL_RATIO, standing_height
from gambol.world import Film, run
from validation.courses.course import COURSES, Family, Outcome, Walked, fell

Array = NDArray[np.float64]
CREATURE = roach()
LENGTH = 0.0298  # of the body [m]
HEIGHT = standing_height(CREATURE)
SPACING, HALF_WIDTH = 0.001, 0.1  # of the grids of steps and slopes [m]
X = SPACING * np.arange(-100, 500)
LOWEST_STEP, HIGHEST_STEP = 0.25, 0.5  # of the standing height
FIRST_EDGE, LAST_EDGE = 0.03, 0.045  # distance of a step from the start [m]
STEEPEST = np.radians(20.0)
WAVELENGTH = 0.021  # of hills [m]
SECONDS, LENGTHS = 1.8, 2.0  # of the walk in the fastest gait, and of the way that counts as walked
LOST_SECONDS, LOST_LENGTHS = 1.1, 0.8  # the same without a leg, at half the speed with sticky feet
MIN_UPRIGHT_COSINE = 0.5  # cosine of the largest tilt, 60 degrees

REFLEXES = {
    "off": (),
    "calibrated": ("step", "load"),
    "search": ("elevator", "foothold"),
    "uneven": ("step", "stable", "elevator", "foothold"),
    "climb": ("climb",),
}
"""Sets of reflexes by name."""

PACES = {
    "fast": (1.0, "the fastest gait"),
    "half": (2.0, "half the speed"),
    "third": (3.0, "a third of the speed"),
    "quarter": (4.0, "a quarter of the speed"),
}
"""Speed factor of the gait, and its words, by name."""

Strips = tuple[HeightGrid, Array]
"""A ground, and x and y of the start of each course (16, 2) [m]."""


def strips(profiles: list[Array]) -> Strips:
    """Return a ground of strips, each with a profile of heights along X [m]."""
    cells = round(2.0 * HALF_WIDTH / SPACING)
    heights = np.repeat(np.array(profiles), cells, axis=0).T
    starts = [[0.0, (k + 0.5) * cells * SPACING] for k in range(len(profiles))]
    return HeightGrid(heights, SPACING, float(X[0]), 0.0), np.array(starts)


def steps() -> Strips:
    """Return one step up in each course, of random height and distance; its face is one cell long."""
    profiles: list[Array] = []
    for seed in range(COURSES):
        random = np.random.default_rng(seed)
        height, edge = random.uniform(LOWEST_STEP, HIGHEST_STEP), random.uniform(FIRST_EDGE, LAST_EDGE)
        profiles.append(np.where(edge <= X, HEIGHT * height, 0.0))
    return strips(profiles)


def slopes() -> Strips:
    """Return a slope in each course, up or down, that begins at the start."""
    angles = np.random.default_rng(0).uniform(-STEEPEST, STEEPEST, COURSES)
    return strips([np.maximum(X, 0.0) * np.tan(angle) for angle in angles])


def hills() -> Strips:
    """Return hills in each course, of a third of the standing height."""
    height = HILL_RATIO * HEIGHT
    tiles = [
        random_hills(height, wavelength=WAVELENGTH, half_width=5.0 * WAVELENGTH, level=WAVELENGTH, seed=seed)
        for seed in range(COURSES)
    ]
    spacing, columns = tiles[0].spacing, tiles[0].heights.shape[1]
    starts = [[0.0, (k * columns + (columns - 1) / 2.0) * spacing] for k in range(COURSES)]
    ground = HeightGrid(np.concatenate([tile.heights for tile in tiles], axis=1), spacing, tiles[0].x0, 0.0)
    return ground, np.array(starts)


def walk(creature: Creature, make: Callable[[], Strips], reflexes: str, speed: float, contact: str) -> Walked:
    """Walk the courses of a family with a held heading, for a time as the speed needs.

    make: of the ground. reflexes: name of a set. speed: factor of the gait, 1 for the fastest. contact: contact method.
    """
    ground, starts = make()
    world = world_of(creature, ground=ground, reflexes=REFLEXES[reflexes], speed=speed, hold=True, contact=contact)
    state = standing_state(creature, world, COURSES, positions=starts, precision="float32")
    film = run(world, state, speed * SECONDS, rate=240.0)
    return Walked(film, outcomes(film, ground, creature, LENGTHS))


def walk_without(whole: Creature, lost: str, reflexes: str, *, adapted: bool = False) -> Walked:
    """Walk hills without a leg, at half the speed with sticky feet.

    whole: the creature before the loss. lost: the leg. reflexes: name of a set. adapted: True if the other feet are
    placed elsewhere.
    """
    creature, (ground, starts) = whole.without_leg(lost, adapted=adapted), hills()
    world = world_of(creature, ground=ground, reflexes=REFLEXES[reflexes], speed=2.0, feet="sticky")
    state = standing_state(creature, world, COURSES, positions=starts, precision="float32")
    film = run(world, state, LOST_SECONDS, rate=240.0)
    return Walked(film, outcomes(film, ground, creature, LOST_LENGTHS))


def outcomes(film: Film, ground: HeightGrid, creature: Creature, lengths: float) -> list[Outcome]:
    """Return what came of each course. lengths: of the body, from start to end, that count as walked."""
    x, y = film.position[:, :, 0, 0], film.position[:, :, 0, 1]
    below = np.asarray(ground.surface(ground.numbers(), ground.table(), x, y).height)
    low, centre = fell(film, creature, below), film.signals["centre"]
    way = np.hypot(*(centre[-1, :, :2] - centre[0, :, :2]).T) / LENGTH
    _, a, b, _ = np.moveaxis(film.quaternion[:, :, 0], -1, 0)
    tilted, stopped = (1.0 - 2.0 * (a * a + b * b)).min(axis=0) < MIN_UPRIGHT_COSINE, film.signals["status"][-1] > 0.0
    made: list[Outcome] = []
    for k in range(film.worlds):
        failures = {"stopped": stopped[k], "turned over": tilted[k], "fell": low[k], "too slow": way[k] < lengths}
        failure = next((name for name, failed in failures.items() if failed), "")
        made.append(Outcome(failure, {"way [body lengths]": float(way[k])}))
    return made


def criterion(seconds: float, lengths: float) -> str:
    """Return a criterion in words."""
    distance = f"at least {lengths:g} body lengths from the start after {seconds:g} s"
    return f"{distance}, not fallen, never tilted by more than 60 degrees"


GROUNDS = {
    "steps": ("a step of 0.25 to 0.5 of the standing height", steps, "stepping"),
    "slopes": ("slopes up and down to 20 degrees", slopes, "penalty"),
    "hills": ("hills of a third of the standing height", hills, "penalty"),
}
"""Title, function and contact method of each ground: on faces as steep as those of steps penalty contact gains energy,
see ground_warnings()."""

WALKS = (
    *((name, pace, on) for name in GROUNDS for pace in ("fast", "half") for on in ("off", "search")),
    ("steps", "half", "climb"),
    ("steps", "third", "off"),
    ("steps", "third", "climb"),
    ("steps", "quarter", "climb"),
)
"""Ground, pace and reflexes of each family."""

ALSO_STEPPING = (("slopes", "fast"), ("slopes", "half"))
"""Ground and pace of families without reflexes that are walked with "stepping", too."""


@dataclass(frozen=True)
class Walker:
    """A creature on these courses. suffix: ends the names of its families; of: begins their titles."""

    creature: Creature
    suffix: str = ""
    of: str = ""

    def family(self, name: str, pace: str, on: str, other_contact: str = "") -> Family:
        """Return a family of walks.

        name: of the ground. pace: key of PACES. on: name of a set of reflexes. other_contact: contact method in place
        of that of the ground.
        """
        (title, make, contact), (speed, words) = GROUNDS[name], PACES[pace]
        return Family(
            "-".join(filter(None, (name, pace, on, other_contact))) + self.suffix,
            self.of + ", ".join(filter(None, (title, words, f"reflexes {on}", other_contact))),
            criterion(speed * SECONDS, LENGTHS),
            partial(walk, self.creature, make, on, speed, other_contact or contact),
        )

    def family_without(self, lost: str, on: str, *, adapted: bool = False) -> Family:
        """Return a family of walks on hills without a leg. For the arguments see walk_without()."""
        title = f"{self.of}hills without the {lost} leg, half the speed, sticky feet, reflexes {on}"
        return Family(
            f"lost-{lost.replace(' ', '-')}-{'adapted' if adapted else on}{self.suffix}",
            title + (", feet placed elsewhere" if adapted else ""),
            criterion(LOST_SECONDS, LOST_LENGTHS),
            partial(walk_without, self.creature, lost, on, adapted=adapted),
        )


TUNED, AGILE = Walker(CREATURE), Walker(roach("agile"), "-agile", 'set "agile": ')

AGILE_WALKS = (
    *((name, pace, "off") for name in ("slopes", "hills") for pace in ("fast", "half")),
    ("steps", "half", "climb"),
    ("steps", "third", "climb"),
)
"""Ground, pace and reflexes of each family of the set "agile"."""

FAMILIES = (
    *(TUNED.family(*words) for words in WALKS),
    *(TUNED.family(*words, "off", "stepping") for words in ALSO_STEPPING),
    *(TUNED.family_without(leg.name, on) for leg in CREATURE.legs for on in ("off", "calibrated", "uneven")),
    *(TUNED.family_without(lost, "off", adapted=True) for lost in CREATURE.after_loss),
    *(AGILE.family(*words) for words in AGILE_WALKS),
    *(AGILE.family_without(leg.name, "off") for leg in CREATURE.legs),
    *(AGILE.family_without(lost, "off", adapted=True) for lost in AGILE.creature.after_loss),
)
"""The families, in the order of the table. Grounds are as high for all sets."""
