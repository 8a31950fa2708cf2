"""sin, cos, atan2, exp and log of traced values: a reduced argument, and a polynomial of it.

Angles are reduced by quarter turns (see angles.py), exponents and logarithms by powers of two.
"""

import math
from typing import Any

from gambol.lanes.elementary.angles import quarter_turns
from gambol.lanes.elementary.coefficients import ARCTANGENT, COSINE, EXPONENTIAL, HALF_PI, LOG_2, LOGARITHM, SINE
from gambol.lanes.ops import Precision
from gambol.lanes.trace import Real, current_trace, record

EXP_OVERFLOW: dict[Precision, float] = {"float64": 720.0, "float32": 90.0}  # exp of this is infinite
EXP_UNDERFLOW: dict[Precision, float] = {"float64": -760.0, "float32": -110.0}  # exp of this is 0
MIN_NORMAL: dict[Precision, float] = {"float64": 2.0**-1022, "float32": 2.0**-126}
SCALE_EXPONENT: dict[Precision, float] = {"float64": 54.0, "float32": 25.0}
"""2 to this power, times the smallest subnormal number, is a normal number."""
MIN_SUBNORMAL: dict[Precision, float] = {"float64": 2.0**-1074, "float32": 2.0**-149}


def fma(a: Any, b: Any, c: Any) -> Any:
    """Return a b + c, rounded once."""
    return record("fma", a, b, c)


def select(mask: Any, yes: Any, no: Any) -> Any:
    """Return yes in lanes where the mask is True, no in the others."""
    return record("select", mask, yes, no)


def polynomial(x: Any, coefficients: tuple[float, ...]) -> Any:
    """Return the polynomial of x with these coefficients, lowest power first, by Horner's scheme."""
    p = fma(x, coefficients[-1], coefficients[-2])
    for c in coefficients[-3::-1]:
        p = fma(p, x, c)
    return p


def sin(x: Real) -> Any:
    """Return the sine of a traced angle [rad]."""
    turns, r = quarter_turns(x)
    value = select(record("bit", turns, extra=0), _reduced_cos(r), _reduced_sin(r))
    return select(record("bit", turns, extra=1), -value, value)


def cos(x: Real) -> Any:
    """Return the cosine of a traced angle [rad]."""
    turns, r = quarter_turns(x)
    value = select(record("bit", turns, extra=0), _reduced_sin(r), _reduced_cos(r))
    return select(record("bit", turns + 1.0, extra=1), -value, value)


def _reduced_sin(r: Any) -> Any:
    z = r * r
    return record("copysign", fma(r * z, polynomial(z, SINE[r.trace.precision]), r), r)  # the sine of -0 is -0


def _reduced_cos(r: Any) -> Any:
    z = r * r
    p = fma(z, polynomial(z, COSINE[r.trace.precision]), -0.5)
    return fma(z, p, 1.0)


def atan2(y: Any, x: Any) -> Any:
    """Return the angle of the point (x, y) [rad]; signed zeros and infinities as in C's atan2.

    y, x: coordinates, at least one of them traced. The result is 0, pi/2 or pi, plus or minus atan(t) with t from 0 to
    1.
    """
    trace = current_trace(y.trace if isinstance(y, Real) else x.trace)
    y, x = Real(trace, trace.index_of(y)), Real(trace, trace.index_of(x))
    steep = abs(x) < abs(y)
    t = _ratio(select(steep, abs(x), abs(y)), select(steep, abs(y), abs(x)))
    z = t * t
    angle = fma(t * z, polynomial(z, ARCTANGENT[trace.precision]), t)
    negative_x = record("copysign", 1.0, x) < 0.0
    angle = record("copysign", angle, select(steep, -x, x))
    high, low = HALF_PI[trace.precision][:2]
    base_high = select(steep, high, select(negative_x, 2.0 * high, 0.0))
    base_low = select(steep, low, select(negative_x, 2.0 * low, 0.0))
    return record("copysign", base_high + (angle + base_low), y)


def _ratio(small: Any, large: Any) -> Any:
    """Return small / large; 0 if both are 0, and 1 if both are infinite."""
    min_positive = MIN_SUBNORMAL[small.trace.precision]
    ratio = small / select(large < min_positive, min_positive, large)
    return select(record("eq", small, large) & (small >= math.inf), 1.0, ratio)


def exp(x: Real) -> Any:
    """Return e**x for a traced x, as 2**k e**r with x = k log 2 + r. 2**k is applied in two steps to avoid overflow."""
    precision = x.trace.precision
    low, high = EXP_UNDERFLOW[precision], EXP_OVERFLOW[precision]
    x = select(x < low, low, select(x > high, high, x))
    k = record("round", x * (1.0 / math.log(2.0)))
    r: Any = x
    for part in LOG_2[precision]:
        r = fma(-k, part, r)
    p = 1.0 + fma(r * r, polynomial(r, EXPONENTIAL[precision]), r)
    half = record("floor", k * 0.5)
    return p * record("pow2", half) * record("pow2", k - half)


def log(x: Real) -> Any:
    """Return the natural logarithm of a traced x.

    With x = 2**k (1 + f) and f from sqrt(1/2) - 1 to sqrt(2) - 1, it is k log 2 + log(1 + f), where
    log(1 + f) = 2 atanh s = f - s (f - R), s = f / (2 + f), R = 2 atanh(s) / s - 2.
    """
    precision = x.trace.precision
    scale = SCALE_EXPONENT[precision]
    subnormal = x < MIN_NORMAL[precision]
    normal = select(subnormal, x * 2.0**scale, x)
    k = record("exponent", normal) - select(subnormal, scale, 0.0)
    m = record("significand", normal)
    halved = m > math.sqrt(2.0)
    k = select(halved, k + 1.0, k)
    f = select(halved, m * 0.5, m) - 1.0
    s = f / (f + 2.0)
    z = s * s
    high, low = LOG_2[precision]
    correction = fma(s, f - z * polynomial(z, LOGARITHM[precision]), -(k * low))
    value = fma(k, high, f - correction)
    value = select(x < math.inf, value, x)
    return select(x > 0.0, value, select(x < 0.0, math.nan, select(x == 0.0, -math.inf, x)))
