"""Repeated sweeps until convergence, plain or in conjugate directions.

    r = sweep(z) - z        z <- sweep(z) + beta d        d <- beta d + r        beta = |r|^2 / |previous r|^2

The change by a sweep serves as the direction of steepest descent; the directions restart if the change grows.
[Silcowitz-Hansen, Niebe and Erleben 2010]. Norms are scaled by the rows' inverse masses. No direction is added after
the last sweep, so the result obeys the laws as well as the last sweep did.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gambol.lanes import Scalar, loop, where
from gambol.spatial.dense import Numbers, dot, max_abs


@dataclass(frozen=True, slots=True)
class SweepProblem:
    """A sweep and its stopping rule.

    sweep: new forces from forces. project: forces projected into their bounds. scales: inverse mass of each row, so
    that changes are measured as velocities. tolerance: the sweeps end when no change exceeds it. max_sweeps: limit of
    sweeps. conjugate: True for conjugate directions.
    """

    sweep: Callable[[Numbers], Numbers]
    project: Callable[[Sequence[Scalar]], Numbers]
    scales: Sequence[Scalar]
    tolerance: Scalar
    max_sweeps: float
    conjugate: bool


@dataclass(frozen=True, slots=True)
class SweepState:
    """State between sweeps: forces, conjugate direction, square and size of the last change, and number of sweeps."""

    z: Numbers
    d: Numbers
    square: Scalar
    size: Scalar
    sweeps: Scalar


def repeat_sweeps(problem: SweepProblem, start: Sequence[Scalar]) -> tuple[Numbers, Scalar]:
    """Return the forces at which the sweeps stopped, and the number of sweeps; start: initial forces."""
    initial = list(start)
    zeros: Numbers = [0.0] * len(initial) if problem.conjugate else []
    start_state = SweepState(initial, zeros, 0.0, 1.0, 0.0)

    def not_converged(state: SweepState) -> Scalar:
        return (state.sweeps < problem.max_sweeps) & ((state.size > problem.tolerance) | (state.sweeps < 1.0))

    end = loop(not_converged, lambda state: _sweep_once(problem, state), start_state)
    return end.z, end.sweeps


def _sweep_once(problem: SweepProblem, state: SweepState) -> SweepState:
    """Return the state after one sweep, and after the step along the conjugate direction if there is one."""
    z = problem.sweep(state.z)
    r = [x - y for x, y in zip(z, state.z, strict=True)]
    size = max_abs([s * x for s, x in zip(problem.scales, r, strict=True)])
    if not problem.conjugate:
        return SweepState(z, [], 0.0, size, state.sweeps + 1.0)
    square = dot(r, [s * x for s, x in zip(problem.scales, r, strict=True)])
    continues = (square < state.square) & (state.square > 0.0)
    beta = where(continues, square / where(continues, state.square, 1.0), 0.0)
    beta = where(size > problem.tolerance, beta, 0.0)
    z_next = problem.project([x + beta * d for x, d in zip(z, state.d, strict=True)])
    return SweepState(z_next, [beta * d + x for d, x in zip(state.d, r, strict=True)], square, size, state.sweeps + 1.0)
