"""The nearest point of an elliptic friction cone: Moreau's conditions, and its Jacobian by finite differences."""

import math

import numpy as np
import pytest

from gambol.contact.stepping.anisotropy import Anisotropy
from gambol.contact.stepping.elliptic_cone import nearest_on_elliptic_cone
from gambol.spatial import Vector

X = Vector(1.0, 0.0, 0.0)
SURFACES = [(0.2, 0.5, 0.75), (0.9, 3.0, 0.1), (0.4, 1.0, 1.0), (1.5, 0.05, 2.0)]  # sideways; forward, backward ratios


def half_axes(surface: tuple[float, float, float], x: float) -> tuple[float, float]:
    """Return the half axes of the section on the side of an impulse x: backward slip where x > 0."""
    b, forward, backward = surface
    return b * (backward if x > 0.0 else forward), b


def excess(surface: tuple[float, float, float], p: np.ndarray) -> float:
    """Return by how much p lies outside of the cone."""
    a, b = half_axes(surface, p[1])
    return math.hypot(p[1] / a, p[2] / b) - p[0]


def polar_excess(surface: tuple[float, float, float], r: np.ndarray) -> float:
    """Return the largest product of r with an impulse of the cone that has the normal impulse 1."""
    a, b = half_axes(surface, r[1])
    return r[0] + math.hypot(a * r[1], b * r[2])


@pytest.mark.parametrize("surface", SURFACES)
def test_the_nearest_point_satisfies_moreaus_conditions(surface: tuple[float, float, float]):
    """p = q + r with q in the cone, r in its polar cone and q . r = 0 has one solution: q is the nearest point."""
    rng, anisotropy = np.random.default_rng(3), Anisotropy(X, *surface[1:])
    outside = 0
    for p in rng.normal(size=(400, 3)):
        q = np.array(nearest_on_elliptic_cone(p.tolist(), surface[0], anisotropy, None)[0])
        r = p - q
        assert excess(surface, q) <= 1e-12
        assert polar_excess(surface, r) <= 1e-10
        assert abs(q @ r) <= 1e-10
        outside += np.linalg.norm(q) > 0.0 and np.linalg.norm(r) > 1e-6
    assert outside > 50


@pytest.mark.parametrize("surface", SURFACES)
def test_the_jacobian_is_the_derivative(surface: tuple[float, float, float]):
    rng, anisotropy, h, seen = np.random.default_rng(4), Anisotropy(X, *surface[1:]), 1e-6, 0
    for p in rng.normal(size=(100, 3)):
        if min(abs(excess(surface, p)), abs(polar_excess(surface, p)), abs(p[1])) < 1e-3:
            continue  # a kink: between the two halves of the section, or at the border of the cones

        def nearest(p: np.ndarray) -> np.ndarray:
            return np.array(nearest_on_elliptic_cone(p.tolist(), surface[0], anisotropy, None)[0])

        dyads = nearest_on_elliptic_cone(p.tolist(), surface[0], anisotropy, None)[1]
        jacobian = sum(slope * np.outer(list(d), list(d)) for d, slope in dyads)
        steps = np.eye(3) * h
        assert jacobian == pytest.approx(np.array([nearest(p + e) - nearest(p - e) for e in steps]) / (2 * h), abs=1e-7)
        seen += 1
    assert seen > 60


def test_a_held_contact_takes_any_impulse():
    p = [-1.0, 5.0, 0.3]
    assert nearest_on_elliptic_cone(p, 0.5, Anisotropy(X, 0.5, 0.8), 1.0)[0] == p
