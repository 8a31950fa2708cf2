"""Spatial motions, forces and transforms: powers, products and inverses."""

import numpy as np
from figures import matrix3

from gambol.figure.generator import random_rotation
from gambol.spatial import Force, Motion, Rotation, Transform, Vector
from gambol.spatial.vector import centripetal

rng = np.random.default_rng(7)


def vector() -> Vector:
    return Vector(*rng.normal(size=3).tolist())


def transform() -> Transform:
    return Transform(Rotation(matrix3(random_rotation(rng))), vector())


def six(x: Motion | Force) -> list[float]:
    return [x[k] for k in range(6)]


def test_power_is_the_same_in_every_frame():
    X, v, f = transform(), Motion(vector(), vector()), Force(vector(), vector())
    np.testing.assert_allclose((X @ v).dot(X @ f), v.dot(f), rtol=1e-12)


def test_transforms_compose_and_undo():
    X, Y, p, v, f = transform(), transform(), vector(), Motion(vector(), vector()), Force(vector(), vector())
    np.testing.assert_allclose(list((X @ Y) @ p), list(X @ (Y @ p)), atol=1e-13)
    np.testing.assert_allclose(six((X @ Y) @ v), six(X @ (Y @ v)), atol=1e-13)
    np.testing.assert_allclose(six((X @ Y) @ f), six(X @ (Y @ f)), atol=1e-13)
    np.testing.assert_allclose(six(X.inverse @ (X @ f)), six(f), atol=1e-13)
    np.testing.assert_allclose(six(X.apply_inverse(X @ v)), six(v), atol=1e-13)


def test_velocity_of_a_point_does_not_depend_on_the_frame():
    X, v, p = transform(), Motion(vector(), vector()), vector()
    moved = X @ v
    there = moved.v + moved.w.cross(X @ p)
    np.testing.assert_allclose(list(there), list(X.rotation @ (v.v + v.w.cross(p))), atol=1e-13)


def test_cross_products_are_dual():
    """(v x m) . f = - m . (v x* f), and v x v = 0. [Featherstone 2008, section 2.9]"""
    v, m, f = Motion(vector(), vector()), Motion(vector(), vector()), Force(vector(), vector())
    np.testing.assert_allclose(v.cross(m).dot(f), -m.dot(v.cross_force(f)), rtol=1e-12)
    np.testing.assert_allclose(six(v.cross(v)), 0.0, atol=1e-15)


def test_centripetal_is_two_cross_products():
    w, r = vector(), vector()
    np.testing.assert_allclose(list(centripetal(w, r)), np.cross(list(w), np.cross(list(w), list(r))), atol=1e-13)


def test_unit_motions_are_recognised():
    assert Motion.axis(4, -1.0).coordinate() == (4, -1.0)
    assert Motion.axis(2).coordinate() == (2, 1.0)
    assert Motion.axis(2, 0.5).coordinate()[0] is None
    assert (Motion.axis(2) + Motion.axis(5, 0.1)).coordinate()[0] is None
