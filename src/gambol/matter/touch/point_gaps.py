"""Gaps of the points of parts, such as the corners of a box, to the triangles of a mesh: one of each per lane.

A part that is smaller than the spacing of a mesh touches it with these, where no point of the mesh is near.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import Program, ProgramSpec, Scalar
from gambol.matter.elements.link_point import Corners, point_on_triangle
from gambol.matter.forces.layout import padded_count, padded_rows
from gambol.matter.particles.obstacles import LinkMotion, PlacedShape
from gambol.matter.touch.gaps import MOTION, Gaps, PointQuery
from gambol.matter.touch.places import Places
from gambol.matter.touch.tether import link_motion
from gambol.spatial import Vector
from gambol.spatial.vector import ZERO

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


@lru_cache
def triangle_program(lanes: int | None) -> Program:
    """Return the program of gaps of points of parts to triangles; see GAP_ROWS for the rows, then the weights."""

    def gap(p: Vector, middle: Vector, radius: Scalar, x: Corners, lag: Corners, motion: LinkMotion) -> Any:
        place = point_on_triangle(p, middle, radius, x, lag)
        foot = p + place.normal * (place.gap + radius)
        return (place.gap, place.lagging, place.normal, motion.velocity_at(foot)), place.weights

    shapes = (ZERO, ZERO, 0.0, (ZERO,) * 3, (ZERO,) * 3, MOTION)
    return Program(ProgramSpec("part near triangle", gap, shapes, 0, "triangle"), lanes=lanes)


@dataclass(frozen=True, eq=False)
class TriangleBoxes:
    """Boxes around intact triangles, at present and lagging positions: lower and upper bounds (3, t) [m]."""

    low: Array
    high: Array

    @staticmethod
    def of(query: PointQuery, triangles: Indices, whole: Array) -> "TriangleBoxes":
        """Return the boxes of triangles (t, 3). whole: 1 for intact ones (t,)."""
        corners = [a[:, k] for a in (query.x, query.x_lag) for k in triangles.T]
        low, high = corners[0].copy(), corners[0].copy()
        for corner in corners[1:]:
            np.minimum(low, corner, out=low)
            np.maximum(high, corner, out=high)
        low[:, whole < 0.5] = np.inf
        return TriangleBoxes(low, high)

    def near(self, points: Array, reach: float) -> tuple[Indices, Indices]:
        """Return pairs of points (3, m) and triangles whose boxes they are in, up to a reach [m]."""
        low, high = points.min(axis=1) - reach, points.max(axis=1) + reach
        chosen: Indices = np.arange(self.low.shape[1], dtype=np.int64)
        for row in range(3):
            overlaps = (self.low[row, chosen] < high[row]) & (self.high[row, chosen] > low[row])
            chosen = chosen[np.flatnonzero(overlaps)]
        inside = (points[:, None, :] > self.low[:, chosen, None] - reach).all(axis=0)
        inside &= (points[:, None, :] < self.high[:, chosen, None] + reach).all(axis=0)
        triangle, point = np.nonzero(inside)
        return point.astype(np.int64), chosen[triangle]


class PartGaps:
    """Gaps of the points of one part to the triangles of a mesh.

    placed: the part; triangles: corners (t, 3); thickness: thickness of the mesh [m]; lanes: see Program.
    """

    def __init__(self, placed: PlacedShape, triangles: Indices, thickness: float, lanes: int | None) -> None:
        self.triangles, self.lanes, self.link = triangles, lanes, placed.link
        points = placed.shape.contact_points()
        local = [placed.pose @ Vector(*point.position) for point in points]
        self.points = np.array([list(point) for point in local], float).T
        self.middle = np.array(list(placed.pose.position), float)[:, None]
        self.radii = np.array([point.radius for point in points]) + 0.5 * thickness
        self.reach = float(np.linalg.norm(self.points - self.middle, axis=0).max() + self.radii.max())

    def find(self, query: PointQuery, motions: tuple[Array, Array], boxes: TriangleBoxes) -> Gaps | None:
        """Return the gaps that are closed in the contact test, or None.

        motions: motion of the link at the start of the step, which shows its side of the triangles, and now (13,), see
        LinkMotion. boxes: boxes around the triangles of the query.
        """
        begin, motion = motions
        middle = np.array(list(link_motion(begin[:, None]).pose() @ Vector(*self.middle)))
        points = np.array(list(link_motion(motion[:, None]).pose() @ Vector(*self.points)))
        point, triangle = boxes.near(points, self.reach)
        if not len(point):
            return None
        corners, columns = self.triangles[triangle].T, padded_count(len(point))
        rows, weights = triangle_program(self.lanes)(
            padded_rows(points[:, point], columns),
            middle,
            padded_rows(self.radii[None, point], columns),
            *(padded_rows(np.concatenate([a[:, k] for k in corners]), columns) for a in (query.x, query.x_lag)),
            motion[:, None],
        )
        touching = np.flatnonzero(rows[1, : len(point)] < 0.0)
        if not len(touching):
            return None
        return Gaps(Places(corners[:, touching], weights[:, touching]), rows[:, touching], self.link)
