"""Conversions of rotations, against SciPy's."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Peer

from gambol.errors import FigureError
from gambol.spatial import conversions as c

RANDOM = np.random.default_rng(7)
PEERS = Peer.concatenate([
    Peer.random(200, rng=RANDOM),
    Peer.identity(1),
    Peer.from_rotvec([[math.pi, 0, 0], [0, math.pi, 0], [0, 0, -math.pi], [1e-9, 0, 0], [0, 1e-18, 0]]),
    Peer.from_euler("xyz", [[0.3, math.pi / 2, 0.1], [0.3, -math.pi / 2, 0.7]]),
])  # fmt: skip
QUATERNIONS = np.roll(PEERS.as_quat(canonical=True), 1, axis=-1)
ORDERS = ["".join(o) for o in product("xyz", repeat=3) if o[0] != o[1] != o[2]]


def same(a: np.ndarray, b: np.ndarray) -> None:
    """Quaternions of the same rotations: equal up to sign."""
    np.testing.assert_allclose(np.abs(np.sum(a * b, axis=-1)), 1.0, atol=1e-12)
    np.testing.assert_allclose(np.where(np.sum(a * b, axis=-1, keepdims=True) < 0, -a, a), b, atol=1e-12)


def test_matrices():
    np.testing.assert_allclose(c.matrix_from_quaternion(QUATERNIONS), PEERS.as_matrix(), atol=1e-14)
    np.testing.assert_allclose(c.matrix_from_quaternion(-3.0 * QUATERNIONS), PEERS.as_matrix(), atol=1e-14)
    same(c.quaternion_from_matrix(PEERS.as_matrix()), QUATERNIONS)


def test_rotation_vectors():
    vectors = c.rotation_vector_from_quaternion(QUATERNIONS)
    half_turns = np.abs(QUATERNIONS[:, 0]) < 1e-12  # at half a turn both directions are the same rotation
    np.testing.assert_allclose(vectors[~half_turns], PEERS.as_rotvec()[~half_turns], atol=1e-13)
    np.testing.assert_allclose(np.linalg.norm(vectors[half_turns], axis=1), math.pi, rtol=1e-14)
    same(c.quaternion_from_rotation_vector(vectors), QUATERNIONS)


def test_axes_and_angles():
    axes, angles = c.axis_angle_from_quaternion(QUATERNIONS)
    np.testing.assert_allclose(np.linalg.norm(axes, axis=1), 1.0, rtol=1e-14)
    np.testing.assert_allclose(angles, PEERS.magnitude(), atol=1e-13)
    same(c.quaternion_from_axis_angle(5.0 * axes, angles), QUATERNIONS)
    np.testing.assert_allclose(c.axis_angle_from_quaternion([1, 0, 0, 0])[0], (1, 0, 0))


@pytest.mark.parametrize("order", [*ORDERS, *map(str.upper, ORDERS)])
def test_euler_angles(order: str):
    angles = RANDOM.uniform(-math.pi, math.pi, (100, 3))
    same(c.quaternion_from_euler(angles, order), np.roll(Peer.from_euler(order, angles).as_quat(), 1, axis=-1))
    back = c.euler_from_quaternion(QUATERNIONS, order)
    same(c.quaternion_from_euler(back, order), QUATERNIONS)
    middle = Peer.random(50, rng=RANDOM)
    np.testing.assert_allclose(
        c.euler_from_quaternion(np.roll(middle.as_quat(), 1, axis=-1), order), middle.as_euler(order), atol=1e-9
    )


def test_products_and_rotated_vectors():
    first, second = PEERS, PEERS[::-1]
    v = RANDOM.normal(size=(len(QUATERNIONS), 3))
    same(c.multiply_quaternions(QUATERNIONS, QUATERNIONS[::-1]), np.roll((first * second).as_quat(), 1, axis=-1))
    np.testing.assert_allclose(c.rotate(QUATERNIONS, v), PEERS.apply(v), atol=1e-13)


def test_any_leading_shape():
    q = np.broadcast_to(QUATERNIONS[:6].reshape(2, 3, 4), (2, 3, 4))
    assert c.matrix_from_quaternion(q).shape == (2, 3, 3, 3)
    assert c.euler_from_quaternion(q).shape == (2, 3, 3)
    assert c.rotate(q[0, 0], np.ones((5, 3))).shape == (5, 3)
    assert c.quaternion_from_euler((0.1, 0.2, 0.3)).shape == (4,)


@pytest.mark.parametrize("order", ["xxy", "xy", "xYz", "abc", ""])
def test_unknown_orders_are_refused(order: str):
    with pytest.raises(FigureError, match="order of Euler angles"):
        c.quaternion_from_euler((0.0, 0.0, 0.0), order)


def test_anything_but_a_rotation_is_refused():
    with pytest.raises(FigureError, match="length 0"):
        c.matrix_from_quaternion((0.0, 0.0, 0.0, 0.0))
    with pytest.raises(FigureError, match="not a rotation"):
        c.quaternion_from_matrix(np.diag((1.0, 1.0, -1.0)))
    with pytest.raises(FigureError, match=r"give \(\.\.\., 4\)"):
        c.rotate((0.0, 0.0, 1.0), (0.0, 0.0, 1.0))
    with pytest.raises(FigureError, match="not finite"):
        c.quaternion_from_rotation_vector((math.nan, 0.0, 0.0))
