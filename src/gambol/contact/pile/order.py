"""The order of contacts in a sweep by graph colouring, and the slots in which velocities are passed on.

Contacts are coloured greedily in the order in which they come, each with the first colour that none of its bodies has
yet; the world does not count, since it does not move. A sweep goes through the colours; each begins at a whole block of
lanes, padded with contacts of the world with itself, which change nothing. Only this padding depends on the number of
lanes. The store has a slot for each side of each column: the velocity of its body after this contact. A contact reads
the slot that the previous contact of the same body wrote.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

MOTION_ROWS = 6
"""Rows of one side in the store: the components of a spatial velocity."""

MIN_COLUMNS = 2
"""Least number of columns: a program would treat a single one as a value that all worlds share."""


@dataclass(frozen=True)
class SweepOrder:
    """The order of some contacts in a sweep.

    first, second: the bodies of each contact, 0 for the world. column: of each contact in a sweep. columns: their
    number. sources: for both sides of each column, the slot from which its body's velocity is read, as the flat index
    of its first row (2, columns). last: the slot with the final velocity of each body (flat index), -1 without
    contacts. owners: both bodies of each column.
    """

    first: Indices
    second: Indices
    column: Indices
    columns: int
    sources: Array
    last: Indices
    owners: Indices

    @staticmethod
    def of(first: Indices, second: Indices, bodies: int, lanes: int) -> "SweepOrder":
        """Return the order of contacts between bodies; bodies: their number with the world; lanes: of a program."""
        colour = _colours(first, second)
        column, columns = _columns(colour, lanes)
        owners = np.zeros((2, columns), np.int64)
        owners[0, column], owners[1, column] = first, second
        sources, last = _slots(owners, bodies)
        return SweepOrder(first, second, column, columns, sources, last, owners)

    @property
    def sides(self) -> tuple[Indices, Indices]:
        """The first and the second bodies of all columns."""
        return self.owners[0], self.owners[1]

    def to_columns(self, rows: Array | Indices, padding: float = 0.0) -> Array:
        """Return rows of contacts (..., contacts) in the columns of a sweep (..., columns); padding: of others."""
        out = np.full((*rows.shape[:-1], self.columns), padding)
        out[..., self.column] = rows
        return out

    def from_columns(self, rows: Any) -> Any:
        """Return the rows of contacts (..., contacts) from the columns of a sweep (..., columns)."""
        return rows.take(self.column, axis=-1)

    def to_store(self, velocity: Array) -> Array:
        """Return the store at the start of the first sweep: each slot holds its body's velocity (12, columns)."""
        return velocity[:, self.owners].transpose(1, 0, 2).reshape(2 * MOTION_ROWS, self.columns)

    def from_store(self, store: Array, velocity: Array) -> Array:
        """Return the bodies' velocities (6, bodies) after a sweep; velocity: before it, of bodies without contacts."""
        out = velocity.copy()
        touched = np.flatnonzero(self.last >= 0)
        side, column = np.divmod(self.last[touched], self.columns)
        for row in range(MOTION_ROWS):
            out[row, touched] = store[MOTION_ROWS * side + row, column]
        return out

    def body_sums(self, changes: Array, bodies: int) -> Array:
        """Return the changes of velocity of both sides (12, columns), summed for each body (6, bodies)."""
        both = self.owners.reshape(-1)
        sums = [
            np.bincount(both, np.concatenate([changes[r], changes[MOTION_ROWS + r]]), bodies)
            for r in range(MOTION_ROWS)
        ]
        return np.array(sums, np.float64)


def _colours(first: Indices, second: Indices) -> Indices:
    """Return the colour of each contact."""
    free: dict[int, int] = {0: -1}
    colours: list[int] = []
    for a, b in zip(first.tolist(), second.tolist(), strict=True):
        both = free.get(a, -1) & free.get(b, -1)
        lowest = both & -both
        colours.append(lowest.bit_length() - 1)
        if a:
            free[a] = free.get(a, -1) ^ lowest
        if b:
            free[b] = free.get(b, -1) ^ lowest
    return np.array(colours, np.int64)


def _columns(colour: Indices, lanes: int) -> tuple[Indices, int]:
    """Return the column of each contact, where each colour begins at a whole block, and the number of columns."""
    counts = np.bincount(colour)
    blocks = -(-counts // lanes) * lanes
    starts = np.concatenate([[0], np.cumsum(blocks)])
    sequence = np.argsort(colour, kind="stable")
    within = np.arange(len(colour)) - np.repeat(np.cumsum(counts) - counts, counts)
    column = np.empty(len(colour), np.int64)
    column[sequence] = starts[colour[sequence]] + within
    return column, max(int(starts[-1]), MIN_COLUMNS)


def _slots(owners: Indices, bodies: int) -> tuple[Array, Indices]:
    """Return the slot that each side of each column reads, and the slot with the final velocity of each body."""
    columns = owners.shape[1]
    flat = owners.reshape(-1)
    place: Indices = np.arange(2 * columns, dtype=np.int64)
    row_start = place + (MOTION_ROWS - 1) * columns * (place >= columns)
    sequence = np.lexsort((place % columns, flat))
    body = flat[sequence]
    is_first = np.concatenate([[True], body[1:] != body[:-1]])
    is_last = np.concatenate([is_first[1:], [True]])
    previous = np.concatenate([[0], sequence[:-1]])
    previous[is_first] = sequence[is_last]
    sources = np.empty(2 * columns, np.int64)
    sources[sequence] = previous
    sources = np.where(flat == 0, place, sources)
    last = np.full(bodies, -1, np.int64)
    last[body[is_last]] = sequence[is_last]
    last[0] = -1
    return row_start[sources].astype(np.float64).reshape(2, columns), last
