"""Jacobians column by column: the directional derivative is traced once and called for each direction.

    d f / d x_k = d/ds f(x + s e_k)

For the many unknowns of a large figure, code of all columns at once would take long to compile; this code is as long as
two or three evaluations. It also computes structural zeros, which costs a medium figure more than it saves.
"""

from collections.abc import Callable, Sequence
from typing import Any

from gambol.integrate.system import unit_vectors
from gambol.lanes import Scalar, jacobian, jvp, subprogram
from gambol.spatial.dense import Numbers, Rows, transposed

MAX_DIRECTIONS = 24
"""Degrees of freedom up to which all columns are computed at once. A linearly implicit step of a figure with 21 then
compiles in 7 s and takes 150 us (8 worlds), by columns 2 s and 240 us; one of 27, 13 s and 730 us or 4 s and 460."""


def value_and_jacobian(
    function: Callable[[Numbers], Any], x: Sequence[Scalar], freedoms: int | None = None
) -> tuple[Numbers, Rows]:
    """Return the value and the Jacobian (rows) of a function at x, as jacobian() does.

    function: of a list of scalars; x: the list; freedoms: degrees of freedom that decide between all columns at once
    and column by column; None: the number of unknowns.
    """
    if (freedoms or len(x)) <= MAX_DIRECTIONS:
        return jacobian(function, x)

    @subprogram
    def along(at: Numbers, direction: Numbers) -> tuple[Numbers, Numbers]:
        return jvp(function, at, direction)

    pairs = [along(list(x), unit) for unit in unit_vectors(len(x))]
    return pairs[0][0], transposed(column for _, column in pairs)


def linear_matrix(function: Callable[[Numbers], Numbers], n: int) -> Rows:
    """Return the matrix of a linear function of n unknowns, as rows."""
    if n <= MAX_DIRECTIONS:
        return jacobian(function, [0.0] * n)[1]
    return transposed(function(list[Scalar](unit)) for unit in unit_vectors(n))
