"""The order of contacts in a sweep by graph colouring, and the slots in which velocities are passed on.

Contacts are coloured greedily in their given order, each with the first colour that no other contact of its bodies has;
the world does not count, since it does not move. A sweep updates one colour after the other. Each colour begins at a
whole block of lanes, padded with contacts of the world with itself, which have no effect. Only this padding depends on
the number of lanes. The store has a slot for each side of each column: the velocity of its body after this contact. A
contact reads the slot that the previous contact of the same body wrote.
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
"""Minimum number of columns: a program would treat a single column as a value that all worlds share."""


@dataclass(frozen=True)
class SweepOrder:
    """The order of contacts in a sweep.

    first, second: the bodies of each contact, 0 for the world. column: column of each contact in a sweep. columns:
    number of columns. sources: for both sides of each column, the slot with the body's velocity, as the flat index of
    the slot's first row (2, columns). last: the slot with the final velocity of each body (flat index), -1 for bodies
    without contacts. owners: the two bodies of each column (2, columns).
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
        """Return the order of contacts.

        first, second: the bodies of each contact; bodies: number of bodies, including the world; lanes: lanes of a
        program.
        """
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
        """Return the columns of a sweep (..., columns) from rows of contacts (..., contacts).

        padding: value of columns without a contact.
        """
        result = np.full((*rows.shape[:-1], self.columns), padding)
        result[..., self.column] = rows
        return result

    def from_columns(self, rows: Any) -> Any:
        """Return the rows of contacts (..., contacts) from the columns of a sweep (..., columns)."""
        return rows.take(self.column, axis=-1)

    def to_store(self, velocity: Array) -> Array:
        """Return the store at the start of the first sweep (12, columns): each slot contains its body's velocity."""
        return velocity[:, self.owners].transpose(1, 0, 2).reshape(2 * MOTION_ROWS, self.columns)

    def from_store(self, store: Array, velocity: Array) -> Array:
        """Return the bodies' velocities after a sweep (6, bodies).

        velocity: velocities before the sweep (6, bodies), which bodies without contacts keep.
        """
        result = velocity.copy()
        in_contact = np.flatnonzero(self.last >= 0)
        side, column = np.divmod(self.last[in_contact], self.columns)
        for row in range(MOTION_ROWS):
            result[row, in_contact] = store[MOTION_ROWS * side + row, column]
        return result

    def body_sums(self, changes: Array, bodies: int) -> Array:
        """Return the changes of velocity of the two sides (12, columns), summed for each body (6, bodies)."""
        owners = self.owners.reshape(-1)
        sums = [
            np.bincount(owners, np.concatenate([changes[r], changes[MOTION_ROWS + r]]), bodies)
            for r in range(MOTION_ROWS)
        ]
        return np.array(sums, np.float64)


def _colours(first: Indices, second: Indices) -> Indices:
    """Return the colour of each contact."""
    # for each body, bit k is 1 while none of its contacts has colour k; all bits of -1 are 1
    free_colours: dict[int, int] = {0: -1}
    colours: list[int] = []
    for a, b in zip(first.tolist(), second.tolist(), strict=True):
        available = free_colours.get(a, -1) & free_colours.get(b, -1)
        lowest = available & -available
        colours.append(lowest.bit_length() - 1)
        if a:
            free_colours[a] = free_colours.get(a, -1) ^ lowest
        if b:
            free_colours[b] = free_colours.get(b, -1) ^ lowest
    return np.array(colours, np.int64)


def _columns(colour: Indices, lanes: int) -> tuple[Indices, int]:
    """Return the column of each contact, where each colour begins at a whole block, and the number of columns."""
    counts = np.bincount(colour)
    blocks = -(-counts // lanes) * lanes
    starts = np.concatenate([[0], np.cumsum(blocks)])
    sequence = np.argsort(colour, kind="stable")
    offset = np.arange(len(colour)) - np.repeat(np.cumsum(counts) - counts, counts)
    column = np.empty(len(colour), np.int64)
    column[sequence] = starts[colour[sequence]] + offset
    return column, max(int(starts[-1]), MIN_COLUMNS)


def _slots(owners: Indices, bodies: int) -> tuple[Array, Indices]:
    """Return the slot that each side of each column reads, and the slot with the final velocity of each body."""
    columns = owners.shape[1]
    flat = owners.reshape(-1)
    slot: Indices = np.arange(2 * columns, dtype=np.int64)
    # flat index of a slot's first row in the store (12, columns): 6 rows of the first sides, then 6 of the second ones
    row_start = slot + (MOTION_ROWS - 1) * columns * (slot >= columns)
    sequence = np.lexsort((slot % columns, flat))  # by body, then in the order of the sweep
    body = flat[sequence]
    is_first = np.concatenate([[True], body[1:] != body[:-1]])
    is_last = np.concatenate([is_first[1:], [True]])
    previous = np.concatenate([[0], sequence[:-1]])
    previous[is_first] = sequence[is_last]  # the first contact of a body reads from the sweep before
    sources = np.empty(2 * columns, np.int64)
    sources[sequence] = previous
    sources = np.where(flat == 0, slot, sources)  # a slot of the world reads itself
    last = np.full(bodies, -1, np.int64)
    last[body[is_last]] = sequence[is_last]
    last[0] = -1
    return row_start[sources].astype(np.float64).reshape(2, columns), last
