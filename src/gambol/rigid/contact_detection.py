"""Contact detection of a pile within a step: candidates by bounding balls, which last for many steps, then exact gaps.

Each lane of a program computes a point of a body over the ground, or a pair of bodies. Which candidates are contacts
depends on the poses and velocities of the present step only, and contacts are sorted by the numbers of their bodies. So
no result depends on when the candidates were found.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Plane
from gambol.collide.broad import Sweep
from gambol.collide.convex.geom import PLANE
from gambol.collide.gap import FAR
from gambol.collide.pairs import is_searched
from gambol.lanes import Precision, Program
from gambol.rigid.body import MAX_FEATURES, LinkBody, Pile
from gambol.rigid.body_frame import GEOM_ROWS
from gambol.rigid.body_table import BodyTable
from gambol.rigid.gap_memory import Candidates, GapMemory, Source
from gambol.rigid.gap_programs import Kind, ground_program, pair_program
from gambol.rigid.order import SweepOrder

Array = NDArray[Any]
Indices = NDArray[np.int64]
Bools = NDArray[np.bool_]

MIN_SLACK, MAX_SLACK, SLACK_STEPS, MIN_SLACK_STEPS = 0.1, 0.5, 50.0, 15.0
"""How far a body may move before candidates are found again: its way in SLACK_STEPS steps, but at least MIN_SLACK and
at most MAX_SLACK times its radius, and at least MIN_SLACK_STEPS times its margin. More slack gives more candidates."""

MAX_DIRECT_PAIRS = 100_000
"""Largest number of pairs with a body that is awake which are tested without a sweep: 10 ms."""

CURVED = ("cylinder", "ellipsoid", "frustum")
"""Shapes with a lowest point that moves in the body as it turns, so it is computed in every step."""


@dataclass(frozen=True, eq=False)
class Contacts:
    """Possible contacts, one in each column.

    A contact pushes the first body along the normal, and the second against it. first, second: numbers of bodies, 0 for
    the ground. normal: unit (3, contacts). gap [m], negative in penetration.
    """

    first: Indices
    second: Indices
    normal: Array
    gap: Array

    def to_columns(self, order: SweepOrder, chosen: Indices) -> "Contacts":
        """Return the chosen contacts in the columns of an order, padded with contacts whose gap is FAR."""
        return Contacts(*order.sides, order.to_columns(self.normal[:, chosen]), order.to_columns(self.gap[chosen], FAR))


class ContactFinder:
    """The programs that compute the contacts of a pile; table: its bodies; precision, lanes: see Program."""

    def __init__(self, pile: Pile, table: BodyTable, precision: Precision, lanes: int | None) -> None:
        self.pile, self.table, self.lanes = pile, table, lanes
        self.precision: Precision = precision
        bodies = [(), *(body.shapes for body in pile.bodies)]
        shapes = [(k, slot, shape) for k, each in enumerate(bodies) for slot, shape in enumerate(each)]
        kinds = [(shape.template, len(shape.numbers)) for *_, shape in shapes if shape.template]
        self.kinds: list[Kind] = sorted(set(kinds), key=repr)
        self.kind = np.array([-1, *map(self.kinds.index, kinds)])
        self.body = np.array([0, *(k for k, *_ in shapes)])
        self.shape_count, self.shape_slots = np.array([len(each) for each in bodies]), max(map(len, bodies))
        self.first_shape = np.cumsum([1, *self.shape_count[:-1]])
        self.numbers = np.zeros((max((rows for _, rows in self.kinds), default=GEOM_ROWS), len(shapes) + 1))
        for number, (*_, shape) in enumerate(shapes, 1):
            self.numbers[: len(shape.numbers), number] = shape.numbers
        figures = sorted({body.figure for body in pile.bodies if isinstance(body, LinkBody)})
        member = [figures.index(body.figure) if isinstance(body, LinkBody) else -1 for body in pile.bodies]
        own = [isinstance(body, LinkBody) and body.self_contact for body in pile.bodies]
        self.figure, self.touches_own = np.array([-1, *member]), np.array([False, *own])
        ends: Indices = np.sort(np.array([pile.joints.first, pile.joints.second], np.int64), axis=0)
        self.joined: Indices = self._pair(ends[0], ends[1], len(bodies))
        self.radius = np.array([max((shape.radius for shape in each), default=0.0) for each in bodies])
        self.on_plane = isinstance(pile.ground, Plane)
        with_points = [row for row in shapes if not (self.on_plane and row[2].kind in CURVED)]
        points = [
            (k, self._feature(slot, 0) + n, p) for k, slot, shape in with_points for n, p in enumerate(shape.points)
        ]
        self.owner = np.array([k for k, *_ in points], np.int64)
        self.feature = np.array([number for _, number, _ in points], np.int64)
        self.points = np.array([(*point.position, point.radius) for *_, point in points]).T
        self.sweep, self.memory = Sweep(), GapMemory(table, precision, pile.features)
        self._all_pairs: tuple[Indices, Indices] | None = None
        self.programs: dict[tuple[Kind, Kind], Program] = {}
        self.over_ground = ground_program(pile.ground, precision, lanes) if pile.ground and points else None
        table["radius"][0, : table.bodies] = self.radius
        if isinstance(pile.ground, Plane):
            table["position"][2, 0] = pile.ground.height  # the world is the plane

    def candidates(self, asleep: Bools | None = None) -> Candidates:
        """Return the candidates at the present poses, and set reference and limit of the bodies in the table.

        asleep: which bodies sleep (bodies); they have no candidates with each other and with the ground.
        """
        table, bodies = self.table, self.table.bodies
        margin = table["margin"][0, :bodies].astype(float)
        speed = np.sqrt(np.square(table["velocity"][3:, :bodies]).sum(axis=0))
        way = np.clip(SLACK_STEPS * self.pile.step * speed, MIN_SLACK * self.radius, MAX_SLACK * self.radius)
        reach = margin + np.maximum(way, MIN_SLACK_STEPS * margin)
        reach[0] = 0.0
        table["reference"][:] = table["position"]
        table["limit"][:] = FAR
        table["limit"][0, :bodies] = reach
        position = table["position"][:, :bodies].astype(float)
        awake = np.ones(bodies, bool) if asleep is None else ~asleep
        sources = [*self._ground(position, reach, awake), *self._pairs(position, reach, awake)]
        return self.memory.candidates([source for source in sources if len(source.first)])

    def _ground(self, position: Array, reach: Array, awake: Bools) -> list[Source]:
        """Return the sources of contacts with the ground; reach: farthest motion of each body [m]."""
        ground = self.pile.ground
        near = awake
        if isinstance(ground, Plane):
            near = awake & (position[2] - ground.height <= self.radius + reach)
        sources: list[Source] = []
        if self.over_ground is not None and ground is not None:
            chosen = np.flatnonzero(near[self.owner])
            numbers = np.array(list(ground.numbers().values())).reshape(-1, 1)
            table, owner = ground.table(), self.owner[chosen]
            inputs, tables = (self.points[:, chosen],), () if table is None else (table,)
            sources.append(
                Source(self.over_ground, owner, np.zeros_like(owner), self.feature[chosen], inputs, (numbers,), tables)
            )
        for number, kind in enumerate(self.kinds if self.on_plane else ()):
            if kind[0].kind in CURVED:
                a = np.flatnonzero((self.kind == number) & near[self.body])
                sources.append(self._pair_source(kind, (PLANE.template, GEOM_ROWS), a, np.zeros_like(a)))
        return sources

    def _pairs(self, position: Array, reach: Array, awake: Bools) -> list[Source]:
        """Return the sources of contacts of bodies with each other; reach: farthest motion of each body [m]."""
        half_width = self.radius + reach
        if awake.sum() * len(awake) < MAX_DIRECT_PAIRS:
            a, b = self._direct_pairs(awake)
        else:
            found: Indices = 1 + self.sweep.pairs((position - half_width).T[1:], (position + half_width).T[1:])
            a, b = self._may_touch(found[:, 0], found[:, 1], awake)
        offset = position[:, a] - position[:, b]
        distance = (offset * offset).sum(axis=0)
        overlap = distance <= (half_width[a] + half_width[b]) ** 2
        near = np.flatnonzero(overlap)
        near = near[np.argsort(distance[near], kind="stable")]  # nearest first, so that whole blocks of lanes are apart
        a, b = self._pairs_of_shapes(a[near], b[near])
        kinds, count = self.kind[a] * len(self.kinds) + self.kind[b], len(self.kinds)
        return [
            self._pair_source(self.kinds[int(k) // count], self.kinds[int(k) % count], a[kinds == k], b[kinds == k])
            for k in np.unique(kinds)
        ]

    def _direct_pairs(self, awake: Bools) -> tuple[Indices, Indices]:
        """Return all pairs with a body that is awake that may touch; those of all bodies are kept."""
        all_awake = bool(awake.all())
        if all_awake and self._all_pairs is not None:
            return self._all_pairs
        one = np.flatnonzero(awake[1:]) + 1
        each, other = np.repeat(one, len(awake) - 1), np.tile(np.arange(1, len(awake)), len(one))
        once = (each < other) | ((each > other) & ~awake[other])
        pairs = self._may_touch(np.minimum(each, other)[once], np.maximum(each, other)[once], awake)
        if all_awake:
            self._all_pairs = pairs
        return pairs

    def _may_touch(self, a: Indices, b: Indices, awake: Bools) -> tuple[Indices, Indices]:
        """Return the pairs with a body that is awake, and that their figure lets touch."""
        may = awake[a] | awake[b]
        may &= (self.figure[a] != self.figure[b]) | (self.figure[a] < 0) | self._touch_in_figure(a, b)
        return a[may], b[may]

    def _feature(self, slot_a: Any, slot_b: Any) -> Any:
        """Return the number of the first gap of a pair of shapes of two bodies."""
        return (slot_a * self.shape_slots + slot_b) * MAX_FEATURES

    def _pair(self, a: Any, b: Any, bodies: int) -> Any:
        """Return a number for each pair of bodies."""
        return np.asarray(a, np.int64) * bodies + b

    def _touch_in_figure(self, a: Indices, b: Indices) -> Bools:
        """Return whether pairs of bodies of one figure may touch: no joint connects them."""
        if not self.touches_own.any():
            return np.zeros(len(a), bool)
        return self.touches_own[a] & ~np.isin(self._pair(a, b, self.table.bodies), self.joined)

    def _pairs_of_shapes(self, a: Indices, b: Indices) -> tuple[Indices, Indices]:
        """Return all pairs of shapes of pairs of bodies."""
        in_b = self.shape_count[b]
        counts = self.shape_count[a] * in_b
        pair = np.repeat(np.arange(len(a)), counts)
        number = np.arange(len(pair)) - np.repeat(np.cumsum(counts) - counts, counts)
        slot_a, slot_b = np.divmod(number, in_b[pair])
        return self.first_shape[a[pair]] + slot_a, self.first_shape[b[pair]] + slot_b

    def _pair_source(self, kind_a: Kind, kind_b: Kind, a: Indices, b: Indices) -> Source:
        with_plane = self.pile.witness_planes and is_searched(kind_a[0].kind, kind_b[0].kind)
        if (kind_a, kind_b) not in self.programs:
            self.programs[kind_a, kind_b] = pair_program(
                (kind_a, kind_b), self.precision, self.lanes, with_plane=with_plane
            )
        sides = ((kind_a, a), (kind_b, b))
        numbers = tuple(self.numbers[: kind[1]].take(side, axis=1) for kind, side in sides)
        first, second = self.body[a], self.body[b]
        feature = self._feature(a - self.first_shape[first], np.where(second > 0, b - self.first_shape[second], 0))
        return Source(self.programs[kind_a, kind_b], first, second, feature, numbers, with_plane=with_plane)
