"""A diagonal lower bound S of the inertia that acts at some degrees of freedom, while all others move freely.

    S_k = 1 / sum_j |(M^-1)_kj|        x^T S x <= x^T (P M^-1 P^T)^-1 x        P: onto these degrees of freedom

M is the mass matrix. The bound holds since no eigenvalue of S P M^-1 P^T exceeds its largest sum of absolute values in
a row, which is 1. [Horn and Johnson 2012, theorem 5.6.9]

An entry of M^-1 is the product of two columns of D^(-1/2) L^-T. Columns of different branches of the tree have the same
nonzero rows in common, those of the trunk. So entries between branches are loops over memory if there are many.
"""

from collections.abc import Sequence
from itertools import pairwise

from gambol.dynamics.forward.systems import Factors
from gambol.lanes import Array, Index, Scalar, array, fori, is_tracing, sqrt
from gambol.spatial.rotation import is_constant

MIN_ROLLED_ENTRIES = 400
"""Entries between branches from which on a trace has loops: the roach has 465, and 3,500 operations less with them."""


def diagonal_bound(factors: Factors, freedoms: Sequence[int]) -> list[Scalar]:
    """Return the diagonal of S; factors: factors of M; freedoms: indices of the degrees of freedom."""
    n, scales = len(factors.D_inverse), [sqrt(x) for x in factors.D_inverse]
    columns = [_column(factors, scales, [1.0 if k == freedom else 0.0 for k in range(n)]) for freedom in freedoms]
    shared = sorted(set(columns[0]).intersection(*columns)) if columns else []
    branches = list(pairwise([*_branches(columns, len(shared)), len(columns)]))
    between = sum(first * (last - first) for first, last in branches)
    rolled = bool(shared) and between >= MIN_ROLLED_ENTRIES and is_tracing()
    memory = array([column[k] for column in columns for k in shared]) if rolled else None
    sums = array([0.0] * len(columns)) if rolled else Array([0.0] * len(columns))
    for first, last in branches:
        if memory is not None:
            _add_between(sums, memory, len(shared), first, last)
        for i in range(first, last):
            for j in range(first if rolled else 0, i + 1):
                entry = abs(sum((x * columns[j][k] for k, x in columns[i].items() if k in columns[j]), 0.0))
                sums[i] = sums[i] + entry
                if j < i:
                    sums[j] = sums[j] + entry
    return [1.0 / sums[i] for i in range(len(columns))]


def _branches(columns: Sequence[dict[int, Scalar]], shared: int) -> list[int]:
    """Return the first column of each branch. Columns of two branches have only `shared` rows in common."""
    starts: list[int] = []
    for i, column in enumerate(columns):
        related = next((j for j in range(i) if len(column.keys() & columns[j].keys()) > shared), i)
        starts = [k for k in starts if k <= related] + ([i] if related == i else [])
    return starts


def _add_between(sums: Array, memory: Array, width: int, first: int, last: int) -> None:
    """Add the entries between the columns from first to last - 1 and all earlier ones to the sums.

    memory: the common rows of each column; width: their number.
    """

    def row(i: Index, _: Scalar) -> None:
        column = memory.slice(i * width, width)

        def add(j: Index, total: Scalar) -> Scalar:
            entry = abs(sum((x * y for x, y in zip(column, memory.slice(j * width, width), strict=True)), 0.0))
            sums[j] = sums[j] + entry
            return total + entry

        sums[i] = fori(0, first, add, sums[i])

    fori(first, last, row)


def _column(factors: Factors, scales: Sequence[Scalar], unit: Sequence[Scalar]) -> dict[int, Scalar]:
    """Return D^(-1/2) L^-T e of a unit vector e, without zeros: their products are the entries of M^-1."""
    y = factors.inward(unit)
    return {k: x * scale for k, (x, scale) in enumerate(zip(y, scales, strict=True)) if not is_constant(x, 0.0)}
