"""A family of random courses, and what comes of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gambol.creatures import Creature
from gambol.creatures.terrain import standing_height
from gambol.gait import GroundPath
from gambol.world import Film

Array = NDArray[np.float64]
COURSES = 16
"""Courses of each family."""

FALL_RATIO = 0.25
"""Height of the root over the standing height under which the roach has fallen: its belly touches."""

JITTER = 0.01
"""Standard deviation of the joint angles at the start of courses that steer [rad]."""

MIN_SPEED_FRACTION = 0.5
"""Minimum share of the asked speed that counts."""


@dataclass(frozen=True)
class Outcome:
    """The result of one course. failure: the criterion that was missed, or "". measures: numbers by name and unit."""

    failure: str
    measures: Mapping[str, float]

    @property
    def walked(self) -> bool:
        """True if the criterion is met."""
        return not self.failure


@dataclass(frozen=True)
class Walked:
    """The courses of a family after the simulation.

    film: of all worlds. outcomes: of each. lines: the courses on the ground, each (n, 2) [m], for a picture; may be
    empty.
    """

    film: Film
    outcomes: Sequence[Outcome]
    lines: Sequence[Array] = field(default_factory=tuple)


@dataclass(frozen=True)
class Family:
    """A row of the table.

    name: for files. title: in the table. criterion: when a course counts as walked, in words. trails: units of its
    picture of trails in a metre, such as 100 for cm; 0 for none.
    """

    name: str
    title: str
    criterion: str
    walk: Callable[[], Walked]
    trails: float = 0.0


def headings(film: Film) -> Array:
    """Return the heading of the root (F, W) [rad], without jumps."""
    w, x, y, z = np.moveaxis(film.quaternion[:, :, 0], -1, 0)
    return np.unwrap(np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)), axis=0)


def fell(film: Film, creature: Creature, ground: Array | float = 0.0) -> list[bool]:
    """Return for each world whether its root came too low. ground: its height under the root (F, W) [m]."""
    low = film.position[:, :, 0, 2] - ground < FALL_RATIO * standing_height(creature)
    return [bool(x) for x in low.any(axis=0)]


def first(*failures: tuple[bool, str]) -> str:
    """Return the first failure that happened, or an empty text."""
    return next((text for happened, text in failures if happened), "")


def random_path(rng: np.random.Generator, segments: int, segment: float, bend: float) -> GroundPath:
    """Return a path that begins at the origin along x, and at whose end one walks on.

    segments, segment: number and length of its segments [m]. bend: largest bend from one to the next [rad].
    """
    bends = np.concatenate([[0.0], rng.uniform(-bend, bend, segments - 1)])
    heading = np.cumsum(bends)
    steps = segment * np.column_stack([np.cos(heading), np.sin(heading)])
    points = np.concatenate([[[0.0, 0.0]], np.cumsum(steps, axis=0)])
    return GroundPath.through(points, stops=False)  # who brakes before the end is slower


def along_path(place: Array, path: GroundPath) -> tuple[Array, Array]:
    """Return the distance from a path and the arc length of its nearest point in each frame (F,) [m]."""
    fine = np.linspace(0.0, 1.0, 2000)
    points = [np.interp(fine, np.linspace(0.0, 1.0, len(path.x)), values) for values in (path.x, path.y)]
    distance = np.hypot(place[:, 0, None] - points[0], place[:, 1, None] - points[1])
    return distance.min(axis=1), fine[distance.argmin(axis=1)] * path.length
