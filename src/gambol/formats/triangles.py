"""Triangle meshes: points and triangles of OBJ, PLY and STL files.

Faces with more than three corners become fans of triangles.
"""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError, did_you_mean
from gambol.formats.meshes import MAX_BYTES, mesh_points
from gambol.formats.safe_files import file_bytes

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

PLY_TYPES = {
    **dict.fromkeys(("char", "int8"), "i1"),
    **dict.fromkeys(("uchar", "uint8"), "u1"),
    **dict.fromkeys(("short", "int16"), "i2"),
    **dict.fromkeys(("ushort", "uint16"), "u2"),
    **dict.fromkeys(("int", "int32"), "i4"),
    **dict.fromkeys(("uint", "uint32"), "u4"),
    **dict.fromkeys(("float", "float32"), "f4"),
    **dict.fromkeys(("double", "float64"), "f8"),
}
"""NumPy's name of each number type of a PLY file."""

MAX_HEADER_BYTES = 100_000  # of a PLY file; real ones have some hundred


def read_triangles(path: str | Path) -> tuple[Array, Indices]:
    """Return points (n, 3) and triangles (t, 3) of a mesh file (.obj, .ply, .stl), in the unit of the file.

    path: path of the file. Corners of an STL file with equal coordinates become one point. Raises GambolError, with the
    name of the file, if it cannot be read, has no triangles, or has invalid numbers or indices.
    """
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in READERS:
        raise GambolError(f'the mesh "{path.name}" has a format that is not supported; {did_you_mean(kind, READERS)}')
    points, triangles = READERS[kind](path)
    if not len(triangles):
        raise GambolError(f'the mesh "{path.name}" has no triangles')
    if not np.isfinite(points).all():
        raise GambolError(f'the mesh "{path.name}" has a point that is not finite')
    if triangles.min() < 0 or triangles.max() >= len(points):
        raise GambolError(f'the mesh "{path.name}" has a face of point {triangles.max() + 1}, but {len(points)} points')
    return points, triangles


def _fan(corners: list[int]) -> list[tuple[int, int, int]]:
    """Return the triangles of a face."""
    return [(corners[0], b, c) for b, c in pairwise(corners[1:])]


def _read_stl(path: Path) -> tuple[Array, Indices]:
    corners = mesh_points(path)
    points, index = np.unique(corners, axis=0, return_inverse=True)
    return points, index.reshape(-1, 3).astype(np.int64)


def _read_obj(path: Path) -> tuple[Array, Indices]:
    points = mesh_points(path)
    triangles = list[tuple[int, int, int]]()
    for line in re.findall(rb"(?m)^f[ \t]+([^\r\n]+)", file_bytes(path, "mesh", MAX_BYTES)):
        try:
            numbers = [int(word.split(b"/")[0]) for word in line.split(b"#")[0].split()]
        except ValueError as error:
            raise GambolError(f'the mesh "{path.name}" has a face that is not numbers: {line[:60]!r}') from error
        if 0 in numbers:
            raise GambolError(f'the mesh "{path.name}" has a face of point 0; points of an OBJ file begin at 1')
        triangles += _fan([k - 1 if k > 0 else len(points) + k for k in numbers])
    return points, np.array(triangles, np.int64).reshape(-1, 3)


def _read_ply(path: Path) -> tuple[Array, Indices]:
    data = file_bytes(path, "mesh", MAX_BYTES)
    head, mark, _ = data[:MAX_HEADER_BYTES].partition(b"end_header")
    if not mark or not data.startswith(b"ply"):
        raise GambolError(f'the mesh "{path.name}" is not a PLY file: it has no header from "ply" to "end_header"')
    start = data.index(b"\n", len(head)) + 1
    lines = [line.split() for line in head.decode("ascii", "replace").splitlines()]
    form = next((line[1] for line in lines if line[:1] == ["format"]), "")
    orders = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
    if form not in orders:
        raise GambolError(f'the mesh "{path.name}" has the PLY format "{form}"; {did_you_mean(form, orders)}')
    try:
        numbers = _text_numbers(data[start:]) if form == "ascii" else _binary_numbers(data, start, orders[form])
        return _ply_elements(lines, numbers)
    except (ValueError, KeyError, IndexError, StopIteration, RuntimeError) as error:
        raise GambolError(f'the mesh "{path.name}" cannot be read as a PLY file: {error or "it ends early"}') from error


def _text_numbers(body: bytes) -> Callable[[str, int], Array]:
    """Return a function that reads the next numbers of a text; their type does not matter."""
    words: Iterator[bytes] = iter(body.split())

    def read(_: str, count: int) -> Array:
        return np.array([float(next(words)) for _ in range(count)])

    return read


def _binary_numbers(data: bytes, start: int, order: str) -> Callable[[str, int], Array]:
    """Return a function that reads the next numbers of a type from binary data."""
    offset = start

    def read(kind: str, count: int) -> Array:
        nonlocal offset
        values = np.frombuffer(data, order + PLY_TYPES[kind], count, offset)
        offset += values.nbytes
        return values.astype(float)

    return read


def _ply_elements(lines: list[list[str]], read: Callable[[str, int], Array]) -> tuple[Array, Indices]:
    """Return points and triangles.

    lines: lines of the header, as words; read: the function that reads the next numbers.
    """
    elements = list[tuple[str, int, list[list[str]]]]()
    for line in lines:
        if line[:1] == ["element"]:
            elements.append((line[1], int(line[2]), []))
        elif line[:1] == ["property"]:
            elements[-1][2].append(line[1:])
    points, triangles = list[list[float]](), list[tuple[int, int, int]]()
    for name, count, properties in elements:
        for _ in range(count):
            values = dict[str, Array]()
            for words in properties:
                is_list = words[0] == "list"
                length = int(read(words[1], 1)[0]) if is_list else 1
                values[words[-1]] = read(words[2] if is_list else words[0], length)
            if name == "vertex":
                points.append([float(values[axis][0]) for axis in "xyz"])
            elif name == "face":
                corners = values["vertex_indices"] if "vertex_indices" in values else values["vertex_index"]
                triangles += _fan([int(k) for k in corners])
    return np.array(points, float).reshape(-1, 3), np.array(triangles, np.int64).reshape(-1, 3)


READERS: dict[str, Callable[[Path], tuple[Array, Indices]]] = {".obj": _read_obj, ".ply": _read_ply, ".stl": _read_stl}
"""The reader of each suffix."""
