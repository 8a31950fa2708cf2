"""Tables of cloths, ropes and meshes in a figure file, as spring meshes."""

import math
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError
from gambol.formats import Table
from gambol.formats.figure_file.rotations import read_rotation, rotation_keys
from gambol.formats.matter_tables import MatterTables
from gambol.formats.triangles import read_triangles
from gambol.matter.mesh import (
    ClothMaterial,
    Gas,
    SpringMesh,
    SurfaceMaterial,
    cloth,
    rope,
    soft_body,
    surface_mesh,
    with_twist,
)
from gambol.matter.mesh.parts import check_count

T = TypeVar("T")

CLOTH_KEYS = ("rows", "columns", "spacing", "origin", "axes", "material", "pins")
ROPE_NUMBERS = ("bend", "damping", "tears_at")
ROPE_KEYS = ("points", "from", "to", "segments", "density", "stretch", *ROPE_NUMBERS, "pins", "twist", "turn")
MESH_KEYS = ("file", "scale", "position", "material", "gas", "core", "pins")
CORE_KEYS = ("stiffness", "damping", "mass")
ORIGIN = (0.0, 0.0, 0.0)

EDGES = {
    "first row": (slice(0, 1), slice(None)),
    "last row": (slice(-1, None), slice(None)),
    "first column": (slice(None), slice(0, 1)),
    "last column": (slice(None), slice(-1, None)),
}
"""Names of the edges of a grid of points, and "rim" for all of them."""


def numbers_of(row: Table, kind: type[T], default: T, *, without: Sequence[str] = ()) -> T:
    """Return a dataclass of numbers from a table with the same keys; keys that are missing have their default."""
    names = [f.name for f in fields(kind) if f.name not in without]  # pyright: ignore[reportArgumentType]  # a dataclass
    row.check_keys(*names)
    changes: dict[str, Any] = {name: _number(row, name, getattr(default, name)) for name in names if name in row}
    return kind(**{f.name: getattr(default, f.name) for f in fields(kind)} | changes)  # pyright: ignore[reportArgumentType]


def _number(row: Table, name: str, default: Any) -> Any:
    if isinstance(default, tuple):
        return row.triple(name)
    if isinstance(default, bool):
        return row.boolean(name, default)
    number = row.number(name)
    return int(number) if isinstance(default, int) and number == int(number) else number


def grid_points(row: Table, key: str, rows: int, columns: int) -> list[tuple[int, int]]:
    """Return points of a cloth from pairs (row, column), or from the name of an edge.

    Negative numbers count from the end.
    """
    index = np.arange(rows * columns).reshape(rows, columns)
    if isinstance(row.data.get(key), str):
        name = row.text(key, allowed=(*EDGES, "rim"))
        chosen = np.unique(np.concatenate([index[EDGES[e]].ravel() for e in (EDGES if name == "rim" else (name,))]))
        return [divmod(int(k), columns) for k in chosen]
    pairs = row.pairs(key, ("row", "column")) if key in row else ()
    return [(pair.integer("row"), pair.integer("column")) for pair in pairs]


def indices_of(row: Table, key: str, count: int) -> list[int]:
    """Return indices of points; negative ones count from the end.

    count: number of points of the mesh. Raises WorldError for other indices.
    """
    entries = row.entries(key)
    indices = [entries.integer(index) for index in entries]
    for k in indices:
        if not -count <= k < count:
            raise WorldError(f"{row.location_of(key)} has the point {k}, but points are 0 to {count - 1}")
    return [k % count for k in indices]


def read_cloth(row: Table, tables: MatterTables) -> SpringMesh:
    """Return the cloth of a table."""
    rows, columns = row.integer("rows"), row.integer("columns")
    axes = row.entries("axes", ((0.0, 1.0, 0.0), (1.0, 0.0, 0.0)))
    return cloth(
        rows,
        columns,
        row.number("spacing"),
        numbers_of(row.table("material"), ClothMaterial, ClothMaterial()) if "material" in row else None,
        origin=row.triple("origin", ORIGIN),
        axes=[axes.triple(index) for index in axes],
        pins=grid_points(row, "pins", rows, columns),
    )


