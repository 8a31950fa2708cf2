"""The points on which a figure stands: the lowest points of the links that touch the ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.states import LinkStates, centre_of_mass, kinematics
from gambol.figure import Figure
from gambol.gait.stability import support_margin

Array: TypeAlias = NDArray[np.float64]

TOUCHING_TOLERANCE = 0.02
"""A link stands if its lowest point is at most this fraction of the figure's size higher than the lowest point of all
links: in the zero position of many models, heights of feet differ by millimetres."""

MIN_SOLE_SIZE = 0.1
"""The points of a foot are a sole, which should be level, if they extend over more than this fraction of the figure's
size; the support points of a round foot are nearer to each other."""


@dataclass(frozen=True)
class Support:
    """The feet of a figure at some coordinates.

    feet: for each link that stands, its name and its lowest points (n, 3), in link coordinates [m]. radii: radii (n,)
    of these points [m].
    """

    figure: Figure
    size: float
    feet: tuple[tuple[str, Array, Array], ...]

    @property
    def links(self) -> tuple[str, ...]:
        """Names of the links that stand."""
        return tuple(name for name, _, _ in self.feet)

    def points(self, q: Array) -> list[Array]:
        """Return the lowest positions (..., n, 3) of the points of each foot in the world [m]. q: (..., nq)."""
        states = kinematics(self.figure, q)
        return [_lowered(states, *foot) for foot in self.feet]

    def imbalance(self, q: Array) -> Array:
        """Return the imbalance of a figure at q (..., nq): (..., m) [m], 0 if it is balanced.

        It consists of the offset of the centre of mass from the mean of the feet, seen from above; the differences of
        the feet's heights, and of the heights of the points of each sole.
        """
        feet = self.points(q)
        centres = np.stack([points.mean(axis=-2) for points in feet], axis=-2)
        offset = centre_of_mass(self.figure, q)[..., :2] - centres[..., :2].mean(axis=-2)
        lowest = np.stack([points[..., 2].min(axis=-1) for points in feet], axis=-1)
        soles = [
            points[..., 2] - points[..., 2].mean(axis=-1, keepdims=True) for points in feet if self._is_sole(points)
        ]
        return np.concatenate([offset, lowest - lowest.mean(axis=-1, keepdims=True), *soles], axis=-1)

    def margin(self, q: Array) -> float:
        """Return the distance of the centre of mass from the edge of the support at q (nq,) [m], negative outside."""
        return support_margin(self._from_above(q), centre_of_mass(self.figure, q)[:2].tolist())

    def best_margin(self, q: Array) -> float:
        """Return the margin for a centre of mass above the mean of the feet [m]."""
        return support_margin(self._from_above(q), self._centre(q))

    def _centre(self, q: Array) -> list[float]:
        return np.mean([points.mean(axis=0)[:2] for points in self.points(q)], axis=0).tolist()

    def _from_above(self, q: Array) -> list[list[float]]:
        return [point[:2].tolist() for points in self.points(q) for point in points]

    def _is_sole(self, points: Array) -> bool:
        return bool(np.ptp(points[..., :2], axis=-2).max() > MIN_SOLE_SIZE * self.size)


def support_of(figure: Figure, q: Array, size: float) -> Support:
    """Return the feet with which a figure stands at q (nq,), if it is put on level ground.

    size: size of the figure [m]. The result is empty if no shape can touch the ground.
    """
    states, candidates = kinematics(figure, q), list[tuple[str, Array, Array]]()
    for link in figure.links:
        points = link.contact_points() if figure.can_move(link.index) else ()
        if points:
            candidates.append((link.name, np.array([p.position for p in points]), np.array([p.radius for p in points])))
    heights = [_lowered(states, *candidate)[:, 2] for candidate in candidates]
    ground = min((height.min() for height in heights), default=0.0)
    low = [height <= ground + TOUCHING_TOLERANCE * size for height in heights]
    feet = [(n, p[k], r[k]) for (n, p, r), k in zip(candidates, low, strict=True) if k.any()]
    return Support(figure, size, tuple(feet))


def _lowered(states: LinkStates, name: str, points: Array, radii: Array) -> Array:
    """Return the lowest positions (..., n, 3) of balls around points of a link, in the world [m].

    points (n, 3), radii (n,): points and radii of the link.
    """
    k = states.index(name)
    position, rotation = states.position[..., k, :], states.rotation[..., k, :, :]
    placed = position[..., None, :] + points @ np.swapaxes(rotation, -1, -2)
    placed[..., 2] -= radii
    return placed
