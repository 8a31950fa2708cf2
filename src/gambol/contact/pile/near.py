"""Which bodies of a pile may touch within a step, and where: boxes around what they may reach, then exact gaps.

A lane is a point of a body over the ground, or a pair of bodies. Contacts come in the order of their bodies' numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Plane
from gambol.collide.broad import Sweep, ball
from gambol.collide.convex.form import SIZES, Form
from gambol.collide.gap import FAR, Gap
from gambol.collide.pairs import gaps
from gambol.contact.pile.body import Pile
from gambol.contact.pile.order import Order
from gambol.lanes import Program, Recipe, Scalar
from gambol.spatial import Quaternion, Transform, Vector
from gambol.spatial.rotation import IDENTITY

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

FEATURES = 64
"""More than any pair has gaps, or a body points."""

SKIN = 0.02
"""Of a body's radius: gaps up to this are contacts even at rest, so that they keep their impulses and their order."""

TOUCHING = 1e-4
"""Of a body's radius: bodies this near touch in one point for both. With a point for each, several contacts between two
bodies that turn together would ask for slips that cannot all be 0."""

GAP_ROWS = 10

CURVED = ("cylinder", "ellipsoid")
"""Shapes that touch a plane elsewhere as they turn: what is lowest is found anew, instead of points fixed in them."""

Found: TypeAlias = tuple[Indices, Indices, Indices, Array]
"""Contacts: first, second, feature, and the rows of their gaps."""

EMPTY = np.zeros(0, np.int64)
NONE: Found = (EMPTY, EMPTY, EMPTY, np.zeros((GAP_ROWS, 0)))

CENTRE = Transform(IDENTITY, Vector(0.0, 0.0, 0.0))


@dataclass(frozen=True)
class Contacts:
    """What may touch: a column is a contact, pressing the first body along the normal and the second against it.

    first, second: numbers of bodies, 0 for the ground. feature: which of the pair's gaps. here, there: the nearest
    points of the first and the second (3, contacts) [m]; a contact that closes does so there. normal: unit
    (3, contacts). gap [m], negative inside.
    """

    first: Indices
    second: Indices
    feature: Indices
    here: Array
    there: Array
    normal: Array
    gap: Array

    def laid_out(self, order: Order, chosen: Indices | None = None) -> "Contacts":
        """They, or chosen ones of them, in the columns of an order, filled up with contacts that are far away."""
        kept = [x if chosen is None else x[..., chosen] for x in (self.here, self.there, self.normal)]
        here, there, normal = (order.laid_out(x) for x in kept)
        gap = order.laid_out(self.gap if chosen is None else self.gap[chosen], FAR)
        feature = order.laid_out(self.feature if chosen is None else self.feature[chosen]).astype(np.int64)
        return Contacts(*order.sides, feature, here, there, normal, gap)

    def keys(self, bodies: int) -> Indices:
        """A number for each contact that stays its own; ascending in the order in which contacts are found."""
        return (self.first * bodies + self.second) * FEATURES + self.feature


