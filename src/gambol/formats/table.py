"""Reading a TOML table of numbers and names, with errors that name the file, the key and the cure."""

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

LARGEST = 2**1023  # of whole numbers: larger ones are no floats

MOST_TEXT = 10_000_000  # bytes of a file, which take some 5 s
MOST_PARTS = 64  # of a dotted key: tomllib's time grows with their square
KEY_PART = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*"""
LONG_KEY = re.compile(rf"""(?<![\w"'-])(?:{KEY_PART}){{{MOST_PARTS}}}""")

BRIEFLY = reprlib.Repr()  # how errors repeat a wrong value
BRIEFLY.maxlevel, BRIEFLY.maxstring = 3, 60


@dataclass(frozen=True)
class Text:
    """The text of a TOML file, for the lines of its keys."""

    text: str

    @cached_property
    def lines(self) -> dict[str, int]:
        """The line of every key path; found when the first error asks for one."""
        return key_lines(self.text)


@dataclass(frozen=True)
class Table:
    """One table of a TOML file.

    where: the file, and the keys that lead to the table. source: the file's text, where it is the one that was read.
    """

    data: Mapping[str, Any]
    where: str
    source: Text | None = field(default=None, repr=False, compare=False)

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def told(self) -> str:
        """Where the table stands, for an error: file, line where it is known, and keys."""
        return self._told(self.where, self.where)

    def told_at(self, key: str) -> str:
        """Where a value of the table stands, for an error."""
        return self._told(self._at(key), self._at(key))

    def only(self, *known: str) -> None:
        """Raise GambolError when the table has a key that is not known: a misspelt one must not pass in silence."""
        among = set(known)
        for key in self.data:
            if key not in among:
                told = self._told(self.where, self._at(key))
                raise GambolError(f'{told}: the key "{key}" is not known here; {did_you_mean(key, known)}')

    def number(self, key: str, default: float | None = None) -> float:
        """A finite number; the default where the key is missing, if there is one."""
        value = self._get(key, default, "a number")
        if not _is_number(value) or not math.isfinite(value):
            raise self._wrong(key, value, "a finite number")
        return float(value)

    def whole(self, key: str) -> int:
        """A whole number."""
        value = self._get(key, None, "a whole number")
        if type(value) is not int or not _is_number(value):
            raise self._wrong(key, value, "a whole number")
        return value

    def flag(self, key: str, default: bool | None = None) -> bool:
        """True or false."""
        value = self._get(key, default, "true or false")
        if not isinstance(value, bool):
            raise self._wrong(key, value, "true or false")
        return value

    def numbers(self, key: str, default: tuple[float, ...] | None = None) -> tuple[float, ...]:
        """A list of finite numbers, or a single one, as a tuple."""
        value = self._get(key, default, "a list of numbers")
        if _is_number(value):
            return (self.number(key),)
        row = self.listed(key, default or ())
        return tuple(row.number(place) for place in row)

    def triple(self, key: str, default: Triple | None = None) -> Triple:
        """Three finite numbers."""
        value = self._get(key, default, "three numbers")
        entries = _entries_of(value)
        if len(entries) != 3:
            raise self._wrong(key, value, "a list of three numbers, such as [0, 0, 1]")
        row = self._inner(dict(zip("123", entries, strict=True)), key)
        return (row.number("1"), row.number("2"), row.number("3"))

    def text(self, key: str, default: str | None = None, among: Iterable[str] = ()) -> str:
        """A text; among: the only ones that will do, if they are few."""
        value = self._get(key, default, "a text")
        if not isinstance(value, str):
            raise self._wrong(key, value, "a text in quotes")
        known = tuple(among)
        if known and value not in known:
            raise GambolError(f'{self.told_at(key)}: "{value}" will not do; {did_you_mean(value, known)}')
        return value

    def table(self, key: str) -> "Table":
        """A table inside this one."""
        value = self._get(key, None, "a table")
        if not isinstance(value, dict):
            raise self._wrong(key, value, "a table")
        return self._inner(cast(dict[str, Any], value), key)

    def rows(self, key: str) -> "tuple[Table, ...]":
        """A list of tables inside this one; empty where the key is missing."""
        rows = self.listed(key)
        return tuple(rows.table(number) for number in rows)

    def pairs(self, key: str, names: tuple[str, ...]) -> "tuple[Table, ...]":
        """A list of short lists, each as a table that calls its entries by these names; empty where missing."""
        rows = self.listed(key)
        for number, row in rows.data.items():
            if len(_entries_of(row)) != len(names):
                raise rows._wrong(number, row, f"a list of {', '.join(names)}")
        return tuple(rows._inner(dict(zip(names, row, strict=True)), number) for number, row in rows.data.items())

    def overlaid(self, changes: "Table", where: str) -> "Table":
        """The table with another one's values laid over it, table by table; lists are replaced whole."""
        return Table(_overlaid(self.data, changes.data), where)

    def listed(self, key: str, default: object = ()) -> "Table":
        """A list as a table whose keys are the places 1, 2, ...; empty where the key is missing."""
        value: object = self.data.get(key, default)
        entries = _entries_of(value)
        if not entries and value not in ([], ()):
            raise self._wrong(key, value, "a list in brackets")
        return self._inner({str(place): row for place, row in enumerate(entries, start=1)}, key)

    def _inner(self, data: Mapping[str, Any], key: str) -> "Table":
        return Table(data, self._at(key), self.source)

    def _get(self, key: str, default: object, wanted: str) -> Any:
        value = self.data.get(key, default)
        if value is None:
            raise GambolError(f'{self.told()}: "{key}" is missing; it should be {wanted}{self._near(key)}')
        return value

    def _near(self, key: str) -> str:
        return f" ({did_you_mean(key, self.data)})" if self.data else ""

    def _at(self, key: str) -> str:
        return f"{self.where}{'.' if ': ' in self.where else ': '}{key}"

    def _told(self, shown: str, address: str) -> str:
        """An address as it is shown in an error, with the line of another."""
        file, colon, keys = shown.partition(": ")
        lines, path = self.source.lines if self.source else {}, address.partition(": ")[2]
        while path and path not in lines:  # an entry that has a name here only: its list has a line
            path = path.rpartition(".")[0]
        line = lines.get(path)
        return shown if line is None else f"{file}, line {line}{colon}{keys}"

    def _wrong(self, key: str, value: object, wanted: str) -> GambolError:
        return GambolError(f"{self.told_at(key)} is {BRIEFLY.repr(value)}; it should be {wanted}")


def read_table(text: str, file: str) -> Table:
    """The tables of a TOML text; file: its name, for errors.

    Raises GambolError, naming the file, for what is no TOML and for keys of more than 64 parts.
    """
    if found := LONG_KEY.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise GambolError(
            f"{file}, line {line}: a key has more than {MOST_PARTS} parts with dots between; none needs to"
        )
    try:
        return Table(tomllib.loads(text), file, Text(text))
    except RecursionError:
        raise GambolError(f"{file} is not readable as TOML: its lists lie too deep in each other") from None
    except ValueError as error:  # tomllib's own, and Python's about numbers of thousands of digits
        raise GambolError(f"{file} is not readable as TOML: {error}") from error


def _is_number(value: object) -> bool:
    """Whether a value is a number that a float can hold."""
    return isinstance(value, float) or (type(value) is int and abs(value) <= LARGEST)


def _entries_of(value: object) -> list[Any]:
    """The entries of a list; none when it is not one."""
    return list(cast(list[Any], value)) if isinstance(value, list | tuple) else []


def _overlaid(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(under)
    for key, value in over.items():
        below = merged.get(key)
        if isinstance(below, dict) and isinstance(value, dict):
            merged[key] = _overlaid(cast(dict[str, Any], below), cast(dict[str, Any], value))
        else:
            merged[key] = value
    return merged
