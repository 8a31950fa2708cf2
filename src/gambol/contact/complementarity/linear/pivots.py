"""Exchange of two variables of a linear system, chosen at run time: a pivot that may differ between lanes.

    y = T x, y_r and x_c exchanged:   T' = T - (T e_c + e_r) (e_r^T T - e_c^T) / T_rc      [Tucker 1960]

The pivot row and column are given by one-hot vectors, so that the code of a pivot is recorded once.
"""

from collections.abc import Sequence

from gambol.lanes import Scalar, where
from gambol.spatial.dense import Numbers, Rows, dot


def one_hot(index: Scalar, n: int) -> Numbers:
    """Return n numbers: 1 at an index, 0 elsewhere; all 0 if the index is outside."""
    return [where(index == float(k), 1.0, 0.0) for k in range(n)]


def selected_row(indicator: Sequence[Scalar], rows: Sequence[Sequence[Scalar]]) -> Numbers:
    """Return the row that a one-hot vector selects."""
    return [dot(indicator, column) for column in zip(*rows, strict=True)]


def exchanged(T: Rows, row_indicator: Sequence[Scalar], column_indicator: Sequence[Scalar]) -> Rows:
    """Return the system after the exchange of a row's and a column's variables; the same system if the pivot is 0.

    T: the table; row_indicator, column_indicator: one-hot vectors of the pivot. T may have more columns than
    column_indicator has entries: these are never exchanged.
    """
    indicator = [*column_indicator, *[0.0] * (len(T[0]) - len(column_indicator))]
    column, row = [dot(x, indicator) for x in T], selected_row(row_indicator, T)
    pivot = dot(row, indicator)
    scale = where(pivot == 0.0, 0.0, 1.0 / where(pivot == 0.0, 1.0, pivot))
    column_factor = [(c + r) * scale for c, r in zip(column, row_indicator, strict=True)]
    row_difference = [x - c for x, c in zip(row, indicator, strict=True)]
    return [
        [x - factor * y for x, y in zip(table_row, row_difference, strict=True)]
        for table_row, factor in zip(T, column_factor, strict=True)
    ]


def smallest(numbers: Sequence[Scalar], bound: Scalar) -> tuple[Scalar, Scalar]:
    """Return the smallest number and its index; the first one if several are equal.

    If no number is below the bound, return the bound and -1.
    """
    value, index = bound, -1.0
    for k, x in enumerate(numbers):
        below = x < value
        value, index = where(below, x, value), where(below, float(k), index)
    return value, index
