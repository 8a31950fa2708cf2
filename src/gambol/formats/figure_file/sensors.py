"""Sensors in a figure file: the keys are the options of their kind, see gambol.sensing."""

from typing import Any

from gambol.errors import FigureError
from gambol.figure import IDENTITY, SHAPES
from gambol.formats.figure_file.rotations import read_rotation, rotation_keys
from gambol.formats.figure_file.solids import read_shape, size_keys
from gambol.formats.sensor_entry import SensorEntry
from gambol.formats.table import Table

REFERENCE = "reference_"
"""The prefix of the keys of the rotation of a second frame."""


def read_sensor(row: Table) -> SensorEntry:
    """Return a sensor. Its options are checked when a world is made with it."""
    rotations = {prefix: rotation_keys(prefix) for prefix in ("", REFERENCE)}
    special = {"name", "kind", "zone", *(key for keys in rotations.values() for key in keys)}
    options: dict[str, Any] = {key: _value(row, key) for key in row if key not in special}
    for prefix, keys in rotations.items():
        if any(key in row for key in keys):
            options[f"{prefix}rotation"] = read_rotation(row, prefix)
    if "zone" in row:
        zone = row.table("zone")
        kind = zone.text("shape", allowed=SHAPES)
        zone.check_keys("shape", *size_keys(kind))
        options["zone"] = read_shape(zone, kind)
    return SensorEntry(row.text("name"), row.text("kind"), options)


def _value(row: Table, key: str) -> Any:
    """Return a number, a truth value, a text, or lists of them as tuples. Raises FigureError for other types."""

    def plain(value: Any) -> Any:
        if isinstance(value, list):
            return tuple(map(plain, value))  # pyright: ignore[reportUnknownArgumentType]
        if isinstance(value, (bool, int, float, str)):
            return value
        raise FigureError(f"{row.location_of(key)} is a table or a date; give a number, a text or a list of them")

    return plain(row.data[key])


def sensor_row(entry: SensorEntry) -> dict[str, Any]:
    """Return a sensor as a table of a figure file, which read_sensor() reads back as an equal sensor."""
    row: dict[str, Any] = {"name": entry.name, "kind": entry.kind}
    for option, value in entry.options.items():
        if option == "zone":
            row[option] = {"shape": value.kind} | {key: getattr(value, key) for key in size_keys(value.kind)}
        elif value is not None and not (option.endswith("rotation") and value == IDENTITY):
            row[option] = value
    return row
