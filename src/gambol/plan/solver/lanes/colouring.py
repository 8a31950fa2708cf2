"""Colouring: groups of columns of a sparse matrix that one directional derivative separates.

Columns of one colour have no row in common, so each entry of the product of the matrix with their sum is one entry of
the matrix. [Curtis, Powell & Reid 1974]
"""

from collections.abc import Sequence

Entries = Sequence[tuple[int, int]]


def colours_of(entries: Entries, columns: int) -> list[int]:
    """Return the colour of each column, from 0, chosen greedily. entries: (row, column) of a sparse matrix."""
    rows_of: list[int] = [0] * columns  # a bit for each row
    for row, column in entries:
        rows_of[column] |= 1 << row
    taken: list[int] = []  # the rows of each colour
    colours: list[int] = []
    for rows in rows_of:
        colour = next((k for k, other in enumerate(taken) if not other & rows), len(taken))
        if colour == len(taken):
            taken.append(0)
        taken[colour] |= rows
        colours.append(colour)
    return colours


def symmetric(lower: Entries) -> list[tuple[int, int]]:
    """Return all entries of a symmetric matrix from its lower triangle."""
    return [*lower, *((j, i) for i, j in lower if i != j)]
