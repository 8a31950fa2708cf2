"""The mirror image of one side of a figure."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambol.errors import FigureError
from gambol.figure import Frustum, Joint, Part, compose, mirrored_joint, mirrored_part, rotated, rotation_about

M = np.diag([1.0, -1.0, 1.0])
ANGLE = st.floats(-3.0, 3.0)
DIRECTION = st.tuples(*[st.floats(-1.0, 1.0)] * 3).filter(lambda p: math.hypot(*p) > 0.1)


@given(DIRECTION, ANGLE, ANGLE, ANGLE)
def test_a_mirrored_joint_turned_backwards_carries_mirrored_points(axis, roll, yaw, q):
    joint = Joint("revolute", axis, compose(rotation_about("x", roll), rotation_about("z", yaw)), (0.1, 0.2, 0.3))
    other = mirrored_joint(joint)
    p = np.array([0.5, -0.2, 0.7])
    here = np.array(joint.position) + rotated(joint.rotation, rotated(rotation_about(joint.axis, q), p))
    there = np.array(other.position) + rotated(other.rotation, rotated(rotation_about(other.axis, -q), M @ p))
    np.testing.assert_allclose(there, M @ here, atol=1e-14)


@given(DIRECTION, ANGLE)
def test_a_mirrored_part_has_mirrored_mass(axis, angle):
    part = Part(Frustum(0.1, 0.2, 0.5), (0.1, 0.2, 0.3), rotation_about(axis, angle))
    here, there = part.mass_properties(), mirrored_part(part).mass_properties()
    np.testing.assert_allclose(there.com, M @ here.com, atol=1e-15)
    np.testing.assert_allclose(there.inertia, M @ np.array(here.inertia) @ M, atol=1e-14 * here.mass)


def test_two_mirrors_cancel():
    joint = Joint("revolute", (1.0, 0.0, 1.0), rotation_about("x", math.pi / 4), (0.1, 0.2, 0.3))
    assert mirrored_joint(mirrored_joint(joint)) == joint


def test_a_screw_of_one_number_has_no_mirror_image():
    assert mirrored_joint(Joint("axial", slides=1.0)).slides == 1.0
    with pytest.raises(FigureError, match="make it helical"):
        mirrored_joint(Joint("axial", slides=0.3))
