"""Memory for the gaps of candidates: arrays with room for more, to which programs are bound once.

When candidates are found again, only numbers and numbers of blocks change, unless there is no room.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide.gap import FAR
from gambol.lanes import BoundProgram, Precision, Program
from gambol.rigid.body_table import BLOCK, BodyTable
from gambol.rigid.gap_programs import GAP_ROWS, NEAR, WITNESS_ROWS

Array = NDArray[Any]
Indices = NDArray[np.int64]

ROOM, MIN_COLUMNS = 1.5, 4096
"""Room for more candidates, relative to those that there are, and least columns of gaps."""


@dataclass(frozen=True, eq=False)
class Source:
    """Gaps of one kind that one program computes, one candidate in each lane.

    first, second: bodies. feature: number of the first gap of each candidate. inputs: inputs of the program after the
    bodies, with a column for each candidate; shared: then those with one column for all; tables: its tables after that
    of the bodies. with_plane: True if it keeps a separating plane for each pair.
    """

    program: Program
    first: Indices
    second: Indices
    feature: Indices
    inputs: tuple[Array, ...]
    shared: tuple[Array, ...] = ()
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
class BoundSource:
    """Memory for a source, and its program bound to it.

    source: the one it was made for; later ones have other candidates. start, capacity: its first column among the gaps,
    and its columns for each gap. sides: bodies; inputs: see Source; planes: WITNESS_ROWS, or None.
    """

    source: Source
    stage: BoundProgram
    start: int
    capacity: int
    sides: Array
    inputs: tuple[Array, ...]
    planes: Array | None


@dataclass(frozen=True, eq=False)
class Candidates:
    """Gaps that may become contacts while no body moves further than its slack.

    gaps: rows of gaps (GAP_ROWS, columns); the first block of columns is empty, with gaps of FAR. stages: programs that
    compute the others, and blocks: how many blocks of each; the list of stages stays the same object while they do.
    first, second: the bodies. keys: a key for each gap that is the same in every step. planes: WITNESS_ROWS of the
    pairs of each source with separating planes.
    """

    gaps: Array
    stages: list[BoundProgram]
    blocks: list[int]
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


class GapMemory:
    """Memory for the gaps of all sources.

    table: the bodies; precision: see Program; features: numbers of keys for each pair of bodies.
    """

    def __init__(self, table: BodyTable, precision: Precision, features: int) -> None:
        self.table, self._dtype, self._features = table, np.dtype(precision), features
        self._gaps = self._new_gaps(MIN_COLUMNS)
        self._bound: dict[Program, BoundSource] = {}
        self._stages = list[BoundProgram]()
        self._first, self._second, self._feature = (np.zeros(BLOCK, np.int64) for _ in range(3))

    def candidates(self, sources: list[Source]) -> Candidates:
        """Return the candidates of sources, each with a program of its own."""
        given = {source.program: source for source in sources}
        if any(p not in self._bound or self._bound[p].capacity < source.width for p, source in given.items()):
            self._bind(given)
        near, owners = self._gaps[NEAR], (self._first, self._second, self._feature)
        blocks, planes = list[int](), list[Array]()
        for numbers in owners:
            numbers[:] = 0
        for program, bound in self._bound.items():
            source = given.get(program)
            count, width = (0, 0) if source is None else (len(source.first), source.width)
            blocks.append(width // program.lanes)
            for k in range(bound.source.gap_count):
                start = bound.start + k * bound.capacity
                near[start + width : start + bound.capacity] = 0.0
                if source is not None:
                    for numbers, own in zip(owners, (source.first, source.second, source.feature + k), strict=True):
                        numbers[start : start + count] = own
            if source is not None:
                self._fill(bound, source, planes)
        keys = (self._first * self.table.bodies + self._second) * self._features + self._feature
        return Candidates(self._gaps, self._stages, blocks, self._first, self._second, keys, planes)

    def _fill(self, bound: BoundSource, source: Source, planes: list[Array]) -> None:
        """Set the inputs of a source; its planes are added to a list."""
        count = len(source.first)
        bound.sides[0, :count], bound.sides[1, :count] = source.first, source.second
        bound.sides[:, count : source.width] = 0.0
        for memory, rows in zip(bound.inputs, source.inputs, strict=True):
            memory[:, :count], memory[:, count : source.width] = rows, 0.0
        if bound.planes is not None:
            bound.planes[:, : source.width] = 0.0
            planes.append(bound.planes[:, :count])

    def _bind(self, given: dict[Program, Source]) -> None:
        """Bind the programs of given and of former sources to arrays with more room."""
        capacity = {program: bound.capacity for program, bound in self._bound.items()}
        for program, source in given.items():
            if source.width > capacity.get(program, 0):
                capacity[program] = -(-int(ROOM * source.width) // BLOCK) * BLOCK
        sources = {program: bound.source for program, bound in self._bound.items()} | given
        columns = BLOCK + sum(capacity[program] * source.gap_count for program, source in sources.items())
        if columns > self._gaps.shape[1]:
            self._gaps = self._new_gaps(int(ROOM * columns) // BLOCK * BLOCK)
        start, bound = BLOCK, dict[Program, BoundSource]()
        for program, source in sources.items():
            bound[program] = self._bound_source(source, start, capacity[program])
            start += capacity[program] * source.gap_count
        self._bound, self._stages = bound, [x.stage for x in bound.values()]
        self._first, self._second, self._feature = (np.zeros(columns, np.int64) for _ in range(3))

    def _new_gaps(self, columns: int) -> Array:
        gaps = np.zeros((GAP_ROWS, columns), self._dtype)
        gaps[NEAR - 1, :BLOCK] = FAR
        return gaps

    def _bound_source(self, source: Source, start: int, capacity: int) -> BoundSource:
        """Return memory with room for a source."""
        planes = np.zeros((WITNESS_ROWS, capacity), self._dtype) if source.with_plane else None
        firsts = range(start, start + capacity * source.gap_count, capacity)
        out = [self._gaps[:, first : first + capacity] for first in firsts]
        sides = np.zeros((2, capacity), self._dtype)
        inputs = tuple(np.zeros((len(rows), capacity), self._dtype) for rows in source.inputs)
        more = [] if planes is None else [planes]
        given, tables = (sides, *inputs, *source.shared, self.table.stride, *more), [self.table.flat, *source.tables]
        stage = source.program.bind(*given, out=[*out, *more], tables=tables)
        return BoundSource(source, stage, start, capacity, sides, inputs, planes)
