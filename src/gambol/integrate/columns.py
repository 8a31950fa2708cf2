"""Jacobians column by column: the directional derivative is traced once and called for each direction.

    d f / d x_k = d/ds f(x + s e_k)

Code for all columns in one pass takes long to compile for large figures; this code is as long as two or three
evaluations of f. But it also computes structural zeros, so for medium figures it is slower.
"""

from collections.abc import Callable, Sequence
from typing import Any

from gambol.integrate.system import unit_vectors
from gambol.lanes import Scalar, jacobian, jvp, subprogram
from gambol.spatial.dense import Numbers, Rows, transposed

MAX_DIRECTIONS = 24
"""Maximum number of degrees of freedom for which all columns are computed in one pass. A linearly implicit step of 8
worlds with 21 degrees of freedom compiles in 7 s and runs in 150 us (column by column: 2 s and 240 us); with 27 it
compiles in 13 s and runs in 730 us (column by column: 4 s and 460 us).
"""


def value_and_jacobian(
    function: Callable[[Numbers], Any], x: Sequence[Scalar], freedoms: int | None = None
) -> tuple[Numbers, Rows]:
    """Return the value and the Jacobian (rows) of a function at x, as jacobian() does.

    function: function of a list of scalars; x: the list; freedoms: degrees of freedom, compared with MAX_DIRECTIONS to
    choose the method; None: the number of unknowns.
    """
    if (freedoms or len(x)) <= MAX_DIRECTIONS:
        return jacobian(function, x)

    @subprogram
    def directional_derivative(point: Numbers, direction: Numbers) -> tuple[Numbers, Numbers]:
        return jvp(function, point, direction)

    pairs = [directional_derivative(list(x), unit) for unit in unit_vectors(len(x))]
    return pairs[0][0], transposed(column for _, column in pairs)


def linear_matrix(function: Callable[[Numbers], Numbers], n: int) -> Rows:
    """Return the matrix, as rows, of a linear function of n unknowns.

    Above MAX_DIRECTIONS unknowns it is called with each unit vector; a Subprogram in it is then traced only once.
    """
    if n <= MAX_DIRECTIONS:
        return jacobian(function, [0.0] * n)[1]
    return transposed(function(list[Scalar](unit)) for unit in unit_vectors(n))
