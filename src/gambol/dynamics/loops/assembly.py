"""Assembly of linkages: coordinates at which all loops are closed, found from a guess.

    (J^T J + m 1) x = -J^T phi        q moved by x        m decreases while |phi| does, else increases

[Levenberg 1944; Marquardt 1963]. Rows are added for the direction of aligned axes, without which a closure could be
assembled upside down. Assembly uses plain floats, since it runs once, before a program is compiled.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.kinematics import kinematics
from gambol.dynamics.loops.relations.constraints import alignment_rows, constraint_rows
from gambol.dynamics.loops.relations.row import jacobian_row
from gambol.dynamics.tangent import displaced, normalised
from gambol.errors import FigureError
from gambol.figure import Figure

Array = NDArray[np.float64]

CLOSED_TOLERANCE = 1e-11
"""Residual [m, or sine of an angle] below which a loop is closed: above rounding in a figure of some metres."""

MAX_STEPS = 100
MAX_STARTS = 6
PERTURBATION = 0.3
"""Maximum number of steps from one start, maximum number of starts, and random perturbation of all starts but the first
[rad or m]. A search that begins at a singular configuration, such as a stretched linkage, needs a perturbation."""

MAX_DAMPING = 1e9
"""Damping [1] above which the search ends: a step is then 1e-9 of the gradient."""

MIN_GAIN = 1e-6
"""Minimum relative decrease of the squared residuals: below it, the search ends. Steps towards closed loops remove most
of the residuals; steps towards a local minimum remove less and less."""

Residuals = Callable[[list[float]], tuple[Array, Array]]


def assembled(figure: Figure, q: Sequence[float], locked: Iterable[str] = ()) -> list[float]:
    """Return coordinates (nq) near q at which all loops of a figure are closed.

    figure: a figure with constraints. q: initial guess (nq). locked: names of links whose joints keep their
    coordinates. Raises FigureError that names the worst constraint if the loops cannot be closed.
    """
    fixed = {k for name in locked for k in range(figure.nv)[figure.link(name).v]}
    moving = [k for k in range(figure.nv) if k not in fixed]
    residuals = _residuals_of(figure, moving)
    random, best_q, best_residual = np.random.default_rng(0), list(q), np.inf
    for start in range(MAX_STARTS):
        perturbation = random.normal(size=len(moving)) * (PERTURBATION if start else 0.0)
        solution = _minimised(figure, residuals, _moved(figure, q, perturbation, moving), moving)
        residual = float(np.abs(residuals(solution)[0]).max(initial=0.0))
        if residual < CLOSED_TOLERANCE:
            return solution
        best_q, best_residual = (solution, residual) if residual < best_residual else (best_q, best_residual)
    raise FigureError(_failure(figure, best_q))


def _residuals_of(figure: Figure, moving: list[int]) -> Residuals:
    """Return the function of q that returns all residuals and their Jacobian by the moving degrees of freedom."""

    def residuals(q: list[float]) -> tuple[Array, Array]:
        state = kinematics(figure, q, [0.0] * figure.nv)
        constraints = [
            row for c in figure.constraints for row in (*constraint_rows(state, c), *alignment_rows(state, c))
        ]
        J = np.array([jacobian_row(state, row) for row in constraints]).reshape(-1, figure.nv)
        return np.array([row.gap for row in constraints]), J[:, moving]

    return residuals


def _minimised(figure: Figure, residuals: Residuals, q: list[float], moving: list[int]) -> list[float]:
    """Return coordinates (nq) at a local minimum of the squared residuals, by Levenberg-Marquardt steps from q."""
    (gaps, jacobian), damping = residuals(q), 1e-3
    for _ in range(MAX_STEPS):
        square = gaps @ gaps
        if np.abs(gaps).max(initial=0.0) < CLOSED_TOLERANCE or damping > MAX_DAMPING:
            break
        stacked = np.vstack([jacobian, np.sqrt(damping) * np.eye(len(moving))])  # its square is J^T J + m 1
        x = np.linalg.lstsq(stacked, np.append(-gaps, np.zeros(len(moving))))[0]
        q_next = _moved(figure, q, np.asarray(x, float), moving)
        residuals_next = residuals(q_next)
        gain = 1.0 - (residuals_next[0] @ residuals_next[0]) / square
        if gain > 0.0:
            q, (gaps, jacobian) = q_next, residuals_next
            damping = min(damping * 0.1, gaps @ gaps)
        else:
            damping *= 10.0
        if 0.0 < gain < MIN_GAIN:
            break
    return q


def _moved(figure: Figure, q: Sequence[float], x: Array, moving: list[int]) -> list[float]:
    """Return q displaced by x along the moving degrees of freedom, with quaternions normalised."""
    dq = np.zeros(figure.nv)
    dq[moving] = x
    return normalised(figure, displaced(figure, q, dq.tolist()))


def _failure(figure: Figure, q: list[float]) -> str:
    """Return the message that names the worst constraint and its residual."""
    state = kinematics(figure, q, [0.0] * figure.nv)
    errors = [
        max(abs(row.gap) for row in (*constraint_rows(state, c), *alignment_rows(state, c))) for c in figure.constraints
    ]
    worst = int(np.argmax(errors))
    return (
        f'figure "{figure.name}" cannot close its loops from the given coordinates: {figure.constraints[worst].title} '
        f"has an error of {errors[worst]:.3g}; check its lengths and positions, or start nearer to a closed position"
    )
