"""The mesh files that a URDF file names, their shapes and visual meshes; each file is read once."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from gambol.errors import GambolError
from gambol.figure import Material, Shape, Texture, Triple, VisualMesh
from gambol.figure.visual import PLAIN
from gambol.formats.meshes import VERTEX_PATTERNS, hull_or_box, mesh_points
from gambol.formats.visuals import read_texture, read_visual_mesh

MAX_POINTS = 10_000_000
"""Maximum number of vertices in all meshes of a robot; reading them takes about 30 s."""

MAX_TRIANGLES = 3_000_000
"""Maximum number of triangles in all visual meshes of a robot."""

Solid = tuple[Shape, Triple] | None  # the shape of a mesh, and the position of its centre in the mesh's frame [m]


@dataclass
class MeshFolder:
    """The meshes of a URDF file in a folder.

    solids: a cache of shapes, by path and scale. points: number of vertices read so far. visuals: a cache of visual
    meshes; triangles: number of their triangles so far. textures: a cache of images.
    """

    folder: Path
    solids: dict[tuple[Path, Triple], Solid] = field(default_factory=dict[tuple[Path, Triple], Solid])
    points: int = 0
    visuals: dict[tuple[Path, Triple, Material], VisualMesh | None] = field(
        default_factory=dict[tuple[Path, Triple, Material], VisualMesh | None]
    )
    triangles: int = 0
    textures: dict[Path, Texture | None] = field(default_factory=dict[Path, Texture | None])

    def texture(self, name: str, notes: set[str]) -> Texture | None:
        """Return the image of a material; None, with a note, for a missing or unreadable file."""
        path = mesh_file(name, self.folder)
        if path is None:
            notes.add(f'Left out: the texture "{name[-80:]}", which was not found.')
            return None
        if path not in self.textures:
            self.textures[path] = None
            try:
                self.textures[path] = read_texture(path)
            except GambolError as error:
                notes.add(f"Left out: {error}.")
        return self.textures[path]

    def visual(self, name: str, scale: Triple, notes: set[str], default: Material = PLAIN) -> VisualMesh | None:
        """Return a mesh to draw; None, with a note, for a missing or unreadable file.

        default: material of surfaces to which the file gives none. Other arguments: see solid().
        """
        path = mesh_file(name, self.folder)
        if path is None:
            notes.add("Visual meshes that were not found are not drawn.")
            return None
        key = (path, scale, default)
        if key not in self.visuals:
            try:
                mesh = read_visual_mesh(path, scale, notes, default)
            except GambolError as error:
                notes.add(f"Not drawn: {error}.")
                mesh = None
            self.triangles += sum(len(each.triangles) for each in mesh.submeshes) if mesh else 0
            if self.triangles > MAX_TRIANGLES:
                raise GambolError(f"its visual meshes have more than {MAX_TRIANGLES} triangles; simplify them")
            self.visuals[key] = mesh
        return self.visuals[key]

    def solid(self, name: str, scale: Triple, notes: set[str]) -> Solid:
        """Return the shape of a mesh and the centre of its bounding box, which is the shape's origin.

        Returns None for a mesh that is missing or cannot be read, and for a flat mesh, each with a note. name: name of
        the file, as in the URDF. scale: factors that convert x, y and z to metres. notes: receives sentences on
        approximations. Raises GambolError for too many vertices.
        """
        path = mesh_file(name, self.folder)
        if path is None:
            notes.add("Meshes that were not found are neither drawn nor touch anything.")
            return None
        if path.suffix.lower() not in VERTEX_PATTERNS:
            notes.add(f"Meshes of kind {path.suffix or 'unknown'} are neither drawn nor touch anything.")
            return None
        if (path, scale) not in self.solids:
            self.solids[path, scale] = self._read(path, scale, notes)
        return self.solids[path, scale]

    def _read(self, path: Path, scale: Triple, notes: set[str]) -> Solid:
        try:
            points = mesh_points(path) * np.array(scale)
        except GambolError as error:
            notes.add(f"Neither drawn nor touching anything: {error}.")
            return None
        self.points += len(points)
        if self.points > MAX_POINTS:
            raise GambolError(f"its meshes have more than {MAX_POINTS} corners; simplify them")
        return hull_or_box(points, f'the mesh "{path.name}"', notes)


def mesh_file(name: str, folder: Path) -> Path | None:
    """Return the path of a mesh that a URDF file names, or None.

    name: name in the URDF file. folder: folder of the URDF file. package://NAME/REST is searched in the folder and all
    its parents, with and without NAME.
    """
    name = name.removeprefix("file://")
    if not name.startswith(("package://", "model://")):
        return _path_of_file(folder / name)
    rest = name.partition("://")[2]
    without_name = rest.partition("/")[2]
    folders = (folder.resolve(), *folder.resolve().parents)
    candidates = (_path_of_file(parent / relative) for parent in folders for relative in (rest, without_name))
    return next(filter(None, candidates), None)


def _path_of_file(path: Path) -> Path | None:
    try:
        return path if path.is_file() else None
    except (OSError, ValueError):  # a name that is too long, or has a null character
        return None
