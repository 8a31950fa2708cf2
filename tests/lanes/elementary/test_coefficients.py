"""The polynomials of the elementary functions against the functions, over the interval of range reduction."""

import mpmath
import pytest
from tracing import PRECISIONS

from gambol.lanes.elementary import coefficients

POINTS = 400


def sine(z):
    r = mpmath.sqrt(z)
    return (mpmath.sin(r) - r) / r**3


def cosine(z):
    return (mpmath.cos(mpmath.sqrt(z)) - 1 + z / 2) / z**2


def exponential(r):
    return (mpmath.exp(r) - 1 - r) / r**2


def logarithm(z):
    s = mpmath.sqrt(z)
    return (2 * mpmath.atanh(s) - 2 * s) / s**3


def arctangent(z):
    t = mpmath.sqrt(z)
    return (mpmath.atan(t) - t) / t**3


QUARTER = 0.6287  # (pi/4 + 2**-7)**2
SINES = (coefficients.SINE, sine, 0.0, QUARTER, lambda z: z)
COSINES = (coefficients.COSINE, cosine, 0.0, QUARTER, lambda z: z**2)
EXPONENTIALS = (coefficients.EXPONENTIAL, exponential, -0.3466, 0.3466, lambda r: r**2)
LOGARITHMS = (coefficients.LOGARITHM, logarithm, 0.0, 0.02944, lambda z: z / 2)
ARCTANGENTS = (coefficients.ARCTANGENT, arctangent, 0.0, 1.0, lambda z: z)
CASES = [SINES, COSINES, EXPONENTIALS, LOGARITHMS, ARCTANGENTS]
MAX_ERROR = {"float64": 2.0**-55, "float32": 2.0**-25.5}  # under a quarter of the last place, relative to the function


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("case", CASES, ids=["sin", "cos", "exp", "log", "atan"])
def test_polynomial_follows_its_function(case, precision):
    table, function, low, high, weight = case
    with mpmath.workprec(300):
        for k in range(POINTS):
            at = mpmath.mpf(low) + (mpmath.mpf(high) - low) * (2 * k + 1) / (2 * POINTS)
            value = sum(mpmath.mpf(c) * at**n for n, c in enumerate(table[precision]))
            assert abs(value - function(at)) * weight(at) < MAX_ERROR[precision]


@pytest.mark.parametrize("precision", PRECISIONS)
def test_pieces_of_half_pi_and_log_2_add_up(precision):
    with mpmath.workprec(300):
        missing = mpmath.pi / 2 - sum(map(mpmath.mpf, coefficients.HALF_PI[precision]))
        assert 0 < missing < coefficients.HALF_PI[precision][-1] * MAX_ERROR[precision] * 8
        missing = mpmath.log(2) - sum(map(mpmath.mpf, coefficients.LOG_2[precision]))
        assert abs(missing) < abs(coefficients.LOG_2[precision][-1]) * MAX_ERROR[precision] * 8
