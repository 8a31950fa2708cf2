"""Derivatives of the accelerations of a figure with closed loops, from those of its tree and of its constraint rows.

    M v' + h - J^T lambda = tau      J v' + g = 0        F, L: derivatives of the left sides at constant v' and lambda
    d v' = B (J y - L) - y           y = M^-1 F          B = M^-1 J^T A+,  A = J M^-1 J^T

For tau itself F = -1 and L = 0. Dependent rows are 0 in A+ and in lambda.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.canonical_frames import canonical_figure
from gambol.dynamics.forward import factorised, mass_rows
from gambol.dynamics.kinematics import Kinematics, kinematics
from gambol.dynamics.loops.closed import BY_PROPAGATION, LoopOptions, closed_dynamics
from gambol.dynamics.loops.problem import ClosedSolution
from gambol.dynamics.loops.relations.constraints import rows
from gambol.dynamics.loops.relations.row import jacobian_row, row_scales
from gambol.dynamics.loops.semidefinite import basic_inverse
from gambol.dynamics.quantities.derivatives import MAX_UNROLLED_DOFS, Derivatives, inverse_dynamics_derivatives
from gambol.dynamics.tangent import perturbed
from gambol.lanes import Scalar, Subprogram, jacobian
from gambol.spatial.dense import Numbers, Rows, dot, transposed
from gambol.spatial.motion import Force

Response: TypeAlias = Callable[[Numbers, Numbers], Numbers]
"""A function that returns d v' from F and L."""


def closed_dynamics_derivatives(
    state: Kinematics,
    tau: Sequence[Scalar],
    options: LoopOptions = BY_PROPAGATION,
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> Derivatives:
    """Return joint accelerations of a figure under its constraints, and their derivatives by q, v and tau.

    state, tau, f_ext, gravity: as for aba(); external forces keep their components in link coordinates. options: see
    closed_dynamics(). Columns by q are along unit joint velocities; only their combinations that keep loops closed are
    possible motions.
    """
    n = state.figure.nv
    solution = closed_dynamics(state, tau, options, f_ext=f_ext, gravity=gravity)
    tree = inverse_dynamics_derivatives(state, solution.a, f_ext=f_ext, gravity=gravity)
    L, joint_forces = _row_derivatives(state, solution, options.stabilisation)
    response, zeros = _response(state, options), [0.0 for _ in L]
    if n > MAX_UNROLLED_DOFS:
        response = Subprogram(response)

    def derivatives_by(tree_rows: Rows, start: int) -> Rows:
        """Return derivatives of v' by the n variables from `start`.

        tree_rows: derivatives of the tree's joint forces.
        """
        columns = slice(start, start + n)
        F = [
            [x - y for x, y in zip(row, force[columns], strict=True)]
            for row, force in zip(tree_rows, joint_forces, strict=True)
        ]
        residuals = transposed(row[columns] for row in L) if L else [zeros for _ in range(n)]
        return transposed(response(f, l) for f, l in zip(transposed(F), residuals, strict=True))

    units = [[-1.0 if i == k else 0.0 for i in range(n)] for k in range(n)]
    by_tau = transposed(response(unit, zeros) for unit in units)
    return Derivatives(solution.a, derivatives_by(tree.by_q, 0), derivatives_by(tree.by_v, n), by_tau)


def _row_derivatives(state: Kinematics, solution: ClosedSolution, w: Scalar) -> tuple[Rows, Rows]:
    """Return derivatives by q and v (2 nv) of the rows' residuals and joint forces, at constant v' and lambda.

    solution: at the state. w: stabilisation rate [1/s].
    """
    n, figure = state.figure.nv, state.figure

    def residuals_and_forces(x: list[Scalar]) -> list[Scalar]:
        state_x = kinematics(figure, perturbed(figure, state.q, x[:n]), x[n:])
        a, constraints = state_x.accelerations(solution.a), rows(state_x)
        residuals = [row.acceleration(a, solution.a) + w * (row.speed + row.speed + w * row.gap) for row in constraints]
        J = transposed(jacobian_row(state_x, row) for row in constraints)
        return [*residuals, *(dot(column, solution.multipliers) for column in J)]

    _, derivatives = jacobian(residuals_and_forces, [*[0.0] * n, *state.v])
    return derivatives[:-n], derivatives[-n:]


def _response(state: Kinematics, options: LoopOptions) -> Response:
    """Return the function that gives d v' from F and L."""
    at_rest = state.at_rest()
    constraints = rows(at_rest)
    J = [jacobian_row(at_rest, row) for row in constraints]
    M = factorised(mass_rows(canonical_figure(state.figure).state(state)))
    columns = [M.solve(row) for row in J]
    A = [[dot(row, column) for column in columns] for row in J]
    inverse = basic_inverse(A, row_scales(constraints, [A[k][k] for k in range(len(A))]), options.resolved_threshold)
    B = transposed([dot(row, entries) for entries in transposed(columns)] for row in inverse)

    def response(F: Numbers, L: Numbers) -> Numbers:
        y = M.solve(F)
        residual = [dot(row, y, -l) for row, l in zip(J, L, strict=True)]
        return [dot(b, residual, -x) for b, x in zip(B, y, strict=True)]

    return response
