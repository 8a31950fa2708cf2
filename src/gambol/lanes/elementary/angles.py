"""Range reduction: the number of quarter turns in an angle and the remainder, accurate for any angle.

Small angles: subtract multiples of pi/2, stored in three parts [Cody & Waite 1980]. Large angles: multiply by those
digits of 2/pi that affect the result [Payne & Hanek 1983]; this branch is skipped if no lane has a large angle.
"""

import math
from typing import Any

from gambol.lanes.elementary.coefficients import HALF_PI
from gambol.lanes.flow import subprogram, when
from gambol.lanes.ops import Precision
from gambol.lanes.trace import Real, record

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