class Near:
    """The programs that find contacts."""

    def __init__(self, pile: Pile, lanes: int | None) -> None:
        self.pile, self.lanes = pile, lanes
        shapes = [body.shape for body in pile.bodies]
        self.names = sorted({shape.kind for shape in shapes})
        self.kind = np.array([-1, *(self.names.index(shape.kind) for shape in shapes)])
        self.sizes = np.array([[0.0] * 3, *((*shape.sizes, 0.0, 0.0)[:3] for shape in shapes)]).T
        self.radius = np.array([0.0, *(ball(shape, CENTRE).radius for shape in shapes)])
        self.level = isinstance(pile.ground, Plane)
        pointed = [k for k, shape in enumerate(shapes, 1) if not (self.level and shape.kind in CURVED)]
        points = [(k, own) for k in pointed for own in enumerate(shapes[k - 1].contact_points())]
        self.owner = np.array([k for k, _ in points], np.int64)
        self.feature = np.array([number for _, (number, _) in points], np.int64)
        self.points = np.array([(*point.position, point.radius) for _, (_, point) in points]).T
        self.sweep = Sweep()
        self.pairs: dict[tuple[str, str], Program] = {}
        self.over = _over_program(pile, lanes) if pile.ground is not None and points else None

    def contacts(self, position: Array, turn: Array, reach: Array) -> Contacts:
        """What may touch while each body goes no further than its reach (bodies) [m]."""
        room = np.maximum(reach, 0.5 * SKIN * self.radius)
        finders = (self._on_ground, self._on_plane, self._among)
        found = [NONE, *(own for find in finders for own in find(position, turn, room))]
        first, second = np.concatenate([own[0] for own in found]), np.concatenate([own[1] for own in found])
        feature = np.concatenate([own[2] for own in found])
        rows = np.concatenate([own[3] for own in found], axis=1)
        order = np.lexsort((feature, second, first))
        first, second, feature, rows = first[order], second[order], feature[order], rows[:, order]
        touching = np.abs(rows[9]) < TOUCHING * self.radius[first]
        rows[:3] = np.where(touching, 0.5 * (rows[:3] + rows[3:6]), rows[:3])
        rows[3:6] = np.where(touching, rows[:3], rows[3:6])
        return Contacts(first, second, feature, rows[:3], rows[3:6], rows[6:9], rows[9])

    def _on_ground(self, position: Array, turn: Array, room: Array) -> list[Found]:
        """Of points and balls fixed in bodies, over any ground."""
        ground = self.pile.ground
        if self.over is None or ground is None:
            return []
        table = ground.table()
        numbers = np.array(list(ground.numbers().values())).reshape(-1, 1)
        pose = np.concatenate([position, turn]).take(self.owner, axis=1)
        rows = self.over(self.points, pose, numbers, tables=() if table is None else (table,))[0]
        kept = np.flatnonzero(rows[9] <= room[self.owner])
        owner = self.owner[kept]
        return [(owner, np.zeros_like(owner), self.feature[kept], rows[:, kept])]

    def _on_plane(self, position: Array, turn: Array, room: Array) -> list[Found]:
        """Of bodies whose lowest points are found anew, over a plane."""
        if not isinstance(self.pile.ground, Plane):
            return []
        level = np.array([[0.0] * 3 + [0.0, 0.0, self.pile.ground.height] + [1.0, 0.0, 0.0, 0.0]]).T
        own = np.concatenate([self.sizes, position, turn])
        found: list[Found] = []
        for name in (name for name in self.names if name in CURVED):
            a = np.flatnonzero(self.kind == self.names.index(name))
            low = a[position[2, a] - self.pile.ground.height <= self.radius[a] + room[a]]
            gaps_of = self._program(name, "plane")(own.take(low, axis=1), level) if len(low) else ()
            found += [_kept(low, np.zeros_like(low), k, rows, room[low]) for k, rows in enumerate(gaps_of)]
        return found

    def _among(self, position: Array, turn: Array, room: Array) -> list[Found]:
        """Of bodies with each other."""
        around = self.radius + room
        pairs = 1 + self.sweep.pairs((position - around).T[1:], (position + around).T[1:])
        a, b = pairs[:, 0], pairs[:, 1]
        apart = position[:, a] - position[:, b]
        meet = (apart * apart).sum(axis=0) <= (around[a] + around[b]) ** 2
        a, b = a[meet], b[meet]
        own = np.concatenate([self.sizes, position, turn])
        kinds = self.kind[a] * len(self.names) + self.kind[b]
        found: list[Found] = []
        for kind in np.unique(kinds):
            one, other = a[kinds == kind], b[kinds == kind]
            program = self._program(self.names[int(kind) // len(self.names)], self.names[int(kind) % len(self.names)])
            gaps_of = program(own.take(one, axis=1), own.take(other, axis=1))
            found += [_kept(one, other, k, rows, room[one] + room[other]) for k, rows in enumerate(gaps_of)]
        return found

    def _program(self, one: str, other: str) -> Program:
        """The gaps between shapes of two kinds."""
        if (one, other) not in self.pairs:
            self.pairs[one, other] = _pair_program(one, other, self.lanes)
        return self.pairs[one, other]


def _kept(first: Indices, second: Indices, feature: int, rows: Array, most: Array) -> Found:
    """Those contacts of one feature whose gap is at most so wide [m]."""
    near = np.flatnonzero(rows[9] <= most)
    return first[near], second[near], np.full(len(near), feature), rows[:, near]


def _rows(gap: Gap) -> tuple[Vector, Vector, Vector, Scalar]:
    return gap.here, gap.there, gap.normal, gap.size


NOWHERE = (0.0, 0.0, 0.0)
POSE = (NOWHERE, (0.0, 0.0, 0.0, 0.0))


def _pose(position: Sequence[Scalar], turn: Sequence[Scalar]) -> Transform:
    return Transform(Quaternion(*turn).rotation(), Vector(*position))


def _pair_program(one: str, other: str, lanes: int | None) -> Program:
    """The gaps between shapes of two kinds, each as its sizes, its position and its quaternion."""

    def between(a: Any, b: Any) -> tuple[Any, ...]:
        return tuple(_rows(gap) for gap in gaps(_form(one, a[0]), _pose(*a[1]), _form(other, b[0]), _pose(*b[1])))

    return Program(Recipe("pile pair", between, ((NOWHERE, POSE), (NOWHERE, POSE)), 0, (one, other)), lanes=lanes)


def _form(kind: str, sizes: Sequence[Scalar]) -> Form:
    return Form(kind, tuple(sizes[: SIZES[kind]]))


def _over_program(pile: Pile, lanes: int | None) -> Program:
    """The gap between a ball in a body and the ground, along the ground's normal below the ball's centre."""
    ground = pile.ground
    assert ground is not None
    numbers = ground.numbers()

    def over(point: Any, pose: Any, told: Any, *table: Any) -> tuple[Any, ...]:
        centre = _pose(*pose) @ Vector(*point[0])
        surface = ground.surface(told, table[0] if table else None, centre.x, centre.y)
        here = centre - surface.normal * point[1]
        size = -surface.depth(centre.z) - point[1]
        return (_rows(Gap(here, here - surface.normal * size, surface.normal, size)),)

    forms = ((NOWHERE, 0.0), POSE, dict.fromkeys(numbers, 0.0))
    tables = 0 if ground.table() is None else 1
    return Program(Recipe("pile over ground", over, forms, tables, type(ground).__name__), lanes=lanes)
