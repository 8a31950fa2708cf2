"""The trees that joints form: the order in which they are computed, and where their numbers are.

Each joint is a node with its first body, each other body is a root. A node reads what its first child and its next
sibling have summed up, so levels go from the leaves to the roots, and nodes of one level are computed in lanes:

    level(j) = 1 + max(level(first child of j), level(next sibling of j))
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError
from gambol.rigid.order import SweepOrder, columns_of, suitable_lanes
from gambol.rigid.pile_joints import PileJoints

Array = NDArray[Any]
Indices = NDArray[np.int64]

SLOTS = ((0, 2, 5), (1, 3, 5), (2, 4))
"""Rows of a joint, see joint_point.py, that each of its up to three free motions can have."""

ROOT_ROWS = 6
"""Free motions of a root."""


@dataclass(frozen=True, eq=False)
class Trees:
    """The nodes of a pile: joints in the columns of their order, then roots; both fill whole blocks of lanes.

    order: the columns of joints, of which each level is a colour. lanes: for which it is made. roots: bodies that are
    the first of no joint. node: of each body, -1 for the world (bodies). parents: node of each node's parent, or -1.
    child, sibling: column of the joint of a node's first child, and of its next sibling, or -1. slots: row of each
    free motion of each joint, or -1 (3, columns). freedoms: the number of free motions of each node.
    """

    order: SweepOrder
    lanes: int
    roots: Indices
    node: Indices
    parents: Indices
    child: Indices
    sibling: Indices
    slots: Indices
    freedoms: Indices

    @staticmethod
    def of(joints: PileJoints, bodies: int, lanes: tuple[int, ...]) -> "Trees":
        """Return the trees of joints; bodies: their number, with the world; lanes: to choose from, the largest last.

        Raises WorldError for loops, for a body that is the first of two joints, and for over three free motions.
        """
        first, second = joints.first, joints.second
        level, child_of, sibling_of = _levels(first, second, bodies)
        counts = np.bincount(level)
        width = suitable_lanes(counts, lanes)
        column, starts = columns_of(level, counts, width)
        columns = int(starts[-1])
        owners = np.zeros((2, columns), np.int64)
        owners[0, column], owners[1, column] = first, second
        order = SweepOrder(first, second, column, columns, owners, starts)
        roots = np.setdiff1d(np.arange(1, bodies), first)
        node = np.full(bodies, -1)
        node[first], node[roots] = column, columns + np.arange(len(roots))
        nodes = columns + -(-len(roots) // width) * width
        parents, child, sibling = (np.full(nodes, -1) for _ in range(3))
        parents[column] = node[second]
        has_child, has_sibling = child_of >= 0, sibling_of >= 0
        at = node[np.flatnonzero(has_child)]
        child[at], sibling[column[has_sibling]] = column[child_of[has_child]], column[sibling_of[has_sibling]]
        slots, freedoms = np.full((len(SLOTS), columns), -1), np.zeros(nodes, np.int64)
        for number, rows in enumerate(joints.locked.T):
            free = np.flatnonzero(rows == 0.0)
            if len(free) > len(SLOTS) or any(row not in own for row, own in zip(free, SLOTS, strict=False)):
                raise WorldError(f"joint {number} of the pile has the free motions {free.tolist()}, which no kind has")
            slots[: len(free), column[number]], freedoms[column[number]] = free, len(free)
        freedoms[columns : columns + len(roots)] = ROOT_ROWS
        return Trees(order, width, roots, node, parents, child, sibling, slots, freedoms)

    @property
    def columns(self) -> int:
        """The number of columns of joints."""
        return self.order.columns

    def path_lengths(self) -> Indices:
        """Return the number of free motions between each node and the world, and 0 for the world at the end."""
        length = np.zeros(len(self.parents) + 1, np.int64)
        for begin, end in ((self.columns, len(self.parents)), *reversed(self.levels)):
            length[begin:end] = self.freedoms[begin:end] + length[self.parents[begin:end]]
        return length

    @property
    def levels(self) -> list[tuple[int, int]]:
        """The first column of each level, and that after its last."""
        return list(pairwise(self.order.starts.tolist()))


def _levels(first: Indices, second: Indices, bodies: int) -> tuple[Indices, Indices, Indices]:
    """Return the level of each joint, and the joints of the first child of each body and the next sibling, or -1."""
    joint = np.full(bodies, -1)
    for number, body in enumerate(first.tolist()):
        if joint[body] >= 0:
            raise WorldError(f"body {body} of the pile is the first of two joints; joints of a pile have no loops")
        joint[body] = number
    depth = np.zeros(bodies, np.int64)
    for body in first.tolist():
        at, path = body, list[int]()  # up to a body whose depth is known
        while joint[at] >= 0 and depth[at] == 0:
            path.append(at)
            at = int(second[joint[at]])
            if len(path) > len(first):
                raise WorldError(f"the joints of body {body} of the pile form a loop")
        depth[path] = depth[at] + np.arange(len(path), 0, -1)
    level, child, sibling = np.zeros(len(first), np.int64), np.full(bodies, -1), np.full(len(first), -1)
    children: dict[int, list[int]] = {}
    for number in np.argsort(-depth[first], kind="stable").tolist():
        children.setdefault(int(second[number]), []).append(number)

    def below(number: int) -> int:
        last = int(child[first[number]])
        return int(level[last]) + 1 if last >= 0 else 0

    for body, own in children.items():  # deepest first
        own.sort(key=below)
        for k, number in enumerate(own):
            previous = own[k - 1] if k and body else -1
            sibling[number] = previous
            level[number] = max(below(number), int(level[previous]) + 1 if previous >= 0 else 0)
        child[body] = own[-1] if body else -1
    return level, child, sibling
