"""The elementary functions against mpmath, in numbers of every size, and at zeros, infinities and NaN."""

import math

import mpmath
import numpy as np
import pytest
from tracing import PRECISIONS, body_of, evaluated, floats_of_every_size, names_of, ulps

from gambol import lanes

MAX_ULPS = 2.0
COUNT = 700


@pytest.fixture(autouse=True)
def _enough_digits():
    with mpmath.workprec(1300):  # the largest float64 has 1024 bits before the point
        yield


def exact(name, *values):
    function = getattr(mpmath, name)
    return [function(*(mpmath.mpf(float(v)) for v in each)) for each in zip(*values, strict=True)]


def worst(name, precision, *values):
    values = [np.asarray(v, precision) for v in values]
    result = evaluated(getattr(lanes, name), *values, precision=precision)
    return ulps(result, exact(name, *values), precision).max()


def spread(precision, low, high, seed=1):
    """Return numbers of both signs whose logarithms are uniform between those of low and high."""
    rng = np.random.default_rng(seed)
    size = np.exp(rng.uniform(math.log(low), math.log(high), COUNT))
    return (size * rng.choice([-1.0, 1.0], COUNT)).astype(precision)


def near_quarter_turns(precision, largest):
    """Return the floats next to multiples of pi/2, where range reduction cancels most of the angle."""
    rng = np.random.default_rng(2)
    size = np.exp(rng.uniform(0.0, math.log(largest), COUNT))
    return np.array([float(mpmath.floor(mpmath.mpf(s)) * mpmath.pi / 2) for s in size]).astype(precision)


@pytest.mark.parametrize("name", ["sin", "cos"])
@pytest.mark.parametrize("precision", PRECISIONS)
class TestAngles:
    def test_moderate(self, name, precision):
        angles = np.random.default_rng(3).uniform(-10.0, 10.0, COUNT)
        assert worst(name, precision, angles) <= MAX_ULPS

    def test_of_every_size(self, name, precision):
        assert worst(name, precision, floats_of_every_size(precision, COUNT)) <= MAX_ULPS

    def test_around_the_change_of_method(self, name, precision):
        edge = 2.0**30 if precision == "float64" else 2.0**16
        assert worst(name, precision, spread(precision, edge / 8, edge * 8)) <= MAX_ULPS

    def test_next_to_quarter_turns(self, name, precision):
        largest = float(np.finfo(precision).max) / 4
        assert worst(name, precision, near_quarter_turns(precision, largest)) <= MAX_ULPS
        assert worst(name, precision, near_quarter_turns(precision, 1e6)) <= MAX_ULPS

    def test_infinite_and_nan(self, name, precision):
        assert np.isnan(evaluated(getattr(lanes, name), [math.inf, -math.inf, math.nan], precision=precision)).all()


@pytest.mark.parametrize("precision", PRECISIONS)
def test_famous_large_angles(precision):
    largest = float(np.finfo(precision).max)
    hardest = 6381956970095103.0 * 2.0**797  # the float64 closest to a multiple of pi/2 [Muller 2016, section 11.1]
    angles = [1e22, largest, -largest] + ([1e300, hardest] if precision == "float64" else [1e38])
    assert worst("sin", precision, angles) <= MAX_ULPS
    assert worst("cos", precision, angles) <= MAX_ULPS


@pytest.mark.parametrize("precision", PRECISIONS)
def test_sine_of_zero_has_its_sign(precision):
    assert list(np.signbit(evaluated(lanes.sin, [0.0, -0.0], precision=precision))) == [False, True]


def test_sine_of_tiny_angle_is_the_angle():
    tiny = np.array([5e-324, -3e-310, 1e-300])
    assert (evaluated(lanes.sin, tiny) == tiny).all()


@pytest.mark.parametrize("precision", PRECISIONS)
def test_exp(precision):
    low, high = (-746.0, 710.0) if precision == "float64" else (-104.5, 89.0)
    assert worst("exp", precision, np.linspace(low, high, 3 * COUNT)) <= MAX_ULPS
    assert worst("exp", precision, spread(precision, 1e-30, 1.0)) <= MAX_ULPS


@pytest.mark.parametrize("precision", PRECISIONS)
def test_exp_at_its_ends(precision):
    result = evaluated(lanes.exp, [0.0, -0.0, math.inf, -math.inf, math.nan, 1e30, -1e30], precision=precision)
    np.testing.assert_array_equal(result, [1.0, 1.0, math.inf, 0.0, math.nan, math.inf, 0.0])


@pytest.mark.parametrize("precision", PRECISIONS)
def test_log(precision):
    assert worst("log", precision, np.abs(floats_of_every_size(precision, 2 * COUNT))) <= MAX_ULPS
    assert worst("log", precision, 1.0 + spread(precision, 1e-16, 0.5)) <= MAX_ULPS
    denormal = np.abs(spread(precision, float(np.finfo(precision).tiny) / 1e5, float(np.finfo(precision).tiny)))
    assert worst("log", precision, denormal) <= MAX_ULPS


@pytest.mark.parametrize("precision", PRECISIONS)
def test_log_at_its_ends(precision):
    result = evaluated(lanes.log, [1.0, 0.0, -0.0, math.inf, -1.0, -math.inf, math.nan], precision=precision)
    np.testing.assert_array_equal(result, [0.0, -math.inf, -math.inf, math.inf, *[math.nan] * 3])


@pytest.mark.parametrize("precision", PRECISIONS)
def test_atan2(precision):
    rng = np.random.default_rng(4)
    y, x = rng.uniform(-2.0, 2.0, (2, 2 * COUNT))
    assert worst("atan2", precision, y, x) <= MAX_ULPS
    assert worst("atan2", precision, spread(precision, 1e-8, 1e8, 5), spread(precision, 1e-8, 1e8, 6)) <= MAX_ULPS
    y, x = floats_of_every_size(precision, COUNT, 7), floats_of_every_size(precision, COUNT, 8)
    many = min(len(y), len(x))
    assert worst("atan2", precision, y[:many], x[:many]) <= MAX_ULPS


@pytest.mark.parametrize("precision", PRECISIONS)
def test_atan2_of_zeros_infinities_and_nan_is_as_in_c(precision):
    ends = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan]
    y, x = (v.ravel().astype(precision) for v in np.meshgrid(ends, ends))
    result, expected = evaluated(lanes.atan2, y, x, precision=precision), np.arctan2(y, x)
    np.testing.assert_allclose(result, expected, rtol=2 * np.finfo(precision).eps)
    known = ~np.isnan(expected)
    assert (np.signbit(result) == np.signbit(expected))[known].all()


def test_atan2_of_a_constant_and_a_traced_value():
    x = np.array([-2.0, 0.5])
    np.testing.assert_allclose(evaluated(lambda v: lanes.atan2(1.0, v), x), np.arctan2(1.0, x), rtol=1e-15)
    np.testing.assert_allclose(evaluated(lambda v: lanes.atan2(v, -1.0), x), np.arctan2(x, -1.0), rtol=1e-15)


def test_sine_and_cosine_share_their_work():
    both = names_of(body_of(lambda x: [lanes.sin(x), lanes.cos(x)], 1))
    sine = names_of(body_of(lambda x: [lanes.sin(x)], 1))
    assert both["when"] == 1
    assert both["fma"] + both["fnma"] == sine["fma"] + sine["fnma"]
