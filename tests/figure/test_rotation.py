"""Constant rotations: exact where possible, always orthogonal."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from gambol.errors import FigureError
from gambol.figure import compose, rotated, rotation_about, transposed

ANGLE = st.floats(-10.0, 10.0)
DIRECTION = st.tuples(*[st.floats(-2.0, 2.0)] * 3).filter(lambda p: math.hypot(*p) > 0.1)


@given(DIRECTION, ANGLE)
def test_rotation_about_a_direction_is_that_of_scipy(axis, angle):
    expected = Rotation.from_rotvec(angle * np.array(axis) / np.linalg.norm(axis)).as_matrix()
    np.testing.assert_allclose(rotation_about(axis, angle), expected, atol=1e-14)


@given(DIRECTION, ANGLE, DIRECTION)
def test_turning_back_returns_every_vector(axis, angle, vector):
    R = rotation_about(axis, angle)
    np.testing.assert_allclose(rotated(transposed(R), rotated(R, vector)), vector, atol=1e-14)


@given(st.lists(st.tuples(st.sampled_from("xyz"), st.integers(-4, 4)), max_size=12))
def test_quarter_turns_are_exact_however_many(turns):
    R = compose(*(rotation_about(axis, quarters * math.pi / 2) for axis, quarters in turns))
    assert {entry for row in R for entry in row} <= {-1.0, 0.0, 1.0}
    assert not any(math.copysign(1.0, entry) < 0 and entry == 0 for row in R for entry in row)


@given(ANGLE, ANGLE)
def test_the_last_rotation_is_applied_first(a, b):
    R = compose(rotation_about("x", a), rotation_about("z", b))
    expected = rotated(rotation_about("x", a), rotated(rotation_about("z", b), (1.0, 2.0, 3.0)))
    np.testing.assert_allclose(rotated(R, (1.0, 2.0, 3.0)), expected, atol=1e-14)


@pytest.mark.parametrize("axis", [(0.0, 0.0, 0.0), (math.nan, 0.0, 1.0), (math.inf, 0.0, 0.0)])
def test_an_axis_that_points_nowhere_is_refused(axis):
    with pytest.raises(FigureError, match="has no direction"):
        rotation_about(axis, 1.0)
