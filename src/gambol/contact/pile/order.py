"""In which order contacts take their turns, and from where to where velocities go on the way.

Contacts are coloured greedily in their own order, each with the first colour that none of its bodies has yet; the world
does not count, as it does not move. A sweep goes through the colours; each begins at a whole block of lanes, filled up
with contacts of the world with itself, which change nothing. Nothing depends on the number of lanes but these.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

HALF = 6
"""Rows of a side in the store: those of a motion."""

LEAST = 2
"""Columns: one alone would be taken for what all worlds of a program share."""


@dataclass(frozen=True)
class Order:
    """The order of some contacts.

    first, second: the bodies of each contact, 0 for the world. column: where each contact stands in a sweep. columns:
    how many there are. before: for both sides of each column where the motion of its body is in the store, as a flat
    index of its first row (2, columns). last: where each body is left (flat index), -1 without contacts.
    """

    first: Indices
    second: Indices
    column: Indices
    columns: int
    before: Array
    last: Indices
    owners: Indices

    @staticmethod
    def of(first: Indices, second: Indices, bodies: int, lanes: int) -> "Order":
        """The order of contacts between these bodies, of which there are so many with the world."""
        colour = _colours(first, second)
        column, columns = _columns(colour, lanes)
        owners = np.zeros((2, columns), np.int64)
        owners[0, column], owners[1, column] = first, second
        before, last = _chain(owners, bodies)
        return Order(first, second, column, columns, before, last, owners)

    @property
    def sides(self) -> tuple[Indices, Indices]:
        """The first and the second bodies of all columns."""
        return self.owners[0], self.owners[1]

    def laid_out(self, rows: Array | Indices, filling: float = 0.0) -> Array:
        """Rows of contacts (..., contacts) as the sweep takes them (..., columns)."""
        out = np.full((*rows.shape[:-1], self.columns), filling)
        out[..., self.column] = rows
        return out

    def taken(self, rows: Any) -> Any:
        """The contacts' rows (..., contacts) out of a sweep's."""
        return rows.take(self.column, axis=-1)

    def stored(self, velocity: Array) -> Array:
        """The store at the begin of the first sweep: each place holds its body's velocity (12, columns)."""
        return velocity[:, self.owners].transpose(1, 0, 2).reshape(2 * HALF, self.columns)

    def left(self, store: Array, velocity: Array) -> Array:
        """The bodies' velocities (6, bodies) at the end of a sweep; those without contacts as given."""
        out = velocity.copy()
        touched = np.flatnonzero(self.last >= 0)
        side, column = np.divmod(self.last[touched], self.columns)
        for row in range(HALF):
            out[row, touched] = store[HALF * side + row, column]
        return out

    def added_up(self, changes: Array, bodies: int) -> Array:
        """The changes of motion of both sides (12, columns), summed for each body (6, bodies)."""
        both = self.owners.reshape(-1)
        sums = [np.bincount(both, np.concatenate([changes[r], changes[HALF + r]]), bodies) for r in range(HALF)]
        return np.array(sums, np.float64)


def _colours(first: Indices, second: Indices) -> Indices:
    """The colour of each contact."""
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
    """The column of each contact, colour after colour, each from a whole block on; and the number of columns."""
    counts = np.bincount(colour)
    blocks = -(-counts // lanes) * lanes
    starts = np.concatenate([[0], np.cumsum(blocks)])
    sequence = np.argsort(colour, kind="stable")
    within = np.arange(len(colour)) - np.repeat(np.cumsum(counts) - counts, counts)
    column = np.empty(len(colour), np.int64)
    column[sequence] = starts[colour[sequence]] + within
    return column, max(int(starts[-1]), LEAST)


def _chain(owners: Indices, bodies: int) -> tuple[Array, Indices]:
    """For each side of each column where its body was left before, and where each body is left at the end."""
    columns = owners.shape[1]
    flat = owners.reshape(-1)
    place: Indices = np.arange(2 * columns, dtype=np.int64)
    row_start = place + (HALF - 1) * columns * (place >= columns)
    sequence = np.lexsort((place % columns, flat))
    body = flat[sequence]
    fresh = np.concatenate([[True], body[1:] != body[:-1]])
    ends = np.concatenate([fresh[1:], [True]])
    previous = np.concatenate([[0], sequence[:-1]])
    previous[fresh] = sequence[ends]
    before = np.empty(2 * columns, np.int64)
    before[sequence] = previous
    before = np.where(flat == 0, place, before)
    last = np.full(bodies, -1, np.int64)
    last[body[ends]] = sequence[ends]
    last[0] = -1
    return row_start[before].astype(np.float64).reshape(2, columns), last
