"""Combining the matter of several figure files: new names of links, meshes and emitters, absolute paths of files."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from gambol.errors import FigureError
from gambol.formats.matter_tables import MatterTables
from gambol.formats.table import Table

Row = Mapping[str, Any]

MESH_KEYS = ("cloths", "ropes", "meshes")
"""Keys of the arrays of tables of meshes."""


@dataclass(frozen=True)
class Names:
    """New names of one member's links, meshes and emitters, by their old ones."""

    links: Mapping[str, str]
    meshes: Mapping[str, str]
    emitters: Mapping[str, str]


def combined_matter(
    name: str, members: Mapping[str, MatterTables | None], links: Mapping[str, Mapping[str, str]]
) -> MatterTables | None:
    """Return the matter of all members as one; None if no member has any.

    name: name of the forest. members: by name. links: new names of the links of each member. Meshes and emitters keep
    their names if all names differ, else they are called "member/name". Fields act on the particles of all members.
    Raises FigureError for members with different air.
    """
    data = {key: each.rows(None) for key, each in members.items() if each is not None}
    airs = [rows["air"] for rows in data.values() if "air" in rows]
    if any(air != airs[0] for air in airs):
        raise FigureError(f'forest "{name}": its members have different [air]; give all of them the same')
    result: dict[str, Any] = {"air": airs[0]} if airs else {}
    meshes, emitters = (_new_names(data, keys) for keys in (MESH_KEYS, ("emitters",)))
    for member, rows in data.items():
        names = Names(links[member], meshes[member], emitters[member])
        for key in (*MESH_KEYS, "fields", "emitters"):
            if key in rows:
                result.setdefault(key, []).extend(_renamed(key, row, names) for row in cast("list[Row]", rows[key]))
    return MatterTables(Table(result, name), Path()) if data else None


def _new_names(data: Mapping[str, Row], keys: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the new name of each entry of some arrays of tables, by member and old name."""
    old = {member: list(_names_in(rows, keys)) for member, rows in data.items()}
    counts = Counter(name for names in old.values() for name in names)
    unique = all(count == 1 for count in counts.values())
    return {member: {name: name if unique else f"{member}/{name}" for name in names} for member, names in old.items()}


def _names_in(rows: Row, keys: Sequence[str]) -> Iterator[str]:
    for key in keys:
        for row in cast("list[Row]", rows.get(key, [])):
            if isinstance(row.get("name"), str):
                yield row["name"]


def _renamed(key: str, row: Row, names: Names) -> dict[str, Any]:
    """Return a row with new names. Values of wrong types are kept; reading the result reports them.

    key: name of the array of tables that contains the row.
    """
    if key == "fields":
        return dict(row)
    if key in MESH_KEYS:
        changed = _changed(row, {"name": names.meshes, "touches": names.links, "touches_meshes": names.meshes})
        held = [_changed(each, {"link": names.links}) for each in _rows_of(row, "held")]
        return changed | ({"held": held} if held else {})
    changed = _changed(row, {"name": names.emitters, "link": names.links})
    for child in ("at_touch", "at_death"):
        if isinstance(row.get(child), Mapping):
            changed[child] = _changed(row[child], {"emitter": names.emitters})
    on = [_changed(e, {"of": names.meshes if e.get("event") == "tear" else names.links}) for e in _rows_of(row, "on")]
    return changed | ({"on": on} if on else {})


def _rows_of(row: Row, key: str) -> list[Row]:
    entries = row.get(key)
    rows = cast("list[Any]", entries) if isinstance(entries, list) else []
    return rows if all(isinstance(each, Mapping) for each in rows) else []


def _changed(row: Row, names: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """Return a row with some names replaced; its values may be names or lists of names.

    names: for each key to change, the new names by old name.
    """
    changed = dict(row)
    for key, new in names.items():
        value = row.get(key)
        if isinstance(value, str):
            changed[key] = new.get(value, value)
        elif isinstance(value, list):
            entries = cast("list[Any]", value)
            changed[key] = [new.get(each, each) if isinstance(each, str) else each for each in entries]
    return changed
