"""Bringing a figure back onto its constraints: of all moves that close the loops, the one of least kinetic energy.

    position    M dq = J^T mu     J dq = -phi        q <- q moved by dq, a few times (Gauss-Newton)
    velocity    M dv = J^T mu     J dv = -J v        once: it is linear

Each is a problem of closed loops at rest, so the method that finds accelerations finds these moves, and rows that
depend on others are skipped alike. A velocity is brought back by an impulse within the figure: momentum stays, and no
energy comes in. [Bayo and Ledesma 1996; Lubich 1991]
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from gambol.dynamics.kinematics import Kinematics, kinematics
from gambol.dynamics.loops.closed import BY_PROPAGATION, Closing, solve
from gambol.dynamics.loops.problem import Problem
from gambol.dynamics.loops.relations.row import Row
from gambol.dynamics.loops.relations.ties import rows
from gambol.dynamics.tangent import displaced, unwound
from gambol.figure import Figure
from gambol.lanes import Scalar, repeat

ITERATIONS = 2
"""Gauss-Newton steps on positions. Each squares the error: from the drift of one step, at most 1e-4, to 1e-8 and then
to rounding."""


def projected(
    figure: Figure, q: Sequence[Scalar], v: Sequence[Scalar], how: Closing = BY_PROPAGATION, held: Iterable[int] = ()
) -> tuple[list[Scalar], list[Scalar]]:
    """Coordinates and velocities next to q (nq) and v (nv) at which all loops are closed and stay so.

    how: its method and threshold count. held: numbers of links whose joints do not move. A q far from closed is
    not for this: see assembled().
    """
    closed: list[Scalar] = repeat(ITERATIONS, lambda x: _closer(figure, x, how, held), list(q))
    return closed, closing_velocity(kinematics(figure, closed, v), how, held)


def _closer(figure: Figure, q: Sequence[Scalar], how: Closing, held: Iterable[int]) -> list[Scalar]:
    """q after one step towards closed loops."""
    state = kinematics(figure, q, [0.0] * figure.nv)
    tied = rows(state)
    return carried_on(figure, q, _least_move(state, tied, [-row.gap for row in tied], how, held))


def carried_on(figure: Figure, q: Sequence[Scalar], move: Sequence[Scalar]) -> list[Scalar]:
    """q (nq) after a small move (nv) along the directions of velocities, which need not be those of displaced()."""
    return displaced(figure, q, unwound(figure, q, [0.0] * figure.nv, move))


def closing_velocity(state: Kinematics, how: Closing = BY_PROPAGATION, held: Iterable[int] = ()) -> list[Scalar]:
    """The velocities (nv) nearest to those of a state, in kinetic energy, that keep all loops closed."""
    still = state.at_rest()
    demands = [-row.speed for row in rows(state)]
    change = _least_move(still, rows(still), demands, how, held)
    return [speed + dv for speed, dv in zip(state.v, change, strict=True)]


def _least_move(
    still: Kinematics, tied: Sequence[Row], demands: Sequence[Scalar], how: Closing, held: Iterable[int]
) -> list[Scalar]:
    figure = still.figure
    kept = {i: [0.0] * (figure.links[i - 1].v.stop - figure.links[i - 1].v.start) for i in held}
    problem = Problem(still, [0.0] * figure.nv, tied, demands, gravity=0.0, dependent=how.threshold)
    return solve(replace(problem, prescribed=kept), how.method).rates
