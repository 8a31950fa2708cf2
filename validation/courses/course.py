"""A family of random courses, and what comes of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gambol.creatures import Creature
from gambol.creatures.terrain import standing_height
from gambol.world import Film

COURSES = 16
"""Courses of each family."""

FALL_RATIO = 0.25
"""Height of the root over the standing height under which the roach has fallen: its belly touches."""

SETTLED = 0.3
"""Time after which the first strides are over [s]."""


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
    lines: Sequence[NDArray[np.float64]] = field(default_factory=tuple)


@dataclass(frozen=True)
class Family:
    """A row of the table. name: for files. title: in the table. criterion: when a course counts as walked, in words."""

    name: str
    title: str
    criterion: str
    walk: Callable[[], Walked]


def headings(film: Film) -> NDArray[np.float64]:
    """Return the heading of the root (F, W) [rad], without jumps."""
    w, x, y, z = np.moveaxis(film.quaternion[:, :, 0], -1, 0)
    return np.unwrap(np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)), axis=0)


def fell(film: Film, creature: Creature, ground: NDArray[np.float64] | float = 0.0) -> list[bool]:
    """Return for each world whether its root came too low. ground: its height under the root (F, W) [m]."""
    low = film.position[:, :, 0, 2] - ground < FALL_RATIO * standing_height(creature)
    return [bool(x) for x in low.any(axis=0)]
