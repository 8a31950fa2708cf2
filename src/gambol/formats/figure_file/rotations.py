"""Rotations in a figure file, written in one of four ways."""

import math

from gambol.errors import FigureError
from gambol.figure import IDENTITY, Matrix3, compose, rotation_about
from gambol.figure.rotation import matrix, snapped, unit
from gambol.formats.figure_file.schema import ROTATIONS
from gambol.formats.table import Table
from gambol.spatial.rotation import Quaternion

LENGTH_TOLERANCE = 1e-3  # a quaternion whose length deviates from 1 by at most this is normalised


def rotation_keys(prefix: str = "") -> tuple[str, ...]:
    """Return the keys of a rotation. prefix: prefix of the keys, for a second rotation in the same table."""
    return tuple(prefix + key for key in ROTATIONS)


def read_rotation(row: Table, prefix: str = "") -> Matrix3:
    """Return the rotation in a table; the identity if the table has none.

    row: the table. prefix: prefix of the keys. One of four keys gives the rotation: rotation has three rows; quaternion
    has (w, x, y, z); axis_angle has (x, y, z, angle [rad]); turns_deg has pairs such as ["x", 90], turns about the
    fixed axes of the parent frame, applied in order. Raises FigureError for two of these keys, or a value that is not a
    rotation.
    """
    present_keys = [key for key in ROTATIONS if prefix + key in row]
    if not present_keys:
        return IDENTITY
    if len(present_keys) > 1:
        raise FigureError(
            f'{row.location()}: "{prefix}{present_keys[0]}" and "{prefix}{present_keys[1]}" both give the rotation; '
            "keep one"
        )
    return READERS[present_keys[0]](row, prefix + present_keys[0])


def _from_rows(row: Table, key: str) -> Matrix3:
    rows = row.entries(key)
    if len(rows.data) != 3:
        raise FigureError(
            f"{row.location_of(key)} has {len(rows.data)} rows; a rotation has three, of three numbers each"
        )
    return (rows.triple("1"), rows.triple("2"), rows.triple("3"))


def _from_quaternion(row: Table, key: str) -> Matrix3:
    components = _four_numbers(row, key, "w, x, y and z")
    length = math.hypot(*components)
    if abs(length - 1.0) > LENGTH_TOLERANCE:
        raise FigureError(f"{row.location_of(key)} is a quaternion of length {length:g}; its length must be 1")
    return snapped(matrix(Quaternion(*(x / length for x in components)).rotation().rows))


def _from_axis_angle(row: Table, key: str) -> Matrix3:
    x, y, z, angle = _four_numbers(row, key, "an axis x, y, z and an angle in radians")
    return rotation_about(unit((x, y, z), row.location_of(key)), angle)


def _from_turns(row: Table, key: str) -> Matrix3:
    rotation = IDENTITY
    for turn in row.pairs(key, ("axis", "degrees")):
        angle = math.radians(turn.number("degrees"))
        rotation = compose(rotation_about(turn.text("axis", allowed="xyz"), angle), rotation)
    return rotation


def _four_numbers(row: Table, key: str, expected: str) -> tuple[float, ...]:
    numbers = row.numbers(key)
    if len(numbers) != 4:
        raise FigureError(f"{row.location_of(key)} has {len(numbers)} numbers; give {expected}")
    return numbers


READERS = {
    "rotation": _from_rows,
    "quaternion": _from_quaternion,
    "axis_angle": _from_axis_angle,
    "turns_deg": _from_turns,
}
