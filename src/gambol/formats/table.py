"""Reading TOML tables, with errors that name the file, the key and the remedy."""

import math
import re
import reprlib
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

from gambol.errors import GambolError, did_you_mean
from gambol.figure import Triple
from gambol.formats.lines import key_lines

MAX_INTEGER = 2**1023  # largest magnitude of an integer: the largest power of two that a float can hold

MAX_TEXT_BYTES = 10_000_000  # bytes of a file; parsing this many takes some 5 s
MAX_KEY_PARTS = 64  # of a dotted key: tomllib's time grows with the square of their number
KEY_PART = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*"""  # one part and the dot after it
LONG_KEY = re.compile(rf"""(?<![\w"'-])(?:{KEY_PART}){{{MAX_KEY_PARTS}}}""")

SHORT_REPR = reprlib.Repr()  # how errors show a wrong value
SHORT_REPR.maxlevel, SHORT_REPR.maxstring = 3, 60


@dataclass(frozen=True)
class SourceText:
    """The text of a TOML file, for the line numbers of its keys."""

    text: str

    @cached_property
    def lines(self) -> dict[str, int]:
        """The line number of every key path; computed for the first error."""
        return key_lines(self.text)


@dataclass(frozen=True)
class Table:
    """One table of a TOML file.

    data: its values by key. where: the file, and the keys that lead to the table. source: the text of the file, for
    line numbers; None if the table was not read from a file.
    """

    data: Mapping[str, Any]
    where: str = field(compare=False)
    source: SourceText | None = field(default=None, repr=False, compare=False)

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def location(self) -> str:
        """Return the location of the table for an error message: file, line if known, and keys."""
        return self._location(self.where, self.where)

    def location_of(self, key: str) -> str:
        """Return the location of a value of the table for an error message."""
        return self._location(self._path(key), self._path(key))

    def check_keys(self, *known: str) -> None:
        """Raise GambolError if the table has a key that is not in known."""
        allowed_keys = set(known)
        for key in self.data:
            if key not in allowed_keys:
                location = self._location(self.where, self._path(key))
                raise GambolError(f'{location}: the key "{key}" is not known here; {did_you_mean(key, known)}')

    def number(self, key: str, default: float | None = None) -> float:
        """Return a finite number. default: value for a missing key; None if the key is required."""
        value = self._get(key, default, "a number")
        if not _is_number(value) or not math.isfinite(value):
            raise self._wrong_value(key, value, "a finite number")
        return float(value)

    def integer(self, key: str) -> int:
        """Return an integer."""
        value = self._get(key, None, "a whole number")
        if type(value) is not int or not _is_number(value):
            raise self._wrong_value(key, value, "a whole number")
        return value

    def boolean(self, key: str, default: bool | None = None) -> bool:
        """Return a boolean. default: value for a missing key; None if the key is required."""
        value = self._get(key, default, "true or false")
        if not isinstance(value, bool):
            raise self._wrong_value(key, value, "true or false")
        return value

    def numbers(self, key: str, default: tuple[float, ...] | None = None) -> tuple[float, ...]:
        """Return the finite numbers of a list, or a single number, as a tuple. default: value for a missing key."""
        value = self._get(key, default, "a list of numbers")
        if _is_number(value):
            return (self.number(key),)
        entries = self.entries(key, default or ())
        return tuple(entries.number(index) for index in entries)

    def triple(self, key: str, default: Triple | None = None) -> Triple:
        """Return three finite numbers. default: value for a missing key; None if the key is required."""
        value = self._get(key, default, "three numbers")
        entries = _entries_of(value)
        if len(entries) != 3:
            raise self._wrong_value(key, value, "a list of three numbers, such as [0, 0, 1]")
        components = self._subtable(dict(zip("123", entries, strict=True)), key)
        return (components.number("1"), components.number("2"), components.number("3"))

    def text(self, key: str, default: str | None = None, allowed: Iterable[str] = ()) -> str:
        """Return a string.

        default: value for a missing key. allowed: the values that are accepted; empty for any value.
        """
        value = self._get(key, default, "a text")
        if not isinstance(value, str):
            raise self._wrong_value(key, value, "a text in quotes")
        allowed_values = tuple(allowed)
        if allowed_values and value not in allowed_values:
            raise GambolError(
                f'{self.location_of(key)}: "{value}" is not allowed; {did_you_mean(value, allowed_values)}'
            )
        return value

    def table(self, key: str) -> "Table":
        """Return a table inside this one."""
        value = self._get(key, None, "a table")
        if not isinstance(value, dict):
            raise self._wrong_value(key, value, "a table")
        return self._subtable(cast(dict[str, Any], value), key)

    def tables(self, key: str) -> "tuple[Table, ...]":
        """Return an array of tables; empty if the key is missing."""
        rows = self.entries(key)
        return tuple(rows.table(number) for number in rows)

    def pairs(self, key: str, names: tuple[str, ...]) -> "tuple[Table, ...]":
        """Return a list of lists, such as pairs: a table for each, with names as keys. Empty if the key is missing."""
        rows = self.entries(key)
        for number, row in rows.data.items():
            if len(_entries_of(row)) != len(names):
                raise rows._wrong_value(number, row, f"a list of {', '.join(names)}")
        return tuple(rows._subtable(dict(zip(names, row, strict=True)), number) for number, row in rows.data.items())

    def merged(self, changes: "Table", where: str) -> "Table":
        """Return the table with changes applied: tables are merged, other values replaced.

        where: location of the result.
        """
        return Table(_merged(self.data, changes.data), where)

    def entries(self, key: str, default: object = ()) -> "Table":
        """Return a list as a table with the keys "1", "2", ...; default: the list for a missing key."""
        value: object = self.data.get(key, default)
        entries = _entries_of(value)
        if not entries and value not in ([], ()):
            raise self._wrong_value(key, value, "a list in brackets")
        return self._subtable({str(index): row for index, row in enumerate(entries, start=1)}, key)

    def _subtable(self, data: Mapping[str, Any], key: str) -> "Table":
        return Table(data, self._path(key), self.source)

    def _get(self, key: str, default: object, expected: str) -> Any:
        value = self.data.get(key, default)
        if value is None:
            raise GambolError(f'{self.location()}: "{key}" is missing; it should be {expected}{self._suggestion(key)}')
        return value

    def _suggestion(self, key: str) -> str:
        return f" ({did_you_mean(key, self.data)})" if self.data else ""

    def _path(self, key: str) -> str:
        return f"{self.where}{'.' if ': ' in self.where else ': '}{key}"

    def _location(self, shown_path: str, line_path: str) -> str:
        """Return shown_path with the line number of line_path. Both have the form "FILE: KEYS"."""
        file, colon, keys = shown_path.partition(": ")
        lines, path = self.source.lines if self.source else {}, line_path.partition(": ")[2]
        while path and path not in lines:  # an entry of a list without a separate line: use the line of the list
            path = path.rpartition(".")[0]
        line = lines.get(path)
        return shown_path if line is None else f"{file}, line {line}{colon}{keys}"

    def _wrong_value(self, key: str, value: object, expected: str) -> GambolError:
        return GambolError(f"{self.location_of(key)} is {SHORT_REPR.repr(value)}; it should be {expected}")


def read_table(text: str, file: str) -> Table:
    """Return the top-level table of a TOML text. file: name of the file, for error messages.

    Raises GambolError, which names the file, for invalid TOML and for keys of more than 64 parts.
    """
    if match := LONG_KEY.search(text):
        line = text.count("\n", 0, match.start()) + 1
        raise GambolError(
            f"{file}, line {line}: a key has more than {MAX_KEY_PARTS} parts with dots between; use fewer"
        )
    try:
        return Table(tomllib.loads(text), file, SourceText(text))
    except RecursionError:
        raise GambolError(f"{file} is not readable as TOML: its lists are nested too deeply") from None
    except ValueError as error:  # of tomllib, or of Python for numbers with thousands of digits
        raise GambolError(f"{file} is not readable as TOML: {error}") from error


def _is_number(value: object) -> bool:
    """Return True for a float, or an integer up to MAX_INTEGER; a boolean does not count as a number."""
    return isinstance(value, float) or (type(value) is int and abs(value) <= MAX_INTEGER)


def _entries_of(value: object) -> list[Any]:
    """Return the entries of a list; empty for any other value."""
    return list(cast(list[Any], value)) if isinstance(value, list | tuple) else []


def _merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in changes.items():
        old_value = merged.get(key)
        if isinstance(old_value, dict) and isinstance(value, dict):
            merged[key] = _merged(cast(dict[str, Any], old_value), cast(dict[str, Any], value))
        else:
            merged[key] = value
    return merged
