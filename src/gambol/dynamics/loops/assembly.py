"""Assembly of linkages: coordinates at which all loops are closed, found from a guess.

    (J^T J + m 1) x = -J^T phi        q moved by x        m falls while |phi| does, and rises when it does not

[Levenberg 1944; Marquardt 1963]. Rows are added for the direction of aligned axes, without which a closure could be
assembled upside down. On plain floats: it is done once, before a program is compiled or run.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.kinematics import kinematics
from gambol.dynamics.loops.projection import moved_along
from gambol.dynamics.loops.relations.constraints import alignment_rows, constraint_rows
from gambol.dynamics.loops.relations.row import jacobian_row
from gambol.dynamics.tangent import normalised
from gambol.errors import FigureError
from gambol.figure import Figure

Array = NDArray[np.float64]

CLOSED = 1e-11
"""Residual [m, or sine of an angle] below which a loop is closed: above rounding in a figure of some metres."""

STEPS = 100
STARTS = 6
NUDGE = 0.3
"""Steps from one start, number of starts, and random perturbation of all starts but the first [rad or m]: a search from
a singular configuration, such as a stretched linkage, makes no progress."""

STUCK = 1e9
"""Damping [1] at which the search ends: a step is then a billionth of the gradient."""

LEAST_GAIN = 1e-6
"""Relative decrease of the squared residuals below which the search ends: a step towards closed loops removes most of
them, one towards a local minimum ever less."""

Residuals = Callable[[list[float]], tuple[Array, Array]]


def assembled(figure: Figure, q: Sequence[float], locked: Iterable[str] = ()) -> list[float]:
    """Return coordinates (nq) near q at which all loops of a figure are closed.

    figure: with constraints. q: the guess (nq). locked: names of links whose joints keep their coordinates. Raises
    FigureError, with the worst constraint, where the loops cannot be closed from q.
    """
    fixed = {k for name in locked for k in range(figure.nv)[figure.link(name).v]}
    moving = [k for k in range(figure.nv) if k not in fixed]
    residuals = _residuals_of(figure, moving)
    random, best, least = np.random.default_rng(0), list(q), np.inf
    for start in range(STARTS):
        perturbation = random.normal(size=len(moving)) * (NUDGE if start else 0.0)
        end = _minimised(figure, residuals, _moved(figure, q, perturbation, moving), moving)
        size = float(np.abs(residuals(end)[0]).max(initial=0.0))
        if size < CLOSED:
            return end
        best, least = (end, size) if size < least else (best, least)
    raise FigureError(_failure(figure, best))


def _residuals_of(figure: Figure, moving: list[int]) -> Residuals:
    """Return the function of q that gives all residuals and their Jacobian by the moving joints."""

    def residuals(q: list[float]) -> tuple[Array, Array]:
        state = kinematics(figure, q, [0.0] * figure.nv)
        constraints = [
            row for c in figure.constraints for row in (*constraint_rows(state, c), *alignment_rows(state, c))
        ]
        J = np.array([jacobian_row(state, row) for row in constraints]).reshape(-1, figure.nv)
        return np.array([row.gap for row in constraints]), J[:, moving]

    return residuals


def _minimised(figure: Figure, residuals: Residuals, q: list[float], moving: list[int]) -> list[float]:
    """Return coordinates at a local minimum of the residuals, by Levenberg and Marquardt."""
    (gaps, slopes), damping = residuals(q), 1e-3
    for _ in range(STEPS):
        square = gaps @ gaps
        if np.abs(gaps).max(initial=0.0) < CLOSED or damping > STUCK:
            break
        weighted = np.vstack([slopes, np.sqrt(damping) * np.eye(len(moving))])  # its square is J^T J + m 1
        x = np.linalg.lstsq(weighted, np.append(-gaps, np.zeros(len(moving))))[0]
        q_next = _moved(figure, q, np.asarray(x, float), moving)
        result = residuals(q_next)
        gain = 1.0 - (result[0] @ result[0]) / square
        if gain > 0.0:
            q, (gaps, slopes) = q_next, result
            damping = min(damping * 0.1, gaps @ gaps)
        else:
            damping *= 10.0
        if 0.0 < gain < LEAST_GAIN:
            break
    return q


def _moved(figure: Figure, q: Sequence[float], x: Array, moving: list[int]) -> list[float]:
    full = np.zeros(figure.nv)
    full[moving] = x
    return normalised(figure, moved_along(figure, q, full.tolist()))


def _failure(figure: Figure, q: list[float]) -> str:
    """Return the message that names the worst constraint and its residual."""
    state = kinematics(figure, q, [0.0] * figure.nv)
    errors = [
        max(abs(row.gap) for row in (*constraint_rows(state, c), *alignment_rows(state, c))) for c in figure.constraints
    ]
    worst = int(np.argmax(errors))
    return (
        f'figure "{figure.name}" cannot close its loops from the given coordinates: {figure.constraints[worst].title} '
        f"is still {errors[worst]:.3g} off; check its lengths and positions, or start nearer to where it closes"
    )
