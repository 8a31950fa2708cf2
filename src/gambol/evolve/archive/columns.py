"""Checks of the columns of an archive, since SQLite stores values of any type in any column.

Each function takes a value and `what`, its name in messages (archive, run, individual and column). It returns the
value, or raises EvolveError for a value of the wrong type.
"""

import math
import reprlib
from collections.abc import Mapping
from typing import Any, NoReturn, cast

from gambol.errors import EvolveError
from gambol.evolve.archive.exact import plain_of

NAN = float("nan")

WHOLE_LIMIT = 2**63
"""The exclusive upper bound of whole numbers in a database."""

INDIVIDUAL_LIMIT = 2**62
"""The exclusive upper bound of numbers of individuals, so that two of them can be added."""

SHORTENED = reprlib.Repr()
SHORTENED.maxstring = 60


def whole(value: object, what: str, least: int = 0, below: int = WHOLE_LIMIT) -> int:
    """Return a whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int):
        _refuse(value, what, "a whole number")
    if not least <= value < below:
        _refuse(
            value, what, f"{least} or more" if below == WHOLE_LIMIT else f"a whole number from {least} to {below - 1}"
        )
    return value


def text(value: object, what: str) -> str:
    """Return a string."""
    return value if isinstance(value, str) else _refuse(value, what, "a text")


def number(value: object, what: str) -> float:
    """Return a finite number; NULL, which is how numbers that are not finite are stored, becomes NaN."""
    if value is None:
        return NAN
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        _refuse(value, what, "a number")
    if isinstance(value, float) and not math.isfinite(value):
        _refuse(value, what, "a finite number, or nothing")
    return float(value)


def json_numbers(value: object, what: str) -> tuple[float, ...]:
    """Return the numbers of a list in JSON."""
    return tuple(number(item, f"{what}[{k}]") for k, item in enumerate(json_list(value, what)))


def json_list(value: object, what: str) -> list[Any]:
    """Return a list in JSON."""
    data = plain_of(text(value, what), what)
    return cast("list[Any]", data) if isinstance(data, list) else _refuse(data, what, "a list")


def json_object(value: object, what: str) -> dict[str, Any]:
    """Return an object in JSON as a dictionary."""
    data = plain_of(text(value, what), what)
    return cast("dict[str, Any]", data) if isinstance(data, dict) else _refuse(data, what, "a mapping of names")


def json_texts(value: object, what: str) -> Mapping[str, str]:
    """Return a mapping of names to texts in JSON."""
    return {name: text(item, f"{what}.{name}") for name, item in json_object(value, what).items()}


def _refuse(value: object, what: str, expected: str) -> NoReturn:
    raise EvolveError(f"{what} is {SHORTENED.repr(value)} where {expected} should be: {CHANGED}")


CHANGED = "the archive is damaged, or was changed; restore a copy of it"
