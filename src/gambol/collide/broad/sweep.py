"""Sweep and prune: pairs of overlapping boxes, by sorting along one axis. [Cohen et al. 1995; Ericson 2005, 7.5]

The axis is the one along which the boxes' centres vary most. A box can only overlap boxes that begin before it ends.
The sort starts with the order of the last call: NumPy's stable sort of floats is nearly linear if bodies move little.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(slots=True)
class Sweep:
    """The state of sweep and prune between calls. It makes the next call faster; the pairs do not depend on it.

    order: the bodies, sorted by the lower ends of their boxes along the axis of the last call.
    """

    order: Ints = field(default_factory=lambda: np.zeros(0, np.int64))

    def pairs(self, lower: Floats, upper: Floats) -> Ints:
        """Return the sorted pairs (m, 2) of indices of bodies whose boxes overlap or touch, the lower index first.

        lower, upper: corners of each body's axis-aligned box, (n, 3) [m]; infinite ones are allowed. A box with a NaN,
        or with a lower corner above its upper corner, overlaps nothing. Raises WorldError for arrays of other shapes.
        """
        if lower.ndim != 2 or lower.shape[1] != 3 or lower.shape != upper.shape:
            raise WorldError(f"boxes need corners of shape (n, 3) each, not {lower.shape} and {upper.shape}")
        axis = widest_axis(lower, upper)
        if len(self.order) != len(lower):
            self.order = np.arange(len(lower))
        self.order = self.order[np.argsort(lower[self.order, axis], kind="stable")]
        first, second = _candidates(lower[self.order, axis], upper[self.order, axis])
        a, b = self.order[first], self.order[second]
        valid = np.all(lower <= upper, axis=1)
        overlap = np.all((lower[a] <= upper[b]) & (lower[b] <= upper[a]), axis=1) & valid[a] & valid[b]
        return _sorted(np.stack([a[overlap], b[overlap]], axis=1))


def widest_axis(lower: Floats, upper: Floats) -> int:
    """Return the axis along which the centres of finite boxes vary most, the first of several; x if none is finite."""
    finite = np.isfinite(lower).all(axis=1) & np.isfinite(upper).all(axis=1)
    if not finite.any():
        return 0
    return int(np.argmax(np.var((lower[finite] + upper[finite]) / 2, axis=0)))


def _candidates(low: Floats, high: Floats) -> tuple[Ints, Ints]:
    """Return pairs of boxes, as indices in the order of lower ends: the second begins before the first ends."""
    indices = np.arange(len(low))
    ends = np.maximum(np.searchsorted(low, high, side="right"), indices + 1)
    counts = ends - indices - 1
    first = np.repeat(indices, counts)
    offsets = np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
    return first, first + 1 + offsets


def _sorted(pairs: Ints) -> Ints:
    ordered = np.sort(pairs, axis=1)
    return ordered[np.lexsort((ordered[:, 1], ordered[:, 0]))]
