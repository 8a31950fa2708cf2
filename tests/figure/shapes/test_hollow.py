"""Pipes and height fields: mass, corners, mirror images, and invalid values."""

import numpy as np
import pytest

from gambol.errors import FigureError
from gambol.figure import Box, Cylinder, Figure, HeightField, Joint, Link, Part, Pipe, mirrored_part
from gambol.figure.parameters import parameters
from gambol.figure.shapes.hollow import field_triangles, height_field_from_sizes

STAIR = HeightField(((0.0, 0.1, 0.3), (0.0, 0.2, 0.5)), 0.5, 0.2)


def test_a_pipe_is_a_cylinder_less_its_bore():
    pipe = Pipe(0.2, 0.3, 1.5).mass_properties(700.0)
    whole, bore = (Cylinder(radius, 1.5).mass_properties(700.0) for radius in (0.3, 0.2))
    np.testing.assert_allclose(pipe.mass, whole.mass - bore.mass, rtol=1e-14)
    np.testing.assert_allclose(pipe.inertia, np.array(whole.inertia) - np.array(bore.inertia), rtol=1e-13, atol=1e-15)


def test_a_level_height_field_is_a_box():
    field = HeightField(((0.3,) * 4,) * 3, 0.5, 0.2).mass_properties(700.0)
    box = Box((1.0, 1.5, 0.2)).mass_properties(700.0).placed(((1, 0, 0), (0, 1, 0), (0, 0, 1)), (0.0, 0.0, 0.2))
    np.testing.assert_allclose(field.mass, box.mass, rtol=1e-13)
    np.testing.assert_allclose(field.com, box.com, atol=1e-14)
    np.testing.assert_allclose(field.inertia, box.inertia, rtol=1e-12, atol=1e-12)


def test_the_volume_is_that_below_the_triangles():
    """Each cell is two prisms, as high as the mean of their corners."""
    z = np.array(STAIR.heights) + 0.2
    a, b, c, d = z[:-1, :-1], z[1:, :-1], z[1:, 1:], z[:-1, 1:]
    np.testing.assert_allclose(STAIR.volume, 0.125 * ((a + b + d) / 3.0 + (c + b + d) / 3.0).sum(), rtol=1e-13)


def test_the_surface_of_a_height_field_is_closed():
    corners = np.round(field_triangles(STAIR.heights, 0.5, 0.2), 9)
    area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    np.testing.assert_allclose(area.sum(axis=0), 0.0, atol=1e-12)


def test_sizes_bounds_and_mirror_images():
    assert height_field_from_sizes(STAIR.sizes) == STAIR
    assert STAIR.bounds == ((-0.25, -0.5, -0.2), (0.25, 0.5, 0.5))
    assert {point.position for point in STAIR.contact_points()} >= {(0.25, 0.5, 0.5), (-0.25, -0.5, -0.2)}
    mirrored = mirrored_part(Part(STAIR)).shape
    assert isinstance(mirrored, HeightField)
    assert mirrored.heights == ((0.3, 0.1, 0.0), (0.5, 0.2, 0.0))


def test_the_sizes_of_a_pipe_are_parameters_and_heights_are_not():
    figure = Figure("two", (Link("two", None, Joint("free"), (Part(Pipe(0.1, 0.2, 0.3)), Part(STAIR))),))
    assert {"two.part 0.inner_radius", "two.part 1.density"} <= set(parameters(figure))
    assert not [name for name in parameters(figure) if "height" in name or "spacing" in name]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Pipe(0.3, 0.2, 1.0), "outer radius of 0.2 m; give more than its inner one, 0.3 m"),
        (lambda: Pipe(0.0, 0.2, 1.0), "inner radius = 0 m; every size must be positive"),
        (lambda: HeightField(((0.0, 1.0), (0.0,)), 0.1, 0.1), "all of one length"),
        (lambda: HeightField((), 0.1, 0.1), "all of one length"),
        (lambda: HeightField(((0.0, 1.0), (0.0, float("nan"))), 0.1, 0.1), "not finite"),
        (lambda: HeightField(((0.0,) * 600,) * 600, 0.1, 0.1), "600 x 600 heights; 250,000 at most"),
        (lambda: height_field_from_sizes((0.1, 0.1, 2.0, 2.0, 1.0)), "2 x 2 heights has 1 of them"),
        (lambda: Cylinder(0.1, -1.0), "length = -1 m"),
        (lambda: Cylinder(0.0, 0.0), "radius = 0 m"),
    ],
)
def test_impossible_input_is_refused(make, message: str):
    with pytest.raises(FigureError, match=message):
        make()


def test_a_disc_has_no_mass_of_its_own():
    assert Cylinder(0.2, 0.0).mass_properties(1000.0).mass == 0.0
    assert len(Cylinder(0.2, 0.0).contact_points()) == 8
    with pytest.raises(FigureError, match="have no mass; give the link an inertial part or a given_mass"):
        Figure("disc", (Link("disc", None, Joint("free"), (Part(Cylinder(0.2, 0.0)),)),))
