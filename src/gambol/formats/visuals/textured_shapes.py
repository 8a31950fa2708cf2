"""Textures on shapes and meshes without texture coordinates, by the rules of MuJoCo 4.0's renderer.

The mesh of a shape is made from a grid on the cube with corners (±1, ±1, ±1). For a box, the grid is scaled; for a
ball, its points are normalised; for a cylinder, its squares of constant z become discs. Unit points are points divided
by the half sizes of the shape; at the ends of a capsule their z is above 1 or below -1. Each corner of a triangle has
texture coordinates (u, v); (0, 0) is the lower left corner of the image.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.figure import Box, Capsule, Cylinder, Ellipsoid, Material, Shape, Sphere, VisualMesh
from gambol.formats.visuals.normals import submesh_of

Array = NDArray[np.float64]

CELLS = 12  # along an edge of the cube; even, so that triangles end at the half planes y = 0, where longitudes jump

MIN_TRIANGLES = 3000
"""Least number of triangles of a mesh with a cube texture: each triangle has the image of one side of the cube only."""


@dataclass(frozen=True)
class MappedTriangles:
    """Triangles of a shape (T, 3, 3) [m], their unit points (T, 3, 3), and their texture coordinates (T, 3, 2)."""

    points: Array
    unit: Array
    uv: Array


def mapped_triangles(shape: Shape) -> MappedTriangles:
    """Return the triangles of a box, ball, cylinder or capsule, with one image on them.

    The image is upright on the four sides of a box, seen from above on the other two, and once around z on other
    shapes, beginning at x. A capsule has the image once on its cylinder and once on each of its half balls.
    """
    return SHAPES_WITH_TEXTURE[type(shape)](shape)


def textured_mesh(triangles: Array, uv: Array, material: Material) -> VisualMesh:
    """Return triangles (T, 3, 3) [m] with texture coordinates (T, 3, 2) of their corners as a mesh to draw."""
    points = triangles.reshape(-1, 3)
    corners = np.arange(len(points)).reshape(-1, 3)
    return VisualMesh((submesh_of(points, corners, None, uv.reshape(-1, 2), material),))


def finely_divided(triangles: Array) -> Array:
    """Return triangles (T, 3, 3), each repeatedly divided into four, until there are at least MIN_TRIANGLES."""
    while len(triangles) < MIN_TRIANGLES:
        a, b, c = np.moveaxis(triangles, 1, 0)
        ab, bc, ca = (a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0
        pieces = ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))
        triangles = np.concatenate([np.stack(piece, axis=1) for piece in pieces])
    return triangles


def cube_uv(directions: Array, sides: int, width: int) -> Array:
    """Return coordinates (T, 3, 2) in the image of a cube, whose sides +x, -x, +y, -y, +z, -z lie one below the other.

    directions (T, 3, 3): from the centre of the cube to each corner. sides: 6, or 1 for an image that is on all sides.
    width: of the image [pixels]. A triangle is on the side to which its centre points. [OpenGL 2.1, table 3.19]
    """
    rows, axis, sign = _sides(directions)
    x, y, z = np.moveaxis(directions, -1, 0)
    across = np.choose(axis, [-sign * z, x, sign * x])
    down = np.choose(axis, [-y, sign * z, -y])
    depth = np.maximum(np.abs(directions[rows, :, axis[:, 0]]), 1e-12)
    inside = 1.0 - 1.0 / width  # not to mix the colours of neighbouring sides
    s, t = (0.5 + 0.5 * np.clip(each / depth, -inside, inside) for each in (across, down))
    side = (2 * axis + (sign < 0.0)) % sides
    return np.stack([s, 1.0 - (side + t) / sides], axis=-1)


def _box(shape: Box) -> MappedTriangles:
    unit = _cube_grid()
    _, axis, _ = _sides(unit)
    x, y, z = np.moveaxis(unit, -1, 0)
    uv = 0.5 + 0.5 * np.stack([np.choose(axis, [y, x, x]), np.choose(axis, [z, z, y])], axis=-1)
    return MappedTriangles(unit * np.array(shape.size) / 2.0, unit, uv)


def _ball(radii: tuple[float, float, float]) -> MappedTriangles:
    grid = _cube_grid()
    unit = grid / np.linalg.norm(grid, axis=-1, keepdims=True)
    latitude = np.arcsin(np.clip(unit[..., 2], -1.0, 1.0))
    return MappedTriangles(unit * radii, unit, np.stack([_around(unit), 0.5 + latitude / np.pi], axis=-1))


def _cylinder(shape: Cylinder | Capsule) -> MappedTriangles:
    grid = _cube_grid()
    radius, largest = np.hypot(grid[..., 0], grid[..., 1]), np.abs(grid[..., :2]).max(axis=-1)
    scale = largest / np.where(radius > 0.0, radius, 1.0)
    unit = grid * np.stack([scale, scale, np.ones_like(scale)], axis=-1)
    x, y, z = np.moveaxis(unit, -1, 0)
    is_end = (np.abs(z) == 1.0).all(axis=1)[:, None, None]
    wall, end = np.stack([_around(unit), 0.5 + 0.5 * z], axis=-1), 0.5 + 0.5 * np.stack([x, -y], axis=-1)
    points = unit * [shape.radius, shape.radius, shape.length / 2.0]
    return MappedTriangles(points, unit, np.where(is_end, end, wall))


def _capsule(shape: Capsule) -> MappedTriangles:
    ball, tube = _ball((shape.radius, shape.radius, shape.radius)), _cylinder(shape)
    is_wall = (np.abs(tube.unit[..., 2]) < 1.0).any(axis=1)
    is_upper = (ball.unit.mean(axis=1)[:, 2] > 0.0)[:, None, None]
    end = np.where(is_upper, 1.0, -1.0) * np.array([0.0, 0.0, 1.0])
    caps = ball.points + 0.5 * shape.length * end, ball.unit + end, ball.uv * [1.0, 2.0] - is_upper * [0.0, 1.0]
    pieces = ((cap, row[is_wall]) for cap, row in zip(caps, (tube.points, tube.unit, tube.uv), strict=True))
    return MappedTriangles(*map(np.concatenate, pieces))


def _around(unit: Array) -> Array:
    """Return the longitude of each corner (T, 3) as a fraction of a turn; a pole has that of its triangle's centre."""
    middle = np.arctan2(*np.moveaxis(unit.mean(axis=1)[:, 1::-1], -1, 0))[:, None] % (2.0 * np.pi)
    longitude = np.arctan2(unit[..., 1], unit[..., 0])
    longitude = np.where(np.hypot(unit[..., 0], unit[..., 1]) < 1e-9, middle, longitude)
    return (middle + (longitude - middle + np.pi) % (2.0 * np.pi) - np.pi) / (2.0 * np.pi)


