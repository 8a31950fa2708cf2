"""Meshes: the points of STL and OBJ files, their convex hull, and a hull as an OBJ text."""

import re
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gambol.errors import FigureError, GambolError, did_you_mean
from gambol.figure import Box, Hull, Shape, Triple
from gambol.figure.rotation import triple
from gambol.figure.shapes.hull import hull_of
from gambol.formats.opening import file_bytes

Array = NDArray[np.float64]

LARGEST = 100_000_000  # bytes; two million triangles of a binary STL file
LARGEST_TEXT = 20_000_000

HEADER, FACET = 84, 50  # bytes of a binary STL file before its triangles, and of one of them
MESHES = {".stl": rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)", ".obj": rb"(?m)^v\s+(\S+)\s+(\S+)\s+(\S+)"}
"""The kinds of meshes that are read, and what a corner looks like in their text."""


def read_hull(path: str | Path, scale: float | Triple = 1.0) -> Hull:
    """The convex hull of a mesh file (.stl, .obj), in the mesh's frame.

    scale: by which all coordinates are multiplied, or those along x, y and z, to make metres of them.
    Raises GambolError, naming the file, for one that cannot be read, has no points or one that is not finite, or is
    flat.
    """
    path = Path(path)
    points = mesh_points(path) * np.array(scale, float)
    try:
        return hull_of(points.ravel().tolist())
    except FigureError as error:
        raise FigureError(f'the mesh "{path.name}": {error}') from error


def mesh_points(path: Path) -> Array:
    """The corners of all triangles of a mesh (n, 3), in its own unit, m as a rule; GambolError: see read_hull."""
    kind = path.suffix.lower()
    if kind not in MESHES:
        raise GambolError(f'the mesh "{path.name}" is of a kind that is not read; {did_you_mean(kind, MESHES)}')
    data = file_bytes(path, "mesh", LARGEST)
    points = _binary_points(data) if kind == ".stl" else None
    if points is None:
        if len(data) > LARGEST_TEXT:
            raise GambolError(f'the mesh "{path.name}" has {len(data)} bytes of text; export it again, as binary STL')
        try:
            rows = re.findall(MESHES[kind], data)
            points = np.fromiter(map(float, chain.from_iterable(rows)), float).reshape(-1, 3)
        except ValueError as error:
            told = str(error)[:100]
            raise GambolError(f'the mesh "{path.name}" has a corner that is no number: {told}') from error
    if points.size == 0 or not np.isfinite(points).all():
        what = "no points" if points.size == 0 else "a point that is not finite"
        raise GambolError(f'the mesh "{path.name}" has {what}; export it again, as binary STL or as OBJ')
    return points


def filled(points: Array, of: str, notes: set[str]) -> tuple[Shape, Triple] | None:
    """The hull of points (n, 3) [m] about the middle of their box, and that middle.

    Their box where they have no hull, with a note, of which `of` is the subject; nothing where the box is flat.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    middle = triple((low + high) / 2.0)
    try:
        hull = hull_of((points - np.array(middle)).ravel().tolist())
    except FigureError as error:
        x, y, z = (float(edge) for edge in high - low)
        if min(x, y, z) <= 0.0:
            return None
        notes.add(f"{of[0].upper()}{of[1:]} is drawn, and touches, as the box that it fills: {error}.")
        return Box((x, y, z)), middle
    notes.add("Meshes are drawn, and touch, as their convex hulls.")
    return hull, middle


def obj_text(hull: Hull) -> str:
    """A hull as the text of an OBJ file, every coordinate to its last bit."""
    corners = (f"v {x!r} {y!r} {z!r}" for x, y, z in hull.vertices)
    faces = (" ".join(["f", *(str(number + 1) for number in face)]) for face in hull.faces)
    return "\n".join([*corners, *faces]) + "\n"


def _binary_points(data: bytes) -> Array | None:
    """The corners of the triangles of a binary STL file; None for a file of another length."""
    count = int.from_bytes(data[HEADER - 4 : HEADER], "little")
    if len(data) < HEADER + FACET or len(data) != HEADER + FACET * count:
        return None
    facets = np.frombuffer(data, np.dtype([("normal", "<f4", 3), ("at", "<f4", (3, 3)), ("tag", "<u2")]), offset=HEADER)
    with np.errstate(invalid="ignore"):  # of signalling NaNs, which are refused with all others
        return facets["at"].reshape(-1, 3).astype(float)
