"""Contact detection of a pile within a step: candidates by bounding balls, which last for many steps, then exact gaps.

Each lane of a program computes a point of a body over the ground, or a pair of bodies. Which candidates are contacts
depends on the poses and velocities of the present step only, and contacts are sorted by the numbers of their bodies. So
no result depends on when the candidates were found.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Plane
from gambol.collide.broad import Sweep
from gambol.collide.convex.geom import PLANE, GeomTemplate
from gambol.collide.gap import FAR
from gambol.lanes import BoundProgram, Precision, Program
from gambol.rigid.body import MAX_FEATURES, Pile
from gambol.rigid.body_frame import GEOM_ROWS, body_frame
from gambol.rigid.body_table import BLOCK, BodyTable
from gambol.rigid.gap_programs import GAP_ROWS, NEAR, ground_program, pair_program
from gambol.rigid.order import SweepOrder

Array = NDArray[Any]
Indices = NDArray[np.int64]
Bools = NDArray[np.bool_]
Source: TypeAlias = "tuple[Program, Indices, Indices, Indices, tuple[Array, ...], tuple[Array, ...]]"
"""Gaps of one kind: program, first and second bodies, number of the first gap, further inputs, and tables."""

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


@dataclass(frozen=True, eq=False)
class Candidates:
    """Gaps that may become contacts while no body moves further than its slack.

    gaps: rows of gaps (GAP_ROWS, n); the first block of columns is empty, with gaps of FAR. stages: programs that
    compute the others. first, second: the bodies. keys: a key for each gap that is the same in every step.
    """

    gaps: Array
    stages: list[BoundProgram]
    first: Indices
    second: Indices
    keys: Indices

    @property
    def near(self) -> Array:
        """1 for each gap that is a contact, 0 for others."""
        return self.gaps[NEAR, : len(self.keys)]

    def contacts(self) -> Indices:
        """Return the indices of the candidates that are contacts, ascending in their keys."""
        near = np.flatnonzero(self.near)
        return near[np.argsort(self.keys[near], kind="stable")]


class ContactFinder:
    """The programs that compute the contacts of a pile; table: its bodies; precision, lanes: see Program."""

    def __init__(self, pile: Pile, table: BodyTable, precision: Precision, lanes: int | None) -> None:
        self.pile, self.table, self.lanes = pile, table, lanes
        self.precision: Precision = precision
        frames = [body_frame(body.shape) for body in pile.bodies]
        self.kinds = sorted({frame.template for frame in frames}, key=repr)
        self.kind = np.array([-1, *(self.kinds.index(frame.template) for frame in frames)])
        self.numbers = np.array([[0.0] * GEOM_ROWS, *(frame.numbers for frame in frames)]).T
        self.radius = np.array([0.0, *(frame.radius for frame in frames)])
        self.on_plane = isinstance(pile.ground, Plane)
        with_points = [k for k, frame in enumerate(frames, 1) if not (self.on_plane and frame.template.kind in CURVED)]
        points = [(k, feature) for k in with_points for feature in enumerate(frames[k - 1].points)]
        self.owner = np.array([k for k, _ in points], np.int64)
        self.feature = np.array([number for _, (number, _) in points], np.int64)
        self.points = np.array([(*point.position, point.radius) for _, (_, point) in points]).T
        self.sweep, self.gaps = Sweep(), np.zeros((GAP_ROWS, 0))
        self.programs: dict[tuple[GeomTemplate, GeomTemplate], Program] = {}
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
        return self._bound([source for source in sources if len(source[1])])

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
            inputs, tables = (_padded(self.points[:, chosen]), numbers), () if table is None else (table,)
            sources.append((self.over_ground, owner, np.zeros_like(owner), self.feature[chosen], inputs, tables))
        for number, kind in enumerate(self.kinds if self.on_plane else ()):
            if kind.kind in CURVED:
                a = np.flatnonzero((self.kind == number) & near)
                sources.append(self._pair_source(kind, PLANE.template, a, np.zeros_like(a)))
        return sources

    def _pairs(self, position: Array, reach: Array, awake: Bools) -> list[Source]:
        """Return the sources of contacts of bodies with each other; reach: farthest motion of each body [m]."""
        half_width = self.radius + reach
        if awake.sum() * len(awake) < MAX_DIRECT_PAIRS:
            one = np.flatnonzero(awake[1:]) + 1
            each, other = np.repeat(one, len(awake) - 1), np.tile(np.arange(1, len(awake)), len(one))
            once = (each < other) | ((each > other) & ~awake[other])
            a, b = np.minimum(each, other)[once], np.maximum(each, other)[once]
        else:
            a, b = (1 + self.sweep.pairs((position - half_width).T[1:], (position + half_width).T[1:])).T
        offset = position[:, a] - position[:, b]
        overlap = (offset * offset).sum(axis=0) <= (half_width[a] + half_width[b]) ** 2
        overlap &= awake[a] | awake[b]
        a, b = a[overlap], b[overlap]
        kinds, count = self.kind[a] * len(self.kinds) + self.kind[b], len(self.kinds)
        return [
            self._pair_source(self.kinds[int(k) // count], self.kinds[int(k) % count], a[kinds == k], b[kinds == k])
            for k in np.unique(kinds)
        ]

    def _pair_source(self, kind_a: GeomTemplate, kind_b: GeomTemplate, a: Indices, b: Indices) -> Source:
        if (kind_a, kind_b) not in self.programs:
            self.programs[kind_a, kind_b] = pair_program(kind_a, kind_b, self.precision, self.lanes)
        numbers = tuple(_padded(self.numbers.take(side, axis=1)) for side in (a, b))
        return self.programs[kind_a, kind_b], a, b, np.zeros_like(a), numbers, ()

    def _bound(self, sources: list[Source]) -> Candidates:
        """Return candidates with programs bound to one array for the gaps of all sources."""
        widths = [-(-len(source[1]) // BLOCK) * BLOCK for source in sources]
        columns = BLOCK + sum(width * len(source[0].outputs) for width, source in zip(widths, sources, strict=True))
        if columns > self.gaps.shape[1]:
            self.gaps = np.zeros((GAP_ROWS, columns + columns // 2), np.dtype(self.precision))
            self.gaps[NEAR - 1, :BLOCK] = FAR
        gaps = self.gaps
        first, second, feature = (np.zeros(columns, np.int64) for _ in range(3))
        stages: list[BoundProgram] = []
        start = BLOCK
        for (program, a, b, number, inputs, tables), width in zip(sources, widths, strict=True):
            out: list[Array] = []
            for k in range(len(program.outputs)):
                out.append(gaps[:, start : start + width])
                used = slice(start, start + len(a))
                first[used], second[used], feature[used] = a, b, number + k
                start += width
            sides = _padded(np.array([a, b], float))
            stages.append(program.bind(sides, *inputs, self.table.stride, out=out, tables=[self.table.flat, *tables]))
        keys = (first * self.table.bodies + second) * MAX_FEATURES + feature
        return Candidates(gaps, stages, first, second, keys)


def _padded(rows: Array) -> Array:
    """Return rows with columns of 0 added up to a whole block."""
    result = np.zeros((len(rows), -(-rows.shape[1] // BLOCK) * BLOCK))
    result[:, : rows.shape[1]] = rows
    return result