def _sides(unit: Array) -> tuple[NDArray[np.int64], NDArray[np.int64], Array]:
    """Return the indices of the triangles (T,), and the axis and sign (T, 1) of the side to which each points."""
    centre = unit.mean(axis=1)
    axis = np.argmax(np.abs(centre), axis=1)
    rows = np.arange(len(axis))
    return rows, axis[:, None], np.where(centre[rows, axis] < 0.0, -1.0, 1.0)[:, None]


def _cube_grid() -> Array:
    """Return the triangles (T, 3, 3) of the grid on a cube, anticlockwise seen from outside."""
    steps = np.linspace(-1.0, 1.0, CELLS + 1)
    a, b = np.meshgrid(steps, steps, indexing="ij")
    P = np.stack([a, b, np.ones_like(a)], axis=-1)
    lower, upper = (P[:-1, :-1], P[1:, :-1], P[1:, 1:]), (P[:-1, :-1], P[1:, 1:], P[:-1, 1:])
    square = np.concatenate([np.stack(each, axis=2).reshape(-1, 3, 3) for each in (lower, upper)])
    turned = [np.roll(square, k, axis=-1) for k in range(3)]
    return np.concatenate([*turned, *(-each[:, ::-1] for each in turned)])


SHAPES_WITH_TEXTURE: dict[type[Shape], Callable[[Any], MappedTriangles]] = {
    Box: _box,
    Sphere: lambda shape: _ball((shape.radius, shape.radius, shape.radius)),
    Ellipsoid: lambda shape: _ball(shape.radii),
    Capsule: _capsule,
    Cylinder: _cylinder,
}
