"""Gaps of points to a ground and to moving shapes: programs with one point near a surface per lane."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Ground, NoGround
from gambol.collide.broad.balls import ball
from gambol.collide.convex import Geom, geom_of
from gambol.collide.convex.geom import SIZES
from gambol.collide.gap import select
from gambol.collide.pairs import gaps
from gambol.lanes import Program, ProgramSpec, Scalar
from gambol.matter.elements.contact import Touch
from gambol.matter.forces.layout import padded_count, padded_rows
from gambol.matter.particles.obstacles import LinkMotion, PlacedShape
from gambol.matter.touch.places import Places
from gambol.spatial import Quaternion, Rotation, Transform, Vector
from gambol.spatial.vector import ZERO

Array = NDArray[np.float64]

UPRIGHT = Rotation(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
MOTION = LinkMotion(ZERO, Quaternion(1.0, 0.0, 0.0, 0.0), ZERO, ZERO)
"""Examples of the pytrees of inputs."""

GAP_ROWS = 8
"""Rows of gaps: size, size where the points lag, normal, and velocity of the surface."""


@dataclass(frozen=True, slots=True)
class PointQuery:
    """Points of a mesh in a step: positions and velocities (3, N) at which forces are computed, and lagged values.

    x_lag: positions that decide which points touch. v_lag, v_air: velocities for the size of friction, and for the
    wind. In an explicit method these are x and v. h: length of an implicit step [s]. count: number of points of the
    mesh; further columns are empty. hold: rows of a FrictionHold (2, N).
    """

    x: Array
    v: Array
    x_lag: Array
    v_lag: Array
    v_air: Array
    h: float
    count: int
    hold: Array


@dataclass(frozen=True, eq=False)
class Gaps:
    """Gaps of places on a mesh to one surface.

    places: the places. rows: see GAP_ROWS (8, places). link: link of the surface, -1 for the ground and for the mesh
    itself. law: law of contact; None: the law of the surroundings.
    """

    places: Places
    rows: Array
    link: int
    law: Touch | None = None


def ground_gap(ground: Ground, numbers: Any, heights: Any, x: Vector, thickness: Scalar) -> tuple[Scalar, Vector]:
    """Return the gap of a point at x to a ground [m], and the ground's normal. numbers, heights: see Ground.surface."""
    surface = ground.surface(numbers, heights, x.x, x.y)
    return -surface.depth(x.z) - 0.5 * thickness, surface.normal


def ground_program(ground: Ground, lanes: int | None) -> Program:
    """Return the program of gaps to a ground; its numbers and its table are inputs."""

    def gap(x: Vector, x_lag: Vector, thickness: Scalar, numbers: Any, *table: Any) -> Any:
        heights = table[0] if table else None
        gap, normal = ground_gap(ground, numbers, heights, x, thickness)
        lagging, _ = ground_gap(ground, numbers, heights, x_lag, thickness)
        return ((gap, lagging, normal, ZERO),)

    kind, tables = type(ground), 0 if ground.table() is None else 1
    key = (kind.__module__, kind.__qualname__) if kind.__module__.startswith("gambol.") else None
    spec = ProgramSpec("mesh over ground", gap, (ZERO, ZERO, 0.0, ground.numbers()), tables, key)
    return Program(spec, lanes=lanes)


@lru_cache
def shape_program(kind: str, fixed: Geom | None, lanes: int | None) -> Program:
    """Return the program of gaps to shapes of a kind. fixed: the geom, for a kind whose numbers are compiled in."""

    def gap(x: Vector, x_lag: Vector, thickness: Scalar, sizes: Any, local: Transform, motion: LinkMotion) -> Any:
        geom = fixed or Geom(kind, tuple(sizes))
        pose = motion.pose() @ local
        point = Geom("sphere", (0.5 * thickness,))
        size, normal = _nearest(point, x, geom, pose)
        size_lag, _ = _nearest(point, x_lag, geom, pose)
        return ((size, size_lag, normal, motion.velocity_at(x)),)

    local = Transform(UPRIGHT, ZERO)
    sizes = [] if fixed else [1.0] * SIZES[kind]
    spec = ProgramSpec(f"mesh near {kind}", gap, (ZERO, ZERO, 0.0, sizes, local, MOTION), 0, (kind, fixed))
    return Program(spec, lanes=lanes)


