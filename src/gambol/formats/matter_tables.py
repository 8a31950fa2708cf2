"""Cloth, ropes, meshes and particles of a figure file, stored as tables, which gambol.matter.scene_file reads."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from gambol.errors import GambolError
from gambol.figure import Joint, Link
from gambol.formats.table import Table

MATTER_KEYS = ("air", "cloths", "ropes", "meshes", "fields", "emitters")
"""The keys of a figure file about matter: the table "air", and arrays of tables for all others."""

STAGE = "stage"
"""The name of the only link, fixed and without shapes, of a file or a film of matter without a figure."""

STAGE_LINK = Link(STAGE, None, Joint("fixed"))
"""The link of a file without links."""

FILE = "file"
"""The key, in any of these tables, of the path of a file, relative to the folder of the figure file."""


MAX_DEPTH = 8
"""Deepest nesting of lists and tables in a value: no table needs more than three."""

BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class MatterTables:
    """The tables of a figure file about matter. table: values of MATTER_KEYS. folder: folder of the figure file."""

    table: Table
    folder: Path = field(default=Path(), compare=False)

    @staticmethod
    def of(table: Table, folder: Path) -> "MatterTables | None":
        """Return the tables of a figure file about matter; None if it has none. Raises GambolError for wrong types."""
        data = {key: table.data[key] for key in MATTER_KEYS if key in table and table.data[key] != []}
        for key in data:
            for row in (table.table(key),) if key == "air" else table.tables(key):
                _check_values(row)
        return MatterTables(Table(data, table.where, table.source), folder) if data else None

    def rows(self, folder: Path | None) -> dict[str, Any]:
        """Return the values by key; paths of files are relative to a folder, or absolute for None."""
        return {key: self._with_paths(value, folder) for key, value in self.table.data.items()}

    def _with_paths(self, value: Any, folder: Path | None) -> Any:
        """Return a value in which each path of a file is relative to a folder, or absolute for None."""
        if isinstance(value, Mapping):
            rows = cast("Mapping[str, Any]", value)
            return {
                key: self._path(inner, folder) if key == FILE else self._with_paths(inner, folder)
                for key, inner in rows.items()
            }
        if isinstance(value, list):
            return [self._with_paths(inner, folder) for inner in cast("list[Any]", value)]
        return value

    def _path(self, file: str, folder: Path | None) -> str:
        path = (self.folder / file).absolute()
        return (path if folder is None else Path(os.path.relpath(path, folder.absolute()))).as_posix()

    def file(self, row: Table) -> Path:
        """Return the path of the file of a row. Raises GambolError if its name is not a text."""
        if not row.text(FILE):
            raise GambolError(f'{row.location_of(FILE)}: give the name of a file, such as "sail.obj"')
        return self.folder / row.text(FILE)


def _check_values(table: Table, depth: int = MAX_DEPTH) -> None:
    """Raise GambolError for values that no table of matter has: dates, infinite numbers, nesting deeper than depth.

    Values that pass can be written to a file and read again. gambol.matter.scene_file checks names of keys and ranges
    of values later.
    """
    for key, value in table.data.items():
        if not BARE_KEY.fullmatch(key):
            raise GambolError(f"{table.location()}: a key is {key!r}; keys have letters, digits, _ and -")
        if key == FILE:
            table.text(FILE)
        elif isinstance(value, dict) and depth:
            _check_values(table.table(key), depth - 1)
        elif isinstance(value, list) and depth:
            entries = cast("list[object]", value)
            if len({isinstance(entry, dict) for entry in entries}) > 1:
                raise GambolError(f"{table.location_of(key)} has tables and other values; give only tables, or none")
            _check_values(table.entries(key), depth - 1)
        elif not isinstance(value, str | bool):
            table.number(key)
