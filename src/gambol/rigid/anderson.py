"""Anderson acceleration between sweeps over the rows of trees, and whether sweeps go on.

    x_k+1 = g_k - sum gamma_j (g_j+1 - g_j)          g_k = sweep(x_k),  f_k = g_k - x_k
    gamma: min |f_k - sum gamma_j (f_j+1 - f_j)|     over the last HISTORY sweeps

x: z and all impulses; f is measured by z, in which the mass matrix is 1, so its square is an energy. While the same
contacts stick, slip and separate, sweeps are linear, and this is GMRES for them. Nothing is added after the last sweep,
so its result satisfies the laws. [Anderson 1965; Walker and Ni 2011]
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import DoWhile, If, Precision, ProgramSpec, Scalar, floor, gather, minimum, sqrt, total, where
from gambol.lanes import working_precision as precision_of_trace
from gambol.lanes.procedure import Step
from gambol.rigid.articulated import inverse_factor, lower
from gambol.rigid.contact_memory import ProgramSource

Array = NDArray[Any]
Indices = NDArray[np.int64]
Numbers = tuple[Scalar, ...]

HISTORY = 5
"""Differences that are used: four ragdolls in a heap need 23, 21 and 20 sweeps in a step with 5, 8 and 12, and 52 with
conjugate directions; but each takes time, and eight ragdolls more often need many sweeps with 8."""

WIDTH = 8
"""Lanes of these programs, the same for any number of lanes of others, so that sums do not depend on that."""

GROWTH = 3.0
"""Differences are forgotten when the residual has grown by this factor: contacts changed between sticking, slipping
and separation."""

LARGEST = 1e3
"""Largest sum of |gamma|; larger ones amplify rounding."""

REGULARISATION: dict[Precision, float] = {"float64": 1e-12, "float32": 1e-5}
"""Share of the squared length of each difference that is added to it, against rounding."""

STALL_WINDOW, STALL_RATIO = 50, 0.8
STALL_RESIDUAL: dict[Precision, float] = {"float64": 1e-6, "float32": 1e-4}
"""Sweeps end if the best residual of the last STALL_WINDOW sweeps is above STALL_RATIO times the best of the
STALL_WINDOW sweeps before those, and below STALL_RESIDUAL [m/s]: the remaining residual cannot be reduced, as when
several points of a turning body slip."""

UNKNOWN = 1e30
"""Residual before the first sweep [m/s]."""

KNOWN_AT_START = -2.0
"""Control.known before the first sweep. What that sweep starts from is not recorded, so its f is not valid; the first
valid difference is f of the third sweep less f of the second, and known is then 1."""

TRIANGLE = HISTORY * (HISTORY + 1) // 2


class Control(NamedTuple):
    """Numbers that control sweeps.

    tolerance: residual at which they end [m/s]; limit: of their number; residual: of the last sweep; sweeps: their
    number; more: 1 if they go on, else 0; before, best: best residuals of the window before, and of this one so far.
    known: number of valid differences, below 0 in sweeps that are not extrapolated; last: residual of the sweep before;
    least: the least one, and idle: sweeps since, see PATIENCE.
    """

    tolerance: Scalar = 0.0
    limit: Scalar = 0.0
    residual: Scalar = 0.0
    sweeps: Scalar = 0.0
    more: Scalar = 0.0
    before: Scalar = 0.0
    best: Scalar = 0.0
    known: Scalar = 0.0
    last: Scalar = 0.0
    least: Scalar = 0.0
    idle: Scalar = 0.0


PATIENCE, REST, BETTER = 12.0, 8.0, 0.9
"""If PATIENCE sweeps do not reduce the residual to BETTER times its least, differences are forgotten, and REST sweeps
taken without extrapolation. Else some heaps stay at 1e-3 m/s for 1000 sweeps."""


def _begun(goal: tuple[Scalar, Scalar]) -> tuple[Control]:
    """Return the control before the first sweep; goal: tolerance and limit."""
    residuals = dict.fromkeys(("before", "best", "last", "least"), UNKNOWN)
    return (Control(*goal, known=KNOWN_AT_START, **residuals),)


def _judged(c: Control) -> tuple[Control]:
    """Return the control after a sweep; a residual that is not a number ends sweeps."""
    sweeps, best = c.sweeps + 1.0, minimum(c.best, c.residual)
    ends = sweeps - STALL_WINDOW * floor(sweeps * (1.0 / STALL_WINDOW)) < 0.5  # a window ends
    stalled = ends & (STALL_RATIO * c.before < best) & (best < STALL_RESIDUAL[precision_of_trace()])
    more = where((c.residual > c.tolerance) & (sweeps < c.limit), where(stalled, 0.0, 1.0), 0.0)
    window = where(ends, best, c.before), where(ends, UNKNOWN, best)
    return (c._replace(sweeps=sweeps, more=more, before=window[0], best=window[1]),)


def _recorded(place: Scalar, history: Numbers, sums: Numbers, x: Any, start: Any) -> tuple[Any, ...]:
    """Return f of a free motion with its differences, newest first, and sums of products with them.

    place: of the motion in the tables x and start; sums: newest difference times each, then f times each.
    """
    f = gather(x, place) - gather(start, place)
    differences = (f - history[0], *history[1:HISTORY])
    products = [differences[0] * d for d in differences] + [f * d for d in differences]
    return (f, *differences), [a + b for a, b in zip(sums, products, strict=True)]


def _weights(sums: Numbers, products: Numbers, c: Control) -> tuple[Any, ...]:
    """Return gamma for each lane, sums of 0, products of differences, and the control.

    sums: see _recorded(), for each lane; products: triangle of the products of differences before.
    """
    each = [summed(sums[k * WIDTH : (k + 1) * WIDTH]) for k in range(2 * HISTORY)]
    newest, right = each[:HISTORY], each[HISTORY:]
    square = [0.0] * TRIANGLE
    for i in range(HISTORY):
        for j in range(i + 1):
            square[lower(i, j)] = products[lower(i - 1, j - 1)] if j else newest[i]
    grows = (c.residual > GROWTH * c.last) & (c.known >= 0.0)
    known = where(grows, 0.0, minimum(c.known + 1.0, float(HISTORY)))
    valid = [(known > k) & (square[lower(k, k)] > 0.0) for k in range(HISTORY)]
    lengths = [where(v, square[lower(k, k)], 1.0) for k, v in enumerate(valid)]
    scale = [where(v, 1.0 / sqrt(x), 0.0) for v, x in zip(valid, lengths, strict=True)]
    ridge = REGULARISATION[precision_of_trace()]
    scaled = [
        where(valid[i] & valid[j], square[lower(i, j)] * (scale[i] * scale[j]), 0.0)
        + (where(valid[i], ridge, 1.0) if i == j else 0.0)
        for i in range(HISTORY)
        for j in range(i + 1)
    ]
    inverse = inverse_factor(scaled, HISTORY)
    b = [where(v, x * s, 0.0) for v, x, s in zip(valid, right, scale, strict=True)]
    y = [total(inverse[lower(i, j)] * b[j] for j in range(i + 1)) for i in range(HISTORY)]
    gamma = [scale[j] * total(inverse[lower(i, j)] * y[i] for i in range(j, HISTORY)) for j in range(HISTORY)]
    is_small = total(abs(x) for x in gamma) < LARGEST
    gamma = [where(is_small, x, 0.0) for x in gamma]
    control = c._replace(known=where(is_small, known, minimum(known, 0.0)), last=c.residual)
    better = c.residual < BETTER * c.least
    idle = where(better, 0.0, c.idle + 1.0)
    is_resting = idle >= PATIENCE
    control = control._replace(
        known=where(is_resting, -REST, control.known),
        idle=where(is_resting, 0.0, idle),
        least=where(better | is_resting, c.residual, c.least),
    )
    gamma = [where(is_resting, 0.0, x) for x in gamma]
    return [x for x in gamma for _ in range(WIDTH)], (0.0,) * len(sums), square, control


def summed(x: Numbers) -> Scalar:
    """Return the sum of numbers, by halves."""
    return x[0] if len(x) == 1 else summed(x[: len(x) // 2]) + summed(x[len(x) // 2 :])


def _extrapolated(x: Scalar, history: Numbers, gamma: Numbers) -> tuple[Any, ...]:
    """Return an extrapolated number twice, and its history: the number, and its differences, newest first."""
    differences = (x - history[0], *history[1:HISTORY])
    new = x - total(a * b for a, b in zip(gamma, differences, strict=True))
    return new, new, (x, *differences)


_HISTORY: Numbers = (0.0,) * (1 + HISTORY)
_SUMS: Numbers = (0.0,) * (2 * HISTORY)
ANDERSON_PROGRAMS = {
    "sweeps begin": ProgramSpec("pile sweeps begin", _begun, ((0.0, 0.0),), 0, "begin"),
    "sweep judged": ProgramSpec("pile sweep judged", _judged, (Control(),), 0, "judged"),
    "anderson recorded": ProgramSpec("pile anderson recorded", _recorded, (0.0, _HISTORY, _SUMS), 2, "recorded"),
    "anderson weights": ProgramSpec(
        "pile anderson weights", _weights, (_SUMS * WIDTH, (0.0,) * TRIANGLE, Control()), 0, "weights"
    ),
    "anderson": ProgramSpec("pile anderson", _extrapolated, (0.0, _HISTORY, (0.0,) * HISTORY), 0, "extrapolated"),
}
"""The programs between sweeps, by name."""


class AndersonSweeps:
    """Sweeps with these programs between them.

    solver: the programs; unknowns: z, and then impulses; places: of all free motions in it, in an order that does not
    depend on lanes; unused: place of a number that is always 0. control: a column of Control; residual: its number that
    the sweep writes.
    """

    def __init__(self, solver: ProgramSource, unknowns: Array, places: Indices, unused: int) -> None:
        dtype, padded = unknowns.dtype, np.full((1, -(-len(places) // WIDTH) * WIDTH), unused, unknowns.dtype)
        padded[0, : len(places)] = places
        start, sums = np.zeros_like(unknowns), np.zeros((2 * HISTORY, WIDTH), dtype)
        gamma, products = np.zeros((HISTORY, WIDTH), dtype), np.zeros((TRIANGLE, 1), dtype)
        of_motions, of_unknowns = (np.zeros((n // WIDTH, 1 + HISTORY, WIDTH), dtype) for n in (padded.size, start.size))
        self.control = control = np.zeros((len(Control._fields), 1), dtype)
        self.residual = control[Control._fields.index("residual")]
        self._judged = solver.program("sweep judged", 1).bind(control, out=[control])
        self._solver = solver
        self._recorded = solver.program("anderson recorded", WIDTH).bind(
            *(padded, of_motions, sums), out=[of_motions, sums], tables=[unknowns, start]
        )
        self._weights = solver.program("anderson weights", 1).bind(
            *(sums.reshape(-1, 1), products, control),
            out=[gamma.reshape(-1, 1), sums.reshape(-1, 1), products, control],
        )
        self.extrapolated = solver.program("anderson", WIDTH).bind(
            *(unknowns[None], of_unknowns, gamma), out=[unknowns[None], start[None], of_unknowns]
        )

    def steps(self, sweep: Step, goal: Array) -> tuple[Step, ...]:
        """Return the steps of sweeps until they end.

        sweep: one sweep; goal: residual at which they end [m/s], and the limit of their number (2, 1).
        """
        more = self.control[Control._fields.index("more")]
        begin = self._solver.program("sweeps begin", 1).bind(goal, out=[self.control])
        between = If(more, (self._recorded, self._weights, self.extrapolated))
        return begin, DoWhile((sweep, self._judged, between), more)

    @property
    def found(self) -> tuple[float, int]:
        """The residual of the last sweep [m/s], and the number of sweeps."""
        c = Control(*self.control[:, 0])
        return float(c.residual), int(c.sweeps)
