"""The order of contacts in a sweep by graph colouring, and the slots in which velocities are passed on.

Contacts are coloured greedily in their given order, each with the first colour that no other contact of its bodies has;
the world does not count, since it does not move. A sweep updates one colour after the other. Each colour begins at a
whole block of lanes, padded with contacts of the world with itself, which have no effect. Only this padding depends on
the number of lanes. The store has a slot for each side of each column: the velocity of its body after this contact. A
contact reads the slot that the previous contact of the same body wrote. Behind the slots, the store has the initial
velocity of each body: in the first sweep, the first contact of a body reads from there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import edge_colours

Array = NDArray[Any]
Indices = NDArray[np.int64]

BLOCK_COST = {1: 0.55, 4: 0.65}
"""Computing time of a block of few lanes, relative to one of all lanes of a register: 141, 165 and 255 ns for 1, 4 and
8 lanes in float64."""


@dataclass(frozen=True, eq=False)
class SweepOrder:
    """The order of contacts in a sweep.

    first, second: the bodies of each contact, 0 for the world. column: column of each contact in a sweep. columns:
    number of columns. owners: the two bodies of each column (2, columns). starts: first column of each colour, and the
    number of columns.
    """

    first: Indices
    second: Indices
    column: Indices
    columns: int
    owners: Indices
    starts: Indices

    @staticmethod
    def of(first: Indices, second: Indices, bodies: int, lanes: Sequence[int]) -> "tuple[SweepOrder, int]":
        """Return the order of contacts, and the number of lanes for which it is made.

        first, second: the bodies of each contact; bodies: number of bodies, including the world; lanes: numbers of
        lanes to choose from, the largest last. Where colours are small, fewer lanes take less time.
        """
        colour = edge_colours(first, second, bodies)
        counts = np.bincount(colour)
        width = suitable_lanes(counts, lanes)
        column, starts = columns_of(colour, counts, width)
        columns = max(int(starts[-1]), width)
        owners = np.zeros((2, columns), np.int64)
        owners[0, column], owners[1, column] = first, second
        return SweepOrder(first, second, column, columns, owners, starts), width

    @staticmethod
    def plain(first: Indices, second: Indices, lanes: int) -> "SweepOrder":
        """Return the given order, without colours."""
        columns, column = max(lanes, -(-len(first) // lanes) * lanes), np.arange(len(first))
        owners = np.zeros((2, columns), np.int64)
        owners[0, : len(first)], owners[1, : len(first)] = first, second
        return SweepOrder(first, second, column, columns, owners, np.array([0, columns]))

    @property
    def sides(self) -> tuple[Indices, Indices]:
        """The first and the second bodies of all columns."""
        return self.owners[0], self.owners[1]

    def to_columns(self, rows: Array | Indices, padding: float = 0.0) -> Array:
        """Return the columns of a sweep (..., columns) from rows of contacts (..., contacts).

        padding: value of columns without a contact.
        """
        result = np.full((*rows.shape[:-1], self.columns), padding, rows.dtype)
        result[..., self.column] = rows
        return result

    def from_columns(self, rows: Any) -> Any:
        """Return the rows of contacts (..., contacts) from the columns of a sweep (..., columns)."""
        return rows.take(self.column, axis=-1)


def suitable_lanes(counts: Indices, lanes: Sequence[int]) -> int:
    """Return the number of lanes with which a sweep takes the least time.

    counts: numbers of contacts, or of joints, of each colour; lanes: numbers of lanes to choose from, the largest last.
    """
    cost = {n: float((-(-counts // n)).sum()) * BLOCK_COST.get(n if n != lanes[-1] else 0, 1.0) for n in lanes}
    return min(lanes, key=lambda n: cost[n])


def columns_of(colour: Indices, counts: Indices, lanes: int) -> tuple[Indices, Indices]:
    """Return the column of each contact, where each colour begins at a whole block, and where colours begin and end."""
    blocks = -(-counts // lanes) * lanes
    starts = np.concatenate([[0], np.cumsum(blocks)])
    sequence = np.argsort(colour, kind="stable")
    offset = np.arange(len(colour)) - np.repeat(np.cumsum(counts) - counts, counts)
    column = np.empty(len(colour), np.int64)
    column[sequence] = starts[colour[sequence]] + offset
    return column, starts


def are_equal(a: Array, b: Array) -> bool:
    """Return True for equal arrays; np.array_equal takes twice as long for small ones."""
    return a.shape == b.shape and bool((a == b).all())
