"""The table of mesh files to draw, by suffix, and checks of all of them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from gambol.errors import GambolError, did_you_mean
from gambol.figure import Material, Submesh, Triple, VisualMesh
from gambol.figure.visual import PLAIN
from gambol.formats.meshes import mesh_points
from gambol.formats.triangles import read_triangles
from gambol.formats.visuals.collada import read_collada
from gambol.formats.visuals.gltf import read_gltf
from gambol.formats.visuals.images import TextureFolder
from gambol.formats.visuals.normals import submesh_of
from gambol.formats.visuals.obj import read_obj

MAX_TRIANGLES = 2_000_000  # of a mesh: more take seconds to draw


def _read_ply(path: Path, textures: TextureFolder) -> list[Submesh]:
    return [submesh_of(*read_triangles(path), material=textures.default)]


def _read_stl(path: Path, textures: TextureFolder) -> list[Submesh]:
    corners = mesh_points(path)
    return [submesh_of(corners, np.arange(len(corners) // 3 * 3).reshape(-1, 3), material=textures.default)]


MESH_READERS: dict[str, Callable[[Path, TextureFolder], Sequence[Submesh]]] = {
    ".dae": read_collada,
    ".glb": read_gltf,
    ".gltf": read_gltf,
    ".obj": read_obj,
    ".ply": _read_ply,
    ".stl": _read_stl,
}
"""The reader of each kind of mesh file, by its suffix."""


def read_visual_mesh(
    path: str | Path, scale: float | Triple = 1.0, notes: set[str] | None = None, default: Material = PLAIN
) -> VisualMesh:
    """Return a mesh file to draw, with its materials and textures.

    path: path of the file: COLLADA (.dae), glTF (.glb, .gltf), OBJ with its materials, PLY or STL. scale: a factor that
    converts lengths to metres, or a factor for each of x, y and z. notes: receives sentences on omitted textures; None:
    these are errors. default: material of surfaces to which the file gives none. glTF's upward axis, y, becomes z.
    Raises GambolError, with the name of the file, if it cannot be read, has no triangles or too many, or points that
    are not finite.
    """
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in MESH_READERS:
        raise GambolError(
            f'the mesh "{path.name}" has a format that cannot be drawn; {did_you_mean(kind, MESH_READERS)}'
        )
    factors = (scale, scale, scale) if isinstance(scale, float | int) else scale
    if not np.isfinite(factors).all() or 0.0 in factors:
        raise GambolError(f'the mesh "{path.name}" has a scale of {scale}; give finite factors other than 0')
    with np.errstate(all="ignore"):
        submeshes = [_scaled(each, factors) for each in MESH_READERS[kind](path, TextureFolder(path, notes, default))]
    count = sum(len(each.triangles) for each in submeshes)
    if not count:
        raise GambolError(f'the mesh "{path.name}" has no triangles')
    if count > MAX_TRIANGLES:
        raise GambolError(f'the mesh "{path.name}" has {count} triangles; {MAX_TRIANGLES} at most are drawn')
    if not all(np.isfinite(each.points).all() for each in submeshes):
        raise GambolError(f'the mesh "{path.name}" has a point that is not finite')
    return VisualMesh(tuple(submeshes), str(path.absolute()), factors)


def _scaled(mesh: Submesh, scale: Triple) -> Submesh:
    """Return a scaled mesh; an odd number of negative factors reverses the order of the corners of triangles."""
    if scale == (1.0, 1.0, 1.0):
        return mesh
    factors = np.array(scale, np.float32)
    normals = mesh.normals / factors
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    triangles = mesh.triangles if np.prod(factors) > 0.0 else np.ascontiguousarray(mesh.triangles[:, ::-1])
    return replace(mesh, points=mesh.points * factors, normals=normals.astype(np.float32), triangles=triangles)
