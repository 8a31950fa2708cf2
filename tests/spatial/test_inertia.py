"""Inertias in blocks against 6 x 6 matrices."""

import numpy as np
import pytest
from figures import matrix3, turn

from gambol.figure.generator import random_mass, random_rotation
from gambol.spatial import Inertia, Matrix, Motion, Rotation, Symmetric, Transform, Vector
from gambol.spatial.inertia import RigidInertia, gyroscopic


def dense(inertia: Inertia) -> np.ndarray:
    return np.array([[inertia.column(j)[i] for j in range(6)] for i in range(6)])


def random_inertia(rng: np.random.Generator) -> Inertia:
    """Any symmetric positive definite spatial inertia, as an articulated body may have."""
    A = rng.normal(size=(6, 6))
    A = A @ A.T
    return Inertia(Symmetric.of(A[:3, :3].tolist()), Matrix.of(A[:3, 3:].tolist()), Symmetric.of(A[3:, 3:].tolist()))


def motion_matrix(X: Transform) -> np.ndarray:
    return np.array([[(X @ Motion.axis(j))[i] for j in range(6)] for i in range(6)])


@pytest.mark.parametrize("k", range(5))
def test_inertia_in_another_frame_is_a_congruence(k: int):
    rng = np.random.default_rng(k)
    R = turn(k, 0.8) if k < 3 else random_rotation(rng)
    X = Transform(
        Rotation.about_coordinate(k, np.sin(0.8), np.cos(0.8)) if k < 3 else Rotation(matrix3(R)),
        Vector(*rng.normal(size=3)),
    )
    inertia = random_inertia(rng)
    moved = inertia.rotated(X.rotation).shifted(X.position)
    back = np.linalg.inv(motion_matrix(X))
    np.testing.assert_allclose(dense(moved), back.T @ dense(inertia) @ back, atol=1e-12 * np.abs(dense(moved)).max())


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("sine", [1.0, -1.0])
def test_quarter_turns_permute(axis: int, sine: float):
    inertia = random_inertia(np.random.default_rng(0))
    R = Rotation.about_coordinate(axis, sine, 0.0)
    A = np.kron(np.eye(2), np.array(R.rows))
    np.testing.assert_array_equal(dense(inertia.rotated(R)), A @ dense(inertia) @ A.T)


def test_rigid_inertia_has_the_energy_of_its_points():
    rng = np.random.default_rng(1)
    points, masses = rng.normal(size=(8, 3)), rng.uniform(0.1, 1.0, size=8)
    com = masses @ points / masses.sum()
    about = sum(m * (a @ a * np.eye(3) - np.outer(a, a)) for m, a in zip(masses, points - com, strict=True))
    inertia = Inertia.rigid(masses.sum(), Vector(*com), about.tolist())
    w, v = rng.normal(size=(2, 3))
    motion = Motion(Vector(*w), Vector(*v))
    speeds = v + np.cross(w, points)
    np.testing.assert_allclose(motion.dot(inertia @ motion), masses @ (speeds**2).sum(axis=1), rtol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_ten_parameters_agree_with_blocks_in_any_frame(seed: int):
    rng = np.random.default_rng(seed)
    X = Transform(Rotation(matrix3(random_rotation(rng))), Vector(*rng.normal(size=3)))
    one, two = random_mass(rng, 0.3), random_mass(rng, 0.3)
    blocks, numbers = (
        kind(one.mass, Vector(*one.com), one.inertia).rotated(X.rotation).shifted(X.position)
        + kind(two.mass, Vector(*two.com), two.inertia)
        for kind in (Inertia.rigid, RigidInertia.of)
    )
    w, v = rng.normal(size=(2, 3))
    motion = Motion(Vector(*w), Vector(*v))
    result, expected = numbers @ motion, blocks @ motion
    np.testing.assert_allclose([*result.n, *result.f], [*expected.n, *expected.f], rtol=1e-13, atol=1e-13)


def test_gyroscopic_force_is_that_of_the_points_pulled_inward():
    rng = np.random.default_rng(2)
    m, w = random_mass(rng), rng.normal(size=3)
    inertia = Inertia.rigid(m.mass, Vector(*m.com), m.inertia)
    result = gyroscopic(inertia, Vector(*w))
    about_origin = dense(inertia)[:3, :3]
    np.testing.assert_allclose(list(result.n), np.cross(w, about_origin @ w), atol=1e-14)
    np.testing.assert_allclose(list(result.f), m.mass * np.cross(w, np.cross(w, m.com)), atol=1e-14)
