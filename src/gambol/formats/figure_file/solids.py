"""Bodies in a figure file: shapes, and mass properties."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from gambol.errors import FigureError
from gambol.figure import SHAPES, MassProperties, Matrix3, Part, Shape, Triple, check_mass
from gambol.figure.mass import ZERO3
from gambol.formats.figure_file.places import read_rotation, rotation_keys
from gambol.formats.figure_file.schema import LAYER_KEYS, MASS_KEYS, PART_KEYS, SURFACE_KEYS
from gambol.formats.table import Table

DEFAULT_DENSITY = 1000.0  # kg/m3


def read_part(row: Table) -> Part:
    """A part of a link: a shape, its place and its density."""
    shape = row.text("shape", among=SHAPES)
    row.only(*PART_KEYS, *size_keys(shape), *rotation_keys())
    return Part(
        _shape(row, shape),
        row.triple("position", (0.0, 0.0, 0.0)),
        read_rotation(row),
        row.number("density", DEFAULT_DENSITY),
        row.flag("inertial", True),
        row.flag("colliding", True),
        **{key: row.number(key) for key in SURFACE_KEYS if key in row},
        **{key: row.whole(key) for key in LAYER_KEYS if key in row},
    )


def size_keys(shape: str) -> tuple[str, ...]:
    """The keys that make a shape of some kind: a box has "size", a capsule "radius" and "length"."""
    return tuple(f.name for f in fields(SHAPES[shape]) if f.init)


def _shape(row: Table, shape: str) -> Shape:
    sizes: dict[str, Any] = {key: READ.get(key, Table.number)(row, key) for key in size_keys(shape)}
    try:
        return SHAPES[shape](**sizes)
    except FigureError as error:
        raise FigureError(f"{row.told()}: {error}") from error


def _places(row: Table, key: str) -> tuple[Triple, ...]:
    places = row.listed(key)
    return tuple(places.triple(place) for place in places)


def _rows(row: Table, key: str) -> tuple[tuple[float, ...], ...]:
    rows = row.listed(key)
    return tuple(rows.numbers(place) for place in rows)


READ: dict[str, Callable[[Table, str], Any]] = {
    "size": Table.triple,
    "radii": Table.triple,
    "vertices": _places,
    "heights": _rows,
}
"""How the sizes are read that are not a number."""


def read_mass(row: Table) -> MassProperties:
    """Mass properties in the link frame: mass, com, and inertia about the centre of mass in one of three forms."""
    row.only(*MASS_KEYS)
    body = MassProperties(row.number("mass"), row.triple("com", (0.0, 0.0, 0.0)), _inertia(row))
    try:
        check_mass(body, "it")
    except FigureError as error:
        raise FigureError(f"{row.told()}: {error}") from error
    return body


def _inertia(row: Table) -> Matrix3:
    """Three moments, six numbers (xx, yy, zz, xy, xz, yz) or three rows; a point mass where there is none."""
    if "inertia" not in row:
        return ZERO3
    rows = row.listed("inertia")
    if len(rows.data) == 3 and isinstance(rows.data["1"], list):
        return (rows.triple("1"), rows.triple("2"), rows.triple("3"))
    given = row.numbers("inertia")
    if len(given) not in (3, 6):
        raise FigureError(f"{row.told_at('inertia')} has {len(given)} numbers; give xx, yy, zz and, if any, xy, xz, yz")
    xx, yy, zz, xy, xz, yz = (*given, 0.0, 0.0, 0.0)[:6]
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
