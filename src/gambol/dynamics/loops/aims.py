"""Acceleration and impact constraints: what forces give a figure the accelerations, or impulses the speeds, one wants.

    h_j(v') = h_j(v'_0) + sum K_ji f_i        K_ji: what unit test force i does to quantity j
    h_j(v+) = h_j(v-) + sum K_ji p_i          the same K: an impulse does to speeds what a force does to accelerations

K is found by applying the test forces one at a time, at rest and without gravity, and f by solving for all quantities
at once. [Kokkevis 2004; Liu, acceleration and impact constraints; Patil 2007, multiple acceleration constraints]

There may be more quantities than forces, or fewer, or forces that do the same. The solution takes test forces in their
order: one that adds nothing to those before it stays 0. What cannot be reached is come near to, in least squares over
the quantities in SI units, and what is missed is told; nothing is missed where K has as many independent columns as
there are quantities.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.loops.closed import closed_dynamics, solve
from gambol.dynamics.loops.problem import Problem
from gambol.dynamics.loops.relations.row import Row, jacobian_row
from gambol.dynamics.loops.relations.ties import rows
from gambol.lanes import Scalar, where
from gambol.spatial.dense import dot
from gambol.spatial.motion import Force

DEPENDENT = 1e-10
"""Square of the sine between what a test force does and what those before it do, below which it adds nothing."""


@dataclass(frozen=True, slots=True)
class Aim:
    """A quantity and what it shall be: its acceleration, or its speed after an impact [SI units]."""

    row: Row
    wanted: Scalar


@dataclass(frozen=True, slots=True)
class Reached:
    """What test forces or impulses did.

    strengths: of each, in units of its row: N, N m; or N s, N m s. motion: the joint accelerations under them, or the
    joint velocities after them (nv). missed: what is lacking of each aim.
    """

    strengths: list[Scalar]
    motion: list[Scalar]
    missed: list[Scalar]


def reach_accelerations(
    state: Kinematics,
    aims: Sequence[Aim],
    tau: Sequence[Scalar],
    pushes: Sequence[Row] | None = None,
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> Reached:
    """The forces that give a figure wanted accelerations, beside those that act anyhow.

    pushes: along which rows forces may act; None takes those of the aims themselves. tau, f_ext, gravity: as for aba().
    The figure's own constraints hold throughout.
    """
    free = closed_dynamics(state, tau, f_ext=f_ext, gravity=gravity).rates
    a = state.accelerations(free)
    return _reached(state, aims, pushes, free, [aim.wanted - aim.row.acceleration(a, free) for aim in aims])


def reach_speeds(state: Kinematics, aims: Sequence[Aim], pushes: Sequence[Row] | None = None) -> Reached:
    """The impulses after which a figure's speeds are what one wants; pushes: as for reach_accelerations()."""
    return _reached(state, aims, pushes, state.v, [aim.wanted - aim.row.speed for aim in aims])


def _reached(
    state: Kinematics,
    aims: Sequence[Aim],
    pushes: Sequence[Row] | None,
    start: Sequence[Scalar],
    lacking: Sequence[Scalar],
) -> Reached:
    still = state.at_rest()
    J = [jacobian_row(still, aim.row) for aim in aims]
    efforts = J if pushes is None else [jacobian_row(still, push) for push in pushes]
    answers = [_answer(still, effort) for effort in efforts]
    columns = [[dot(row, answer) for row in J] for answer in answers]
    strengths, missed = combination(columns, lacking)
    motion = list(start)
    for strength, answer in zip(strengths, answers, strict=True):
        motion = [x + strength * y for x, y in zip(motion, answer, strict=True)]
    return Reached(strengths, motion, missed)


def _answer(still: Kinematics, effort: Sequence[Scalar]) -> list[Scalar]:
    """How a resting figure, its loops closed, accelerates under joint forces (nv) alone."""
    tied = rows(still)
    return solve(Problem(still, effort, tied, [0.0] * len(tied), gravity=0.0)).rates


def combination(columns: Sequence[Sequence[Scalar]], b: Sequence[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
    """The x for which sum x_i c_i comes nearest to b, and what is left of b; x_i = 0 where c_i adds nothing.

    By modified Gram-Schmidt in the given order. [Golub and Van Loan 2013, section 5.2.8]
    """
    left, x = list(b), list[Scalar]()
    basis: list[tuple[Sequence[Scalar], Scalar]] = []
    R: list[list[Scalar]] = []
    for column in columns:
        u, shares = column, list[Scalar]()
        for e, inverse in basis:
            shares.append(dot(e, u) * inverse)
            u = _less(u, e, shares[-1])
        counts = dot(u, u) > DEPENDENT * dot(column, column)
        inverse = where(counts, 1.0 / where(counts, dot(u, u), 1.0), 0.0)
        x.append(dot(u, left) * inverse)
        left = _less(left, u, x[-1])
        basis.append((u, inverse))
        R.append(shares)
    for k in reversed(range(len(x))):
        for i, share in enumerate(R[k]):
            x[i] = x[i] - share * x[k]
    return x, left


def _less(a: Sequence[Scalar], b: Sequence[Scalar], share: Scalar) -> list[Scalar]:
    return [y - share * z for y, z in zip(a, b, strict=True)]
