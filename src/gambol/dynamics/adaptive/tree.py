"""The assembly tree of adaptive dynamics: a binary tree over the bodies of a figure, each inner node with one joint.

A node is a part of the figure, with a first body that connects it to its parent, and a last body to which more parts
can be connected. An inner node joins two parts by the joint of the second part's first body to the first part's last
body. The last body of the whole is the last body of the second part in a series, and of the first part in a branch.
[Redon, Galoppo and Lin 2005, section 3]

The figure is decomposed into heavy paths, which are halved by weight, as in forward/assembly.py; so the depth is
logarithmic. Many branches of one body are distributed over massless copies of the body, joined by rigid joints.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gambol.figure import WORLD, Figure

Indices = NDArray[np.int64]

NONE = -1
MAX_BRANCHES = 2  # largest number of branches joined to one body; more are distributed over copies of the body


@dataclass(frozen=True, slots=True)
class AssemblyTree:
    """An assembly tree as arrays over its nodes; children have smaller numbers than their parent, the root is the last.

    first, second: the two parts; NONE: a single body. link: index (0 is the root) of the link that is the body or, for
    an inner node, of the link with the joint between the parts; NONE: a massless copy, or the rigid joint to it.
    series: True in a series, False in a branch. parent: parent of each node. level: 0 for a body, else 1 + the highest
    level of its parts. first_link, size: the link of the first body (NONE: a copy), and the number of joints inside.
    rank: rank of the first body in an order with parents before children.
    """

    first: Indices
    second: Indices
    link: Indices
    series: NDArray[np.bool_]
    parent: Indices
    level: Indices
    first_link: Indices
    size: Indices
    rank: Indices

    def by_level(self, nodes: Indices) -> list[Indices]:
        """Return inner nodes in groups of one level, from the lowest."""
        inner = nodes[self.first[nodes] != NONE]
        order = inner[np.argsort(self.level[inner], kind="stable")]
        return np.split(order, 1 + np.flatnonzero(np.diff(self.level[order]))) if len(order) else []

    def in_blocks(self, nodes: Indices, lanes: int) -> Indices:
        """Return inner nodes from the lowest level on, each level filled up to whole blocks by copies of its last node.

        So the parts of a node come in earlier blocks, and the nodes of a block do not depend on each other. lanes:
        nodes in a block.
        """
        order = nodes[np.argsort(self.level[nodes], kind="stable")]
        starts = np.flatnonzero(np.diff(self.level[order], prepend=-1))
        counts = np.diff(starts, append=len(order))
        filled: Indices = -(-counts // lanes) * lanes
        place: Indices = np.arange(int(filled.sum())) - np.repeat(np.cumsum(filled) - filled, filled)
        return order[np.repeat(starts, filled) + np.minimum(place, np.repeat(counts - 1, filled))]


def assembly_tree(figure: Figure) -> AssemblyTree:
    """Return the assembly tree of a figure."""
    return _Builder(figure).tree()


@dataclass
class _Builder:
    """Appends nodes to lists; a part is the index of its node."""

    figure: Figure
    first: list[int] = field(default_factory=list[int])
    second: list[int] = field(default_factory=list[int])
    link: list[int] = field(default_factory=list[int])
    series: list[bool] = field(default_factory=list[bool])

    def tree(self) -> AssemblyTree:
        links = self.figure.links
        self.children: list[list[int]] = [[] for _ in links]
        self.sizes = [1] * len(links)
        self.masses = [float(link.mass_properties.mass) for link in links]
        for i in reversed(range(len(links))):
            parent = links[i].parent_index
            if parent != WORLD:
                self.children[parent - 1].append(i)
                self.sizes[parent - 1] += self.sizes[i]
        self._path(0)
        return self._arrays()

    def _arrays(self) -> AssemblyTree:
        count = len(self.first)
        parent, level, size = np.full(count, NONE), np.zeros(count, np.int64), np.zeros(count, np.int64)
        first_link = np.array(self.link)
        for n, (a, b) in enumerate(zip(self.first, self.second, strict=True)):
            if a != NONE:
                parent[[a, b]], level[n] = n, 1 + max(level[a], level[b])
                size[n], first_link[n] = 1 + size[a] + size[b], first_link[a]
        rank = np.zeros(count, np.int64)
        for n in reversed(range(count)):
            a, b = self.first[n], self.second[n]
            if a != NONE:
                rank[a], rank[b] = rank[n], rank[n] + size[a] + 1
        return AssemblyTree(
            np.array(self.first),
            np.array(self.second),
            np.array(self.link),
            np.array(self.series),
            parent,
            level,
            first_link,
            size,
            rank,
        )

    def _append(self, first: int, second: int, link: int, series: bool) -> int:
        self.first.append(first)
        self.second.append(second)
        self.link.append(link)
        self.series.append(series)
        return len(self.first) - 1

    def _path(self, link: int) -> int:
        """Return the part that is a link with all its descendants."""
        pieces: list[list[tuple[int, int]]] = [[]]  # runs of (link, part with its branches), each run ends with mass
        weights: list[int] = []
        current: int | None = link
        start = link
        while current is not None:
            heavy = max(self.children[current], key=lambda child: self.sizes[child], default=None)
            light = [child for child in self.children[current] if child != heavy]
            pieces[-1].append((current, self._body(current, light)))
            if heavy is not None and (self.masses[current] or light):
                weights.append(self.sizes[start] - self.sizes[heavy])
                pieces.append([])
                start = heavy
            current = heavy
        weights.append(self.sizes[start])
        return self._halved([(run[0][0], self._run(run)) for run in pieces], weights)

    def _run(self, run: list[tuple[int, int]]) -> int:
        """Return bodies in series, of which the last has mass, joined from the last to the first."""
        part, link = run[-1][1], run[-1][0]
        for previous, body in reversed(run[:-1]):
            part, link = self._append(body, part, link, True), previous
        return part

    def _halved(self, pieces: list[tuple[int, int]], weights: list[int]) -> int:
        """Return pieces (first link, part) of a path joined in pairs of about the same weight."""
        if len(pieces) == 1:
            return pieces[0][1]
        before = np.cumsum(weights[:-1])
        split = 1 + int(np.argmin(abs(sum(weights) - 2 * before)))
        first = self._halved(pieces[:split], weights[:split])
        return self._append(first, self._halved(pieces[split:], weights[split:]), pieces[split][0], True)

    def _body(self, link: int, branches: list[int]) -> int:
        """Return a body with its branches; the heaviest are joined last, near the root of the tree."""
        ordered = sorted(branches, key=lambda child: self.sizes[child])
        return self._with_branches(
            self._append(NONE, NONE, link, True), [(child, self._path(child)) for child in ordered]
        )

    def _with_branches(self, body: int, branches: list[tuple[int, int]]) -> int:
        """Return a body, or a copy of it, with branches (link, part)."""
        if len(branches) > MAX_BRANCHES:
            half = len(branches) // 2
            copy = self._with_branches(self._append(NONE, NONE, NONE, True), branches[:half])
            return self._append(self._with_branches(body, branches[half:]), copy, NONE, False)
        for link, part in branches:
            body = self._append(body, part, link, False)
        return body
