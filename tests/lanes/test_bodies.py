"""Fusion of a multiply and an add to one fma: if and only if the product has no other use."""

from fractions import Fraction

import numpy as np
import pytest
from tracing import PRECISIONS, body_of, evaluated, names_of

from gambol.lanes import fma


def rounded(exact: Fraction, precision: str) -> float:
    """Return the number nearest to a fraction; those of float32 tests fit float64, so they too round once."""
    return float(exact) if precision == "float64" else float(np.float32(float(exact)))


def small_wholes(precision):
    """Return numbers whose products exceed the digits of the precision, but whose sums need at most 53."""
    limit = 2**40 if precision == "float64" else 2**20
    return np.random.default_rng(0).integers(-limit, limit, (3, 200)).astype(precision)


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize(
    ("formula", "name"),
    [
        (lambda a, b, c: a * b + c, "fma"),
        (lambda a, b, c: c + a * b, "fma"),
        (lambda a, b, c: a * b - c, "fms"),
        (lambda a, b, c: c - a * b, "fnma"),
        (fma, "fma"),
    ],
)
def test_product_and_sum_round_once(formula, name, precision):
    if formula is not fma:
        assert names_of(body_of(lambda *x: [formula(*x)], 3)) == {name: 1}
    values = small_wholes(precision)
    result = evaluated(formula, *values, precision=precision)
    for f, *abc in zip(result, *values, strict=True):
        a, b, c = map(Fraction, map(float, abc))
        assert f == rounded(a * b + c if formula is fma else formula(a, b, c), precision)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_product_used_twice_is_rounded_by_itself(precision):
    body = body_of(lambda a, b, c: [a * b + c, a * b], 3)
    assert names_of(body) == {"mul": 1, "add": 1}
    a, b, c = small_wholes(precision)
    result = evaluated(lambda a, b, c: (a * b + c) / (a * b), a, b, c, precision=precision)
    np.testing.assert_array_equal(result, (a * b + c) / (a * b))


def test_error_of_a_product_is_exact():
    a, b, _ = small_wholes("float64")
    error = evaluated(lambda a, b: fma(a, b, -(a * b)), a, b)
    for e, x, y in zip(error, a, b, strict=True):
        assert Fraction(float(e)) == Fraction(float(x)) * Fraction(float(y)) - Fraction(float(x) * float(y))
