"""Shapes against volume integrals, and invalid sizes."""

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambol.errors import FigureError
from gambol.figure import Box, Capsule, Cylinder, Ellipsoid, Frustum, MassProperties, Sphere

SIZE = st.floats(0.01, 10.0)
DENSITY = 1100.0
X, W = np.polynomial.legendre.leggauss(8)  # exact to degree 15; the integrands below have degree 5 at most


def weighed(points: np.ndarray, volumes: np.ndarray) -> MassProperties:
    """Mass properties of many small volumes: points (n, 3), volumes (n,)."""
    m = DENSITY * volumes
    com = m @ points / m.sum()
    r = points - com
    I = np.einsum("n,nij->ij", m, (r**2).sum(1)[:, None, None] * np.eye(3) - r[:, :, None] * r[:, None, :])
    return MassProperties(m.sum(), tuple(com), tuple(map(tuple, I)))


def revolved(radius: Callable[[float], float], pieces: Sequence[float]) -> MassProperties:
    """A solid of revolution about z, by quadrature in z, in the radius and around; smooth between the pieces' ends."""
    around = 2 * math.pi * (np.arange(8) + 0.5) / 8  # exact for the squares of sine and cosine
    points, volumes = [], []
    for low, high in itertools.pairwise(pieces):
        for z, wz in zip((low + high) / 2 + (high - low) / 2 * X, (high - low) / 2 * W, strict=True):
            R = radius(z)
            for r, wr in zip(R / 2 * (1 + X), R / 2 * W, strict=True):
                points += [(r * math.cos(a), r * math.sin(a), z) for a in around]
                volumes += [wz * wr * r * 2 * math.pi / 8] * 8
    return weighed(np.array(points), np.array(volumes))


def assert_same_body(a: MassProperties, b: MassProperties, rtol: float = 1e-11) -> None:
    size = math.sqrt(np.trace(np.array(b.inertia)) / b.mass)
    np.testing.assert_allclose(a.mass, b.mass, rtol=rtol)
    np.testing.assert_allclose(a.com, b.com, atol=rtol * size)
    np.testing.assert_allclose(a.inertia, b.inertia, atol=rtol * b.mass * size**2)


@given(SIZE, SIZE, SIZE)
def test_the_mass_of_a_box_is_its_volume_integral(x, y, z):
    grid = np.stack(np.meshgrid(x / 2 * X, y / 2 * X, z / 2 * X, indexing="ij"), -1).reshape(-1, 3)
    weights = np.einsum("i,j,k->ijk", W, W, W).ravel() * x * y * z / 8
    assert_same_body(Box((x, y, z)).mass_properties(DENSITY), weighed(grid, weights))


@given(SIZE)
def test_the_mass_of_a_sphere_is_its_volume_integral(r):
    expected = revolved(lambda z: math.sqrt(r * r - z * z), (-r, r))
    assert_same_body(Sphere(r).mass_properties(DENSITY), expected)


@given(SIZE, SIZE, SIZE)
def test_the_mass_of_an_ellipsoid_is_its_volume_integral(a, b, c):
    """As the ball from which it is stretched, whose second moment about each axis is that of its inertia."""
    ball = revolved(lambda z: math.sqrt(1 - z * z), (-1.0, 1.0))
    second = np.diag(np.trace(ball.inertia) / 2 - np.diag(ball.inertia)) * np.square((a, b, c)) * a * b * c
    expected = MassProperties(ball.mass * a * b * c, inertia=np.trace(second) * np.eye(3) - second)
    assert_same_body(Ellipsoid((a, b, c)).mass_properties(DENSITY), expected)


@given(SIZE, SIZE)
def test_the_mass_of_a_capsule_is_its_volume_integral(r, l):
    def radius(z: float) -> float:
        return math.sqrt(r * r - max(abs(z) - l / 2, 0.0) ** 2)

    expected = revolved(radius, (-l / 2 - r, -l / 2, l / 2, l / 2 + r))
    assert_same_body(Capsule(r, l).mass_properties(DENSITY), expected)


