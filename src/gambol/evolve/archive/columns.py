"""Checks of the columns of an archive: a database file, or SQLite's loose types, may hold anything.

Each takes a value and its name for errors (archive, run, individual and column), returns the value, and raises
EvolveError for a value of another kind.
"""

import math
import reprlib
from collections.abc import Mapping
from typing import Any, NoReturn, cast

from gambol.errors import EvolveError
from gambol.evolve.archive.exact import plain_of

NAN = float("nan")

MOST = 2**63
"""The exclusive upper bound of whole numbers in a database."""

FARTHEST = 2**62
"""The exclusive upper bound of numbers of individuals, so that two of them can be added."""

BRIEFLY = reprlib.Repr()
BRIEFLY.maxstring = 60


def whole(value: object, what: str, least: int = 0, below: int = MOST) -> int:
    """Return a whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int):
        _refuse(value, what, "a whole number")
    if not least <= value < below:
        _refuse(value, what, f"{least} or more" if below == MOST else f"a whole number from {least} to {below - 1}")
    return value


def text(value: object, what: str) -> str:
    """Return a text."""
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


def numbers(value: object, what: str) -> tuple[float, ...]:
    """Return the numbers of a list in JSON."""
    return tuple(number(one, f"{what}[{k}]") for k, one in enumerate(listed(value, what)))


def listed(value: object, what: str) -> list[Any]:
    """Return a list in JSON."""
    found = plain_of(text(value, what), what)
    return cast("list[Any]", found) if isinstance(found, list) else _refuse(found, what, "a list")


def mapping(value: object, what: str) -> dict[str, Any]:
    """Return an object in JSON as a dictionary."""
    found = plain_of(text(value, what), what)
    return cast("dict[str, Any]", found) if isinstance(found, dict) else _refuse(found, what, "a mapping of names")


def words(value: object, what: str) -> Mapping[str, str]:
    """Return a mapping of names to texts in JSON."""
    return {name: text(one, f"{what}.{name}") for name, one in mapping(value, what).items()}


def _refuse(value: object, what: str, wanted: str) -> NoReturn:
    raise EvolveError(f"{what} is {BRIEFLY.repr(value)} where {wanted} should be: {CHANGED}")


CHANGED = "the archive is damaged, or was changed; take up a copy of it"
