"""Sliding with a turning slip direction, by the Taylor series of its exact equations.

With dp_z = r ds, where r = |u_t|, the slip obeys u_t' = -mu A u_t + k r. This is smooth even where the slip stops,
which takes infinite s. Scaled by its fastest rate, in units of r at the start, the slip (X, Y), its length R and the
quantities that follow from them have the series

    (n+1) X_n+1 = -mu (A_xx X_n + A_xy Y_n) + k_x R_n        R^2 = X^2 + Y^2        P' = R
    V = K_zz P - mu k . (∫X, ∫Y)        Q' = V R              u_z = w + r V        W = r w P + r^2 Q

The length of a step is as large as the last terms allow [Jorba and Zou 2005]. V is linear in the impulse, so work and
impulse are consistent to rounding. The series also give the point within the step at which u_z or the work passes a
value.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.impulse.friction import EPSILON, TINY, CollisionMatrix
from gambol.lanes import Scalar, exp, log, loop, minimum, where, working_precision

ORDER = {"float64": 16, "float32": 8}
"""Order of the series: half the logarithm of 1 / EPSILON, which needs the least work [Jorba and Zou 2005, section 3.2].
"""

MAX_STEP_LENGTH = 8.0
"""Limit of the length of a step. Rates are scaled to 1 or less, so the terms of longer steps are large and cancel."""

MAX_BISECTIONS = 60
"""Limit of bisections, enough for the precision of float64; Newton's method mostly takes five steps."""

Series = list[Scalar]


@dataclass(frozen=True, slots=True)
class SlidingSeries:
    """Series in s of one step of sliding.

    X, Y: slip. A, B, P: integrals of X, Y, R: the impulses of friction, divided by -mu, and the normal impulse. V, Q:
    see the module docstring. length: largest s of the step.
    """

    X: Series
    Y: Series
    A: Series
    B: Series
    P: Series
    V: Series
    Q: Series
    length: Scalar


def sliding_series(matrix: CollisionMatrix, x: Scalar, y: Scalar) -> SlidingSeries:
    """Return the series that begin with the unit slip (x, y), and the largest s at which they are accurate."""
    order, unit = ORDER[working_precision()], 1.0 / (matrix.bound + TINY)
    kx, ky = matrix.kx * unit, matrix.ky * unit
    xx, xy, yy = (matrix.mu * unit * a for a in (matrix.xx, matrix.xy, matrix.yy))
    X, Y, R = [x], [y], [1.0]
    for n in range(order):
        X.append((kx * R[n] - xx * X[n] - xy * Y[n]) / (n + 1.0))
        Y.append((ky * R[n] - xy * X[n] - yy * Y[n]) / (n + 1.0))
        tail = R[1:]
        square = _product(X, X, n + 1) + _product(Y, Y, n + 1)
        R.append(0.5 * (square - _product(tail, tail, n - 1)))
    A, B, P = (integral([unit * term for term in a]) for a in (X, Y, R))
    V = [matrix.zz * p - matrix.mu * (matrix.kx * a + matrix.ky * b) for a, b, p in zip(A, B, P, strict=True)]
    Q = integral([unit * _product(V, R, n) for n in range(order + 1)])
    return SlidingSeries(X, Y, A, B, P, V, Q, _step_length([X, Y, R]))


def _product(a: Sequence[Scalar], b: Sequence[Scalar], n: int) -> Scalar:
    """Return the term of order n of the product of two series.

    In a square, each pair of equal products is computed once.
    """
    if a is not b:
        return sum((a[i] * b[n - i] for i in range(n + 1)), 0.0)
    twice = 2.0 * sum((a[i] * a[n - i] for i in range((n + 1) // 2)), 0.0)
    return twice + a[n // 2] * a[n // 2] if n >= 0 and n % 2 == 0 else twice


def integral(a: Series) -> Series:
    """Return the series of the integral from 0."""
    return [0.0, *(term / (n + 1.0) for n, term in enumerate(a))]


def _step_length(series: Sequence[Series]) -> Scalar:
    """Return the largest s for which the last two terms stay below rounding."""
    length: Scalar = MAX_STEP_LENGTH
    precision = working_precision()
    for n in (len(series[0]) - 1, len(series[0]) - 2):
        size = sum(abs(a[n]) for a in series)
        length = minimum(exp((log(EPSILON[precision]) - log(size + TINY)) / n), length)
    return length


def series_value(a: Series, s: Scalar) -> Scalar:
    """Return the value of a series at s."""
    total: Scalar = 0.0
    for term in reversed(a):
        total = total * s + term
    return total


def crossing(a: Series, end: Scalar) -> Scalar:
    """Return the s in (0, end] at which a series crosses 0; it is negative before, and not negative at the end."""
    slope = [n * term for n, term in enumerate(a)][1:]
    tolerance = 2.0 * EPSILON[working_precision()]

    def nearer(state: tuple[Scalar, Scalar, Scalar, Scalar]) -> tuple[Scalar, Scalar, Scalar, Scalar]:
        low, high, s, count = state
        value, rate = series_value(a, s), series_value(slope, s)
        low, high = where(value < 0.0, s, low), where(value < 0.0, high, s)
        newton = s - value / where(rate == 0.0, 1.0, rate)
        inside = (newton > low) & (newton < high) & (rate > 0.0)
        new = where(inside, newton, 0.5 * (low + high))
        return low, high, new, where(abs(new - s) <= tolerance * end, 1.0 * MAX_BISECTIONS, count + 1.0)

    start = (0.0 * end, end, 0.5 * end, 0.0 * end)
    return loop(lambda state: state[3] < MAX_BISECTIONS, nearer, start)[2]
