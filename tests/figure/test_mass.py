"""Mass properties: moving, adding, and errors for impossible bodies."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambol.errors import FigureError
from gambol.figure import NO_MASS, Box, MassProperties, check_mass, combine, rotation_about

POINT = st.tuples(*[st.floats(-2.0, 2.0)] * 3)
DIRECTION = POINT.filter(lambda p: math.hypot(*p) > 0.1)
ANGLE = st.floats(-4.0, 4.0)
BRICK = Box((0.2, 0.5, 0.9)).mass_properties(700.0)


def assert_same_body(a: MassProperties, b: MassProperties, atol: float) -> None:
    assert a.mass == pytest.approx(b.mass, rel=1e-14)
    np.testing.assert_allclose(a.com, b.com, atol=atol)
    np.testing.assert_allclose(a.inertia, b.inertia, atol=atol * a.mass)


def test_two_half_boxes_make_the_whole():
    half = Box((0.1, 0.5, 0.9)).mass_properties(700.0)
    eye = rotation_about("x", 0.0)
    halves = [half.placed(eye, (side * 0.05, 0.0, 0.0)) for side in (-1, 1)]
    assert_same_body(combine(halves), BRICK, atol=1e-15)


def test_eight_octants_in_any_order_make_the_whole():
    octant = Box((0.1, 0.25, 0.45)).mass_properties(700.0)
    eye = rotation_about("x", 0.0)
    places = itertools.product((-0.05, 0.05), (-0.125, 0.125), (-0.225, 0.225))
    assert_same_body(combine(octant.placed(eye, place) for place in places), BRICK, atol=1e-15)


@given(DIRECTION, ANGLE, POINT)
def test_moving_a_body_does_not_change_its_principal_moments(axis, angle, position):
    moved = BRICK.placed(rotation_about(axis, angle), position)
    np.testing.assert_allclose(moved.principal_moments(), BRICK.principal_moments(), rtol=1e-13)


@given(DIRECTION, ANGLE, POINT, POINT)
def test_a_moved_body_is_the_sum_of_its_moved_points(axis, angle, position, point):
    """A body of point masses, taken apart, moved one by one and weighed about a point by sum m (r^2 1 - r r^T)."""
    places = np.array([(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 0.5), (1, 1, 1)], dtype=float)
    masses = np.array([1.0, 2.0, 0.5, 3.0, 1.5])
    body = combine(MassProperties(m, tuple(p)) for m, p in zip(masses, places, strict=True))
    R = rotation_about(axis, angle)
    moved = body.placed(R, position)
    r = places @ np.array(R).T + position - point
    expected = np.einsum("n,nij->ij", masses, (r**2).sum(1)[:, None, None] * np.eye(3) - r[:, :, None] * r[:, None])
    np.testing.assert_allclose(moved.inertia_about(point), expected, atol=1e-12 * masses.sum() * 50)
    np.testing.assert_allclose(moved.com, masses @ (r + point) / masses.sum(), atol=1e-14)


def test_parallel_axes_of_a_rod_about_its_end():
    rod = Box((1.2, 1e-6, 1e-6)).mass_properties(1e12)
    assert rod.inertia_about((0.6, 0.0, 0.0))[2][2] == pytest.approx(rod.mass * 1.2**2 / 3, rel=1e-10)


def test_a_quarter_turn_swaps_moments_exactly():
    turned = BRICK.placed(rotation_about("z", math.pi / 2), (0.0, 0.0, 0.0))
    I, J = BRICK.inertia, turned.inertia
    assert (J[0][0], J[1][1], J[2][2]) == (I[1][1], I[0][0], I[2][2])
    assert J[0][1] == J[0][2] == J[1][2] == 0.0


def test_bodies_without_mass_add_nothing():
    assert combine([NO_MASS, BRICK, NO_MASS]) == BRICK
    assert combine([]) == NO_MASS


@pytest.mark.parametrize(
    "body", [BRICK, MassProperties(1.0), MassProperties(1.0, inertia=((1, 0, 0), (0, 1, 0), (0, 0, 0)))]
)
def test_bodies_points_and_thin_rods_are_accepted(body):
    check_mass(body, "a link")


def diagonal(x, y, z):
    return ((x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z))


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (MassProperties(-1.0, inertia=diagonal(1, 1, 1)), "mass of -1 kg"),
        (MassProperties(0.0), "mass of 0 kg"),
        (MassProperties(math.nan), "not finite"),
        (MassProperties(1.0, (0.0, math.inf, 0.0)), "not finite"),
        (MassProperties(1.0, inertia=diagonal(1, 1, -1)), "none may be negative"),
        (MassProperties(1.0, inertia=diagonal(-1, -1, -1)), "none may be negative"),
        (MassProperties(1.0, inertia=diagonal(1, 1, 3)), "sum of the two smaller"),
        (MassProperties(1.0, inertia=((1.0, 0.1, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))), "not symmetric"),
    ],
)
def test_what_no_body_can_have_is_refused_by_name(body, why):
    with pytest.raises(FigureError, match=f'link "tibia".*{why}'):
        check_mass(body, 'link "tibia"')
