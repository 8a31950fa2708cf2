"""exp and log of traced values, by reduction with powers of two."""

import math
from typing import Any

from gambol.lanes.elementary.coefficients import EXPONENTIAL, LOG_2, LOGARITHM
from gambol.lanes.elementary.polynomial import fma, polynomial, select
from gambol.lanes.ops import Precision
from gambol.lanes.trace import Real, record

EXP_OVERFLOW: dict[Precision, float] = {"float64": 720.0, "float32": 90.0}  # exp of this is infinite
EXP_UNDERFLOW: dict[Precision, float] = {"float64": -760.0, "float32": -110.0}  # exp of this is 0
MIN_NORMAL: dict[Precision, float] = {"float64": 2.0**-1022, "float32": 2.0**-126}
SCALE_EXPONENT: dict[Precision, float] = {
    "float64": 54.0,
    "float32": 25.0,
}  # 2 to this power scales the smallest subnormal number to a normal one


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