def read_rope(row: Table, tables: MatterTables) -> SpringMesh:
    """Return the rope of a table: along `points`, or straight `from` one point `to` another, in equal `segments`."""
    if ("points" in row) == ("from" in row):
        raise WorldError(
            f'{row.location()}: a rope has "points", or "from", "to" and "segments"; give only one of the two'
        )
    if "points" in row:
        entries = row.entries("points")
        points = np.array([entries.triple(index) for index in entries], float).reshape(-1, 3)
    else:
        count = row.integer("segments")
        if count < 1:
            raise WorldError(f"{row.location_of('segments')} is {count}; give 1 or more")
        check_count("a rope", count + 1)
        fraction = np.linspace(0.0, 1.0, count + 1)[:, None]
        points = (1.0 - fraction) * np.array(row.triple("from")) + fraction * np.array(row.triple("to"))
    numbers = {key: row.number(key) for key in ROPE_NUMBERS if key in row}
    pins = indices_of(row, "pins", len(points))
    mesh = rope(points, density=row.number("density"), stretch=row.number("stretch"), pins=pins, **numbers)
    if "twist" not in row and "turn" not in row:
        return mesh
    return with_twist(mesh, stiffness=row.number("twist"), turn=row.number("turn", 0.0))


def placed_triangles(row: Table, tables: MatterTables) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return points and triangles of the file of a table, with its scale, rotation and position."""
    points, triangles = read_triangles(tables.file(row))
    scale = row.number("scale", 1.0)
    if not 0.0 < scale < math.inf:
        raise WorldError(f"{row.location_of('scale')} is {scale:g}; give more than 0")
    turned = (points * scale) @ np.array(read_rotation(row)).T
    return turned + np.array(row.triple("position", ORIGIN)), triangles


def read_mesh(row: Table, tables: MatterTables) -> SpringMesh:
    """Return the spring mesh of a table with a file of triangles; with a `core` it is a soft body."""
    points, triangles = placed_triangles(row, tables)
    material = numbers_of(row.table("material"), SurfaceMaterial, SurfaceMaterial()) if "material" in row else None
    gas = None
    if "gas" in row:
        inside = row.table("gas")
        inside.check_keys("pressure", "bulk", "rest_volume")
        volume = inside.number("rest_volume") if "rest_volume" in inside else None
        gas = Gas(inside.number("pressure", 0.0), inside.number("bulk", 0.0), volume)
    pins = indices_of(row, "pins", len(points))
    mesh = surface_mesh(points, triangles, material, gas=gas, pins=pins, name=row.text("name"))
    if "core" not in row:
        return mesh
    core = row.table("core")
    core.check_keys(*CORE_KEYS)
    mass = core.number("mass") if "mass" in core else None
    return soft_body(mesh, stiffness=core.number("stiffness"), damping=core.number("damping", 0.0), core_mass=mass)


MESHES = {
    "cloths": (read_cloth, CLOTH_KEYS),
    "ropes": (read_rope, ROPE_KEYS),
    "meshes": (read_mesh, (*MESH_KEYS, *rotation_keys())),
}
"""The reader and the additional keys of each array of tables of meshes."""


def held_points(row: Table, kind: str, mesh: SpringMesh, size: tuple[int, int]) -> list[int]:
    """Return the points that a link holds. kind: a key of MESHES; size: rows and columns of a cloth."""
    if kind != "cloths":
        return indices_of(row, "points", len(mesh.points))
    rows, columns = size
    points = grid_points(row, "points", rows, columns)
    for i, j in points:
        if not (-rows <= i < rows and -columns <= j < columns):
            raise WorldError(f"{row.location_of('points')} has the point {[i, j]} of a cloth of {rows} x {columns}")
    return [i % rows * columns + j % columns for i, j in points]


def check_names(rows: Sequence[Table]) -> None:
    """Raise WorldError for a name that two meshes have."""
    seen = set[str]()
    for row in rows:
        name = row.text("name")
        if name in seen:
            raise WorldError(f'{row.location()}: another mesh has the name "{name}"; give each its own')
        seen.add(name)
