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
from gambol.lanes import BoundProgram, Precision, Program
from gambol.rigid.body import MAX_FEATURES, LinkBody, Pile
from gambol.rigid.body_frame import GEOM_ROWS
from gambol.rigid.body_table import BLOCK, BodyTable
from gambol.rigid.gap_programs import GAP_ROWS, NEAR, WITNESS_ROWS, Kind, ground_program, pair_program
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


@dataclass(frozen=True, eq=False)
class Source:
    """Gaps of one kind that one program computes, one candidate in each lane.

    first, second: bodies. feature: number of the first gap of each candidate. inputs: inputs of the program after the
    bodies; tables: its tables after that of the bodies. with_plane: True if it keeps a separating plane for each pair.
    """

    program: Program
    first: Indices
    second: Indices
    feature: Indices
    inputs: tuple[Array, ...]
    tables: tuple[Array, ...] = ()
    with_plane: bool = False

    @property
    def width(self) -> int:
        """The number of columns: candidates, padded to whole blocks."""
        return -(-len(self.first) // BLOCK) * BLOCK

    @property
    def gap_count(self) -> int:
        """The number of gaps of each candidate."""
        return len(self.program.outputs) - self.with_plane


@dataclass(frozen=True, eq=False)
class Candidates:
    """Gaps that may become contacts while no body moves further than its slack.

    gaps: rows of gaps (GAP_ROWS, n); the first block of columns is empty, with gaps of FAR. stages: programs that
    compute the others. first, second: the bodies. keys: a key for each gap that is the same in every step. planes:
    WITNESS_ROWS of the pairs of each source with separating planes.
    """

    gaps: Array
    stages: list[BoundProgram]
    first: Indices
    second: Indices
    keys: Indices
    planes: list[Array]

    @property
    def separated(self) -> tuple[int, int]:
        """The number of pairs that their planes separated in the last step, and that of all pairs with planes."""
        return int(sum(rows[-1].sum() for rows in self.planes)), sum(rows.shape[1] for rows in self.planes)

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
        frames = [body.frame for body in pile.bodies]
        kinds = [(frame.template, len(frame.numbers)) if frame.template else None for frame in frames]
        self.kinds: list[Kind] = sorted({kind for kind in kinds if kind}, key=repr)
        self.kind = np.array([-1, *(self.kinds.index(kind) if kind else -1 for kind in kinds)])
        self.numbers = np.zeros((max((rows for _, rows in self.kinds), default=GEOM_ROWS), len(frames) + 1))
        for k, frame in enumerate(frames, 1):
            self.numbers[: len(frame.numbers), k] = frame.numbers
        figures = sorted({body.figure for body in pile.bodies if isinstance(body, LinkBody)})
        member = [figures.index(body.figure) if isinstance(body, LinkBody) else -1 for body in pile.bodies]
        self.figure = np.array([-1, *member])
        self.radius = np.array([0.0, *(frame.radius for frame in frames)])
        self.on_plane = isinstance(pile.ground, Plane)
        with_points = [k for k, frame in enumerate(frames, 1) if not (self.on_plane and frame.kind in CURVED)]
        points = [(k, feature) for k in with_points for feature in enumerate(frames[k - 1].points)]
        self.owner = np.array([k for k, _ in points], np.int64)
        self.feature = np.array([number for _, (number, _) in points], np.int64)
        self.points = np.array([(*point.position, point.radius) for _, (_, point) in points]).T
        self.sweep, self.gaps = Sweep(), np.zeros((GAP_ROWS, 0))
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
        return self._bound([source for source in sources if len(source.first)])

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
            sources.append(Source(self.over_ground, owner, np.zeros_like(owner), self.feature[chosen], inputs, tables))
        for number, kind in enumerate(self.kinds if self.on_plane else ()):
            if kind[0].kind in CURVED:
                a = np.flatnonzero((self.kind == number) & near)
                sources.append(self._pair_source(kind, (PLANE.template, GEOM_ROWS), a, np.zeros_like(a)))
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
        distance = (offset * offset).sum(axis=0)
        overlap = (distance <= (half_width[a] + half_width[b]) ** 2) & (awake[a] | awake[b])
        overlap &= np.minimum(self.kind[a], self.kind[b]) >= 0
        overlap &= (self.figure[a] != self.figure[b]) | (self.figure[a] < 0)
        near = np.flatnonzero(overlap)
        near = near[np.argsort(distance[near], kind="stable")]  # nearest first, so that whole blocks of lanes are apart
        a, b = a[near], b[near]
        kinds, count = self.kind[a] * len(self.kinds) + self.kind[b], len(self.kinds)
        return [
            self._pair_source(self.kinds[int(k) // count], self.kinds[int(k) % count], a[kinds == k], b[kinds == k])
            for k in np.unique(kinds)
        ]

    def _pair_source(self, kind_a: Kind, kind_b: Kind, a: Indices, b: Indices) -> Source:
        with_plane = self.pile.witness_planes and is_searched(kind_a[0].kind, kind_b[0].kind)
        if (kind_a, kind_b) not in self.programs:
            self.programs[kind_a, kind_b] = pair_program(
                (kind_a, kind_b), self.precision, self.lanes, with_plane=with_plane
            )
        sides = ((kind_a, a), (kind_b, b))
        numbers = tuple(_padded(self.numbers[: kind[1]].take(side, axis=1)) for kind, side in sides)
        return Source(self.programs[kind_a, kind_b], a, b, np.zeros_like(a), numbers, with_plane=with_plane)

    def _bound(self, sources: list[Source]) -> Candidates:
        """Return candidates with programs bound to one array for the gaps of all sources."""
        columns = BLOCK + sum(source.width * source.gap_count for source in sources)
        if columns > self.gaps.shape[1]:
            self.gaps = np.zeros((GAP_ROWS, columns + columns // 2), np.dtype(self.precision))
            self.gaps[NEAR - 1, :BLOCK] = FAR
        gaps = self.gaps
        first, second, feature = (np.zeros(columns, np.int64) for _ in range(3))
        stages, planes = list[BoundProgram](), list[Array]()
        start = BLOCK
        for source in sources:
            out: list[Array] = []
            for k in range(source.gap_count):
                out.append(gaps[:, start : start + source.width])
                used = slice(start, start + len(source.first))
                first[used], second[used], feature[used] = source.first, source.second, source.feature + k
                start += source.width
            inputs = [_padded(np.array([source.first, source.second], float)), *source.inputs, self.table.stride]
            if source.with_plane:
                rows = np.zeros((WITNESS_ROWS, source.width), gaps.dtype)
                planes.append(rows[:, : len(source.first)])
                inputs.append(rows)
                out.append(rows)
            stages.append(source.program.bind(*inputs, out=out, tables=[self.table.flat, *source.tables]))
        keys = (first * self.table.bodies + second) * MAX_FEATURES + feature
        return Candidates(gaps, stages, first, second, keys, planes)


def _padded(rows: Array) -> Array:
    """Return rows with columns of 0 added up to a whole block."""
    result = np.zeros((len(rows), -(-rows.shape[1] // BLOCK) * BLOCK))
    result[:, : rows.shape[1]] = rows
    return result
