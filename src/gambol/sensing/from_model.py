"""The sensors of a model from a file."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import MISSING, fields
from types import UnionType
from typing import TYPE_CHECKING, Any, Union, cast, get_args, get_origin, get_type_hints

from gambol.errors import WorldError, did_you_mean
from gambol.sensing.actuators import ActuatorSensor
from gambol.sensing.sensor import Sensor
from gambol.sensing.table import SENSORS

if TYPE_CHECKING:
    from gambol.formats import Model


def sensors_of(model: Model, actuators: Collection[str] = ()) -> dict[str, Sensor]:
    """Return the sensors of a model by name, without those of motors that are off.

    actuators: names of the actuators that are on. Raises WorldError for unknown kinds, and unknown or missing options.
    """
    off = {motor.name for motor in model.motors} - set(actuators)
    sensors = {entry.name: make_sensor(entry.name, entry.kind, entry.options) for entry in model.sensors}
    return {
        name: sensor
        for name, sensor in sensors.items()
        if not (isinstance(sensor, ActuatorSensor) and off.intersection(sensor.actuator_names))
    }


def make_sensor(name: str, kind: str, options: Mapping[str, Any]) -> Sensor:
    """Return a sensor of a kind in the table SENSORS.

    name: for messages. options: arguments of its class by name; lists stand for tuples. Raises WorldError for an
    unknown kind, and for unknown or missing options.
    """
    if kind not in SENSORS:
        raise WorldError(f'the sensor "{name}" is of kind "{kind}"; {did_you_mean(kind, SENSORS)}')
    known = {field.name: field for field in fields(cast("Any", SENSORS[kind])) if field.init}
    for option in options:
        if option not in known:
            raise WorldError(f'the sensor "{name}" of kind {kind} has no "{option}"; {did_you_mean(option, known)}')
    for option, field in known.items():
        if option not in options and field.default is MISSING and field.default_factory is MISSING:
            raise WorldError(f'the sensor "{name}" of kind {kind} lacks "{option}"')
    arguments = {option: _as_tuple(value) for option, value in options.items()}
    hints = get_type_hints(SENSORS[kind])
    for option, value in arguments.items():
        if not _fits(value, hints[option]):
            raise WorldError(f'the sensor "{name}" of kind {kind} has {option} = {value!r}, {_expected(hints[option])}')
    return SENSORS[kind](**arguments)


def _fits(value: Any, hint: Any) -> bool:
    """Return True if a value has the type of a field: a number, a text, a class, a tuple, or a union of such types."""
    if (origin := get_origin(hint)) in (Union, UnionType):
        return any(_fits(value, member) for member in get_args(hint))
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        values, kinds = cast("tuple[Any, ...]", value), get_args(hint)
        kinds = kinds[:1] * len(values) if kinds[-1] is Ellipsis else kinds
        return len(values) == len(kinds) and all(map(_fits, values, kinds))
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return hint is Any or isinstance(value, hint)


def _expected(hint: Any) -> str:
    """Return the end of a message about a wrong value: "not" and the types that the field accepts."""
    words = {"float": "number", "int": "whole number", "str": "text", "NoneType": "nothing"}
    text = str(getattr(hint, "__name__", None) if isinstance(hint, type) and not get_args(hint) else hint)
    for python, plain in words.items():
        text = text.replace(python, plain)
    return f"not {text}"


def _as_tuple(value: Any) -> Any:
    """Return a value with tuples in place of lists."""
    if isinstance(value, (list, tuple)):
        return tuple(_as_tuple(x) for x in cast("Sequence[Any]", value))
    return value
