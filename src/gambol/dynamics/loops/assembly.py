"""Assembly: coordinates at which all loops are closed, found from some at which they are not.

    (J^T J + m 1) x = -J^T phi        q moved by x        m falls while |phi| does, and rises when it does not

[Levenberg 1944; Marquardt 1963]. Rows that tell whether held axes point the same way are added, without which a closure
is content upside down. On plain floats: it is done once, before a program is made or run.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.kinematics import kinematics
from gambol.dynamics.loops.projection import carried_on
from gambol.dynamics.loops.relations.row import jacobian_row
from gambol.dynamics.loops.relations.ties import constraint_rows, upright_rows
from gambol.dynamics.tangent import normalised
from gambol.errors import FigureError
from gambol.figure import Figure

Array = NDArray[np.float64]

CLOSED = 1e-11
"""Residual [m, or sine of an angle] of a closed loop: rounding in a figure of some metres, with room."""

STEPS = 100
STARTS = 6
NUDGE = 0.3
"""Most steps from one start; starts, each but the first moved at random [rad or m]: at a stretched or folded linkage no
small move helps, so that a search from exactly there ends before it began."""

STUCK = 1e9
"""Damping [1] at which a move is a billionth of the slope: nothing is gained any more."""

LEAST_GAIN = 1e-6
"""Part by which a step must lessen the squared residuals to be followed by another: towards closed loops every step
takes away most of them, towards a nearest place where they cannot close ever less."""

Look = Callable[[list[float]], tuple[Array, Array]]


def assembled(figure: Figure, q: Sequence[float], held: Iterable[str] = ()) -> list[float]:
    """Coordinates (nq) at which all loops of a figure are closed, near q.

    held: names of links whose joints stay at their coordinates. Raises FigureError when the loops cannot be closed, or
    not from q: it tells what is left of which constraint.
    """
    fixed = {k for name in held for k in range(figure.nv)[figure.link(name).v]}
    moving = [k for k in range(figure.nv) if k not in fixed]
    look = _looking(figure, moving)
    random, best, least = np.random.default_rng(0), list(q), np.inf
    for start in range(STARTS):
        nudge = random.normal(size=len(moving)) * (NUDGE if start else 0.0)
        found = _descended(figure, look, _moved(figure, q, nudge, moving), moving)
        size = float(np.abs(look(found)[0]).max(initial=0.0))
        if size < CLOSED:
            return found
        best, least = (found, size) if size < least else (best, least)
    raise FigureError(_complaint(figure, best))


def _looking(figure: Figure, moving: list[int]) -> Look:
    """What gives all residuals at q, and how they depend on what may move."""

    def look(q: list[float]) -> tuple[Array, Array]:
        state = kinematics(figure, q, [0.0] * figure.nv)
        tied = [row for c in figure.constraints for row in (*constraint_rows(state, c), *upright_rows(state, c))]
        J = np.array([jacobian_row(state, row) for row in tied]).reshape(-1, figure.nv)
        return np.array([row.gap for row in tied]), J[:, moving]

    return look


def _descended(figure: Figure, look: Look, q: list[float], moving: list[int]) -> list[float]:
    """Coordinates from which no small move brings the residuals nearer to 0."""
    (gaps, slopes), damping = look(q), 1e-3
    for _ in range(STEPS):
        square = gaps @ gaps
        if np.abs(gaps).max(initial=0.0) < CLOSED or damping > STUCK:
            break
        weighted = np.vstack([slopes, np.sqrt(damping) * np.eye(len(moving))])  # its square is J^T J + m 1
        x = np.linalg.lstsq(weighted, np.append(-gaps, np.zeros(len(moving))))[0]
        there = _moved(figure, q, np.asarray(x, float), moving)
        found = look(there)
        gain = 1.0 - (found[0] @ found[0]) / square
        if gain > 0.0:
            q, (gaps, slopes) = there, found
            damping = min(damping * 0.1, gaps @ gaps)
        else:
            damping *= 10.0
        if 0.0 < gain < LEAST_GAIN:
            break
    return q


def _moved(figure: Figure, q: Sequence[float], x: Array, moving: list[int]) -> list[float]:
    full = np.zeros(figure.nv)
    full[moving] = x
    return normalised(figure, carried_on(figure, q, full.tolist()))


def _complaint(figure: Figure, q: list[float]) -> str:
    """Which constraint is worst off, and by how much."""
    state = kinematics(figure, q, [0.0] * figure.nv)
    off = [
        max(abs(row.gap) for row in (*constraint_rows(state, c), *upright_rows(state, c))) for c in figure.constraints
    ]
    worst = int(np.argmax(off))
    return (
        f'figure "{figure.name}" cannot close its loops from the given coordinates: {figure.constraints[worst].title} '
        f"is still {off[worst]:.3g} off; check its lengths and places, or start nearer to where it closes"
    )
