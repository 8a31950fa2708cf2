"""Contact detection of a pile within a step: first bounding boxes of the possible motion of bodies, then exact gaps.

Each lane of a program computes a point of a body over the ground, or a pair of bodies. Contacts are sorted by the
numbers of their bodies.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Plane
from gambol.collide.broad import Sweep, ball
from gambol.collide.convex.geom import SIZES, Geom
from gambol.collide.gap import FAR, Gap
from gambol.collide.pairs import gaps
from gambol.lanes import Program, ProgramSpec, Scalar
from gambol.rigid.body import Pile
from gambol.rigid.order import SweepOrder
from gambol.spatial import Quaternion, Transform, Vector
from gambol.spatial.rotation import IDENTITY

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

MAX_FEATURES = 64
"""Upper bound of the number of gaps of a pair, and of contact points of a body."""

SKIN = 0.02
"""Gaps up to this fraction of the bodies' radii are contacts even at rest, so that impulses and order persist."""

TOUCHING_TOLERANCE = 1e-4
"""Fraction of a body's radius; a contact with a smaller gap has one common point instead of a point on each body. With
two points, several contacts between bodies that turn together could not all be without slip."""

GAP_ROWS = 10  # of a gap: two points (0 to 5), the normal (6 to 8), and the size (9)

CURVED = ("cylinder", "ellipsoid")
"""Shapes with a lowest point that moves in the body as it turns, so it is computed in every step."""

ContactColumns: TypeAlias = tuple[Indices, Indices, Indices, Array]
"""Contacts: first, second, feature, and the rows of their gaps."""

EMPTY = np.zeros(0, np.int64)
NO_CONTACTS: ContactColumns = (EMPTY, EMPTY, EMPTY, np.zeros((GAP_ROWS, 0)))

CENTRE = Transform(IDENTITY, Vector(0.0, 0.0, 0.0))


@dataclass(frozen=True)
class Contacts:
    """Possible contacts, one in each column.

    A contact pushes the first body along the normal, and the second against it. first, second: numbers of bodies, 0 for
    the ground. feature: index of the gap among the gaps of the pair. first_point, second_point: the nearest points of
    the two bodies, equal if they touch (3, contacts) [m]. normal: unit (3, contacts). gap [m], negative in penetration.
    """

    first: Indices
    second: Indices
    feature: Indices
    first_point: Array
    second_point: Array
    normal: Array
    gap: Array

    def to_columns(self, order: SweepOrder, chosen: Indices | None = None) -> "Contacts":
        """Return all or the chosen contacts in the columns of an order, padded with contacts whose gap is FAR."""
        vectors = [x if chosen is None else x[..., chosen] for x in (self.first_point, self.second_point, self.normal)]
        first_point, second_point, normal = (order.to_columns(x) for x in vectors)
        gap = order.to_columns(self.gap if chosen is None else self.gap[chosen], FAR)
        feature = order.to_columns(self.feature if chosen is None else self.feature[chosen]).astype(np.int64)
        return Contacts(*order.sides, feature, first_point, second_point, normal, gap)

    def keys(self, bodies: int) -> Indices:
        """Return a key for each contact that is the same in every step, ascending in the order of contacts."""
        return (self.first * bodies + self.second) * MAX_FEATURES + self.feature


