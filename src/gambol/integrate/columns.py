"""Jacobians one column at a time: the derivative along any one direction is recorded once, and called for each.

    d f / d x_k = d/ds f(x + s e_k)

For the many unknowns of a large figure the code of all columns at once would be long in compiling; this is as long as
two or three evaluations. It computes also what is known to be zero, which costs a middling figure more than it saves.
"""

from collections.abc import Callable, Sequence
from typing import Any

from gambol.integrate.system import units
from gambol.lanes import Scalar, directional, jacobian, subprogram
from gambol.spatial.dense import Numbers, Rows, transposed

MOST_AT_ONCE = 24
"""Degrees of freedom up to which a Jacobian is taken all at once. A linearly implicit step of a figure with 21 then
compiles for 7 s and takes 150 us (8 worlds), by columns 2 s and 240 us; one of 27, 13 s and 730 us or 4 s and 460."""


def slopes(
    function: Callable[[Numbers], Any], x: Sequence[Scalar], freedoms: int | None = None
) -> tuple[Numbers, Rows]:
    """What a function gives at x, and the rows of its first derivatives there, as by jacobian().

    freedoms: of the figure it is about; None: as many as there are unknowns.
    """
    if (freedoms or len(x)) <= MOST_AT_ONCE:
        return jacobian(function, x)

    @subprogram
    def along(at: Numbers, direction: Numbers) -> tuple[Numbers, Numbers]:
        return directional(function, at, direction)

    found = [along(list(x), unit) for unit in units(len(x))]
    return found[0][0], transposed(column for _, column in found)


def matrix(function: Callable[[Numbers], Numbers], n: int) -> Rows:
    """The matrix of a linear function of n unknowns, as rows."""
    if n <= MOST_AT_ONCE:
        return jacobian(function, [0.0] * n)[1]
    return transposed(function(list[Scalar](unit)) for unit in units(n))
