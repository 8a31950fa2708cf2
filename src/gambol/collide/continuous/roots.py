"""Roots of polynomials without cancellation, and all roots in [0, 1] in a bounded number of steps.

Between two neighbouring roots of its derivative a polynomial is monotonic. It has at most one root there, and it has
one if its signs at both ends differ. Newton's method finds it, with bisection where Newton would leave the interval.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from gambol.collide.gap import FAR
from gambol.lanes import Scalar, clamp, loop, maximum, minimum, sqrt, subprogram, where, working_precision

MAX_STEPS = 100.0  # bisection alone needs 53; the others are Newton steps
ZERO_TOLERANCE = {"float64": 1e-14, "float32": 2e-6}  # of the sum of |coefficients|: a smaller value is 0


def quadratic_roots(a: Scalar, b: Scalar, c: Scalar) -> tuple[Scalar, Scalar]:
    """Return the real roots of a t^2 + 2 b t + c, the lower first; missing ones are FAR.

    The roots are q / a and c / q with q = -(b + sign(b) sqrt(b^2 - a c)): no terms cancel.
    """
    discriminant = b * b - a * c
    real = discriminant >= 0.0
    q = -(b + where(b < 0.0, -1.0, 1.0) * sqrt(where(real, discriminant, 0.0)))
    first = where(real & (a != 0.0), q / where(a == 0.0, 1.0, a), FAR)
    second = where(real & (q != 0.0), c / where(q == 0.0, 1.0, q), first)
    return minimum(first, second), maximum(first, second)


def entry_time(speed: Scalar, gap: Scalar, discriminant: Scalar, size: Scalar) -> Scalar:
    """Return the time of entry into a quadric: the lower root of size t^2 + 2 speed t + gap if not negative, else FAR.

    speed: half of the linear coefficient, negative on the way in. gap: not negative outside. discriminant: speed^2 -
    size gap, computed by the caller without cancellation. size: the quadratic coefficient. The root is
    gap / (-speed + sqrt(discriminant)), whose denominator is a sum of positive numbers.
    """
    enters = (speed < 0.0) & (discriminant >= 0.0) & (gap >= 0.0) & (size > 0.0)
    denominator = where(enters, sqrt(where(enters, discriminant, 0.0)) - speed, 1.0)
    return where(enters, gap / denominator, FAR)


def unit_roots(coefficients: Sequence[Scalar]) -> list[Scalar]:
    """Return the real roots in [0, 1] of c0 + c1 t + c2 t^2 + ..., in ascending order: a list as long as the degree.

    Missing roots are FAR. A double root is returned once or twice. For the zero polynomial the result is some numbers
    in [0, 1].
    """
    degree = len(coefficients) - 1
    if degree == 1:
        c0, c1 = coefficients
        t = where(c1 != 0.0, -c0 / where(c1 == 0.0, 1.0, c1), where(c0 == 0.0, 0.0, FAR))
        return [where((t >= 0.0) & (t <= 1.0), t, FAR)]
    slopes = [k * c for k, c in enumerate(coefficients)][1:]
    critical = [clamp(t, 0.0, 1.0) for t in _critical_points(slopes)]
    bounds = [0.0, *critical, 1.0]
    return _sorted([_root_in(MonotonicInterval(low, high, list(coefficients))) for low, high in pairwise(bounds)])


def _sorted(times: list[Scalar]) -> list[Scalar]:
    """Return a few numbers in ascending order, by bubble sort."""
    for last in range(len(times) - 1, 0, -1):
        for k in range(last):
            a, b = times[k], times[k + 1]
            times[k], times[k + 1] = minimum(a, b), maximum(a, b)
    return times


def _critical_points(slopes: list[Scalar]) -> list[Scalar]:
    if len(slopes) == 3:
        return list(quadratic_roots(slopes[2], 0.5 * slopes[1], slopes[0]))
    return unit_roots(slopes)


@dataclass(frozen=True, slots=True)
class MonotonicInterval:
    """An interval on which a polynomial is monotonic."""

    low: Scalar
    high: Scalar
    coefficients: list[Scalar]


def polynomial(coefficients: Sequence[Scalar], t: Scalar) -> tuple[Scalar, Scalar]:
    """Return the value and the slope of c0 + c1 t + c2 t^2 + ... at t, by Horner's rule."""
    value: Scalar = coefficients[-1]
    slope: Scalar = 0.0
    for c in reversed(coefficients[:-1]):
        slope = slope * t + value
        value = value * t + c
    return value, slope


@subprogram
def _root_in(interval: MonotonicInterval) -> Scalar:
    """Return the root in a monotonic interval, or FAR."""
    c, low, high = interval.coefficients, interval.low, interval.high
    scale = sum((abs(x) for x in c), 0.0) * ZERO_TOLERANCE[working_precision()]
    at_low, at_high = polynomial(c, low)[0], polynomial(c, high)[0]
    rises = at_high > at_low
    crosses = where(rises, at_low, at_high) * where(rises, at_high, at_low) < 0.0
    root = _bracketed_newton(c, where(crosses, low, high), high, rises)
    at_end = where(abs(at_low) <= scale, low, where(abs(at_high) <= scale, high, FAR))
    return where(crosses, root, at_end)


@dataclass(frozen=True, slots=True)
class Bracket:
    """A bracket of a root: its ends, the last guess t, its last change, and the number of steps."""

    low: Scalar
    high: Scalar
    t: Scalar
    change: Scalar
    steps: Scalar


def _bracketed_newton(c: list[Scalar], low: Scalar, high: Scalar, rises: Scalar) -> Scalar:
    """Return the root between low and high by Newton's method within a bracket, which each step narrows."""
    sign = where(rises, 1.0, -1.0)

    def step(b: Bracket) -> Bracket:
        value, slope = polynomial(c, b.t)
        above = value * sign > 0.0
        low, high = where(above, b.low, b.t), where(above, b.t, b.high)
        newton = b.t - value / where(slope == 0.0, 1.0, slope)
        inside = (newton > low) & (newton < high) & (slope != 0.0)
        t = where(value == 0.0, b.t, where(inside, newton, 0.5 * (low + high)))
        return Bracket(low, high, t, abs(t - b.t), b.steps + 1.0)

    def not_finished(b: Bracket) -> Scalar:
        return (b.change > 0.0) & (b.high > b.low) & (b.steps < MAX_STEPS)

    start = Bracket(low, high, 0.5 * (low + high), 1.0, 0.0)
    return loop(not_finished, step, start).t
