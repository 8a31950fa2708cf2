"""Values of plan files that Table does not read: bounds that may be infinite, coordinates that may be free, times."""

import math
from collections.abc import Mapping
from typing import TypeAlias

from gambol.errors import GambolError
from gambol.figure import Figure
from gambol.formats.table import SHORT_REPR, Table
from gambol.plan.motion import PhaseTime
from gambol.plan.motion.spec.goals import Time, Values
from gambol.plan.motion.spec.plan import Ranges

FREE = "free"
"""The word for a number that the solver may choose."""

Place: TypeAlias = tuple[float | None, float | None, float | None]


def wrong_value(table: Table, key: str, expected: str) -> GambolError:
    """Return the error of a value of a table; expected: description of valid values."""
    return GambolError(f"{table.location_of(key)} is {SHORT_REPR.repr(table.data[key])}; it should be {expected}")


def number_or_free(table: Table, key: str) -> float | None:
    """Return a finite number, or None for the word "free"."""
    if table.data[key] == FREE:
        return None
    if isinstance(table.data[key], str):
        raise wrong_value(table, key, f'a number, or "{FREE}"')
    return table.number(key)


def bound(table: Table, key: str) -> float:
    """Return a number that may be infinite, but not NaN."""
    value = table.data[key]
    if isinstance(value, float) and math.isinf(value):
        return value
    return table.number(key)


def ranges(table: Table, key: str) -> Ranges:
    """Return bounds: one number r for -r to r, [lowest, highest], or a list of such pairs for several freedoms."""
    if not isinstance(table.data[key], list):
        return bound(table, key)
    rows = table.entries(key)
    if any(isinstance(row, list) for row in rows.data.values()):
        return tuple(_pair(rows, number) for number in rows)
    return _pair(table, key)


def _pair(table: Table, key: str) -> tuple[float, float]:
    """Return the lowest and the highest of a list of two."""
    entries = table.entries(key)
    if len(entries.data) != 2:
        raise wrong_value(table, key, "a list of the lowest and the highest, such as [-1.5, 2.0]")
    low, high = bound(entries, "1"), bound(entries, "2")
    if low > high:
        raise wrong_value(table, key, "a list of the lowest and the highest, in this order")
    return low, high


def duration(table: Table, key: str, default: float) -> float | tuple[float, float]:
    """Return a duration, or the pair of the lowest and the highest [s]."""
    if isinstance(table.data.get(key), list):
        return _pair(table, key)
    return table.number(key, default)


def place(table: Table, key: str) -> Place:
    """Return three coordinates, each a number, or None for "free"; all free if the key is missing."""
    if key not in table:
        return (None, None, None)
    entries = table.entries(key)
    if len(entries.data) != 3:
        raise wrong_value(table, key, f'a list of x, y and z, each a number or "{FREE}"')
    return number_or_free(entries, "1"), number_or_free(entries, "2"), number_or_free(entries, "3")


def time(table: Table, key: str, default: float | None = None) -> Time:
    """Return a time: a number [s], or { phase = NAME, fraction = NUMBER }."""
    if not isinstance(table.data.get(key), dict):
        return table.number(key, default)
    row = table.table(key)
    row.check_keys("phase", "fraction")
    return PhaseTime(row.text("phase"), row.number("fraction", 0.0))


def by_link(table: Table, key: str, figure: Figure) -> Table:
    """Return a table with links of a figure as keys; empty if it is missing."""
    if key not in table:
        return Table({}, f"{table.where}: {key}")
    row = table.table(key)
    row.check_keys(*(link.name for link in figure.links))
    return row


def coordinates(table: Table, key: str, figure: Figure, attribute: str) -> Mapping[str, Values]:
    """Return coordinates by link: a number, or a list with "free" where the solver may choose.

    attribute: "q" for positions, "v" for velocities.
    """
    rows = by_link(table, key, figure)
    result: dict[str, Values] = {}
    for name in rows:
        span = getattr(figure.link(name), attribute)
        count = span.stop - span.start
        if not isinstance(rows.data[name], list):
            value = number_or_free(rows, name)
            if count != 1:
                raise wrong_value(rows, name, f"a list of {count} numbers: its joint is {figure.link(name).joint.kind}")
            result |= {} if value is None else {name: value}
            continue
        entries = rows.entries(name)
        if len(entries.data) != count:
            kind = figure.link(name).joint.kind
            raise wrong_value(rows, name, f'a list of {count} numbers or "{FREE}": its joint is {kind}')
        values = tuple(number_or_free(entries, number) for number in entries)
        result[name] = values[0] if count == 1 and values[0] is not None else values
    return result
