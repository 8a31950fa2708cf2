"""Moves the joints between a link and the root so that a point of the link goes to a target.

It is what live/posing.js does in pages without a server: the method of Levenberg and Marquardt, in which a coordinate
stops at its bounds. The joints are those of gambol.view.live.posing.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.spatial import Quaternion

Array = NDArray[Any]

STEP = 1e-6
"""Change of a coordinate for derivatives [rad or m]."""

CLOSE = 1e-7
"""Distance from the target at which the search ends, in figure sizes."""

MAX_TRIALS, MIN_DAMPING, MAX_DAMPING = 80, 1e-9, 1e8
POSITION = 3
"""Number of rows of the root's joint that only shift it."""


@dataclass(frozen=True)
class Coordinate:
    """A coordinate that can be changed: a row with its bounds; or of a ball joint, the angle about one of its axes.

    rows: rows in the state, four for a ball joint. lower, upper: bounds of the coordinate, or of the whole angle of a
    ball joint. axis: 0, 1 or 2; None for a single row.
    """

    rows: tuple[int, ...]
    lower: float
    upper: float
    axis: int | None = None

    def change(self, rows: Array, x: float) -> None:
        """Change the coordinate in the rows of a state by x, in place."""
        if self.axis is not None:
            rows[list(self.rows)] = _turned(rows[list(self.rows)], self.axis, x, self.upper)
        else:
            rows[self.rows[0]] = min(max(rows[self.rows[0]] + x, self.lower), self.upper)


def coordinates_of(joints: Sequence[Mapping[str, Any]], link: int) -> list[Coordinate]:
    """Return the coordinates between a link and the root; for the root itself, those of its position."""
    chain = list[Mapping[str, Any]]()
    while link >= 0:
        if joints[link]["rows"]:
            chain.append(joints[link])
        link = joints[link]["parent"]
    jointed = [j for j in chain if j["parent"] >= 0 or j["isQuaternion"] or len(j["rows"]) < POSITION]
    return [coordinate for joint in jointed or chain for coordinate in _coordinates(joint)]


def posed(
    rows: Array, coordinates: Sequence[Coordinate], position_of: Callable[[Array], Array], target: Array, size: float
) -> Array:
    """Return the rows of the state with the nearest posture that was found.

    rows: of the state. position_of(rows): the position of the point in a state [m]. target: in world axes [m]; size: of
    the figure [m].
    """
    position, damping, trial = position_of(rows), 1e-3, 0
    while trial < MAX_TRIALS and damping < MAX_DAMPING:
        gap = target - position
        distance = np.linalg.norm(gap)
        if distance < CLOSE * size:
            break
        matrix = np.array([(position_of(_changed(rows, [c], [STEP])) - position) / STEP for c in coordinates]).T
        scale = float(np.sum(matrix**2)) + np.finfo(float).tiny
        better = False
        while not better and trial < MAX_TRIALS and damping < MAX_DAMPING:
            changes = matrix.T @ np.linalg.solve(matrix @ matrix.T + damping * scale * np.eye(3), gap)
            moved_rows = _changed(rows, coordinates, changes)
            moved = position_of(moved_rows)
            better = bool(np.linalg.norm(target - moved) < distance)
            damping = max(damping / 5.0, MIN_DAMPING) if better else 6.0 * damping
            if better:
                rows, position = moved_rows, moved
            trial += 1
    return rows


def _changed(rows: Array, coordinates: Sequence[Coordinate], changes: Sequence[float] | Array) -> Array:
    """Return the rows after changes of coordinates, within their bounds."""
    changed = rows.copy()
    for coordinate, x in zip(coordinates, changes, strict=True):
        coordinate.change(changed, float(x))
    return changed


def _coordinates(joint: Mapping[str, Any]) -> list[Coordinate]:
    rows, bounds = tuple(joint["rows"]), joint["bounds"]
    if joint["isQuaternion"]:
        upper = bounds[0][1] if bounds and bounds[0][1] is not None else 2.0 * math.pi
        return [Coordinate(rows, 0.0, upper, axis) for axis in range(3)]
    lowest, highest = -math.inf, math.inf
    return [
        Coordinate((row,), lowest if lower is None else lower, highest if upper is None else upper)
        for row, (lower, upper) in zip(rows, bounds, strict=True)
    ]


def _turned(quaternion: Array, axis: int, angle: float, upper: float) -> Array:
    """Return a quaternion turned by an angle about one of its own axes [rad], by at most the angle `upper` in all."""
    step = [math.cos(angle / 2.0), 0.0, 0.0, 0.0]
    step[1 + axis] = math.sin(angle / 2.0)
    w, *u = (float(x) for x in (Quaternion(*quaternion.tolist()) @ Quaternion(*step)).components())
    q: Array = np.array([w, *u]) * (-1.0 if w < 0.0 else 1.0)
    sine = float(np.linalg.norm(q[1:]))
    if math.atan2(sine, q[0]) > upper / 2.0:
        q[0], q[1:] = math.cos(upper / 2.0), q[1:] / sine * math.sin(upper / 2.0)
    return q / np.linalg.norm(q)
