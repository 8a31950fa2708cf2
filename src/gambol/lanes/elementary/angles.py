"""Range reduction: how many quarter turns are in an angle, and what is left, to the last bit for an angle of any size.

Moderate angles lose multiples of pi/2 held in three pieces [Cody & Waite 1980]. The others are multiplied by those
digits of 2/pi that matter at their size [Payne & Hanek 1983], a path that is skipped where no lane needs it.
"""

import math
from typing import Any

from gambol.lanes.elementary.coefficients import HALF_PI
from gambol.lanes.flow import subprogram, when
from gambol.lanes.ops import Precision
from gambol.lanes.trace import Real, recorded

MODERATE: dict[Precision, float] = {"float64": 2.0**30, "float32": 2.0**16}
"""Below this angle [rad] the rounded number of quarter turns leaves at most pi/4 + 2**-7."""

ROUNDER: dict[Precision, float] = {"float64": 1.5 * 2.0**52, "float32": 1.5 * 2.0**23}
"""A number added to it is rounded to a whole one."""

DIGIT_BITS: dict[Precision, int] = {"float64": 24, "float32": 12}
"""Two digits of 2/pi fit a number, whose product with another is then the sum of two numbers."""

PAIRS = 5  # the first may still count full turns; the last is below the smallest angle a float can leave, 2**-62

TWO_OVER_PI = int(
    "a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424dd2e006492eea09d1921cfe1d"
    "eb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d639835339f49c845f8bbdf9283b1ff897ffde05980fef2f118b"
    "5a0a6d1f6d367ecf27cb09b74f463f669e5fea2d7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f8d5d0856033046fc7b",
    16,
)  # in units of 2**-1200


def quarter_turns(x: Real) -> tuple[Any, Any]:
    """The whole number of quarter turns nearest to an angle x [rad], up to full turns, and the angle left [rad].

    Returns (k, r) with |r| at most pi/4 + 2**-7 and, beside whole turns, x = k pi/2 + r. r has a relative error of
    2**-53 (float32: 2**-24) and is NaN where x is infinite or NaN. k = 0 and r = x for small angles, -0 among them.
    """
    large = abs(x) > MODERATE[x.trace.precision]
    return when(large, _of_large, x, otherwise=_of_moderate(x))


def _of_moderate(x: Real) -> tuple[Any, Any]:
    """The first product is taken off without error; +0 turns of an angle of -0 leave it as it is."""
    precision = x.trace.precision
    rounder = ROUNDER[precision]
    k = recorded("fma", x, 2.0 / math.pi, rounder) - rounder
    r: Any = x
    for part in HALF_PI[precision]:
        r = recorded("fma", -k, part, r)
    return k, r


@subprogram
def _of_large(x: Real) -> tuple[Any, Any]:
    """|x| 2/pi modulo 4 as a sum of exact products, of which the sign of x is taken at the end."""
    precision = x.trace.precision
    turns = _settled(_settled(_products(abs(x), DIGIT_BITS[precision])))
    k = recorded("round", turns[-1])
    turns = _settled(_settled([*turns[:-1], turns[-1] - k]))
    high, low = turns[-1], sum(turns[-2::-1], 0.0)
    first, second = HALF_PI[precision][:2]
    r = recorded("fma", high, first, recorded("fma", high, second, low * first))
    r = recorded("select", abs(x) < math.inf, r, math.nan)
    return recorded("select", x < 0.0, -k, k), recorded("select", x < 0.0, -r, r)


def _products(x: Any, bits: int) -> list[Any]:
    """Numbers whose sum is x 2/pi up to multiples of 4.

    x = m 2**(bits j) with 1 <= m < 2**bits; digit n of 2/pi weighs 2**(-bits n). Digits before j - 2 count full turns.
    """
    exponent = recorded("exponent", x)
    j = recorded("floor", (exponent + 0.5) * (1.0 / bits))
    m = recorded("significand", x) * recorded("pow2", exponent - bits * j)
    parts: list[Any] = []
    for pair in range(PAIRS):
        digits = recorded("gather", j + (2.0 * pair - 1.0), extra=_pairs_of_digits(bits))
        digits = digits * 2.0 ** (bits * (1 - 2 * pair))
        product = m * digits
        parts += [product, recorded("fma", m, digits, -product)]
    return [*(_modulo_4(p) for p in parts[:3]), *parts[3:]]


def _pairs_of_digits(bits: int) -> tuple[float, ...]:
    """Digits n and n + 1 of 2/pi as one whole number, from n = -1, which like digit 0 is 0."""
    return tuple(float((TWO_OVER_PI >> (1200 - bits * end)) & (4**bits - 1)) for end in range(1200 // bits + 1))


def _modulo_4(x: Any) -> Any:
    return recorded("fma", recorded("round", x * 0.25), -4.0, x)


def _settled(parts: list[Any]) -> list[Any]:
    """The same sum, its rounded total in the last place, the errors before it. [Ogita, Rump & Oishi 2005, VecSum]"""
    total = parts[0]
    errors: list[Any] = []
    for part in parts[1:]:
        new = total + part
        back = new - total
        errors.append((total - (new - back)) + (part - back))
        total = new
    return [*errors, total]
