"""sin, cos and atan2 of traced values."""

import math
from typing import Any

from gambol.lanes.elementary.angles import quarter_turns
from gambol.lanes.elementary.coefficients import ARCTANGENT, COSINE, HALF_PI, SINE
from gambol.lanes.elementary.polynomial import fma, polynomial, select
from gambol.lanes.ops import Precision
from gambol.lanes.trace import Real, current_trace, record

MIN_SUBNORMAL: dict[Precision, float] = {"float64": 2.0**-1074, "float32": 2.0**-149}


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
