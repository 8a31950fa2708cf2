"""sin, cos, atan2, exp and log of traced values: a reduced argument, and a polynomial of it.

Exponents and logarithms are reduced by powers of two, angles by quarter turns, accurately for any angle. Small angles:
subtract multiples of pi/2, stored in three parts [Cody & Waite 1980]. Large angles: multiply by those digits of 2/pi
that affect the result [Payne & Hanek 1983]; this branch is skipped if no lane has a large angle.
"""

import math
from typing import Any

from gambol.lanes.elementary.coefficients import ARCTANGENT, COSINE, EXPONENTIAL, HALF_PI, LOG_2, LOGARITHM, SINE
from gambol.lanes.flow import subprogram, when
from gambol.lanes.ops import Precision
from gambol.lanes.trace import Real, current_trace, record

MAX_CODY_WAITE_ANGLE: dict[Precision, float] = {"float64": 2.0**30, "float32": 2.0**16}
"""Angles [rad] up to this limit are reduced by subtraction: the remainder is then at most pi/4 + 2**-7."""

ROUNDER: dict[Precision, float] = {"float64": 1.5 * 2.0**52, "float32": 1.5 * 2.0**23}
"""Adding and subtracting this constant rounds a number to an integer."""

DIGIT_BITS: dict[Precision, int] = {"float64": 24, "float32": 12}
"""Bits of a digit of 2/pi. Two digits fit into one number of the precision; a product of two numbers is
exactly a sum of two numbers."""

DIGIT_PAIRS = 5  # the first may contain full turns; the last is below the smallest remainder, 2**-62

TWO_OVER_PI = int(
    "a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424dd2e006492eea09d1921cfe1d"
    "eb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d639835339f49c845f8bbdf9283b1ff897ffde05980fef2f118b"
    "5a0a6d1f6d367ecf27cb09b74f463f669e5fea2d7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f8d5d0856033046fc7b",
    16,
)  # in units of 2**-1200


def quarter_turns(x: Real) -> tuple[Any, Any]:
    """Return (k, r) with x = k pi/2 + r up to full turns, |r| at most pi/4 + 2**-7, and k an integer.

    x: an angle [rad]. r has a relative error of 2**-53 (float32: 2**-24), and is NaN if x is infinite or NaN. For small
    angles, including -0, k = 0 and r = x.
    """
    large = abs(x) > MAX_CODY_WAITE_ANGLE[x.trace.precision]
    return when(large, _reduce_large, x, otherwise=_reduce_moderate(x))


def _reduce_moderate(x: Real) -> tuple[Any, Any]:
    """Reduce a small angle: subtract k pi/2 part by part. The first subtraction is exact, and -0 stays -0."""
    precision = x.trace.precision
    rounder = ROUNDER[precision]
    k = record("fma", x, 2.0 / math.pi, rounder) - rounder
    r: Any = x
    for part in HALF_PI[precision]:
        r = record("fma", -k, part, r)
    return k, r


@subprogram
def _reduce_large(x: Real) -> tuple[Any, Any]:
    """Reduce a large angle: compute |x| 2/pi modulo 4 as a sum of exact products, then apply the sign of x."""
    precision = x.trace.precision
    turns = _vec_sum(_vec_sum(_products(abs(x), DIGIT_BITS[precision])))
    k = record("round", turns[-1])
    turns = _vec_sum(_vec_sum([*turns[:-1], turns[-1] - k]))
    high, low = turns[-1], sum(turns[-2::-1], 0.0)
    first, second = HALF_PI[precision][:2]
    r = record("fma", high, first, record("fma", high, second, low * first))
    r = record("select", abs(x) < math.inf, r, math.nan)
    return record("select", x < 0.0, -k, k), record("select", x < 0.0, -r, r)


def _products(x: Any, bits: int) -> list[Any]:
    """Return numbers with the sum x 2/pi, up to multiples of 4.

    x = m 2**(bits j) with 1 <= m < 2**bits. Digit n of 2/pi has the weight 2**(-bits n). Digits before j - 2 contribute
    full turns only.
    """
    exponent = record("exponent", x)
    j = record("floor", (exponent + 0.5) * (1.0 / bits))
    m = record("significand", x) * record("pow2", exponent - bits * j)
    terms: list[Any] = []
    for pair in range(DIGIT_PAIRS):
        digits = record("gather", j + (2.0 * pair - 1.0), extra=_pairs_of_digits(bits))
        digits = digits * 2.0 ** (bits * (1 - 2 * pair))
        product = m * digits
        terms += [product, record("fma", m, digits, -product)]
    return [*(_modulo_4(term) for term in terms[:3]), *terms[3:]]


def _pairs_of_digits(bits: int) -> tuple[float, ...]:
    """Return digits n and n + 1 of 2/pi as one integer, for n from -1; digits -1 and 0 are 0."""
    return tuple(float((TWO_OVER_PI >> (1200 - bits * end)) & (4**bits - 1)) for end in range(1200 // bits + 1))


def _modulo_4(x: Any) -> Any:
    return record("fma", record("round", x * 0.25), -4.0, x)


def _vec_sum(terms: list[Any]) -> list[Any]:
    """Return the rounding errors of a sum, then the rounded sum; their exact sum equals the sum of the terms.

    [Ogita, Rump & Oishi 2005, VecSum]
    """
    total = terms[0]
    errors: list[Any] = []
    for term in terms[1:]:
        new = total + term
        added = new - total
        errors.append((total - (new - added)) + (term - added))
        total = new
    return [*errors, total]


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
