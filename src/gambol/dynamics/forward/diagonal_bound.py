"""A diagonal lower bound S of the inertia that acts at some degrees of freedom, while all others move freely.

    S_k = 1 / sum_j |(M^-1)_kj|        x^T S x <= x^T (P M^-1 P^T)^-1 x        P: onto these degrees of freedom

M is the mass matrix. The bound holds since no eigenvalue of S P M^-1 P^T exceeds its largest sum of absolute values in
a row, which is 1. [Horn and Johnson 2012, theorem 5.6.9]

An entry of M^-1 is the product of two columns of D^(-1/2) L^-T. Columns of different branches of the tree have the same
nonzero rows in common, those of the trunk. So entries between branches are loops over memory if there are many. In
short programs branches of equal size are a loop, too.
"""

from collections.abc import Sequence
from functools import partial
from itertools import groupby, pairwise
from typing import Any

from gambol.dynamics.forward.systems import Factors
from gambol.lanes import Array, Index, Scalar, array, declare_alike, empty, fori, is_short, is_traced, is_tracing, sqrt
from gambol.spatial.rotation import is_constant

MIN_ROLLED_ENTRIES = 400
"""Entries between branches from which on a trace has loops: the roach has 465, and 3,500 operations less with them."""


MIN_ALIKE_BRANCHES = 3
"""Number of branches of equal size that are a loop in a short program: six take 900 operations less."""


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
    families = [list(run) for _, run in groupby(branches, key=partial(_shape, columns, shared))]
    for family in families:
        is_loop = len(family) >= MIN_ALIKE_BRANCHES and _shape(columns, shared, family[0])[2]
        if memory is not None and is_short() and len(shared) > 1 and is_loop:
            _add_alike(sums, memory, shared, columns, family)
            continue
        for first, last in family:
            if memory is not None:
                _add_between(sums, memory, len(shared), first, last)
            for i in range(first, last):
                for j in range(first if rolled else 0, i + 1):
                    entry = abs(sum((x * columns[j][k] for k, x in columns[i].items() if k in columns[j]), 0.0))
                    sums[i] = sums[i] + entry
                    if j < i:
                        sums[j] = sums[j] + entry
    bounds = [1.0 / sums[i] for i in range(len(columns))]
    if is_short():
        for family in families:
            declare_alike([bounds[first:last] for first, last in family])
    return bounds


def _shape(columns: Sequence[dict[int, Scalar]], shared: Sequence[int], branch: tuple[int, int]) -> Any:
    """Return the number of columns of a branch, the number of its own rows, and whether it can be in a loop.

    A loop fuses the first product of a sum, and each product with a number in memory. So no column begins with a
    negation, and constants are in the last row of their column only, which is multiplied with itself alone.
    """
    own = columns[slice(*branch)]
    constant = [(column, k) for column in own for k, x in column.items() if not is_traced(x)]
    fits = (
        not any(_is_negation(column[k]) for column in own for k in shared[:1])
        and all(k == max(column) for column, k in constant)
        and len({k for _, k in constant}) == len(constant)
    )
    return len(own), len(_own_rows(own, shared)), fits


def _is_negation(x: Scalar) -> bool:
    return is_traced(x) and x.op.name == "neg"


def _own_rows(columns: Sequence[dict[int, Scalar]], shared: Sequence[int]) -> list[int]:
    """Return the rows of a branch's columns that are not those of the trunk."""
    return sorted({k for column in columns for k in column} - set(shared))


def _add_alike(
    sums: Array,
    memory: Array,
    shared: Sequence[int],
    columns: Sequence[dict[int, Scalar]],
    family: Sequence[tuple[int, int]],
) -> None:
    """Add the entries of branches of one shape, by a loop: those with all earlier columns, then their own.

    memory: as for _add_between(). The columns' own rows are in memory with zeros, which add nothing; of a constant, its
    square is, which was rounded.
    """
    start, (size, height, _), width = family[0][0], _shape(columns, shared, family[0]), len(shared)
    own, squares = empty(len(family) * size * height), array([0.0] * (len(family) * size))
    fori(0, len(family) * size * height, lambda k, _: own.write(k, [0.0]))
    for first, last in family:
        rows = _own_rows(columns[first:last], shared)
        for i in range(first, last):
            for k, x in columns[i].items():
                if not is_traced(x):
                    squares[i - start] = x * x
                elif k in rows:
                    own[(i - start) * height + rows.index(k)] = x

    def column(i: Index) -> list[Scalar]:
        return memory.slice(i * width, width) + own.slice((i - start) * height, height)

    def branch(b: Index, _: Any) -> None:
        first = b * size + start
        _add_between(sums, memory, width, first, first + size)

        def row(n: Index, _: Any) -> None:
            i = first + n
            numbers = column(i)

            def add(j: Index, total: Scalar) -> Scalar:
                entry = abs(sum((x * y for x, y in zip(numbers, column(j), strict=True)), 0.0))
                sums[j] = sums[j] + entry
                return total + entry

            total = fori(first, i, add, sums[i])
            sums[i] = total + abs(sum((x * x for x in numbers), 0.0) + squares[i - start])

        fori(0, size, row)

    fori(0, len(family), branch)


def _branches(columns: Sequence[dict[int, Scalar]], shared: int) -> list[int]:
    """Return the first column of each branch. Columns of two branches have only `shared` rows in common."""
    starts: list[int] = []
    for i, column in enumerate(columns):
        related = next((j for j in range(i) if len(column.keys() & columns[j].keys()) > shared), i)
        starts = [k for k in starts if k <= related] + ([i] if related == i else [])
    return starts


def _add_between(sums: Array, memory: Array, width: int, first: int | Index, last: int | Index) -> None:
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
