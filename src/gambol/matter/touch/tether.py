"""Tethers: springs of zero length between points of a mesh and points of links. [Parent, virtual springs]

f = -k (x - target) - c (v - velocity of target)        the link takes -f at x
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError, did_you_mean
from gambol.matter.particles.obstacles import LinkMotion
from gambol.spatial import Quaternion, Vector

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Tether:
    """Points of a mesh that a link holds.

    link: name of the link. points: indices of the points in the mesh. at: points of the link, in its frame, that hold
    each of them (m, 3) [m]; None: their initial positions. stiffness [N/m], damping [N s/m]: numbers of each spring.
    Raises WorldError for impossible numbers.
    """

    link: str
    points: Sequence[int]
    at: Sequence[Sequence[float]] | None = None
    stiffness: float = 200.0
    damping: float = 0.1

    def __post_init__(self) -> None:
        if not (0.0 < self.stiffness < np.inf and 0.0 <= self.damping < np.inf):
            raise WorldError(
                f"a tether of {self.stiffness} N/m and {self.damping} N s/m is impossible; "
                "give a stiffness above 0, and a damping of 0 or more"
            )
        if not len(self.points) or (self.at is not None and len(self.at) != len(self.points)):
            raise WorldError(
                f'the tether of link "{self.link}" has {len(self.points)} points of a mesh; give one or more, and in '
                "`at` one point of the link for each, or None"
            )


@dataclass(frozen=True, eq=False)
class Tethers:
    """The tethers of a mesh as arrays: points (m,), links (m,), places in link frames (3, m), k and c (m,)."""

    points: NDArray[np.int64]
    links: NDArray[np.int64]
    places: Array
    stiffness: Array
    damping: Array

    @staticmethod
    def of(tethers: Sequence[Tether], names: Sequence[str], x: Array, motions: Array) -> "Tethers":
        """Return tethers as arrays.

        names: names of all links. x: initial positions of the points (n, 3) [m]. motions: initial motions of all links,
        see LinkMotion (links, 13). Raises WorldError for a link or a point that does not exist.
        """
        index: Mapping[str, int] = {name: k for k, name in enumerate(names)}
        parts = list[tuple[NDArray[Any], ...]]()
        for tether in tethers:
            check_held(tether.link, names)
            points, link = np.array(tether.points, np.int64), index[tether.link]
            if points.min() < 0 or points.max() >= len(x):
                raise WorldError(f'the tether of link "{tether.link}" holds point {points.max()} of {len(x)} points')
            places = np.array(tether.at, float).T if tether.at is not None else _places(x[points], motions[link])
            m = len(points)
            parts.append((points, np.full(m, link), places, np.full(m, tether.stiffness), np.full(m, tether.damping)))
        if not parts:
            none = np.zeros(0, np.int64)
            return Tethers(none, none, np.zeros((3, 0)), np.zeros(0), np.zeros(0))
        columns = [np.concatenate(column, axis=-1) for column in zip(*parts, strict=True)]
        return Tethers(columns[0].astype(np.int64), columns[1].astype(np.int64), *columns[2:])

    def targets(self, motions: Array) -> tuple[Array, Array]:
        """Return positions and velocities of the points of links that hold (3, m) [m, m/s].

        motions: motions of links (links, 13).
        """
        motion = link_motion(motions[self.links].T)
        target = motion.pose() @ Vector(*self.places)
        return np.array(list(target)), np.array(list(motion.velocity_at(target)))


def check_held(link: str, names: Sequence[str]) -> None:
    """Raise WorldError for a tether to a link that does not exist. names: names of all links."""
    if link not in names:
        raise WorldError(f'a tether holds to link "{link}", which does not exist; {did_you_mean(link, names)}')


def tether_force(k: Array, c: Array, r: Vector, u: Vector) -> Vector:
    """Return the force on a point at r from its target, with velocity u relative to it [N]."""
    return r * -k - u * c


def link_motion(numbers: Array) -> LinkMotion:
    """Return numbers (13, m) as the motion of links, see LINK_NUMBERS."""
    rows = list(numbers)
    return LinkMotion(Vector(*rows[:3]), Quaternion(*rows[3:7]), Vector(*rows[7:10]), Vector(*rows[10:13]))


def _places(x: Array, motion: Array) -> Array:
    """Return points (m, 3) in the frame of a link (3, m)."""
    pose = link_motion(motion).pose()
    return np.array(list(pose.inverse @ Vector(*x.T)))
