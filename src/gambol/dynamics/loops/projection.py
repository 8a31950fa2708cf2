"""Projection onto loop constraints: the correction of least kinetic energy that closes all loops.

    position    M dq = J^T mu     J dq = -phi        q <- q moved by dq, a few times (Gauss-Newton)
    velocity    M dv = J^T mu     J dv = -J v        once, since it is linear

Both have the form of the equations for the accelerations of a closed loop at rest, so the same method solves them, and
treats dependent rows in the same way. The correction of velocities is an internal impulse: momentum is conserved, and
no energy is added. [Bayo and Ledesma 1996; Lubich 1991]
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from gambol.dynamics.kinematics import Kinematics, kinematics
from gambol.dynamics.loops.closed import BY_PROPAGATION, LoopOptions, solve
from gambol.dynamics.loops.problem import Problem
from gambol.dynamics.loops.relations.constraints import rows
from gambol.dynamics.loops.relations.row import Row
from gambol.dynamics.tangent import displaced
from gambol.figure import Figure
from gambol.lanes import Scalar, repeat

ITERATIONS = 2
"""Gauss-Newton iterations on positions. Each squares the error: from a step's drift, at most 1e-4, to 1e-8 and less."""


def projected(
    figure: Figure,
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    options: LoopOptions = BY_PROPAGATION,
    locked: Iterable[int] = (),
) -> tuple[list[Scalar], list[Scalar]]:
    """Return coordinates and velocities near q (nq) and v (nv) at which all loops are closed and remain closed.

    figure: a figure with constraints. options: only method and threshold are used. locked: indices of links whose
    joints do not move. If q is far from closed loops, use assembled().
    """
    q_closed: list[Scalar] = repeat(ITERATIONS, lambda x: _gauss_newton_step(figure, x, options, locked), list(q))
    return q_closed, projected_velocity(kinematics(figure, q_closed, v), options, locked)


def _gauss_newton_step(
    figure: Figure, q: Sequence[Scalar], options: LoopOptions, locked: Iterable[int]
) -> list[Scalar]:
    """Return q after one Gauss-Newton step."""
    state = kinematics(figure, q, [0.0] * figure.nv)
    constraints = rows(state)
    return displaced(
        figure, q, _least_correction(state, constraints, [-row.gap for row in constraints], options, locked)
    )


def projected_velocity(
    state: Kinematics, options: LoopOptions = BY_PROPAGATION, locked: Iterable[int] = ()
) -> list[Scalar]:
    """Return the velocities (nv) that keep all loops closed, and are nearest to a state's in kinetic energy.

    options: only method and threshold are used. locked: indices of links whose joints keep their velocities.
    """
    at_rest = state.at_rest()
    required = [-row.speed for row in rows(state)]
    change = _least_correction(at_rest, rows(at_rest), required, options, locked)
    return [speed + dv for speed, dv in zip(state.v, change, strict=True)]


def _least_correction(
    at_rest: Kinematics,
    constraints: Sequence[Row],
    required: Sequence[Scalar],
    options: LoopOptions,
    locked: Iterable[int],
) -> list[Scalar]:
    """Return the correction (nv) of least kinetic energy with J dq = required; at_rest: state at zero velocities."""
    figure = at_rest.figure
    prescribed = {i: [0.0] * (figure.links[i - 1].v.stop - figure.links[i - 1].v.start) for i in locked}
    problem = Problem(
        at_rest, [0.0] * figure.nv, constraints, required, gravity=0.0, dependence_threshold=options.resolved_threshold
    )
    return solve(replace(problem, prescribed=prescribed), options.method).a
