"""Curves: arc lengths against closed forms, splines against scipy, generic scalars against arrays."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy import integrate, interpolate

from gambol.errors import GambolError
from gambol.lanes import jvp
from gambol.spatial import b_spline, catmull_rom, interpolating, polyline, straight

POINTS = np.random.default_rng(0).normal(size=(7, 3))
KINDS = [polyline, catmull_rom, interpolating, b_spline]


def helix(count: int) -> np.ndarray:
    """Points of three turns of a helix of radius 1 and pitch 0.8."""
    x = np.linspace(0.0, 6.0 * math.pi, count)
    return np.stack([np.cos(x), np.sin(x), 0.8 * x / (2.0 * math.pi)], axis=1)


def test_the_length_of_a_helix():
    """The length of three turns is 3 sqrt((2 pi)^2 + 0.8^2); a Catmull-Rom spline errs by h^3 or less."""
    exact = 3.0 * math.hypot(2.0 * math.pi, 0.8)
    coarse, fine = (abs(catmull_rom(helix(n)).length - exact) for n in (121, 241))
    assert fine / exact < 1e-6
    assert coarse / fine > 7.0


def test_the_length_of_a_circle_and_of_a_polygon():
    corners = helix(25)[:-1:3] * [1.0, 1.0, 0.0]
    angles = np.linspace(0.0, 2.0 * math.pi, 200, endpoint=False)
    circle = interpolating(np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1), closed=True)
    assert circle.length == pytest.approx(2.0 * math.pi, rel=1e-8)
    sides = np.linalg.norm(np.diff(corners, axis=0), axis=1).sum()
    assert polyline(corners).length == pytest.approx(sides, rel=1e-14)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("closed", [False, True])
def test_arc_length_by_another_quadrature_and_its_inverse(kind: Any, closed: bool):
    curve = kind(POINTS, closed=closed)
    speed = lambda u: float(np.linalg.norm(curve.derivatives(np.array([u]))[1]))  # noqa: E731
    knots = np.linspace(0.0, 1.0, len(curve.coefficients) + 1)
    whole = sum(integrate.quad(speed, a, b, epsabs=1e-12, limit=200)[0] for a, b in pairwise(knots))
    assert curve.length == pytest.approx(whole, rel=1e-9)
    s = np.linspace(0.0, curve.length, 57)
    np.testing.assert_allclose(curve.arc_length(curve.parameter(s)), s, atol=1e-12 * curve.length)


def test_splines_agree_with_scipy():
    u, n = np.linspace(0.0, 1.0, 101), len(POINTS)
    spline: Any = interpolate.CubicSpline(np.linspace(0.0, 1.0, n), POINTS, bc_type="natural")
    np.testing.assert_allclose(interpolating(POINTS).derivatives(u)[0], spline(u), atol=1e-13)
    ring = np.concatenate([POINTS, POINTS[:1]])
    periodic: Any = interpolate.CubicSpline(np.linspace(0.0, 1.0, n + 1), ring, bc_type="periodic")
    np.testing.assert_allclose(interpolating(POINTS, closed=True).derivatives(u)[0], periodic(u), atol=1e-13)
    p = np.concatenate([[2 * POINTS[0] - POINTS[1]], POINTS, [2 * POINTS[-1] - POINTS[-2]]])
    basis: Any = interpolate.BSpline(np.arange(-3.0, len(p) + 1.0), p, 3)
    np.testing.assert_allclose(b_spline(POINTS).derivatives(u)[0], basis(u * (len(p) - 3)), atol=1e-13)


@pytest.mark.parametrize("kind", KINDS[:3])
def test_a_curve_passes_through_its_points(kind: Any):
    u = np.linspace(0.0, 1.0, len(POINTS))
    np.testing.assert_allclose(kind(POINTS).derivatives(u)[0], POINTS, atol=1e-13)


@pytest.mark.parametrize("kind", KINDS)
def test_generic_scalars_give_the_same_curve_and_tangent(kind: Any):
    curve = kind(POINTS)
    for u in (0.01, 0.13, 0.5001, 0.93):
        value, tangent = jvp(lambda x: curve(x[0]), [u], [1.0])
        expected = curve.derivatives(np.array([u]))
        np.testing.assert_allclose([value, tangent], [expected[0][0], expected[1][0]], atol=1e-13)


def test_equal_curves_are_equal():
    assert polyline(POINTS) == polyline(POINTS.copy())
    assert hash(polyline(POINTS)) == hash(polyline(POINTS.copy()))
    assert polyline(POINTS) != catmull_rom(POINTS)


def test_a_point_at_an_arc_length_of_a_polyline():
    """An arm of 3 m and one of 1 m."""
    corner = polyline([(0, 0, 0), (3, 0, 0), (3, 1, 0)])
    np.testing.assert_allclose(corner.at([1.5, 3.25, 9.0]), [[1.5, 0, 0], [3, 0.25, 0], [3, 1, 0]], atol=1e-14)


def test_bad_curves_are_errors():
    with pytest.raises(GambolError, match="3 or more finite points"):
        catmull_rom(POINTS[:2])
    with pytest.raises(GambolError, match="twice in a row"):
        polyline([(0, 0, 0), (0, 0, 0), (1, 0, 0)])
    assert straight((0, 0, 0), (3, 4, 0)).length == pytest.approx(5.0)
