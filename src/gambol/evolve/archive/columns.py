"""Type checks of the columns of an archive, since SQLite stores values of any type in any column.

Each function takes a value and `label`, the name of the value in errors (archive, run, individual and column). It
returns the value, or raises EvolveError for a value of the wrong type.
"""

import math
import reprlib
from collections.abc import Mapping
from typing import Any, NoReturn, cast

from gambol.errors import EvolveError
from gambol.evolve.archive.exact import from_json

NAN = float("nan")

INTEGER_LIMIT = 2**63
"""The exclusive upper bound of integers in a database."""

INDIVIDUAL_LIMIT = 2**62
"""The exclusive upper bound of the numbers of individuals, so that the sum of two stays below INTEGER_LIMIT."""

SHORT_REPR = reprlib.Repr()
SHORT_REPR.maxstring = 60


def integer(value: object, label: str, minimum: int = 0, limit: int = INTEGER_LIMIT) -> int:
    """Return an integer from `minimum` to `limit` - 1."""
    if isinstance(value, bool) or not isinstance(value, int):
        _refuse(value, label, "a whole number")
    if not minimum <= value < limit:
        _refuse(
            value,
            label,
            f"{minimum} or more" if limit == INTEGER_LIMIT else f"a whole number from {minimum} to {limit - 1}",
        )
    return value


def text(value: object, label: str) -> str:
    """Return a string."""
    return value if isinstance(value, str) else _refuse(value, label, "a text")


def number(value: object, label: str) -> float:
    """Return a finite number; NaN for NULL, which the archive stores in place of every number that is not finite."""
    if value is None:
        return NAN
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        _refuse(value, label, "a number")
    if isinstance(value, float) and not math.isfinite(value):
        _refuse(value, label, "a finite number, or nothing")
    return float(value)


def json_numbers(value: object, label: str) -> tuple[float, ...]:
    """Return the numbers of a JSON list."""
    return tuple(number(item, f"{label}[{k}]") for k, item in enumerate(json_list(value, label)))


def json_list(value: object, label: str) -> list[Any]:
    """Return a JSON list."""
    data = from_json(text(value, label), label)
    return cast("list[Any]", data) if isinstance(data, list) else _refuse(data, label, "a list")


def json_object(value: object, label: str) -> dict[str, Any]:
    """Return a JSON object as a dictionary."""
    data = from_json(text(value, label), label)
    return cast("dict[str, Any]", data) if isinstance(data, dict) else _refuse(data, label, "a mapping of names")


def json_texts(value: object, label: str) -> Mapping[str, str]:
    """Return a JSON object with only strings as values."""
    return {name: text(item, f"{label}.{name}") for name, item in json_object(value, label).items()}


def _refuse(value: object, label: str, expected: str) -> NoReturn:
    raise EvolveError(f"{label} is {SHORT_REPR.repr(value)} where {expected} should be: {CHANGED}")


CHANGED = "the archive is damaged, or was changed; restore a copy of it"
