"""Meshes: the vertices of STL and OBJ files, their convex hull, and a hull as OBJ text."""

import re
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gambol.errors import FigureError, GambolError, did_you_mean
from gambol.figure import Box, Hull, Shape, Triple
from gambol.figure.rotation import triple
from gambol.figure.shapes.hull import hull_from_sizes
from gambol.formats.safe_files import file_bytes

Array = NDArray[np.float64]

MAX_BYTES = 100_000_000  # bytes; two million triangles of a binary STL file
MAX_TEXT_BYTES = 20_000_000  # bytes of a mesh as text, which takes longer to read

HEADER_BYTES, FACET_BYTES = 84, 50  # bytes in a binary STL file: header with number of triangles; a triangle
VERTEX_PATTERNS = {".stl": rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)", ".obj": rb"(?m)^v\s+(\S+)\s+(\S+)\s+(\S+)"}
"""The pattern of a vertex in the text of a mesh file, by the suffix of the file."""


def read_hull(path: str | Path, scale: float | Triple = 1.0) -> Hull:
    """Return the convex hull of a mesh file (.stl, .obj), in the frame of the mesh.

    path: path of the file. scale: a factor that converts coordinates to metres, or a factor for each of x, y and z.
    Raises GambolError, which names the file, if the file cannot be read, has no points, has a point that is not finite,
    or is flat.
    """
    path = Path(path)
    points = mesh_points(path) * np.array(scale, float)
    try:
        return hull_from_sizes(points.ravel().tolist())
    except FigureError as error:
        raise FigureError(f'the mesh "{path.name}": {error}') from error


def mesh_points(path: Path) -> Array:
    """Return the vertices of all triangles of a mesh file (n, 3), in the unit of the file. Errors: see read_hull()."""
    kind = path.suffix.lower()
    if kind not in VERTEX_PATTERNS:
        raise GambolError(
            f'the mesh "{path.name}" has a format that is not supported; {did_you_mean(kind, VERTEX_PATTERNS)}'
        )
    data = file_bytes(path, "mesh", MAX_BYTES)
    points = _binary_points(data) if kind == ".stl" else None
    if points is None:
        if len(data) > MAX_TEXT_BYTES:
            raise GambolError(f'the mesh "{path.name}" has {len(data)} bytes of text; export it again, as binary STL')
        try:
            vertices = re.findall(VERTEX_PATTERNS[kind], data)
            points = np.fromiter(map(float, chain.from_iterable(vertices)), float).reshape(-1, 3)
        except ValueError as error:
            detail = str(error)[:100]
            raise GambolError(f'the mesh "{path.name}" has a vertex that is not a number: {detail}') from error
    if points.size == 0 or not np.isfinite(points).all():
        problem = "no points" if points.size == 0 else "a point that is not finite"
        raise GambolError(f'the mesh "{path.name}" has {problem}; export it again, as binary STL or as OBJ')
    return points


def hull_or_box(points: Array, owner: str, notes: set[str]) -> tuple[Shape, Triple] | None:
    """Return the convex hull of points, with the middle of their bounding box as origin, and that middle [m].

    points: (n, 3) [m]. owner: subject of the notes. notes: receives a sentence on the approximation. Returns the
    bounding box for points without a hull, and None, with a note, if this box is flat.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    middle = triple((low + high) / 2.0)
    try:
        hull = hull_from_sizes((points - np.array(middle)).ravel().tolist())
    except FigureError as error:
        x, y, z = (float(edge) for edge in high - low)
        if min(x, y, z) <= 0.0:
            notes.add(f"{owner[0].upper()}{owner[1:]} is neither drawn nor touches anything: its bounding box is flat.")
            return None
        notes.add(f"{owner[0].upper()}{owner[1:]} is drawn, and collides, as its bounding box: {error}.")
        return Box((x, y, z)), middle
    notes.add("Meshes collide, and are drawn where they have no visual, as their convex hulls.")
    return hull, middle


def obj_text(hull: Hull) -> str:
    """Return a hull as the text of an OBJ file, with coordinates that read back to the same bits."""
    corners = (f"v {x!r} {y!r} {z!r}" for x, y, z in hull.vertices)
    faces = (" ".join(["f", *(str(number + 1) for number in face)]) for face in hull.faces)
    return "\n".join([*corners, *faces]) + "\n"


def _binary_points(data: bytes) -> Array | None:
    """Return the vertices of a binary STL file; None if its length does not fit a binary STL file."""
    count = int.from_bytes(data[HEADER_BYTES - 4 : HEADER_BYTES], "little")
    if len(data) < HEADER_BYTES + FACET_BYTES or len(data) != HEADER_BYTES + FACET_BYTES * count:
        return None
    facets = np.frombuffer(
        data, np.dtype([("normal", "<f4", 3), ("vertices", "<f4", (3, 3)), ("tag", "<u2")]), offset=HEADER_BYTES
    )
    with np.errstate(invalid="ignore"):  # from signalling NaNs, which are rejected later like all others
        return facets["vertices"].reshape(-1, 3).astype(float)
