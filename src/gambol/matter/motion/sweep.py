"""Gauss-Seidel sweeps over constraints in a fixed order: lanes of one colour share no point.

There is no table of points. Each corner of each constraint has a slot for the position of its point; a constraint reads
from the slot of the previous constraint of the point, and writes to its own slot. The slots are an output and a table
of the program, and blocks run in order. [Mueller et al. 2007; gambol.rigid.order, for contacts]
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.lanes.program import MAX_LANES

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Sweep:
    """The order of a sweep.

    column: column of each constraint (m,). owners: point of each slot (corners, columns), -1 for empty slots. sources:
    start of the slot that each slot is read from (corners, columns). points: points with a slot (p,). last: start of
    the slot with the final position of each. columns: full blocks for each colour, for any number of lanes.
    """

    column: Indices
    owners: Indices
    sources: Array
    points: Indices
    last: Indices
    columns: int

    @staticmethod
    def of(corners: Indices) -> "Sweep":
        """Return the order for constraints with corners (m, k), point indices."""
        count, width = corners.shape
        column, columns = _columns(_colours(corners))
        owners = np.full((width, columns), -1, np.int64)
        owners[:, column] = corners.T
        corner, place = np.divmod(np.arange(int(width) * columns), columns)
        starts = 3 * corner * columns + place
        flat: Indices = owners.ravel()
        order = np.lexsort((place, flat))
        order = order[flat[order] >= 0]
        point = flat[order]
        is_first = np.concatenate([[True], point[1:] != point[:-1]]) if count else np.zeros(0, bool)
        is_last: NDArray[np.bool_] = np.concatenate([is_first[1:], [True]]) if count else is_first
        previous = np.concatenate([order[-1:], order[:-1]])
        previous[is_first] = order[is_last]  # a second sweep continues where the first one ended
        sources = starts.astype(float)
        sources[order] = starts[previous]
        return Sweep(column, owners, sources.reshape(width, columns), point[is_last], starts[order[is_last]], columns)

    def rows(self, values: Array) -> Array:
        """Return numbers of constraints (rows, m) by column (rows, columns), 0 in empty columns."""
        result = np.zeros((len(values), self.columns))
        result[:, self.column] = values
        return result

    def point_rows(self, values: Array) -> Array:
        """Return numbers of points (k, N) for each slot (corners k, columns), 0 in empty slots."""
        slot_values = np.where(self.owners >= 0, values[:, self.owners], 0.0)
        return np.ascontiguousarray(slot_values.transpose(1, 0, 2)).reshape(-1, self.columns)

    def write_back(self, store: Array, x: Array) -> None:
        """Set the positions of points (3, N), in place, from the slots (3 corners, columns)."""
        flat = store.reshape(-1)
        for c in range(3):
            x[c, self.points] = flat[self.last + c * self.columns]


def _colours(corners: Indices) -> Indices:
    """Return the colour of each constraint: the lowest colour that none of its points has yet."""
    used: dict[int, int] = {}
    colours: list[int] = []
    for points in corners.tolist():
        taken = 0
        for point in points:
            taken |= used.get(point, 0)
        lowest = ~taken & (taken + 1)
        colours.append(lowest.bit_length() - 1)
        for point in points:
            used[point] = used.get(point, 0) | lowest
    return np.array(colours, np.int64)


def _columns(colours: Indices) -> tuple[Indices, int]:
    """Return the column of each constraint, where each colour begins with a whole block, and the number of columns."""
    counts = np.bincount(colours, minlength=1)
    blocks = -(-counts // MAX_LANES) * MAX_LANES
    starts = np.concatenate([[0], np.cumsum(blocks)])
    order = np.argsort(colours, kind="stable")
    offset = np.arange(len(colours)) - np.repeat(np.cumsum(counts) - counts, counts)
    column = np.empty(len(colours), np.int64)
    column[order] = starts[colours[order]] + offset
    return column, max(int(starts[-1]), MAX_LANES)
