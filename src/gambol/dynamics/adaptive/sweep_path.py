"""The closed path through the groups of a hybrid body that visits all contacts and joint limits once."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.adaptive.impulse_passes import DOWN, START, STAY, UP

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

ROOT, NONE = 0, -1


class SweepPath:
    """The items of a path: moves between neighbouring groups, and at most one limit and one contact at each.

    parent (n): the group before each group, the root first. contacts (m): the group of each contact. limits (k): the
    group behind each joint with a limit. group, child (items): group of each item, and the group behind the joint that
    it passes. of_contact (m), of_limit (k): the item of each contact and limit. index (6, items): rows of sweep_step()
    that are no columns of other tables: kind, before, last, left, contact and limit.
    """

    def __init__(self, parent: Indices, contacts: Indices, limits: Indices) -> None:
        self._parent = parent.tolist()
        self._contacts: dict[int, list[int]] = {}
        for k, group in enumerate(contacts.tolist()):
            self._contacts.setdefault(group, []).append(k)
        self._limits = {group: k for k, group in enumerate(limits.tolist())}
        self._items: list[list[float]] = []
        self._groups: list[int] = []
        self._children: list[int] = []
        self._walk(self._branches())
        self.index = np.array(self._items, float).T
        self.group, self.child = np.array(self._groups), np.array(self._children)
        self.of_contact, self.of_limit = np.zeros(len(contacts), np.int64), np.zeros(len(limits), np.int64)
        for row, columns in ((4, self.of_contact), (5, self.of_limit)):
            there = np.flatnonzero(self.index[row] >= 0.0)
            columns[self.index[row, there].astype(int)] = there

    def _branches(self) -> dict[int, list[int]]:
        """Return the groups behind each group that lead to contacts or limits; a limit also needs its parent."""
        branches: dict[int, list[int]] = {}
        for group in sorted({*self._contacts, *self._limits}):
            child = group
            while child != ROOT:
                above = branches.setdefault(self._parent[child], [])
                if child in above:
                    break
                above.append(child)
                child = self._parent[child]
        return branches

    def _walk(self, branches: dict[int, list[int]]) -> None:
        """Append the items of the path; it starts where the groups first branch, or at the first contact or limit."""
        top = ROOT
        while len(branches.get(top, ())) == 1 and top not in self._contacts and top not in self._limits:
            (below,) = branches[top]
            if below in self._limits:
                break
            top = below
        stack: list[tuple[int, list[int]]] = [(top, list(branches.get(top, ())))]
        down: dict[int, int] = {}
        last = {top: self._visit(START, top, NONE, NONE)}
        while stack:
            group, open_branches = stack[-1]
            if open_branches:
                child = open_branches.pop(0)
                down[child] = len(self._items)
                last[child] = self._visit(DOWN, child, child, NONE)
                stack.append((child, list(branches.get(child, ()))))
                continue
            stack.pop()
            if stack:
                above = stack[-1][0]
                self._items[down[group]][2:4] = [last[group], len(self._items)]
                self._append(UP, above, group, last[above])
                last[above] = len(self._items) - 1
        self._items[0][1] = len(self._items) - 1

    def _visit(self, kind: float, group: int, child: int, base: int) -> int:
        """Append the items at a group on the first arrival; return the column of the last of them."""
        contacts: Sequence[int] = self._contacts.get(group, [NONE])
        for k, contact in enumerate(contacts):
            self._append(kind if k == 0 else STAY, group, child, base)
            self._items[-1][4:] = [contact, NONE if k else self._limits.get(group, NONE)]
        return len(self._items) - 1

    def _append(self, kind: float, group: int, child: int, base: int) -> None:
        before = len(self._items) - 1
        self._items.append([kind, before, base, NONE, NONE, NONE])
        self._groups.append(group)
        self._children.append(child)