class ContactFinder:
    """The programs that compute the contacts of a pile; lanes: lanes of these programs, see Program."""

    def __init__(self, pile: Pile, lanes: int | None) -> None:
        self.pile, self.lanes = pile, lanes
        shapes = [body.shape for body in pile.bodies]
        self.names = sorted({shape.kind for shape in shapes})
        self.kind = np.array([-1, *(self.names.index(shape.kind) for shape in shapes)])
        self.sizes = np.array([[0.0] * 3, *((*shape.sizes, 0.0, 0.0)[:3] for shape in shapes)]).T
        self.radius = np.array([0.0, *(ball(shape, CENTRE).radius for shape in shapes)])
        self.has_plane = isinstance(pile.ground, Plane)
        with_points = [k for k, shape in enumerate(shapes, 1) if not (self.has_plane and shape.kind in CURVED)]
        points = [(k, feature) for k in with_points for feature in enumerate(shapes[k - 1].contact_points())]
        self.owner = np.array([k for k, _ in points], np.int64)
        self.feature = np.array([number for _, (number, _) in points], np.int64)
        self.points = np.array([(*point.position, point.radius) for _, (_, point) in points]).T
        self.sweep = Sweep()
        self.pairs: dict[tuple[str, str], Program] = {}
        self.ground_gap = _ground_program(pile, lanes) if pile.ground is not None and points else None

    def contacts(self, position: Array, orientation: Array, max_travel: Array) -> Contacts:
        """Return the possible contacts of a step.

        position, orientation: position and orientation of the bodies (3 or 4, bodies) [m]; max_travel: upper bound of
        each body's motion (bodies) [m].
        """
        margin = np.maximum(max_travel, 0.5 * SKIN * self.radius)
        finders = (self._points_on_ground, self._curved_on_plane, self._between_bodies)
        result = [NO_CONTACTS, *(columns for find in finders for columns in find(position, orientation, margin))]
        first, second = (
            np.concatenate([columns[0] for columns in result]),
            np.concatenate([columns[1] for columns in result]),
        )
        feature = np.concatenate([columns[2] for columns in result])
        rows = np.concatenate([columns[3] for columns in result], axis=1)
        order = np.lexsort((feature, second, first))
        first, second, feature, rows = first[order], second[order], feature[order], rows[:, order]
        touching = np.abs(rows[9]) < TOUCHING_TOLERANCE * self.radius[first]
        rows[:3] = np.where(touching, 0.5 * (rows[:3] + rows[3:6]), rows[:3])
        rows[3:6] = np.where(touching, rows[:3], rows[3:6])
        return Contacts(first, second, feature, rows[:3], rows[3:6], rows[6:9], rows[9])

    def _points_on_ground(self, position: Array, orientation: Array, margin: Array) -> list[ContactColumns]:
        """Return contacts of points and balls fixed to bodies, over any ground."""
        ground = self.pile.ground
        if self.ground_gap is None or ground is None:
            return []
        table = ground.table()
        numbers = np.array(list(ground.numbers().values())).reshape(-1, 1)
        pose = np.concatenate([position, orientation]).take(self.owner, axis=1)
        rows = self.ground_gap(self.points, pose, numbers, tables=() if table is None else (table,))[0]
        near = np.flatnonzero(rows[9] <= margin[self.owner])
        owner = self.owner[near]
        return [(owner, np.zeros_like(owner), self.feature[near], rows[:, near])]

    def _curved_on_plane(self, position: Array, orientation: Array, margin: Array) -> list[ContactColumns]:
        """Return contacts of curved bodies over a plane; their lowest points are computed."""
        if not isinstance(self.pile.ground, Plane):
            return []
        plane = np.array([[0.0] * 3 + [0.0, 0.0, self.pile.ground.height] + [1.0, 0.0, 0.0, 0.0]]).T
        bodies = np.concatenate([self.sizes, position, orientation])
        result: list[ContactColumns] = []
        for name in (name for name in self.names if name in CURVED):
            a = np.flatnonzero(self.kind == self.names.index(name))
            near = a[position[2, a] - self.pile.ground.height <= self.radius[a] + margin[a]]
            gap_rows = self._program(name, "plane")(bodies.take(near, axis=1), plane) if len(near) else ()
            result += [
                _near_columns(near, np.zeros_like(near), k, rows, margin[near]) for k, rows in enumerate(gap_rows)
            ]
        return result

    def _between_bodies(self, position: Array, orientation: Array, margin: Array) -> list[ContactColumns]:
        """Return contacts of bodies with each other."""
        half_width = self.radius + margin
        pairs = 1 + self.sweep.pairs((position - half_width).T[1:], (position + half_width).T[1:])
        a, b = pairs[:, 0], pairs[:, 1]
        offset = position[:, a] - position[:, b]
        overlap = (offset * offset).sum(axis=0) <= (half_width[a] + half_width[b]) ** 2
        a, b = a[overlap], b[overlap]
        bodies = np.concatenate([self.sizes, position, orientation])
        kinds = self.kind[a] * len(self.names) + self.kind[b]
        result: list[ContactColumns] = []
        for kind in np.unique(kinds):
            first, second = a[kinds == kind], b[kinds == kind]
            program = self._program(self.names[int(kind) // len(self.names)], self.names[int(kind) % len(self.names)])
            gap_rows = program(bodies.take(first, axis=1), bodies.take(second, axis=1))
            result += [
                _near_columns(first, second, k, rows, margin[first] + margin[second]) for k, rows in enumerate(gap_rows)
            ]
        return result

    def _program(self, kind_a: str, kind_b: str) -> Program:
        """Return the program for the gaps between shapes of two kinds."""
        if (kind_a, kind_b) not in self.pairs:
            self.pairs[kind_a, kind_b] = _pair_program(kind_a, kind_b, self.lanes)
        return self.pairs[kind_a, kind_b]


def _near_columns(first: Indices, second: Indices, feature: int, rows: Array, max_gap: Array) -> ContactColumns:
    """Return the contacts of one feature with gaps of at most max_gap [m]."""
    near = np.flatnonzero(rows[9] <= max_gap)
    return first[near], second[near], np.full(len(near), feature), rows[:, near]


def _rows(gap: Gap) -> tuple[Vector, Vector, Vector, Scalar]:
    return gap.point_a, gap.point_b, gap.normal, gap.size


ZERO = (0.0, 0.0, 0.0)
POSE = (ZERO, (0.0, 0.0, 0.0, 0.0))


def _pose(position: Sequence[Scalar], orientation: Sequence[Scalar]) -> Transform:
    return Transform(Quaternion(*orientation).rotation(), Vector(*position))


def _pair_program(kind_a: str, kind_b: str, lanes: int | None) -> Program:
    """Return the program for the gaps between shapes of two kinds, each given by sizes, position and quaternion."""

    def pair_gaps(a: Any, b: Any) -> tuple[Any, ...]:
        return tuple(_rows(gap) for gap in gaps(_geom(kind_a, a[0]), _pose(*a[1]), _geom(kind_b, b[0]), _pose(*b[1])))

    return Program(ProgramSpec("pile pair", pair_gaps, ((ZERO, POSE), (ZERO, POSE)), 0, (kind_a, kind_b)), lanes=lanes)


def _geom(kind: str, sizes: Sequence[Scalar]) -> Geom:
    return Geom(kind, tuple(sizes[: SIZES[kind]]))


def _ground_program(pile: Pile, lanes: int | None) -> Program:
    """Return the program for the gap between a body's ball and the ground, along the normal below its centre."""
    ground = pile.ground
    assert ground is not None
    numbers = ground.numbers()

    def gap_below(point: Any, pose: Any, numbers: Any, *table: Any) -> tuple[Any, ...]:
        centre = _pose(*pose) @ Vector(*point[0])
        surface = ground.surface(numbers, table[0] if table else None, centre.x, centre.y)
        lowest = centre - surface.normal * point[1]
        size = -surface.depth(centre.z) - point[1]
        return (_rows(Gap(lowest, lowest - surface.normal * size, surface.normal, size)),)

    arguments = ((ZERO, 0.0), POSE, dict.fromkeys(numbers, 0.0))
    tables = 0 if ground.table() is None else 1
    return Program(ProgramSpec("pile over ground", gap_below, arguments, tables, type(ground).__name__), lanes=lanes)
