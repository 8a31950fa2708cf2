"""The articulated bodies of a pile's trees: memory, and programs bound to it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import BoundProgram
from gambol.rigid.articulated import FACTOR_ROWS, MOTIONS, ROOT_FACTOR_ROWS, SLOT_COUNT, SUM_ROWS
from gambol.rigid.body_table import BLOCK, BodyTable
from gambol.rigid.contact_memory import ProgramSource
from gambol.rigid.tree_entries import UNROLLED
from gambol.rigid.trees import SLOTS, Trees

Array = NDArray[Any]
Indices = NDArray[np.int64]


class TreeBodies:
    """Articulated bodies, see articulated.py.

    solver: the programs; trees, table: of the pile; points: of joints; rows: number of rows of a sweep. store: motions
    of the world, of nodes and of bodies without impulses, in blocks (6, lanes); free: the last of these. factors,
    root_factors: of nodes, in blocks. unknowns: z of joints, that of roots from root_start on, and from `size` on the
    impulses of rows; the number before these is always 0. places: of all free motions in it, by joints and then by
    roots. speeds: of free motions of joints (3, columns).
    """

    def __init__(self, solver: ProgramSource, trees: Trees, table: BodyTable, points: Array, rows: int) -> None:
        self.trees, self.lanes, self._solver, self._points, self._table = trees, trees.lanes, solver, points, table
        nodes, columns, lanes, dtype = len(trees.parents), trees.columns, trees.lanes, np.dtype(solver.precision)
        self.store = np.zeros(MOTIONS * (lanes + nodes + table.columns), dtype)
        blocks = self.store.reshape(-1, MOTIONS, lanes)
        joint_end, root_end = 1 + columns // lanes, 1 + nodes // lanes
        self.free, self._moved = blocks[root_end:], (blocks[1:joint_end], blocks[joint_end:root_end])
        self._sums = np.zeros((1 + columns // lanes, SUM_ROWS, lanes), dtype)
        self.factors = np.zeros((columns // lanes, FACTOR_ROWS, lanes), dtype)
        self.root_factors = np.zeros(((nodes - columns) // lanes, ROOT_FACTOR_ROWS, lanes), dtype)
        self.root_start = SLOT_COUNT * columns
        self.size = -(-(self.root_start + MOTIONS * (nodes - columns) + 1) // BLOCK) * BLOCK
        self.places = self._places_of_motions()
        self.unknowns = np.zeros(self.size + UNROLLED * rows, dtype)
        self.speeds = np.zeros((SLOT_COUNT, columns), dtype)
        self.levels = [(a // lanes, b // lanes) for a, b in trees.levels]

    def _places_of_motions(self) -> Indices:
        """Return the places of all free motions in the unknowns, in an order that does not depend on lanes."""
        trees, n = self.trees, self.lanes

        def of_nodes(nodes: Indices, motions: int) -> Indices:
            return (nodes // n * motions * n + nodes % n)[:, None] + n * np.arange(motions)

        joints, roots = trees.order.column, np.arange(len(trees.roots))
        is_free = np.arange(SLOT_COUNT) < trees.freedoms[joints][:, None]
        return np.concatenate(
            [of_nodes(joints, SLOT_COUNT)[is_free], self.root_start + of_nodes(roots, MOTIONS).ravel()]
        )

    def _at(self, node: Indices, rows: int) -> Indices:
        """Return the index of the first row of nodes in blocks (1 + blocks, rows, lanes); that of -1 is 0."""
        n = self.lanes
        return np.where(node >= 0, (1 + node // n) * rows * n + node % n, 0)

    def of_bodies(self, bodies: Indices) -> Indices:
        """Return the index of the motions of bodies in the store."""
        return self._at(self.trees.node[bodies], MOTIONS)

    def bind_inward(self, rows: Array) -> list[BoundProgram]:
        """Return the programs of articulated bodies from the leaves to the roots; rows: t, f and c of joints."""
        trees, lanes, program, table = self.trees, self.lanes, self._solver.program, self._table
        columns, stride = trees.columns, np.full((1, 1), float(lanes))
        free_start = self.store.size - self.free.size

        def freely(bodies: Indices) -> Indices:
            return free_start + bodies // lanes * MOTIONS * lanes + bodies % lanes

        choices = np.array([trees.slots[k] == row for k, own in enumerate(SLOTS) for row in own], float)
        below = [self._at(x[:columns], SUM_ROWS) for x in (trees.child, trees.sibling)]
        places = np.array([freely(trees.order.owners[0]), *below], float)
        stages = [
            program("tree inward", lanes).bind(
                *(self._points, rows, choices, places, stride),
                out=[self._sums[1:], self.factors],
                tables=[self.store, self._sums.reshape(-1)],
            )
        ]
        roots = np.zeros(len(trees.parents) - columns, np.int64)
        roots[: len(trees.roots)] = trees.roots
        if len(roots):
            places = np.array([freely(roots), self._at(trees.child[columns:], SUM_ROWS)], float)
            strides = np.array([[float(lanes)], [float(table.columns)]])
            tables = [self.store, self._sums.reshape(-1), table.flat]
            root = program("tree root", lanes)
            stages.append(root.bind(roots.astype(float)[None], places, strides, out=[self.root_factors], tables=tables))
        return stages

    def bind_motions(self, *, zeros: bool) -> list[BoundProgram]:
        """Return the programs for motions from the roots to the leaves; zeros: whether there are no impulses."""
        above = self.of_bodies(self.trees.order.owners[1]).astype(float)[None]
        z = np.zeros_like(self.unknowns) if zeros else self.unknowns
        end = self.root_start + MOTIONS * len(self.root_factors) * self.lanes
        of_joints = z[: self.root_start].reshape(-1, SLOT_COUNT, self.lanes)
        of_roots = z[self.root_start : end].reshape(-1, MOTIONS, self.lanes)
        outward = self._solver.program("tree outward", self.lanes).bind(
            *(self.factors, of_joints, above, np.full((1, 1), float(self.lanes))),
            out=[self._moved[0], self.speeds],
            tables=[self.store],
        )
        root = self._solver.program("tree root motion", self.lanes)
        return [*([root.bind(self.root_factors, of_roots, out=[self._moved[1]])] if len(of_roots) else []), outward]
