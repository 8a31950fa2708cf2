"""The test whether an object contains code of the user. A program with such code is identified by its trace only."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, cast


def is_from_gambol(value: Any) -> bool:
    """Return True if the classes of an object, such as a ground, and of all that it contains are gambol's own.

    Numbers and texts count as gambol's own, functions as code of the user.
    """
    if isinstance(value, (Mapping, tuple, list)):
        items = cast("Any", value.values() if isinstance(value, Mapping) else value)
        return all(map(is_from_gambol, items))
    if is_dataclass(value):
        in_gambol = type(value).__module__.startswith("gambol.")
        return in_gambol and all(is_from_gambol(getattr(value, attribute.name)) for attribute in fields(value))
    return type(value).__module__ in ("builtins", "numpy") and not callable(value)
