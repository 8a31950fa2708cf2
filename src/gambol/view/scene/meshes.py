"""Triangle meshes of shapes and grounds, for HTML pages and the renderer: corners with normals, not indexed.

Round shapes are profiles revolved about z; a box has a chamfer. Normals are averaged over neighbouring triangles that
are nearly flat, so round shapes look round and edges stay sharp.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.figure.rotation import triple
from gambol.figure.shapes.hollow import field_triangles, height_field_from_sizes
from gambol.figure.shapes.hull import Hull, hull_from_sizes
from gambol.formats.visuals import corner_normals
from gambol.view.scene.look import BEVEL
from gambol.world.film import FilmGround, FilmShape
from gambol.world.film.shapes import film_balls

Array = NDArray[np.float64]
SLICES = 24  # of a round shape, around its axis
RINGS = 6  # of triangles from the pole of a ball to its equator


@dataclass(frozen=True)
class Mesh:
    """Triangles as corners (3 T, 3) [m], each with a unit normal (3 T, 3); anticlockwise seen from outside.

    uv (3 T, 2): position of each corner in the texture; None without texture.
    """

    corners: Array
    normals: Array
    uv: Array | None = None


def shape_mesh(shape: FilmShape) -> Mesh:
    """Return the mesh of a shape in its frame. Raises GambolError for an unknown kind or a wrong number of sizes."""
    if shape.mesh is not None:
        mesh, corners = shape.mesh, shape.mesh.triangles.reshape(-1)
        uv = mesh.uv[corners].astype(float) if len(mesh.uv) else None
        return Mesh(mesh.points[corners].astype(float), mesh.normals[corners].astype(float), uv)
    count, _ = MESH_BUILDERS.get(shape.kind, (0, None))
    if count and len(shape.size) != count:
        raise GambolError(f"a {shape.kind} is drawn from {count} sizes; this one has {shape.size}")
    return _cached_mesh(shape.kind, shape.size)


@lru_cache(maxsize=512)  # more kinds and sizes than any figure has; a mesh takes milliseconds and is used often
def _cached_mesh(kind: str, size: tuple[float, ...]) -> Mesh:
    """Return a read-only mesh, shared by all shapes of this kind and size."""
    mesh = creased(MESH_BUILDERS[kind][1](*size) if kind in MESH_BUILDERS else _ball_hull(kind, size))
    mesh.corners.flags.writeable = mesh.normals.flags.writeable = False
    return mesh


def ground_mesh(ground: FilmGround) -> Mesh:
    """Return the mesh of a height grid, two triangles per cell; corners in world coordinates [m]."""
    if ground.heights is None:
        raise GambolError("a ground without heights is the plane z = 0; it has no mesh")
    rows, columns = ground.heights.shape
    i, j = np.indices((rows, columns))
    P = np.stack([ground.x0 + ground.spacing * i, ground.y0 + ground.spacing * j, ground.heights], axis=-1)
    a, b, c, d = P[:-1, :-1], P[1:, :-1], P[1:, 1:], P[:-1, 1:]
    return creased(np.stack([a, b, c, a, c, d], axis=2).reshape(-1, 3, 3).astype(np.float64))


def creased(triangles: Array) -> Mesh:
    """Return the mesh of triangles (T, 3, 3), with area-weighted normals smoothed over edges that are nearly flat."""
    weighted = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    area = np.linalg.norm(weighted, axis=-1)
    triangles = triangles[area > 1e-9 * area.max()]  # slices at a pole are triangles of zero area
    return Mesh(triangles.reshape(-1, 3), corner_normals(triangles))


def _box(x: float, y: float, z: float) -> Array:
    """Return triangles of a chamfered box: 6 sides, 12 chamfers and 8 corners between 24 points.

    V[i, axis]: the point near corner i on the side normal to an axis. For each axis c in turn, the first inner loop
    makes the two sides normal to c, the second inner loop the four chamfers parallel to c.
    """
    corners = np.array(
        [[-1, -1, -1], [1, -1, -1], [-1, 1, -1], [1, 1, -1], [-1, -1, 1], [1, -1, 1], [-1, 1, 1], [1, 1, 1]]
    )
    bevel = BEVEL * min(x, y, z)
    V = np.stack([corners * (np.array([x, y, z]) / 2.0 - bevel * (1.0 - side)) for side in np.eye(3)], axis=1)
    triangles = [V[i] for i in range(8)]
    for a, b, c in ((1, 2, 4), (2, 4, 1), (4, 1, 2)):  # corner i and its neighbour i + a differ along axis log2(a)
        axis_a, axis_b = a.bit_length() - 1, b.bit_length() - 1
        for i in (0, c):
            triangles += _quad(*(V[i + j, c.bit_length() - 1] for j in (0, a, a + b, b)))
        for i in (0, a, b, a + b):
            triangles += _quad(V[i, axis_a], V[i, axis_b], V[i + c, axis_b], V[i + c, axis_a])
    return _outward(np.array(triangles))


def _quad(a: Array, b: Array, c: Array, d: Array) -> list[Array]:
    return [np.array([a, b, c]), np.array([a, c, d])]


def _outward(triangles: Array) -> Array:
    """Orient the triangles of a convex body around the origin anticlockwise as seen from outside; return them."""
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    inward = np.sum(normal * triangles.mean(axis=1), axis=-1) < 0.0
    triangles[inward] = triangles[inward][:, ::-1]
    return triangles


def _revolved(profile: list[tuple[float, float]]) -> Array:
    """Return triangles of a profile of (radius, z), from bottom to top, revolved about z."""
    r, z = np.array(profile).T
    angle = np.linspace(0.0, 2.0 * np.pi, SLICES + 1)
    P = np.stack([r[:, None] * np.cos(angle), r[:, None] * np.sin(angle), z[:, None] + 0.0 * angle], axis=-1)
    return _strips(P)


def _strips(P: Array) -> Array:
    """Return triangles between rings of points (rings, points of a ring, 3), from bottom to top, anticlockwise."""
    a, b, c, d = P[:-1, :-1], P[:-1, 1:], P[1:, 1:], P[1:, :-1]
    return np.stack([a, b, c, a, c, d], axis=2).reshape(-1, 3, 3)


def _capsule(r: float, length: float) -> Array:
    return _revolved(_arcs(r, length))


def _arcs(r: float, length: float) -> list[tuple[float, float]]:
    """Return the profile of a capsule as (radius, z)."""
    angles = np.linspace(0.0, np.pi / 2.0, RINGS + 1)
    lower = [(r * np.sin(a), -length / 2.0 - r * np.cos(a)) for a in angles]
    return lower + [(radius, -z) for radius, z in reversed(lower)]


def _slab(x: float, y: float, r: float) -> Array:
    """Return triangles of the hull of four balls: quarters of a ball, moved apart, and a lid below and above."""
    radius, z = np.array(_arcs(r, 0.0)).T[..., None]
    # a ring of P: four quarters of a circle, each about the centre of its ball; the last point is the first again
    quarter = SLICES // 4 + 1
    quarter_turns, signs = np.arange(5), np.array([[1, 1], [-1, 1], [-1, -1], [1, -1], [1, 1]])
    angle = (np.linspace(0.0, 0.5, quarter) + 0.5 * quarter_turns[:, None]).ravel()[: 4 * quarter + 1] * np.pi
    east, north = np.repeat(signs * (x / 2.0, y / 2.0), quarter, axis=0)[: len(angle)].T
    P = np.stack([radius * np.cos(angle) + east, radius * np.sin(angle) + north, z + 0.0 * angle], axis=-1)
    lids = [_quad(*ring[: 4 * quarter : quarter]) for ring in (P[0], P[-1])]
    return _outward(np.concatenate([_strips(P), *lids]))


def _ball(r: float) -> Array:
    return _capsule(r, 0.0)


def _ellipsoid(x: float, y: float, z: float) -> Array:
    return _ball(1.0) * np.array([x, y, z])


def _hull(*coordinates: float) -> Array:
    hull = hull_from_sizes(coordinates)
    return np.array(hull.vertices)[np.array(hull.triangles)]


def _ball_hull(kind: str, size: tuple[float, ...]) -> Array:
    """Return triangles of a hull of balls, a shape of a kind that a user has added; see collide.add_shape()."""
    directions = np.unique(np.round(_ball(1.0).reshape(-1, 3), 12), axis=0)
    points = [np.array(centre) + radius * directions for centre, radius in film_balls(kind, size)]
    hull = Hull(tuple(triple(point) for point in np.unique(np.concatenate(points), axis=0)))
    return np.array(hull.vertices)[np.array(hull.triangles)]


def _cylinder(r: float, length: float) -> Array:
    return _frustum(r, r, length)


def _frustum(bottom: float, top: float, length: float) -> Array:
    return _revolved([(0.0, -length / 2.0), (bottom, -length / 2.0), (top, length / 2.0), (0.0, length / 2.0)])


def _pipe(inner: float, outer: float, length: float) -> Array:
    h = length / 2.0
    return _revolved([(inner, -h), (outer, -h), (outer, h), (inner, h), (inner, -h)])


def _height_field(*numbers: float) -> Array:
    field = height_field_from_sizes(numbers)
    return field_triangles(field.heights, field.spacing, field.thickness)


MESH_BUILDERS: dict[str, tuple[int, Callable[..., Array]]] = {
    "box": (3, _box),
    "sphere": (1, _ball),
    "capsule": (2, _capsule),
    "cylinder": (2, _cylinder),
    "frustum": (3, _frustum),
    "ellipsoid": (3, _ellipsoid),
    "hull": (0, _hull),
    "slab": (3, _slab),
    "pipe": (3, _pipe),
    "height_field": (0, _height_field),
}
"""For each kind of shape, the number of sizes (0: any number) and the function that makes its triangles from them."""