@given(SIZE, SIZE)
def test_the_mass_of_a_cylinder_is_its_volume_integral(r, l):
    assert_same_body(Cylinder(r, l).mass_properties(DENSITY), revolved(lambda z: r, (-l / 2, l / 2)))


@given(SIZE | st.just(0.0), SIZE, SIZE)
def test_the_mass_of_a_frustum_is_its_volume_integral(a, b, l):
    expected = revolved(lambda z: (a + b) / 2 + (b - a) * z / l, (-l / 2, l / 2))
    assert_same_body(Frustum(a, b, l).mass_properties(DENSITY), expected)


def test_frustum_of_equal_ends_is_a_cylinder():
    a, b = Frustum(0.3, 0.3, 0.7).mass_properties(DENSITY), Cylinder(0.3, 0.7).mass_properties(DENSITY)
    assert_same_body(a, b, rtol=1e-14)


def test_frustum_balances_nearer_its_wide_end():
    assert Frustum(0.1, 0.2, 1.0).mass_properties(DENSITY).com[2] > 0.0


@pytest.mark.parametrize(
    "shape",
    [
        Box((1, 2, 3)),
        Sphere(0.5),
        Ellipsoid((1, 2, 3)),
        Capsule(0.2, 1.0),
        Cylinder(0.2, 1.0),
        Frustum(0.1, 0.2, 1.0),
    ],
)
def test_mass_is_density_times_volume(shape):
    assert shape.mass_properties(DENSITY).mass == pytest.approx(DENSITY * shape.volume, rel=1e-15)


def reach(shape, direction: np.ndarray) -> float:
    """Return the largest extent of the contact points along a direction [m]."""
    return max(np.dot(p.position, direction) + p.radius for p in shape.contact_points())


@given(st.floats(0, 2 * math.pi), st.floats(0, math.pi))
def test_contact_points_reach_as_far_as_the_shape(turn, tilt):
    n = np.array([math.sin(tilt) * math.cos(turn), math.sin(tilt) * math.sin(turn), math.cos(tilt)])
    across = math.hypot(n[0], n[1])
    assert reach(Box((1, 2, 3)), n) == pytest.approx(abs(n) @ [0.5, 1, 1.5])
    assert reach(Sphere(0.4), n) == pytest.approx(0.4)
    assert reach(Capsule(0.2, 1.0), n) == pytest.approx(0.2 + 0.5 * abs(n[2]))
    # A direction is within 27.57 degrees of one to a side, edge or corner of a cube.
    exact = math.hypot(*(n * (0.1, 1.0, 10.0)))
    assert math.cos(math.radians(27.57)) * exact <= reach(Ellipsoid((0.1, 1.0, 10.0)), n) <= exact * (1 + 1e-12)
    # A rim of eight points falls short of the circle by up to 1 - cos(pi / 8) of the radius, and never sticks out.
    for shape, exact in [
        (Cylinder(0.2, 1.0), 0.2 * across + 0.5 * abs(n[2])),
        (Frustum(0.2, 0.1, 1.0), max(0.2 * across - 0.5 * n[2], 0.1 * across + 0.5 * n[2])),
    ]:
        assert exact - 0.2 * (1 - math.cos(math.pi / 8)) - 1e-12 <= reach(shape, n) <= exact + 1e-12


def test_the_tip_of_a_cone_is_one_point():
    tips = [p for p in Frustum(0.2, 0.0, 1.0).contact_points() if p.position[2] > 0]
    assert tips == [((0.0, 0.0, 0.5), 0.0)]


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: Box((1.0, 0.0, 1.0)), "y = 0"),
        (lambda: Sphere(-1.0), "sphere has radius = -1"),
        (lambda: Ellipsoid((1.0, 1.0, math.nan)), "ellipsoid has z = nan"),
        (lambda: Capsule(0.1, math.nan), "capsule has length = nan"),
        (lambda: Cylinder(math.inf, 1.0), "cylinder has radius = inf"),
        (lambda: Frustum(0.1, -0.1, 1.0), "frustum has an end of radius -0.1"),
        (lambda: Frustum(0.0, 0.0, 1.0), "wider radius = 0"),
    ],
)
def test_sizes_that_no_solid_has_are_refused(make, named):
    with pytest.raises(FigureError, match=named):
        make()
