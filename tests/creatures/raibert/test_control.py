"""Raibert's control: the state machine, the placement of feet, and hip angles, each by another route."""

import math

import numpy as np
import pytest

from gambol.creatures.raibert.phases import (
    COMPRESSION,
    FLIGHT,
    LOADING,
    THRUST,
    UNLOADING,
    is_phase,
    next_phase,
)
from gambol.creatures.raibert.placement import foot_placement, hip_angles
from gambol.spatial import Vector

THRESHOLD = 0.005  # m


@pytest.mark.parametrize(
    ("phase", "touching", "compression", "rate", "after"),
    [
        (FLIGHT, False, 0.0, 0.0, FLIGHT),
        (FLIGHT, True, 0.0, 1.0, LOADING),
        (LOADING, True, 0.004, 1.0, LOADING),
        (LOADING, False, 0.004, 1.0, FLIGHT),
        (LOADING, True, 0.006, 1.0, COMPRESSION),
        (COMPRESSION, True, 0.1, 1.0, COMPRESSION),
        (COMPRESSION, True, 0.1, -1.0, THRUST),
        (COMPRESSION, True, 0.004, -1.0, UNLOADING),
        (THRUST, True, 0.1, -1.0, THRUST),
        (THRUST, True, 0.004, -1.0, UNLOADING),
        (UNLOADING, True, 0.0, -1.0, UNLOADING),
        (UNLOADING, False, 0.0, 0.0, FLIGHT),
    ],
)
def test_the_state_machine_has_these_transitions(
    phase: float, touching: bool, compression: float, rate: float, after: float
):
    assert next_phase(phase, touching, compression, rate, THRESHOLD) == after
    assert is_phase(after, after)


def test_the_neutral_point_holds_the_speed_and_an_error_of_speed_moves_the_foot():
    assert foot_placement(2.0, 2.0, 0.4, 0.07) == pytest.approx(0.4)  # v T / 2
    assert foot_placement(2.0, 3.0, 0.4, 0.07) < foot_placement(2.0, 2.0, 0.4, 0.07)  # behind it: accelerates


@pytest.mark.parametrize("seed", range(5))
def test_hip_angles_bring_the_foot_to_its_place_in_a_tilted_trunk(seed: int):
    """The leg's direction at these angles, by rotation matrices, is that to the wanted place."""
    random = np.random.default_rng(seed)
    length, (x, y) = 0.9, random.uniform(-0.4, 0.4, 2)
    trunk, _ = np.linalg.qr(np.eye(3) + 0.3 * random.normal(size=(3, 3)))
    trunk *= np.sign(np.diag(trunk))  # near the identity: the trunk is tilted by up to half a radian
    if np.linalg.det(trunk) < 0.0:
        trunk[:, 1] = -trunk[:, 1]
    forward, left, up = (Vector(*(float(c) for c in trunk.T @ axis)) for axis in np.eye(3))
    a, b = hip_angles(float(x), float(y), length, up, forward, left)
    Rx = np.array([[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]])
    Ry = np.array([[math.cos(b), 0, math.sin(b)], [0, 1, 0], [-math.sin(b), 0, math.cos(b)]])
    foot = trunk @ Rx @ Ry @ np.array([0.0, 0.0, -length])
    np.testing.assert_allclose(foot, [x, y, -math.sqrt(length**2 - x**2 - y**2)], atol=1e-12)
