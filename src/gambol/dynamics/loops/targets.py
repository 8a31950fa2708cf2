"""Acceleration and impact constraints: forces that reach target accelerations, and impulses that reach target speeds.

    h_j(v') = h_j(v'_0) + sum K_ji f_i        K_ji: change of quantity j by unit test force i
    h_j(v+) = h_j(v-) + sum K_ji p_i          the same K: impulses change speeds as forces change accelerations

K is computed by applying the test forces one at a time, at rest and without gravity, and f by solving for all
quantities at once. [Kokkevis 2004; Liu, acceleration and impact constraints; Patil 2007, multiple acceleration
constraints]

There may be more or fewer quantities than test forces, and some test forces may depend on others. They are processed
in order; a test force that depends on earlier ones gets the value 0. Targets that cannot be reached are approximated in
least squares over the quantities in SI units. The residuals are 0 if K has as many independent columns as there are
quantities.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.loops.closed import closed_dynamics, solve
from gambol.dynamics.loops.problem import Problem
from gambol.dynamics.loops.relations.constraints import rows
from gambol.dynamics.loops.relations.row import Row, jacobian_row
from gambol.lanes import Scalar, where
from gambol.spatial.dense import dot
from gambol.spatial.motion import Force

DEPENDENCE_TOLERANCE = 1e-10
"""Squared sine between a column of K and the earlier ones, below which the column is dependent."""


@dataclass(frozen=True, slots=True)
class Target:
    """A target of a row: the desired acceleration, or the desired speed after an impact [SI units]."""

    row: Row
    value: Scalar


@dataclass(frozen=True, slots=True)
class TargetSolution:
    """Test forces or impulses, and their effect.

    forces: one for each test force [N or N m], or impulse [N s or N m s]. motion: the joint accelerations under the
    forces, or the joint velocities after the impulses (nv). residuals: target value minus reached value.
    """

    forces: list[Scalar]
    motion: list[Scalar]
    residuals: list[Scalar]


def reach_accelerations(
    state: Kinematics,
    targets: Sequence[Target],
    tau: Sequence[Scalar],
    test_forces: Sequence[Row] | None = None,
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> TargetSolution:
    """Return the forces that reach target accelerations, in addition to the given forces.

    targets: rows with their target accelerations. test_forces: rows along which forces may act; None: the rows of the
    targets. state, tau, f_ext, gravity: as for aba(). The constraints of the figure remain satisfied.
    """
    free = closed_dynamics(state, tau, f_ext=f_ext, gravity=gravity).a
    a = state.accelerations(free)
    return _solve_targets(
        state, targets, test_forces, free, [target.value - target.row.acceleration(a, free) for target in targets]
    )


def reach_speeds(
    state: Kinematics, targets: Sequence[Target], test_forces: Sequence[Row] | None = None
) -> TargetSolution:
    """Return the impulses that reach target speeds; arguments: as for reach_accelerations()."""
    return _solve_targets(state, targets, test_forces, state.v, [target.value - target.row.speed for target in targets])


def _solve_targets(
    state: Kinematics,
    targets: Sequence[Target],
    test_forces: Sequence[Row] | None,
    motion: Sequence[Scalar],
    changes: Sequence[Scalar],
) -> TargetSolution:
    """Return the solution of the targets.

    motion: joint accelerations or velocities without test forces (nv). changes: target minus value, without test
    forces.
    """
    at_rest = state.at_rest()
    J = [jacobian_row(at_rest, target.row) for target in targets]
    directions = J if test_forces is None else [jacobian_row(at_rest, row) for row in test_forces]
    responses = [_response(at_rest, direction) for direction in directions]
    columns = [[dot(row, response) for row in J] for response in responses]
    forces, residuals = least_squares(columns, changes)
    motion_with_forces = list(motion)
    for force, response in zip(forces, responses, strict=True):
        motion_with_forces = [x + force * y for x, y in zip(motion_with_forces, response, strict=True)]
    return TargetSolution(forces, motion_with_forces, residuals)


def _response(at_rest: Kinematics, tau: Sequence[Scalar]) -> list[Scalar]:
    """Return the joint accelerations of a figure at rest, with closed loops, under joint forces (nv) alone."""
    constraints = rows(at_rest)
    return solve(Problem(at_rest, tau, constraints, [0.0] * len(constraints), gravity=0.0)).a


def least_squares(columns: Sequence[Sequence[Scalar]], b: Sequence[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
    """Return x that minimises |b - sum x_i c_i|, and the residual b - sum x_i c_i.

    columns: the c_i. x_i = 0 where c_i depends on earlier columns. Modified Gram-Schmidt in the given order. [Golub and
    Van Loan 2013, section 5.2.8]
    """
    residual, x = list(b), list[Scalar]()
    basis: list[tuple[Sequence[Scalar], Scalar]] = []
    R: list[list[Scalar]] = []
    for column in columns:
        u, coefficients = column, list[Scalar]()
        for e, inverse in basis:
            coefficients.append(dot(e, u) * inverse)
            u = _minus_multiple(u, e, coefficients[-1])
        independent = dot(u, u) > DEPENDENCE_TOLERANCE * dot(column, column)
        inverse = where(independent, 1.0 / where(independent, dot(u, u), 1.0), 0.0)
        x.append(dot(u, residual) * inverse)
        residual = _minus_multiple(residual, u, x[-1])
        basis.append((u, inverse))
        R.append(coefficients)
    for k in reversed(range(len(x))):
        for i, coefficient in enumerate(R[k]):
            x[i] = x[i] - coefficient * x[k]
    return x, residual


def _minus_multiple(a: Sequence[Scalar], b: Sequence[Scalar], factor: Scalar) -> list[Scalar]:
    """Return a - factor b."""
    return [y - factor * z for y, z in zip(a, b, strict=True)]
