"""Cloth, ropes and muscles of a clip as surfaces whose points move: cloth unchanged, lines and muscles as tubes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.export.chains import chains_of, whole_lines
from gambol.figure.color import rgb_values
from gambol.view.scene.tube import ACTIVE, IDLE, tube, tube_triangles
from gambol.world.film import FilmMatter, FilmMesh, FilmMuscle

Array = NDArray[np.float64]
Float32 = NDArray[np.float32]

SIDES = 8
"""Number of corners of a circle around a line."""


@dataclass(frozen=True)
class MovingSurface:
    """A surface. points (F, n, 3) [m]; triangles (T, 3): indices of points; color: red, green, blue, 0 to 1 (sRGB)."""

    name: str
    points: Float32
    triangles: NDArray[np.int64]
    color: tuple[float, float, float]

    def normals(self) -> Float32:
        """Return the unit normals (F, n, 3) of the points: means over their triangles, weighted by area."""
        by_point = self.points.astype(float).swapaxes(0, 1)
        a, b, c = (by_point[self.triangles[:, k]] for k in range(3))
        faces, total = np.cross(b - a, c - a), np.zeros(by_point.shape)
        for k in range(3):
            np.add.at(total, self.triangles[:, k], faces)
        norm = np.linalg.norm(total, axis=-1, keepdims=True)
        unit = np.where(norm > 0.0, total / np.where(norm > 0.0, norm, 1.0), (0.0, 0.0, 1.0))
        return unit.swapaxes(0, 1).astype(np.float32)


def moving_surfaces(matter: Sequence[FilmMatter]) -> Iterator[MovingSurface]:
    """Yield the surfaces of meshes and muscles, in order; particles have none. Muscles have their mean colour."""
    for each in matter:
        if isinstance(each, FilmMuscle):
            tubes = [tube(points, each.width, float(f))[0] for points, f in zip(each.points, each.force, strict=True)]
            points = np.array(tubes, np.float32).reshape(len(tubes), -1, 3)
            level, ends = float(each.activation.mean()), zip(rgb_values(IDLE), rgb_values(ACTIVE), strict=True)
            red, green, blue = ((1.0 - level) * idle + level * active for idle, active in ends)
            yield MovingSurface(each.name, points, tube_triangles(), (red, green, blue))
        elif isinstance(each, FilmMesh):
            if len(each.triangles):
                yield _sheet(each)
            if len(each.lines):
                yield _lines(each)


def _sheet(mesh: FilmMesh) -> MovingSurface:
    """Return the triangles of a mesh.

    In formats with morph targets triangles cannot vanish. So a triangle that tears gets its own three corners, which
    coincide once it is torn: a triangle without area is not visible.
    """
    triangles, points = mesh.triangles.astype(np.int64), mesh.points
    if mesh.visible is None or mesh.visible.all():
        return MovingSurface(mesh.name, points, triangles, rgb_values(mesh.color))
    torn = np.flatnonzero(~mesh.visible.all(axis=0))
    corners = points[:, triangles[torn]]
    visible = mesh.visible[:, torn, None, None]
    torn_corners = np.where(visible, corners, corners.mean(axis=2, keepdims=True)).reshape(len(points), -1, 3)
    triangles[torn] = points.shape[1] + np.arange(3 * len(torn)).reshape(-1, 3)
    used, inverse = np.unique(triangles, return_inverse=True)
    all_points = np.concatenate([points, torn_corners.astype(np.float32)], axis=1)[:, used]
    return MovingSurface(mesh.name, all_points, inverse.reshape(-1, 3), rgb_values(mesh.color))


def _lines(mesh: FilmMesh) -> MovingSurface:
    """Return the lines of a mesh as tubes, open at their ends."""
    tubes: list[Float32] = []
    triangles: list[NDArray[np.int64]] = []
    points, lines = whole_lines(mesh)
    for chain in chains_of(lines):
        start = sum(each.shape[1] for each in tubes)
        tubes.append(_tube(points[:, chain].astype(float), 0.5 * mesh.thickness))
        triangles.append(start + _tube_triangles(len(chain)))
    name = f"{mesh.name} lines" if len(mesh.triangles) else mesh.name
    return MovingSurface(name, np.concatenate(tubes, axis=1), np.concatenate(triangles), rgb_values(mesh.color))


def _tube(line: Array, radius: float) -> Float32:
    """Return circles (F, P SIDES, 3) around the points of a line (F, P, 3).

    Each circle starts at an axis normal to the line. The axis of the first circle is that of the previous frame, made
    normal to the line; the axis of each other circle is that of the circle before it, made normal to the line. So tubes
    twist neither along the line nor in time.
    """
    F, P = line.shape[:2]
    along = np.gradient(line, axis=1) if P > 1 else np.ones_like(line)
    tangents = along / np.maximum(np.linalg.norm(along, axis=-1, keepdims=True), 1e-12)
    axes = np.empty((F, P, 3))
    axis = np.eye(3)[np.abs(tangents[0, 0]).argmin()]
    for f in range(F):
        axes[f, 0] = axis = _normal_part(axis, tangents[f, 0])
    for p in range(1, P):
        axes[:, p] = _normal_part(axes[:, p - 1], tangents[:, p])
    angles = np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)[:, None]
    across = np.cross(tangents, axes)
    circles = line[:, :, None] + radius * (np.cos(angles) * axes[:, :, None] + np.sin(angles) * across[:, :, None])
    return circles.reshape(F, -1, 3).astype(np.float32)


def _normal_part(x: Array, tangent: Array) -> Array:
    """Return the unit vectors along the parts of x (..., 3) that are normal to unit tangents.

    Where that part is 0, x itself is returned.
    """
    part = x - np.sum(x * tangent, axis=-1, keepdims=True) * tangent
    norm = np.linalg.norm(part, axis=-1, keepdims=True)
    return np.where(norm > 1e-9, part / np.maximum(norm, 1e-9), x)


def _tube_triangles(rings: int) -> NDArray[np.int64]:
    """Return the triangles (2 (rings - 1) SIDES, 3) between circles, anticlockwise as seen from outside."""
    ring, side = np.meshgrid(np.arange(rings - 1), np.arange(SIDES), indexing="ij")
    a, b = (ring * SIDES + side).ravel(), (ring * SIDES + (side + 1) % SIDES).ravel()
    return np.concatenate([np.column_stack([a, b, b + SIDES]), np.column_stack([a, b + SIDES, a + SIDES])])
