"""The boxes that meshes fill: of STL and OBJ files, as far as they can be found."""

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Corners = tuple[NDArray[np.float64], NDArray[np.float64]]

HEADER, FACET = 84, 50  # bytes of a binary STL file before its triangles, and of one of them
ROWS = {".stl": rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)", ".obj": rb"(?m)^v\s+(\S+)\s+(\S+)\s+(\S+)"}


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


def mesh_corners(path: Path) -> Corners | None:
    """The smallest and the largest coordinates [its own unit, m as a rule] of a mesh; None when it cannot be read."""
    pattern = ROWS.get(path.suffix.lower())
    if pattern is None:
        return None
    data = path.read_bytes()
    points = _binary_points(data) if path.suffix.lower() == ".stl" else None
    if points is None:
        try:
            points = np.array([[float(x) for x in row] for row in re.findall(pattern, data)], float)
        except ValueError:
            return None
    if points.size == 0 or not np.isfinite(points).all():
        return None
    return points.min(axis=0), points.max(axis=0)


def _binary_points(data: bytes) -> NDArray[np.float64] | None:
    """The corners of the triangles of a binary STL file; None for a file of another length."""
    count = int.from_bytes(data[HEADER - 4 : HEADER], "little")
    if len(data) < HEADER + FACET or len(data) != HEADER + FACET * count:
        return None
    facets = np.frombuffer(data, np.dtype([("normal", "<f4", 3), ("at", "<f4", (3, 3)), ("tag", "<u2")]), offset=HEADER)
    return facets["at"].reshape(-1, 3).astype(float)


def _existing(path: Path) -> Path | None:
    try:
        return path if path.is_file() else None
    except (OSError, ValueError):  # a name that is too long, or holds a null
        return None
