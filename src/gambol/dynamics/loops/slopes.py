"""Derivatives of how a figure with closed loops accelerates, from those of its tree and of the rows that tie it.

    M v' + h - J^T lambda = tau      J v' + g = 0        F, L: how the left sides change while v' and lambda are held
    d v' = B (J y - L) - y           y = M^-1 F          B = M^-1 J^T A+,  A = J M^-1 J^T

For tau itself F = -1 and L = 0. Rows that depend on others have no part in A+, as they have none in lambda.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.forward import factorised, mass_rows
from gambol.dynamics.kinematics import Kinematics, kinematics
from gambol.dynamics.loops.closed import BY_PROPAGATION, Closing, closed_dynamics
from gambol.dynamics.loops.problem import Closed
from gambol.dynamics.loops.relations.row import jacobian_row, sizes
from gambol.dynamics.loops.relations.ties import rows
from gambol.dynamics.loops.semidefinite import basic_inverse
from gambol.dynamics.quantities.derivatives import MOST_UNROLLED, Derivatives, inverse_dynamics_derivatives
from gambol.dynamics.reframe import reframed
from gambol.dynamics.tangent import nudged
from gambol.lanes import Scalar, Subprogram, jacobian
from gambol.spatial.dense import Numbers, Rows, dot, transposed
from gambol.spatial.motion import Force

Answer: TypeAlias = Callable[[Numbers, Numbers], Numbers]
"""d v' of F and L."""


def closed_dynamics_derivatives(
    state: Kinematics,
    tau: Sequence[Scalar],
    how: Closing = BY_PROPAGATION,
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> Derivatives:
    """Joint accelerations of a figure whose constraints hold, and how they change with q, v and tau.

    Columns by q are along unit joint velocities, of which only those that keep the loops closed can happen. tau, f_ext,
    gravity: as for aba(); external forces keep their components in link coordinates.
    """
    n = state.figure.nv
    found = closed_dynamics(state, tau, how, f_ext=f_ext, gravity=gravity)
    tree = inverse_dynamics_derivatives(state, found.rates, f_ext=f_ext, gravity=gravity)
    L, borne = _held(state, found, how.stabilisation)
    answer, none = _answer(state, how), [0.0 for _ in L]
    if n > MOST_UNROLLED:
        answer = Subprogram(answer)

    def along(of_tree: Rows, start: int) -> Rows:
        places = slice(start, start + n)
        F = [[x - y for x, y in zip(row, pull[places], strict=True)] for row, pull in zip(of_tree, borne, strict=True)]
        lacking = transposed(row[places] for row in L) if L else [none for _ in range(n)]
        return transposed(answer(f, l) for f, l in zip(transposed(F), lacking, strict=True))

    units = [[-1.0 if i == k else 0.0 for i in range(n)] for k in range(n)]
    by_tau = transposed(answer(unit, none) for unit in units)
    return Derivatives(found.rates, along(tree.by_q, 0), along(tree.by_v, n), by_tau)


def _held(state: Kinematics, found: Closed, w: Scalar) -> tuple[Rows, Rows]:
    """Derivatives along q and by v (2 nv) of what rows lack, and of what they do at the joints; v', lambda held."""
    n, figure = state.figure.nv, state.figure

    def held(x: list[Scalar]) -> list[Scalar]:
        moved = kinematics(figure, nudged(figure, state.q, x[:n]), x[n:])
        a, tied = moved.accelerations(found.rates), rows(moved)
        lack = [row.acceleration(a, found.rates) + w * (row.speed + row.speed + w * row.gap) for row in tied]
        J = transposed(jacobian_row(moved, row) for row in tied)
        return [*lack, *(dot(column, found.multipliers) for column in J)]

    _, derivatives = jacobian(held, [*[0.0] * n, *state.v])
    return derivatives[:-n], derivatives[-n:]


def _answer(state: Kinematics, how: Closing) -> Answer:
    """What changes of forces and of demands do to the accelerations of a figure that stays closed."""
    still = state.at_rest()
    tied = rows(still)
    J = [jacobian_row(still, row) for row in tied]
    M = factorised(mass_rows(reframed(state.figure).state(state)))
    moved = [M.solve(row) for row in J]
    A = [[dot(row, column) for column in moved] for row in J]
    inverse = basic_inverse(A, sizes(tied, [A[k][k] for k in range(len(A))]), how.threshold)
    B = transposed([dot(row, entries) for entries in transposed(moved)] for row in inverse)

    def answer(F: Numbers, L: Numbers) -> Numbers:
        y = M.solve(F)
        apart = [dot(row, y, -l) for row, l in zip(J, L, strict=True)]
        return [dot(b, apart, -x) for b, x in zip(B, y, strict=True)]

    return answer
