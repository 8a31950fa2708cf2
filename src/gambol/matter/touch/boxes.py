"""Pairs of boxes that overlap, by a grid of cells. [Ericson 2005, section 7.1]

A box is in each cell that it overlaps. A pair is found in one cell only: the cell of the larger of both lower bounds,
along each axis.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

MAX_CELLS = 8
"""Maximum number of cells that a box overlaps along an axis: cells are larger where some boxes are much larger than
others."""


@dataclass(frozen=True, eq=False)
class Boxes:
    """Boxes with sides along the axes: lower and upper bounds (m, 3) [m]."""

    low: Array
    high: Array

    @staticmethod
    def around(points: list[Array], corners: Indices, margin: float) -> "Boxes":
        """Return the boxes around elements at several times.

        points: positions at each time (n, 3) [m]. corners: points of each element (m, k). margin: added on all sides.
        """
        places = [x[c] for x in points for c in corners.T]
        low, high = places[0].copy(), places[0].copy()
        for place in places[1:]:
            np.minimum(low, place, out=low)
            np.maximum(high, place, out=high)
        return Boxes(low - margin, high + margin)

    def overlapping(self, other: "Boxes") -> Indices:
        """Return the pairs of boxes of these and others that overlap (p, 2), in ascending order."""
        if not len(self.low) or not len(other.low):
            return np.zeros((0, 2), np.int64)
        sizes = np.concatenate([(b.high - b.low).max(axis=1) for b in (self, other)])
        cell = max(float(np.median(sizes)), float(sizes.max()) / MAX_CELLS, 1e-12)
        origin = np.minimum(self.low.min(axis=0), other.low.min(axis=0))
        self_entries, other_entries = self._in_cells(cell, origin), other._in_cells(cell, origin)
        span = np.maximum(self_entries.cell.max(axis=0), other_entries.cell.max(axis=0)) + 1
        strides = np.array([span[1] * span[2], span[2], 1])
        order = np.argsort(other_entries.cell @ strides, kind="stable")
        ordered = (other_entries.cell @ strides)[order]
        keys = self_entries.cell @ strides
        begin, end = np.searchsorted(ordered, keys, "left"), np.searchsorted(ordered, keys, "right")
        entry = np.repeat(np.arange(len(keys)), end - begin)
        offset = np.arange(len(entry)) - np.repeat(np.cumsum(end - begin) - (end - begin), end - begin)
        match = order[begin[entry] + offset]
        a, b = self_entries.box[entry], other_entries.box[match]
        overlap = (self_entries.cell[entry] == np.maximum(self_entries.first[a], other_entries.first[b])).all(axis=1)
        overlap &= (self.low[a] <= other.high[b]).all(axis=1) & (other.low[b] <= self.high[a]).all(axis=1)
        pairs = np.stack([a[overlap], b[overlap]], axis=1)
        return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))].astype(np.int64)

    def _in_cells(self, cell: float, origin: Array) -> "CellEntries":
        first, last = (np.floor((bound - origin) / cell).astype(np.int64) for bound in (self.low, self.high))
        counts = last - first + 1
        total = counts.prod(axis=1)
        box = np.repeat(np.arange(len(first)), total)
        place = np.arange(len(box)) - np.repeat(np.cumsum(total) - total, total)
        nz, nyz = counts[box, 2], counts[box, 1] * counts[box, 2]
        shift = np.stack([place // nyz, place % nyz // nz, place % nz], axis=1)
        return CellEntries(box, first[box] + shift, first)


@dataclass(frozen=True, eq=False)
class CellEntries:
    """Boxes in cells: the box and the cell of each entry (k,), (k, 3), and the first cell of each box (m, 3)."""

    box: Indices
    cell: Indices
    first: Indices
