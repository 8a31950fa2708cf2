"""Rotations and their factors against SciPy and the defining properties of rotations."""

import numpy as np
import pytest
from figures import matrix3, triple, turn
from scipy.spatial.transform import Rotation as Reference

from gambol.figure.generator import random_rotation
from gambol.spatial import Quaternion, Rotation, Vector
from gambol.spatial.factor import align, factors
from gambol.spatial.rotation import product


def array(rotation: Rotation) -> np.ndarray:
    return np.array(rotation.rows, dtype=float)


def of(rows: np.ndarray) -> Rotation:
    return Rotation(matrix3(rows))


def test_turn_about_any_axis_agrees_with_scipy():
    rng = np.random.default_rng(0)
    for _ in range(20):
        axis, angle = rng.normal(size=3), rng.normal()
        axis /= np.linalg.norm(axis)
        result = Rotation.about(Vector(*axis), np.sin(angle), np.cos(angle))
        np.testing.assert_allclose(array(result), Reference.from_rotvec(angle * axis).as_matrix(), atol=1e-15)


@pytest.mark.parametrize("axis", range(3))
def test_a_turn_about_a_coordinate_axis_has_exact_zeros(axis: int):
    result = Rotation.about_coordinate(axis, np.sin(0.3), np.cos(0.3))
    np.testing.assert_allclose(array(result), Reference.from_rotvec(0.3 * np.eye(3)[axis]).as_matrix(), atol=1e-15)
    assert result.coordinate_axis() == axis
    assert sum(x == 0.0 for row in result.rows for x in row) == 4


def test_factors_multiply_to_the_rotation_and_are_few():
    rng = np.random.default_rng(1)
    for _ in range(50):
        R = random_rotation(rng)
        turns = factors(of(R))
        assert len(turns) <= 3
        np.testing.assert_allclose(array(product(turns)), R, atol=1e-12)


@pytest.mark.parametrize("first", range(3))
@pytest.mark.parametrize("second", range(3))
def test_factors_find_the_turns_a_rotation_was_made_of(first: int, second: int):
    R = turn(first, 0.7) @ turn(second, np.pi / 2)
    turns = factors(of(R))
    oblique = [t for t in turns if not any(t.rows[i][i] == 0.0 for i in range(3))]
    assert len(oblique) == 1
    np.testing.assert_allclose(array(product(turns)), R, atol=1e-12)


def test_half_turns_and_quarter_turns_have_exact_entries():
    for i in range(3):
        for quarter in range(4):
            R = turn(i, quarter * np.pi / 2) @ turn((i + 1) % 3, np.pi / 2)
            assert all(x in (-1.0, 0.0, 1.0) for t in factors(of(R)) for row in t.rows for x in row)


def test_alignment_turns_about_the_axis_it_was_given():
    rng = np.random.default_rng(2)
    for n in range(60):
        axis = rng.normal(size=3) * (np.arange(3) != n % 4) * (np.arange(3) != n % 7)
        axis /= np.linalg.norm(axis)
        R, angle = random_rotation(rng) if n % 3 else np.eye(3), rng.normal()
        at = align(of(R), triple(axis))
        result = product((*at.outer, at.rotation(float(angle)), *at.inner))
        np.testing.assert_allclose(array(result), R @ Reference.from_rotvec(angle * axis).as_matrix(), atol=1e-12)
        still = product((*at.constant, *at.inner))
        np.testing.assert_allclose(array(still), R, atol=1e-12)


def test_a_constant_turn_about_the_joint_itself_costs_no_turn():
    """The last of Euler's three turns adds its angle to the joint's."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        at = align(of(random_rotation(rng)), (0.0, 0.0, 1.0))
        assert len(at.outer) == 2
        assert at.inner == ()
        assert at.offset.coordinate_axis() == 2
    assert align(of(turn(2, 0.3) @ turn(0, 0.4)), (1.0, 0.0, 0.0)).outer == (of(turn(2, 0.3)),)


def test_axis_along_a_coordinate_needs_no_inner_turn():
    for k in range(3):
        for sign in (1.0, -1.0):
            at = align(of(turn(1, 0.4)), triple(sign * np.eye(3)[k]))
            assert (at.axis, at.sign, at.inner) == (k, sign, ())


def test_axis_given_in_the_parent_is_found_again():
    """A joint whose axis is the parent's z after a tilt of the link turns first and tilts after."""
    tilt = turn(0, -np.pi / 4)
    at = align(of(tilt), triple(tilt.T @ [0.0, 0.0, 1.0]))
    assert all(abs(t.rows[i][i]) in (0.0, 1.0) for t in at.outer for i in range(3))


def test_quaternions_agree_with_scipy():
    rng = np.random.default_rng(3)
    for _ in range(30):
        R, other = (np.array(random_rotation(rng)) for _ in range(2))
        q = Quaternion.of(of(R))
        assert q.w >= 0.0
        np.testing.assert_allclose(array(q.rotation()), R, atol=1e-14)
        x, y, z, w = Reference.from_matrix(R).as_quat(canonical=True)
        np.testing.assert_allclose(q.components(), (w, x, y, z), atol=1e-14)
        np.testing.assert_allclose(array((q @ Quaternion.of(of(other))).rotation()), R @ other, atol=1e-14)


def test_quaternion_rate_is_the_derivative_of_turning():
    rng = np.random.default_rng(4)
    R, omega, h = np.array(random_rotation(rng)), rng.normal(size=3), 1e-6
    q = Quaternion.of(of(R))
    later, earlier = (
        np.array(Quaternion.of(of(R @ Reference.from_rotvec(t * omega).as_matrix())).components()) for t in (h, -h)
    )
    # central difference: h^2 / 6 |omega|^3 + 1e-16 / h
    np.testing.assert_allclose(q.derivative(Vector(*omega)).components(), (later - earlier) / (2 * h), atol=1e-9)


@pytest.mark.parametrize("off", [1e-3, 1e-7, 5e-12, 2e-13])
def test_factors_of_a_rotation_near_right_angles_lose_nothing(off: float):
    """The error of a typed 1.57079632679 must be preserved, for every axis that is nearly reached."""
    for axis, other in ((0, 1), (1, 2), (2, 0)):
        R = turn(axis, np.pi / 2 + off) @ turn(other, np.pi / 2 - off) @ turn(axis, off)
        np.testing.assert_allclose(array(product(factors(of(R)))), R, atol=1e-15 + 1.1e-12 * (off < 1e-12))
