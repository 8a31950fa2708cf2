"""sin, cos and atan2 of traced values."""

import math
from typing import Any

from gambol.lanes.elementary.angles import quarter_turns
from gambol.lanes.elementary.coefficients import ARCTANGENT, COSINE, HALF_PI, SINE
from gambol.lanes.elementary.polynomial import fma, polynomial, select
from gambol.lanes.ops import Precision
from gambol.lanes.trace import Real, current_trace, record

SMALLEST: dict[Precision, float] = {"float64": 2.0**-1074, "float32": 2.0**-149}


def sin(x: Real) -> Any:
    """Sine of a traced angle [rad]."""
    turns, r = quarter_turns(x)
    value = select(record("bit", turns, extra=0), _reduced_cos(r), _reduced_sin(r))
    return select(record("bit", turns, extra=1), -value, value)


def cos(x: Real) -> Any:
    """Cosine of a traced angle [rad]."""
    turns, r = quarter_turns(x)
    value = select(record("bit", turns, extra=0), _reduced_sin(r), _reduced_cos(r))
    return select(record("bit", turns + 1.0, extra=1), -value, value)


def _reduced_sin(r: Any) -> Any:
    z = r * r
    return record("copysign", fma(r * z, polynomial(z, SINE[r.trace.precision]), r), r)  # -0 of -0


def _reduced_cos(r: Any) -> Any:
    z = r * r
    p = fma(z, polynomial(z, COSINE[r.trace.precision]), -0.5)
    return fma(z, p, 1.0)


def atan2(y: Any, x: Any) -> Any:
    """Return the angle of the point (x, y) of traced coordinates [rad]; signed zeros and infinities as in C's atan2.

    The angle in the half quadrant, atan(t) for t from 0 to 1, is added to 0, pi/2 or pi, or subtracted from it.
    """
    trace = current_trace(y.trace if isinstance(y, Real) else x.trace)
    y, x = Real(trace, trace.local(y)), Real(trace, trace.local(x))
    steep = abs(x) < abs(y)
    t = _ratio(select(steep, abs(x), abs(y)), select(steep, abs(y), abs(x)))
    z = t * t
    angle = fma(t * z, polynomial(z, ARCTANGENT[trace.precision]), t)
    behind = record("copysign", 1.0, x) < 0.0
    angle = record("copysign", angle, select(steep, -x, x))
    high, low = HALF_PI[trace.precision][:2]
    from_high = select(steep, high, select(behind, 2.0 * high, 0.0))
    from_low = select(steep, low, select(behind, 2.0 * low, 0.0))
    return record("copysign", from_high + (angle + from_low), y)


def _ratio(small: Any, large: Any) -> Any:
    """Return small / large; 0 where both are 0, and 1 where both are infinite."""
    smallest = SMALLEST[small.trace.precision]
    ratio = small / select(large < smallest, smallest, large)
    return select(record("eq", small, large) & (small >= math.inf), 1.0, ratio)
