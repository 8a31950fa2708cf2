"""Where the meshes lie that a URDF file names, and the solids that they become, each made once."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from gambol.errors import GambolError
from gambol.figure import Shape, Triple
from gambol.formats.meshes import MESHES, filled, mesh_points

MOST_POINTS = 10_000_000
"""Corners of all meshes of a robot, which take some 30 s."""

Solid = tuple[Shape, Triple] | None


@dataclass
class MeshFolder:
    """The meshes beside a URDF file; folder: of the file. made: the solids so far; points: read for them."""

    folder: Path
    made: dict[tuple[Path, Triple], Solid] = field(default_factory=dict[tuple[Path, Triple], Solid])
    points: int = 0

    def solid(self, name: str, scale: Triple, notes: set[str]) -> Solid:
        """What a mesh is drawn and touches as, about the middle of its box, and that; None, with a note, for nothing.

        Raises GambolError where there are too many points.
        """
        path = mesh_file(name, self.folder)
        if path is None:
            notes.add("Meshes that were not found are neither drawn nor touch anything.")
            return None
        if path.suffix.lower() not in MESHES:
            notes.add(f"Meshes of kind {path.suffix or 'unknown'} are neither drawn nor touch anything.")
            return None
        if (path, scale) not in self.made:
            self.made[path, scale] = self._made(path, scale, notes)
        return self.made[path, scale]

    def _made(self, path: Path, scale: Triple, notes: set[str]) -> Solid:
        try:
            points = mesh_points(path) * np.array(scale)
        except GambolError as error:
            notes.add(f"Neither drawn nor touching anything: {error}.")
            return None
        self.points += len(points)
        if self.points > MOST_POINTS:
            raise GambolError(f"its meshes have more than {MOST_POINTS} corners; simplify them")
        return filled(points, f'the mesh "{path.name}"', notes)


def mesh_file(name: str, beside: Path) -> Path | None:
    """Where a mesh lies that a file in the folder `beside` names; None when it cannot be found.

    package://NAME/REST: REST is looked for in every folder above that holds it, with and without NAME.
    """
    name = name.removeprefix("file://")
    if not name.startswith(("package://", "model://")):
        return _existing(beside / name)
    rest = name.partition("://")[2]
    inside = rest.partition("/")[2]
    folders = (beside.resolve(), *beside.resolve().parents)
    return next((found for folder in folders for way in (rest, inside) if (found := _existing(folder / way))), None)


def _existing(path: Path) -> Path | None:
    try:
        return path if path.is_file() else None
    except (OSError, ValueError):  # a name that is too long, or holds a null
        return None
