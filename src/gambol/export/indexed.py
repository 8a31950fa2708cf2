"""Indexed meshes of the shapes of a link, for files that share corners between triangles."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.export.clip import rotated
from gambol.view.scene.meshes import Mesh, shape_mesh
from gambol.world.film import FilmShape

Float32 = NDArray[np.float32]


@dataclass(frozen=True)
class IndexedMesh:
    """Triangles as points (N, 3) with unit normals (N, 3) and indices (3 T,), anticlockwise seen from outside.

    uv (N, 2): coordinates in a texture, (0, 0) is its lower left corner; None without a texture.
    """

    points: Float32
    normals: Float32
    indices: NDArray[np.uint32]
    uv: Float32 | None = None


def indexed_shape(shape: FilmShape, scale: float = 1.0) -> IndexedMesh:
    """Return the mesh of a shape in its frame. scale: scale of lengths."""
    mesh = shape.mesh
    if mesh is None:
        return indexed(shape_mesh(shape), scale)
    points = (mesh.points * scale).astype(np.float32)
    return IndexedMesh(points, mesh.normals, mesh.triangles.reshape(-1), mesh.uv if len(mesh.uv) else None)


def indexed(mesh: Mesh, scale: float = 1.0) -> IndexedMesh:
    """Return a mesh in which equal corners are joined. scale: scale of lengths."""
    both = np.concatenate([mesh.corners * scale, mesh.normals], axis=1).astype(np.float32)
    distinct, inverse = np.unique(both, axis=0, return_inverse=True)
    normals = distinct[:, 3:] / np.linalg.norm(distinct[:, 3:], axis=1, keepdims=True)
    return IndexedMesh(
        np.ascontiguousarray(distinct[:, :3]), normals.astype(np.float32), inverse.reshape(-1).astype(np.uint32)
    )


def placed_mesh(shape: FilmShape) -> Mesh:
    """Return the mesh of a shape in the frame of its link [m]."""
    mesh, q = shape_mesh(shape), np.array(shape.quaternion)
    q = q / np.linalg.norm(q)
    return Mesh(rotated(q, mesh.corners) + np.array(shape.position), rotated(q, mesh.normals))
