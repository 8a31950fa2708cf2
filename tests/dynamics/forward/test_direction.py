"""Degrees of freedom: the articulated inertia vanishes along them, and coordinate axes give the same result."""

import numpy as np
import pytest

from gambol.dynamics.forward.aba import free_direction, prescribed_direction
from gambol.spatial import Force, Inertia, Matrix, Motion, Rotation, Symmetric, Vector

RNG = np.random.default_rng(5)
A = RNG.normal(size=(6, 6))
A = A @ A.T
INERTIA = Inertia(Symmetric.of(A[:3, :3].tolist()), Matrix.of(A[:3, 3:].tolist()), Symmetric.of(A[3:, 3:].tolist()))
BIAS = Force(Vector(*RNG.normal(size=3)), Vector(*RNG.normal(size=3)))
ACCELERATION = Motion(Vector(*RNG.normal(size=3)), Vector(*RNG.normal(size=3)))
TAU = 0.7


def six(x: Motion | Force) -> list[float]:
    return [x[k] for k in range(6)]


@pytest.mark.parametrize(
    "S", [Motion.axis(1), Motion.axis(5, -1.0), Motion(Vector(0.6, 0.0, 0.8), Vector(0.1, 0.0, 0.2))]
)
def test_only_the_joint_force_acts_along_a_free_direction(S: Motion):
    freed = free_direction(INERTIA, BIAS, S, TAU)
    rate, a = freed.accelerations(ACCELERATION)
    np.testing.assert_allclose(six(a), six(ACCELERATION + S * rate), atol=1e-13)
    force = INERTIA.times(a, addend=BIAS)
    np.testing.assert_allclose(S.dot(force), TAU, atol=1e-12)
    # the force through the joint is that same force, from the parent's acceleration alone
    np.testing.assert_allclose(six(freed.inertia.times(ACCELERATION, addend=freed.bias)), six(force), atol=1e-12)
    np.testing.assert_allclose(six(freed.inertia @ S), 0.0, atol=1e-12)


def test_oblique_direction_gives_what_a_turned_coordinate_axis_gives():
    R = Rotation.about_coordinate(1, 0.6, 0.8)
    turned = free_direction(
        INERTIA.rotated(R), Force(R @ BIAS.n, R @ BIAS.f), Motion(R @ Vector(0.0, 0.0, 1.0), Vector(0, 0, 0)), TAU
    )
    straight = free_direction(INERTIA, BIAS, Motion.axis(2), TAU)
    np.testing.assert_allclose(turned.x, straight.x, rtol=1e-12)
    np.testing.assert_allclose(list(turned.bias.f), list(R @ straight.bias.f), atol=1e-12)


def test_a_held_direction_has_the_whole_inertia():
    S = Motion.axis(0)
    held = prescribed_direction(INERTIA, BIAS, S, 2.0)
    rate, a = held.accelerations(ACCELERATION)
    assert rate == 2.0
    force = held.inertia.times(ACCELERATION, addend=held.bias)
    np.testing.assert_allclose(six(force), six(INERTIA.times(a, addend=BIAS)), atol=1e-12)
