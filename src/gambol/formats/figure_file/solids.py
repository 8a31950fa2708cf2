"""Shapes and mass properties in a figure file."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from gambol.errors import FigureError
from gambol.figure import SHAPES, AnisotropicFriction, MassProperties, Matrix3, Part, Shape, Triple, check_mass
from gambol.figure.mass import ZERO3
from gambol.formats.figure_file.rotations import read_rotation, rotation_keys
from gambol.formats.figure_file.schema import DIRECTION_KEYS, LAYER_KEYS, MASS_KEYS, PART_KEYS, SURFACE_KEYS
from gambol.formats.table import Table

DEFAULT_DENSITY = 1000.0  # kg/m3, as of water


def read_part(row: Table) -> Part:
    """Return a part of a link: shape, position, rotation, density and contact properties."""
    kind = row.text("shape", allowed=SHAPES)
    row.check_keys(*PART_KEYS, *size_keys(kind), *rotation_keys())
    return Part(
        read_shape(row, kind),
        row.triple("position", (0.0, 0.0, 0.0)),
        read_rotation(row),
        row.number("density", DEFAULT_DENSITY),
        row.boolean("inertial", True),
        row.boolean("colliding", True),
        **{key: row.number(key) for key in SURFACE_KEYS if key in row},
        **{key: row.integer(key) for key in LAYER_KEYS if key in row},
        anisotropic_friction=_read_anisotropic(row.table(ANISOTROPIC)) if ANISOTROPIC in row else None,
        color=row.text("color") if "color" in row else None,
    )


ANISOTROPIC = "anisotropic_friction"
"""The key of the friction of a part that differs with the direction of sliding."""


def _read_anisotropic(row: Table) -> AnisotropicFriction:
    row.check_keys(*DIRECTION_KEYS, "axis")
    return AnisotropicFriction(*(row.number(key) for key in DIRECTION_KEYS), axis=row.triple("axis", (1.0, 0.0, 0.0)))


def size_keys(shape: str) -> tuple[str, ...]:
    """Return the keys of the sizes of a kind of shape, such as "radius" and "length" of a capsule."""
    return tuple(f.name for f in fields(SHAPES[shape]) if f.init)


def read_shape(row: Table, kind: str) -> Shape:
    """Return a shape of a kind with the sizes in a row. Raises FigureError, with the line, for impossible sizes."""
    sizes: dict[str, Any] = {key: SIZE_READERS.get(key, Table.number)(row, key) for key in size_keys(kind)}
    try:
        return SHAPES[kind](**sizes)
    except FigureError as error:
        raise FigureError(f"{row.location()}: {error}") from error


def _read_points(row: Table, key: str) -> tuple[Triple, ...]:
    points = row.entries(key)
    return tuple(points.triple(index) for index in points)


def _read_rows(row: Table, key: str) -> tuple[tuple[float, ...], ...]:
    rows = row.entries(key)
    return tuple(rows.numbers(index) for index in rows)


SIZE_READERS: dict[str, Callable[[Table, str], Any]] = {
    "size": Table.triple,
    "radii": Table.triple,
    "vertices": _read_points,
    "heights": _read_rows,
}
"""The readers of sizes that are not a single number."""


def read_mass(row: Table) -> MassProperties:
    """Return mass properties in the link frame, with the inertia about the centre of mass."""
    row.check_keys(*MASS_KEYS)
    mass_properties = MassProperties(row.number("mass"), row.triple("com", (0.0, 0.0, 0.0)), _read_inertia(row))
    try:
        check_mass(mass_properties, "it")
    except FigureError as error:
        raise FigureError(f"{row.location()}: {error}") from error
    return mass_properties


def _read_inertia(row: Table) -> Matrix3:
    """Return the inertia from three moments, six numbers (xx, yy, zz, xy, xz, yz) or three rows; zero if missing."""
    if "inertia" not in row:
        return ZERO3
    rows = row.entries("inertia")
    if len(rows.data) == 3 and isinstance(rows.data["1"], list):
        return (rows.triple("1"), rows.triple("2"), rows.triple("3"))
    numbers = row.numbers("inertia")
    if len(numbers) not in (3, 6):
        raise FigureError(
            f"{row.location_of('inertia')} has {len(numbers)} numbers; give xx, yy, zz and, if any, xy, xz, yz"
        )
    xx, yy, zz, xy, xz, yz = (*numbers, 0.0, 0.0, 0.0)[:6]
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
