"""sin, cos, exp, log and atan2 of traced values, within 2 ulp, from operations that round the same on every machine.

Each one reduces its argument to a small interval, where a polynomial does the rest. Products and sums that must be
rounded once are explicit fma's.
"""

import math
from typing import Any

from gambol.lanes.angles import quarter_turns
from gambol.lanes.coefficients import (
    ARCTANGENT,
    COSINE,
    EXPONENTIAL,
    HALF_PI,
    LOG_2,
    LOGARITHM,
    SINE,
)
from gambol.lanes.ops import Precision
from gambol.lanes.trace import Real, current, recorded

LARGEST_EXPONENT: dict[Precision, float] = {"float64": 720.0, "float32": 90.0}
SMALLEST_EXPONENT: dict[Precision, float] = {"float64": -760.0, "float32": -110.0}
SMALLEST_NORMAL: dict[Precision, float] = {"float64": 2.0**-1022, "float32": 2.0**-126}
SMALLEST: dict[Precision, float] = {"float64": 2.0**-1074, "float32": 2.0**-149}
LIFT: dict[Precision, float] = {"float64": 54.0, "float32": 25.0}  # makes the smallest denormal normal


def _fma(a: Any, b: Any, c: Any) -> Any:
    return recorded("fma", a, b, c)


def _select(mask: Any, yes: Any, no: Any) -> Any:
    return recorded("select", mask, yes, no)


def _polynomial(x: Any, coefficients: tuple[float, ...]) -> Any:
    """Horner's scheme, lowest power first."""
    p = _fma(x, coefficients[-1], coefficients[-2])
    for c in coefficients[-3::-1]:
        p = _fma(p, x, c)
    return p


def sin(x: Real) -> Any:
    """Sine of a traced angle [rad]."""
    turns, r = quarter_turns(x)
    value = _select(recorded("bit", turns, extra=0), _cos_of_small(r), _sin_of_small(r))
    return _select(recorded("bit", turns, extra=1), -value, value)


def cos(x: Real) -> Any:
    """Cosine of a traced angle [rad]."""
    turns, r = quarter_turns(x)
    value = _select(recorded("bit", turns, extra=0), _sin_of_small(r), _cos_of_small(r))
    return _select(recorded("bit", turns + 1.0, extra=1), -value, value)


def _sin_of_small(r: Any) -> Any:
    z = r * r
    return recorded("copysign", _fma(r * z, _polynomial(z, SINE[r.trace.precision]), r), r)  # -0 of -0


def _cos_of_small(r: Any) -> Any:
    z = r * r
    p = _fma(z, _polynomial(z, COSINE[r.trace.precision]), -0.5)
    return _fma(z, p, 1.0)


def exp(x: Real) -> Any:
    """e to the power of a traced x, as 2**k e**r, x = k log 2 + r, scaled in two steps that do not overflow early."""
    precision = x.trace.precision
    low, high = SMALLEST_EXPONENT[precision], LARGEST_EXPONENT[precision]
    x = _select(x < low, low, _select(x > high, high, x))
    k = recorded("round", x * (1.0 / math.log(2.0)))
    r: Any = x
    for part in LOG_2[precision]:
        r = _fma(-k, part, r)
    p = 1.0 + _fma(r * r, _polynomial(r, EXPONENTIAL[precision]), r)
    half = recorded("floor", k * 0.5)
    return p * recorded("pow2", half) * recorded("pow2", k - half)


def log(x: Real) -> Any:
    """Natural logarithm of a traced x = 2**k (1 + f), f from sqrt(1/2) - 1 to sqrt(2) - 1.

    It is k log 2 + log(1 + f); log(1 + f) = 2 atanh s = f - s (f - R), where s = f / (2 + f), R = 2 atanh(s) / s - 2.
    """
    precision = x.trace.precision
    lift = LIFT[precision]
    small = x < SMALLEST_NORMAL[precision]
    normal = _select(small, x * 2.0**lift, x)
    k = recorded("exponent", normal) - _select(small, lift, 0.0)
    m = recorded("significand", normal)
    above = m > math.sqrt(2.0)
    k = _select(above, k + 1.0, k)
    f = _select(above, m * 0.5, m) - 1.0
    s = f / (f + 2.0)
    z = s * s
    high, low = LOG_2[precision]
    rest = _fma(s, f - z * _polynomial(z, LOGARITHM[precision]), -(k * low))
    value = _fma(k, high, f - rest)
    value = _select(x < math.inf, value, x)
    return _select(x > 0.0, value, _select(x < 0.0, math.nan, _select(x == 0.0, -math.inf, x)))


def atan2(y: Any, x: Any) -> Any:
    """The angle of the point (x, y) of traced coordinates [rad]; zeros and infinities of both signs as in C's atan2.

    The angle within the half quadrant, atan(t) for t from 0 to 1, is added to 0, pi/2 or pi, or taken off it.
    """
    trace = current(y.trace if isinstance(y, Real) else x.trace)
    y, x = Real(trace, trace.local(y)), Real(trace, trace.local(x))
    steep = abs(x) < abs(y)
    t = _ratio(_select(steep, abs(x), abs(y)), _select(steep, abs(y), abs(x)))
    z = t * t
    angle = _fma(t * z, _polynomial(z, ARCTANGENT[trace.precision]), t)
    behind = recorded("copysign", 1.0, x) < 0.0
    angle = recorded("copysign", angle, _select(steep, -x, x))
    high, low = HALF_PI[trace.precision][:2]
    from_high = _select(steep, high, _select(behind, 2.0 * high, 0.0))
    from_low = _select(steep, low, _select(behind, 2.0 * low, 0.0))
    return recorded("copysign", from_high + (angle + from_low), y)


def _ratio(small: Any, large: Any) -> Any:
    """small / large, but 0 for zeros and 1 for infinities."""
    smallest = SMALLEST[small.trace.precision]
    ratio = small / _select(large < smallest, smallest, large)
    return _select(recorded("eq", small, large) & (small >= math.inf), 1.0, ratio)
