"""Range reduction: the number of quarter turns in an angle, and the remainder, to the last bit for any angle.

From moderate angles multiples of pi/2, stored in three parts, are subtracted [Cody & Waite 1980]. Larger ones are
multiplied by the digits of 2/pi that matter at their size [Payne & Hanek 1983], a branch that is skipped where no lane
needs it.
"""

import math
from typing import Any

from gambol.lanes.elementary.coefficients import HALF_PI
from gambol.lanes.flow import subprogram, when
from gambol.lanes.ops import Precision
from gambol.lanes.trace import Real, record

MODERATE: dict[Precision, float] = {"float64": 2.0**30, "float32": 2.0**16}
"""Below this angle [rad] the rounded number of quarter turns leaves at most pi/4 + 2**-7."""

ROUNDER: dict[Precision, float] = {"float64": 1.5 * 2.0**52, "float32": 1.5 * 2.0**23}
"""Adding this constant to a number rounds it to an integer."""

DIGIT_BITS: dict[Precision, int] = {"float64": 24, "float32": 12}
"""Bits of a digit of 2/pi: two digits fit a number, whose product with another one is then the sum of two numbers."""

PAIRS = 5  # of digits; the first may still count full turns, the last is below the smallest remainder, 2**-62

TWO_OVER_PI = int(
    "a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424dd2e006492eea09d1921cfe1d"
    "eb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d639835339f49c845f8bbdf9283b1ff897ffde05980fef2f118b"
    "5a0a6d1f6d367ecf27cb09b74f463f669e5fea2d7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f8d5d0856033046fc7b",
    16,
)  # in units of 2**-1200


def quarter_turns(x: Real) -> tuple[Any, Any]:
    """Return the integer number of quarter turns nearest to an angle x [rad], modulo full turns, and the remainder.

    Returns (k, r) with |r| at most pi/4 + 2**-7 [rad] and, up to full turns, x = k pi/2 + r. r has a relative error of
    2**-53 (float32: 2**-24) and is NaN where x is infinite or NaN. k = 0 and r = x for small angles, including -0.
    """
    large = abs(x) > MODERATE[x.trace.precision]
    return when(large, _reduce_large, x, otherwise=_reduce_moderate(x))


def _reduce_moderate(x: Real) -> tuple[Any, Any]:
    """Subtract multiples of pi/2 in parts; the first subtraction is exact, and -0 stays -0."""
    precision = x.trace.precision
    rounder = ROUNDER[precision]
    k = record("fma", x, 2.0 / math.pi, rounder) - rounder
    r: Any = x
    for part in HALF_PI[precision]:
        r = record("fma", -k, part, r)
    return k, r


@subprogram
def _reduce_large(x: Real) -> tuple[Any, Any]:
    """Compute |x| 2/pi modulo 4 as a sum of exact products, and apply the sign of x at the end."""
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
    """Return numbers whose sum is x 2/pi up to multiples of 4.

    x = m 2**(bits j) with 1 <= m < 2**bits; digit n of 2/pi weighs 2**(-bits n). Digits before j - 2 count full turns.
    """
    exponent = record("exponent", x)
    j = record("floor", (exponent + 0.5) * (1.0 / bits))
    m = record("significand", x) * record("pow2", exponent - bits * j)
    parts: list[Any] = []
    for pair in range(PAIRS):
        digits = record("gather", j + (2.0 * pair - 1.0), extra=_pairs_of_digits(bits))
        digits = digits * 2.0 ** (bits * (1 - 2 * pair))
        product = m * digits
        parts += [product, record("fma", m, digits, -product)]
    return [*(_modulo_4(p) for p in parts[:3]), *parts[3:]]


def _pairs_of_digits(bits: int) -> tuple[float, ...]:
    """Return digits n and n + 1 of 2/pi as one integer, for n from -1; digits -1 and 0 are 0."""
    return tuple(float((TWO_OVER_PI >> (1200 - bits * end)) & (4**bits - 1)) for end in range(1200 // bits + 1))


def _modulo_4(x: Any) -> Any:
    return record("fma", record("round", x * 0.25), -4.0, x)


def _vec_sum(parts: list[Any]) -> list[Any]:
    """Return numbers of equal sum: the rounding errors, then the rounded total. [Ogita, Rump & Oishi 2005, VecSum]"""
    total = parts[0]
    errors: list[Any] = []
    for part in parts[1:]:
        new = total + part
        back = new - total
        errors.append((total - (new - back)) + (part - back))
        total = new
    return [*errors, total]
