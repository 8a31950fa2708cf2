"""The order in which coupled constraint rows are eliminated, so that their matrix L stays sparse.

    block       the rows between the same links, or all rows of a small group of coupled rows
    next        the block that is coupled to the fewest rows, in the L that remains after the previous eliminations

Eliminating a block couples all rows that it was coupled to. For a chain of loops, in which every loop shares a link
with the next one, no couplings are added, and the cost is linear in the number of loops. [Tinney and Walker 1967:
minimum degree] Within a block the rows with the largest pivots come first (semidefinite.py); the order of the blocks is
fixed when a program is traced. Rows that depend on rows of earlier blocks get the multiplier 0, as within a block.
"""

from collections.abc import Mapping, Sequence

from gambol.dynamics.loops.relations.row import Row
from gambol.lanes import Scalar
from gambol.spatial.rotation import is_constant

MAX_DENSE_ROWS = 6
"""Maximum number of coupled rows in one block, in which the best pivot of all rows comes first: as many as for three
loops in a plane. The cost of a block grows with the cube of its rows."""

SparseMatrix = Sequence[Mapping[int, Scalar]]
"""A symmetric matrix: the entries of each row that may differ from 0, by column."""


def row_blocks(group: Sequence[int], rows: Sequence[Row], L: SparseMatrix) -> list[list[int]]:
    """Return the indices of a group of rows in blocks, each of which is eliminated in one operation."""
    return [block for coupled in _coupled_groups(group, L) for block in _split(coupled, rows)]


def least_coupled(blocks: Sequence[Sequence[int]], L: SparseMatrix) -> int:
    """Return the position of the first block that is coupled to the fewest other rows."""
    return min(range(len(blocks)), key=lambda n: len(coupled_rows(blocks[n], L)))


def coupled_rows(block: Sequence[int], L: SparseMatrix) -> list[int]:
    """Return the indices of the rows outside a block that are coupled to one of its rows, in ascending order."""
    return sorted({o for e in block for o, x in L[e].items() if not is_constant(x, 0.0)}.difference(block))


def _coupled_groups(group: Sequence[int], L: SparseMatrix) -> list[list[int]]:
    """Return a group split into parts that L does not couple, neither directly nor through other rows of the group."""
    remaining, parts = dict.fromkeys(group), list[list[int]]()
    while remaining:
        part = [next(iter(remaining))]
        del remaining[part[0]]
        for e in part:  # rows that are appended here are visited, too
            reached = [o for o in coupled_rows([e], L) if o in remaining]
            part += reached
            for o in reached:
                del remaining[o]
        parts.append(sorted(part))
    return parts


def _split(coupled: list[int], rows: Sequence[Row]) -> list[list[int]]:
    """Return coupled rows as one block, or if these are too many, as a block for each set of links and joints."""
    if len(coupled) <= MAX_DENSE_ROWS:
        return [coupled]
    blocks: dict[tuple[frozenset[int], frozenset[int]], list[int]] = {}
    for e in coupled:
        blocks.setdefault((frozenset(rows[e].forces), frozenset(rows[e].joints)), []).append(e)
    return list(blocks.values())
