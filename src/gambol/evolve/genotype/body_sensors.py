"""The sensors of a body, on links of the figure that grows from it, as rows with the keys of figure files.

[[sensors]]      name, kind, and the options of the kind, such as link = "trunk" or link = "limb1 left 2"
"""

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from gambol.errors import EvolveError, GambolError
from gambol.evolve.genotype.body import Body
from gambol.formats import Table
from gambol.formats.figure_file.sensors import read_sensor, sensor_row
from gambol.formats.sensor_entry import SensorEntry
from gambol.sensing import Sensor, make_sensor

NamedSensors = tuple[tuple[str, Sensor], ...]
"""Sensors with their names, in their order."""


def parse_sensors(rows: Iterable[Table]) -> NamedSensors:
    """Return the sensors in rows. Raises EvolveError, with the place of the row, for unknown kinds and options."""
    return tuple(map(_parse_sensor, rows))


def _parse_sensor(row: Table) -> tuple[str, Sensor]:
    entry = read_sensor(row)
    try:
        return entry.name, make_sensor(entry.name, entry.kind, entry.options)
    except GambolError as error:
        raise EvolveError(f"{row.location()}: {error}") from error


def sensor_entries(body: Body) -> tuple[SensorEntry, ...]:
    """Return the sensors of a body as data of a model, with the options that differ from their defaults."""
    return tuple(
        SensorEntry(
            name,
            sensor.kind,
            {x.name: value for x in fields(sensor) if (value := getattr(sensor, x.name)) != x.default},
        )
        for name, sensor in body.sensors
    )


def sensor_rows(body: Body) -> list[dict[str, Any]]:
    """Return the sensors of a body as plain data, which parse_sensors() reads back as equal sensors."""
    return [_with_lists(sensor_row(entry)) for entry in sensor_entries(body)]


def _with_lists(value: Any) -> Any:
    """Return plain data with lists in place of tuples."""
    if isinstance(value, dict):
        return {key: _with_lists(x) for key, x in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return [_with_lists(x) for x in value] if isinstance(value, tuple) else value  # pyright: ignore[reportUnknownVariableType]
