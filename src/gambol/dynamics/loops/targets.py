"""Acceleration and impact constraints: forces that bring about target accelerations, or impulses target speeds.

    h_j(v') = h_j(v'_0) + sum K_ji f_i        K_ji: change of quantity j by unit test force i
    h_j(v+) = h_j(v-) + sum K_ji p_i          the same K: impulses change speeds as forces change accelerations

K is computed by applying the test forces one at a time, at rest and without gravity, and f by solving for all
quantities at once. [Kokkevis 2004; Liu, acceleration and impact constraints; Patil 2007, multiple acceleration
constraints]

There may be more quantities than forces, or fewer, or dependent forces. Test forces are taken in their order: one that
depends on those before it stays 0. Targets that cannot be reached are approximated in least squares over the quantities
in SI units; the residuals are 0 where K has as many independent columns as there are quantities.
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

DEPENDENT = 1e-10
"""Squared sine between a column of K and those before it, below which it counts as dependent."""


@dataclass(frozen=True, slots=True)
class Target:
    """The target value of a row: its acceleration, or its speed after an impact [SI units]."""

    row: Row
    value: Scalar


@dataclass(frozen=True, slots=True)
class TargetSolution:
    """Test forces or impulses, and their effect.

    forces: one for each test force, in units of its row: N, N m; or N s, N m s. motion: the joint accelerations under
    them, or the joint velocities after them (nv). residuals: target minus reached value of each target.
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
    """Return the forces that bring about target accelerations, in addition to the given forces.

    targets: the targets. test_forces: rows along which forces may act; None takes those of the targets. state, tau,
    f_ext, gravity: as for aba(). The figure's own constraints hold throughout.
    """
    free = closed_dynamics(state, tau, f_ext=f_ext, gravity=gravity).a
    a = state.accelerations(free)
    return _solved(
        state, targets, test_forces, free, [target.value - target.row.acceleration(a, free) for target in targets]
    )


def reach_speeds(
    state: Kinematics, targets: Sequence[Target], test_forces: Sequence[Row] | None = None
) -> TargetSolution:
    """Return the impulses that bring about target speeds; arguments: as for reach_accelerations()."""
    return _solved(state, targets, test_forces, state.v, [target.value - target.row.speed for target in targets])


def _solved(
    state: Kinematics,
    targets: Sequence[Target],
    test_forces: Sequence[Row] | None,
    start: Sequence[Scalar],
    missing: Sequence[Scalar],
) -> TargetSolution:
    at_rest = state.at_rest()
    J = [jacobian_row(at_rest, target.row) for target in targets]
    directions = J if test_forces is None else [jacobian_row(at_rest, row) for row in test_forces]
    responses = [_response(at_rest, direction) for direction in directions]
    columns = [[dot(row, response) for row in J] for response in responses]
    forces, residuals = least_squares(columns, missing)
    motion = list(start)
    for force, response in zip(forces, responses, strict=True):
        motion = [x + force * y for x, y in zip(motion, response, strict=True)]
    return TargetSolution(forces, motion, residuals)


def _response(at_rest: Kinematics, tau: Sequence[Scalar]) -> list[Scalar]:
    """Return the joint accelerations of a figure at rest, with closed loops, under joint forces (nv) alone."""
    constraints = rows(at_rest)
    return solve(Problem(at_rest, tau, constraints, [0.0] * len(constraints), gravity=0.0)).a


def least_squares(columns: Sequence[Sequence[Scalar]], b: Sequence[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
    """Return x of the least |b - sum x_i c_i|, and this residual; x_i = 0 where c_i depends on those before it.

    By modified Gram-Schmidt in the given order. [Golub and Van Loan 2013, section 5.2.8]
    """
    residual, x = list(b), list[Scalar]()
    basis: list[tuple[Sequence[Scalar], Scalar]] = []
    R: list[list[Scalar]] = []
    for column in columns:
        u, parts = column, list[Scalar]()
        for e, inverse in basis:
            parts.append(dot(e, u) * inverse)
            u = _less(u, e, parts[-1])
        independent = dot(u, u) > DEPENDENT * dot(column, column)
        inverse = where(independent, 1.0 / where(independent, dot(u, u), 1.0), 0.0)
        x.append(dot(u, residual) * inverse)
        residual = _less(residual, u, x[-1])
        basis.append((u, inverse))
        R.append(parts)
    for k in reversed(range(len(x))):
        for i, part in enumerate(R[k]):
            x[i] = x[i] - part * x[k]
    return x, residual


def _less(a: Sequence[Scalar], b: Sequence[Scalar], share: Scalar) -> list[Scalar]:
    return [y - share * z for y, z in zip(a, b, strict=True)]