def _nearest(point: Geom, x: Vector, geom: Geom, pose: Transform) -> tuple[Scalar, Vector]:
    """Return size and normal of the smallest gap of a ball at x and a geom."""
    candidates = gaps(point, Transform(UPRIGHT, x), geom, pose)
    size, normal = candidates[0].size, candidates[0].normal
    for gap in candidates[1:]:
        size, normal = select(gap.size < size, (gap.size, gap.normal), (size, normal))
    return size, normal


class GroundGaps:
    """Gaps of all points of a mesh to a ground.

    ground: the ground; thickness: thickness of the mesh [m]; lanes: see Program.
    """

    def __init__(self, ground: Ground, thickness: float, lanes: int | None) -> None:
        table, self.thickness = ground.table(), np.full((1, 1), thickness)
        self.numbers = np.array(list(ground.numbers().values()), float).reshape(-1, 1)
        self.tables = [] if table is None else [table]
        self.program = ground_program(ground, lanes)

    def find(self, query: PointQuery) -> Gaps:
        """Return the gaps of all points."""
        (rows,) = self.program(query.x, query.x_lag, self.thickness, self.numbers, tables=self.tables)
        return Gaps(Places.at_points(np.arange(query.count)), rows[:, : query.count], -1)


class ShapeGaps:
    """Gaps of the points of a mesh to one shape of a link.

    placed: the shape; thickness: thickness of the mesh [m]; lanes: see Program.
    """

    def __init__(self, placed: PlacedShape, thickness: float, lanes: int | None) -> None:
        geom = geom_of(placed.shape)
        fixed = geom if geom.kind in ("hull", "height_field") else None
        self.program, self.link = shape_program(geom.kind, fixed, lanes), placed.link
        self.thickness = np.full((1, 1), thickness)
        bounds = ball(geom, placed.pose)
        self.centre, self.radius = np.array(list(bounds.centre), float), float(bounds.radius)
        self.sizes = np.array([] if fixed else geom.sizes, float).reshape(-1, 1)
        pose = [x for row in placed.pose.rotation.rows for x in row] + list(placed.pose.position)
        self.pose = np.array(pose, float).reshape(-1, 1)

    def find(self, query: PointQuery, motion: Array) -> Gaps | None:
        """Return the gaps of points near the shape, or None. motion: numbers of the link, see LinkMotion (13,)."""
        R = np.array(Quaternion(*motion[3:7].tolist()).rotation().rows, float)
        centre = motion[:3] + R[:, 0] * self.centre[0] + R[:, 1] * self.centre[1] + R[:, 2] * self.centre[2]
        reach = (self.radius + 0.5 * float(self.thickness[0, 0])) ** 2
        r, lag = (a[:, : query.count] - centre[:, None] for a in (query.x, query.x_lag))
        points = np.flatnonzero(((r * r).sum(axis=0) < reach) | ((lag * lag).sum(axis=0) < reach))
        if not len(points):
            return None
        columns = padded_count(len(points))
        arrays = [padded_rows(a[:, points], columns) for a in (query.x, query.x_lag)]
        (rows,) = self.program(*arrays, self.thickness, self.sizes, self.pose, motion.reshape(-1, 1))
        return Gaps(Places.at_points(points), rows[:, : len(points)], self.link)


def gaps_to_ground(ground: Ground | None, thickness: float, lanes: int | None) -> GroundGaps | None:
    """Return the gaps to a ground, or None without a ground."""
    return None if ground is None or isinstance(ground, NoGround) else GroundGaps(ground, thickness, lanes)
