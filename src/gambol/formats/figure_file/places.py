"""Rotations in a figure file: four ways to write one."""

import math

from gambol.errors import FigureError
from gambol.figure import IDENTITY, Matrix3, compose, rotation_about
from gambol.figure.rotation import matrix, snapped, unit
from gambol.formats.figure_file.schema import ROTATIONS
from gambol.formats.table import Table
from gambol.spatial.quaternion import Quaternion

TYPED = 1e-3  # how far from 1 the length of a quaternion may be that someone typed; it is then made 1


def rotation_keys(prefix: str = "") -> tuple[str, ...]:
    """The keys of a rotation; prefix: what they begin with where a table has a second rotation."""
    return tuple(prefix + key for key in ROTATIONS)


def read_rotation(row: Table, prefix: str = "") -> Matrix3:
    """The rotation that a table has under one of the four keys; the identity where it has none.

    rotation: three rows. quaternion: (w, x, y, z). axis_angle: (x, y, z, angle [rad]). turns_deg: pairs such as
    ["x", 90], turns about the fixed axes of the outer frame, the first of which comes first. Raises FigureError for
    two of them.
    """
    given = [key for key in ROTATIONS if prefix + key in row]
    if not given:
        return IDENTITY
    if len(given) > 1:
        raise FigureError(f'{row.told()}: "{prefix}{given[0]}" and "{prefix}{given[1]}" both turn it; keep one')
    return FORMS[given[0]](row, prefix + given[0])


def _rows(row: Table, key: str) -> Matrix3:
    rows = row.listed(key)
    if len(rows.data) != 3:
        raise FigureError(f"{row.told_at(key)} has {len(rows.data)} rows; a rotation has three, of three numbers each")
    return (rows.triple("1"), rows.triple("2"), rows.triple("3"))


def _quaternion(row: Table, key: str) -> Matrix3:
    given = _four(row, key, "w, x, y and z")
    length = math.hypot(*given)
    if abs(length - 1.0) > TYPED:
        raise FigureError(f"{row.told_at(key)} is a quaternion of length {length:g}; its length must be 1")
    return snapped(matrix(Quaternion(*(x / length for x in given)).rotation().rows))


def _axis_angle(row: Table, key: str) -> Matrix3:
    x, y, z, angle = _four(row, key, "an axis x, y, z and an angle in radians")
    return rotation_about(unit((x, y, z), row.told_at(key)), angle)


def _turns(row: Table, key: str) -> Matrix3:
    rotation = IDENTITY
    for turn in row.pairs(key, ("axis", "degrees")):
        angle = math.radians(turn.number("degrees"))
        rotation = compose(rotation_about(turn.text("axis", among="xyz"), angle), rotation)
    return rotation


def _four(row: Table, key: str, what: str) -> tuple[float, ...]:
    numbers = row.numbers(key)
    if len(numbers) != 4:
        raise FigureError(f"{row.told_at(key)} has {len(numbers)} numbers; give {what}")
    return numbers


FORMS = {"rotation": _rows, "quaternion": _quaternion, "axis_angle": _axis_angle, "turns_deg": _turns}
