"""Reading a TOML table of numbers and names, with errors that name the file, the key and the cure."""

import math
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from gambol.errors import GambolError, did_you_mean
from gambol.figure import Triple


@dataclass(frozen=True)
class Table:
    """One table of a TOML file; where: the file, and the keys that lead to the table."""

    data: Mapping[str, Any]
    where: str

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def only(self, *known: str) -> None:
        """Raise GambolError when the table has a key that is not known: a misspelt one must not pass in silence."""
        for key in self.data:
            if key not in known:
                raise GambolError(f'{self.where}: the key "{key}" is not known here; {did_you_mean(key, known)}')

    def number(self, key: str, default: float | None = None) -> float:
        """A finite number; the default where the key is missing, if there is one."""
        value = self._get(key, default, "a number")
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise self._wrong(key, value, "a finite number")
        return float(value)

    def triple(self, key: str, default: Triple | None = None) -> Triple:
        """Three finite numbers."""
        value = self._get(key, default, "three numbers")
        entries = _entries_of(value)
        if len(entries) != 3:
            raise self._wrong(key, value, "a list of three numbers, such as [0, 0, 1]")
        row = Table(dict(zip("xyz", entries, strict=True)), self._at(key))
        return (row.number("x"), row.number("y"), row.number("z"))

    def text(self, key: str, default: str | None = None, among: Iterable[str] = ()) -> str:
        """A text; among: the only ones that will do, if they are few."""
        value = self._get(key, default, "a text")
        if not isinstance(value, str):
            raise self._wrong(key, value, "a text in quotes")
        known = tuple(among)
        if known and value not in known:
            raise GambolError(f'{self._at(key)}: "{value}" will not do; {did_you_mean(value, known)}')
        return value

    def table(self, key: str) -> "Table":
        """A table inside this one."""
        value = self._get(key, None, "a table")
        if not isinstance(value, dict):
            raise self._wrong(key, value, "a table")
        return Table(cast(dict[str, Any], value), self._at(key))

    def rows(self, key: str) -> "tuple[Table, ...]":
        """A list of tables inside this one; empty where the key is missing."""
        rows = self._entries(key)
        return tuple(rows.table(number) for number in rows)

    def pairs(self, key: str, names: tuple[str, ...]) -> "tuple[Table, ...]":
        """A list of short lists, each as a table that calls its entries by these names; empty where missing."""
        rows = self._entries(key)
        for number, row in rows.data.items():
            if len(_entries_of(row)) != len(names):
                raise rows._wrong(number, row, f"a list of {', '.join(names)}")
        return tuple(Table(dict(zip(names, row, strict=True)), rows._at(number)) for number, row in rows.data.items())

    def overlaid(self, changes: "Table", where: str) -> "Table":
        """The table with another one's values laid over it, table by table; lists are replaced whole."""
        return Table(_overlaid(self.data, changes.data), where)

    def _entries(self, key: str) -> "Table":
        """A list as a table whose keys are the places 1, 2, ..."""
        value: object = self.data.get(key, [])
        entries = _entries_of(value)
        if not entries and value != []:
            raise self._wrong(key, value, "a list in brackets")
        return Table({str(place): row for place, row in enumerate(entries, start=1)}, self._at(key))

    def _get(self, key: str, default: object, wanted: str) -> Any:
        value = self.data.get(key, default)
        if value is None:
            raise GambolError(f'{self.where}: "{key}" is missing; it should be {wanted}{self._near(key)}')
        return value

    def _near(self, key: str) -> str:
        return f" ({did_you_mean(key, self.data)})" if self.data else ""

    def _at(self, key: str) -> str:
        return f"{self.where}{'.' if ': ' in self.where else ': '}{key}"

    def _wrong(self, key: str, value: object, wanted: str) -> GambolError:
        return GambolError(f"{self._at(key)} is {value!r}; it should be {wanted}")


def read_table(text: str, file: str) -> Table:
    """The tables of a TOML text; file: its name, for errors."""
    try:
        return Table(tomllib.loads(text), file)
    except tomllib.TOMLDecodeError as error:
        raise GambolError(f"{file} is not readable as TOML: {error}") from error


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
