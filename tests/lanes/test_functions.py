"""A formula gives the same numbers on floats, on arrays and traced, also at zeros, infinities and NaN."""

import math

import numpy as np
import pytest
from tracing import bits, body_of, evaluated, names_of

from gambol import lanes
from gambol.errors import TraceError

ENDS = [0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 1e300, 5e-324, math.inf, -math.inf, math.nan]
EXACT = ["sqrt", "floor"]
NEAR = ["sin", "cos", "exp", "log"]


@pytest.mark.parametrize("name", EXACT + NEAR)
def test_one_argument_on_floats_arrays_and_traced(name):
    function = getattr(lanes, name)
    traced = evaluated(function, ENDS)
    with np.errstate(all="ignore"):
        array = function(np.array(ENDS))
    floats = np.array([function(v) for v in ENDS])
    tolerance = {"rtol": 0.0 if name in EXACT else 1e-15, "atol": 0.0}
    np.testing.assert_allclose(traced, floats, **tolerance)
    np.testing.assert_allclose(array, floats, **tolerance)


PAIRS = np.array([(a, b) for a in ENDS for b in ENDS]).T


@pytest.mark.parametrize("name", ["minimum", "maximum"])
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_minimum_and_maximum_agree_to_the_sign_of_zero(name, precision):
    function = getattr(lanes, name)
    with np.errstate(over="ignore"):
        a, b = PAIRS.astype(precision)
    floats = np.array([function(float(x), float(y)) for x, y in zip(a, b, strict=True)], precision)
    for count in (1, 4, 16):
        traced = evaluated(function, a, b, precision=precision, lanes=count)
        np.testing.assert_array_equal(bits(traced), bits(floats))
    np.testing.assert_array_equal(bits(function(a, b)), bits(floats))


def test_minimum_gives_its_second_argument_for_equal_zeros_and_nan():
    assert math.copysign(1.0, lanes.minimum(0.0, -0.0)) == -1.0
    assert math.copysign(1.0, lanes.maximum(-0.0, 0.0)) == 1.0
    assert lanes.minimum(math.nan, 3.0) == 3.0
    assert math.isnan(lanes.minimum(3.0, math.nan))


def test_a_total_rounds_after_every_value_with_any_scalar():
    def formula(x):
        return lanes.total([1e16, x, -1e16])

    assert formula(1.0) == 0.0  # a sum that carries what was rounded away makes it 1
    np.testing.assert_array_equal(formula(np.ones(2)), 0.0)
    np.testing.assert_array_equal(evaluated(formula, [1.0]), 0.0)


def test_clamp_and_is_finite():
    def formula(x):
        return lanes.where(lanes.is_finite(x), lanes.clamp(x, -1.0, 2.0), 9.0)

    expected = [9.0 if not math.isfinite(v) else min(max(v, -1.0), 2.0) for v in ENDS]
    np.testing.assert_array_equal(evaluated(formula, ENDS), expected)
    np.testing.assert_array_equal([formula(v) for v in ENDS], expected)
    np.testing.assert_array_equal(formula(np.array(ENDS)), expected)


def test_masks_combine():
    def formula(x, y):
        inside = (x > 0.0) & (y <= 1.0) | (x == y)
        return lanes.where(inside, 1.0, 2.0) + lanes.where(lanes.logical_not(x != y) & True, 4.0, 8.0)

    a, b = PAIRS
    expected = [(1.0 if (x > 0.0 and y <= 1.0) or x == y else 2.0) + (4.0 if x == y else 8.0) for x, y in PAIRS.T]
    np.testing.assert_array_equal(evaluated(formula, a, b), expected)


TABLE = (3.0, 1.0, 4.0, 1.5, 9.0)
INDICES = [0.0, 1.0, 4.0, 5.0, 1e300, -1.0, -math.inf, math.inf, math.nan, 2.999, -0.0]
FOUND = [3.0, 1.0, 9.0, 9.0, 9.0, 3.0, 3.0, 9.0, 3.0, 4.0, 3.0]


@pytest.mark.parametrize("count", [1, 2, 8, 16])
def test_gather_stays_within_its_table(count):
    np.testing.assert_array_equal(evaluated(lambda i: lanes.gather(TABLE, i), INDICES, lanes=count), FOUND)


def test_gather_on_floats_and_arrays():
    np.testing.assert_array_equal([lanes.gather(TABLE, i) for i in INDICES], FOUND)
    np.testing.assert_array_equal(lanes.gather(np.array(TABLE), np.array(INDICES)), FOUND)


@pytest.mark.parametrize("table", [[], [[1.0, 2.0]]])
def test_gather_refuses_anything_but_a_table(table):
    with pytest.raises(TraceError, match="one dimension and at least one entry"):
        body_of(lambda i: [lanes.gather(table, i)], 1)


def test_largest_constants_fit_float32():
    x = np.ones(1, np.float32)
    result = evaluated(lambda v: lanes.where(v > 0.0, 3.4028234663852886e38, 0.0), x, precision="float32")
    assert result[0] == np.finfo(np.float32).max
    for too_large in (3.45e38, 1e300, math.inf):
        result = evaluated(lambda v, c=too_large: lanes.where(v > 0.0, c, 0.0), x, precision="float32")
        assert result[0] == math.inf


def test_choosing_between_the_same_needs_no_choice():
    assert not names_of(body_of(lambda x: [lanes.where(x > 0.0, 1.0, 1.0)], 1))
