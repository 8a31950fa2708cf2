"""The nearest points of solids: on the surface, along its normal, and no further than those of a sampled surface."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from gambol.collide.convex import Geom
from gambol.collide.pairs.ellipsoid import nearest_on_ellipsoid
from gambol.collide.pairs.point import NEAREST
from gambol.spatial import Vector

RNG = np.random.default_rng(4)
ELLIPSOIDS = [(0.5, 0.6, 0.7), (1.0, 1.0, 0.1), (1.0, 0.01, 0.3), (0.4, 0.4, 0.4)]


def places(count: int, reach: float = 1.0) -> np.ndarray:
    """Places in space, some of them in planes and on axes of symmetry."""
    p = reach * RNG.normal(size=(3, count))
    p[0, ::7] = 0.0
    p[2, ::5] = 0.0
    return p


@pytest.mark.parametrize("radii", ELLIPSOIDS)
def test_the_nearest_point_of_an_ellipsoid_is_on_it_and_straight_below_the_place(radii: tuple[float, float, float]):
    p = places(2000)
    x, n, distance = nearest_on_ellipsoid(radii, Vector(*p))
    result, normal, r = np.array(list(x)), np.array(list(n)), np.array(radii)[:, None]
    np.testing.assert_allclose(((result / r) ** 2).sum(axis=0), 1.0, atol=1e-9)
    gradient = result / r**2
    np.testing.assert_allclose(normal, gradient / np.linalg.norm(gradient, axis=0), atol=1e-7)
    np.testing.assert_allclose(result + normal * distance, p, atol=1e-12)
    np.testing.assert_array_equal(distance > 0.0, ((p / r) ** 2).sum(axis=0) > 1.0)


@pytest.mark.parametrize("radii", ELLIPSOIDS)
def test_no_sampled_point_of_an_ellipsoid_is_nearer(radii: tuple[float, float, float]):
    u, v = np.meshgrid(np.linspace(0, math.pi, 400), np.linspace(0, 2 * math.pi, 800))
    surface = np.array([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)]).reshape(3, -1).T * radii
    for p in np.vstack([places(20, 0.4).T, [[0.0, 0.0, 0.0], [0.01, 0.0, 0.0]]]):
        distance = abs(nearest_on_ellipsoid(radii, Vector(*map(float, p)))[2])
        sampled = np.linalg.norm(surface - p, axis=1).min()
        assert sampled - 2e-2 * max(radii) < distance <= sampled + 1e-12


@pytest.mark.parametrize(
    ("kind", "sizes"), [("box", (0.5, 0.8, 1.1)), ("cylinder", (0.4, 0.9)), ("frustum", (0.5, 0.2, 0.8))]
)
def test_distances_from_solids_are_those_that_scipy_finds(kind: str, sizes: tuple[float, ...]):
    form = Geom(kind, sizes)
    radial, height = (0.5 * sizes[0], 0.5 * sizes[-1]) if kind == "box" else (max(sizes[:2]), 0.5 * sizes[-1])
    outside = 0
    for p in places(60).T:
        near = NEAREST[kind](form, Vector(*map(float, p)))
        assert near.normal.length() == pytest.approx(1.0, abs=1e-12)
        np.testing.assert_allclose(list(near.point + near.normal * near.distance), p, atol=1e-8)
        if near.distance <= 0.0:
            continue
        outside += 1
        if kind == "box":
            bounds = [(-s / 2, s / 2) for s in sizes]
            best = minimize(lambda x, p=p: ((x - p) ** 2).sum(), [0.0, 0.0, 0.0], bounds=bounds, tol=1e-14)
            assert near.distance == pytest.approx(math.sqrt(best.fun), abs=1e-6)
        else:
            rho, z = math.hypot(p[0], p[1]), p[2]
            top = sizes[1] if kind == "frustum" else sizes[0]

            def gap(y: np.ndarray, rho: float = rho, z: float = z, top: float = top) -> float:
                radius = sizes[0] + (top - sizes[0]) * (y[1] + height) / (2 * height)
                return (min(rho, radius) - rho) ** 2 + (y[1] - z) ** 2

            best = minimize(gap, [0.0, 0.0], bounds=[(0.0, radial), (-height, height)], tol=1e-14)
            assert near.distance <= math.sqrt(best.fun) + 1e-6
    assert outside > 20


@pytest.mark.parametrize(
    ("kind", "sizes", "depth"),
    [("box", (0.5, 0.8, 1.1), 0.25), ("cylinder", (0.4, 0.9), 0.4), ("frustum", (0.5, 0.5, 0.8), 0.4)],
)
def test_from_the_middle_the_way_out_is_half_the_least_width(kind: str, sizes: tuple[float, ...], depth: float):
    near = NEAREST[kind](Geom(kind, sizes), Vector(0.0, 0.0, 0.0))
    assert near.distance == pytest.approx(-depth, abs=1e-12)
