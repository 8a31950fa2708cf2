"""Texture coordinates of shapes without any: beside pixels that MuJoCo 4.0.0's renderer shows, and OpenGL's table."""

import numpy as np
import pytest

from gambol.figure import Box, Capsule, Cylinder, Ellipsoid, Sphere
from gambol.formats.visuals.textured_shapes import cube_uv, mapped_triangles

PIXEL = 1.5 / 256  # the seen image has 256 pixels, whose red is the column and whose green is the row from above
AHEAD, BEHIND, LEFT, RIGHT, ABOVE = (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1)


def coordinates_at(shape, direction):
    """Return (u, v) of the point of a shape in a direction from its centre."""
    mapped = mapped_triangles(shape)
    direction = np.array(direction) + np.array([1e-6, 2e-6, 3e-6])  # not on an edge
    for corners, uv in zip(mapped.points, mapped.uv, strict=True):
        weights = np.linalg.solve(corners.T, direction)
        if (weights >= 0.0).all():
            return weights @ uv / weights.sum()
    raise AssertionError("no triangle lies in this direction")


@pytest.mark.parametrize(
    ("shape", "direction", "seen"),
    [
        (Box((0.6, 0.6, 0.6)), BEHIND, (128, 128)),
        (Box((0.6, 0.6, 0.6)), (-1, 0, 0.352), (128, 83)),
        (Box((0.6, 0.6, 0.6)), (-1, 0.352, 0), (173, 128)),
        (Box((0.6, 0.6, 0.6)), (1, 0.352, 0), (173, 128)),
        (Box((0.6, 0.6, 0.6)), (0.352, 1, 0), (173, 128)),
        (Box((0.6, 0.6, 0.6)), (0, 0.352, 1), (128, 83)),
        (Box((0.6, 0.6, 0.6)), (0, 0.352, -1), (128, 83)),
        (Sphere(0.3), BEHIND, (128, 128)),
        (Sphere(0.3), LEFT, (64, 128)),
        (Sphere(0.3), RIGHT, (192, 128)),
        (Ellipsoid((0.3, 0.2, 0.25)), LEFT, (64, 128)),
        (Cylinder(0.3, 0.6), RIGHT, (192, 128)),
        (Cylinder(0.3, 0.6), (-1, 0, 0.352), (128, 83)),
        (Cylinder(0.3, 0.6), (0, 0.352, 1), (128, 173)),
        (Cylinder(0.3, 0.6), (0, 0.352, -1), (128, 173)),
        (Cylinder(0.3, 0.6), (0.352, 0, 1), (173, 128)),
        (Capsule(0.3, 0.6), BEHIND, (128, 128)),
        (Capsule(0.3, 0.6), (-1, 0, 0.352), (128, 83)),
    ],
)
def test_an_image_lies_as_mujoco_shows_it(shape, direction, seen):
    """Pixels of boxes 0.6 m wide, seen from 2 m: 15 pixels from the middle are 0.352 half widths."""
    u, v = coordinates_at(shape, direction)
    assert u % 1.0 == pytest.approx(seen[0] / 255, abs=PIXEL)
    assert 1.0 - v == pytest.approx(seen[1] / 255, abs=PIXEL)


@pytest.mark.parametrize(("shape", "volume"), [
    (Box((1.0, 2.0, 3.0)), 6.0), (Sphere(0.5), np.pi / 6.0), (Ellipsoid((0.5, 1.0, 1.5)), np.pi),
    (Cylinder(0.5, 2.0), np.pi / 2.0), (Capsule(0.5, 2.0), np.pi / 2.0 + np.pi / 6.0),
])  # fmt: skip
def test_meshes_are_closed_and_face_outward(shape, volume):
    """By the divergence theorem. Triangles across 1/12 of a side, 7.5 degrees, lose less than 2 % of a ball."""
    points = mapped_triangles(shape).points
    enclosed = np.linalg.det(points).sum() / 6.0
    assert 0.98 * volume < enclosed <= volume * (1.0 + 1e-12)
    edges = {}
    for corners in np.round(points, 9) + 0.0:
        for a, b in ((0, 1), (1, 2), (2, 0)):
            edge = tuple(corners[a]), tuple(corners[b])
            edges[edge] = edges.get(edge, 0) + 1
    assert all(edges.get((b, a)) == count == 1 for (a, b), count in edges.items())


OPENGL = {  # the side of each direction: its number, and the directions in which s and t grow [OpenGL 2.1, table 3.19]
    (1, 0, 0): (0, (0, 0, -1), (0, -1, 0)), (-1, 0, 0): (1, (0, 0, 1), (0, -1, 0)),
    (0, 1, 0): (2, (1, 0, 0), (0, 0, 1)), (0, -1, 0): (3, (1, 0, 0), (0, 0, -1)),
    (0, 0, 1): (4, (1, 0, 0), (0, -1, 0)), (0, 0, -1): (5, (-1, 0, 0), (0, -1, 0)),
}  # fmt: skip


@pytest.mark.parametrize("middle", OPENGL)
@pytest.mark.parametrize("sides", [1, 6])
def test_the_sides_of_a_cube_lie_as_in_opengl(middle, sides):
    side, s, t = OPENGL[middle]
    shares = np.array([[0.2, 0.3], [0.6, 0.1], [0.4, 0.9]])  # of the side, from its upper left corner
    directions = np.array([middle + (2 * a - 1) * np.array(s) + (2 * b - 1) * np.array(t) for a, b in shares])
    (uv,) = cube_uv(5.0 * directions[None], sides, 64)
    np.testing.assert_allclose(uv[:, 0], shares[:, 0], atol=1e-12)
    np.testing.assert_allclose(1.0 - uv[:, 1], (side % sides + shares[:, 1]) / sides, atol=1e-12)
