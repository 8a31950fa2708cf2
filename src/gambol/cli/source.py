"""The source of a live page: the command that wrote it, as data, so that its saved numbers can be run again."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Self, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from gambol.cli.defaults import OUT
from gambol.cli.evolve.archive_lookup import ARCHIVE_NAME
from gambol.errors import GambolError, did_you_mean

KINDS = ("roach", "creature", "evolved", "figure")
OUTSIDE = ("controller", "policy", "path")
"""Options that name other files, or code: a page with them has no source, and a source with them is refused."""

NAMES = ("ground", "parameters")
"""Options that are names, or else paths of files."""

STORED = re.compile(rf"{re.escape(ARCHIVE_NAME)}(:\d+:\d+)")
"""The address of a creature in the archive of the default name."""

NAME = re.compile(r"[\w-]+")
Request = TypeVar("Request")


@dataclass(frozen=True)
class Source:
    """The origin of the world of a page. kind: one of KINDS; options: options of the command that are not defaults."""

    kind: str
    options: Mapping[str, Any]

    @classmethod
    def of(cls, data: Mapping[str, Any], where: str) -> Self:
        """Return the source in a file. Raises GambolError for an unknown kind. where: name of the file."""
        kind, options = data.get("kind"), data.get("options")
        if kind not in KINDS or not isinstance(options, dict):
            raise GambolError(f'"{where}": the source is of kind {kind!r}; there are {", ".join(KINDS)}')
        return cls(str(kind), cast("dict[str, Any]", options))

    def data(self) -> dict[str, Any]:
        """Return the source as data for JSON."""
        return {"kind": self.kind, "options": dict(self.options)}


def source_of(kind: str, request: Any) -> dict[str, Any] | None:
    """Return the source of a page as data; None if the request has files or code of its own.

    kind: one of KINDS; request: the options of the command, a dataclass. Of the path of a figure file only the name is
    kept, since pages are shared.
    """
    defaults = {field.name: field.default for field in fields(request)}
    given = {name: getattr(request, name) for name in defaults if getattr(request, name) != defaults[name]}
    if any(name in OUTSIDE or (name in NAMES and not NAME.fullmatch(str(given[name]))) for name in given):
        return None
    options = {name: asdict(value) if is_dataclass(value) else value for name, value in given.items()}  # pyright: ignore[reportArgumentType]
    nested = [cast("dict[str, Any]", value) for value in options.values() if isinstance(value, dict)]
    if any(isinstance(x, Path) for each in nested for x in each.values()):
        return None
    if isinstance(file := options.get("file"), Path):
        if ":" in file.name and not STORED.fullmatch(file.name):  # a creature of another archive
            return None
        options["file"] = file.name
    return Source(kind, options).data()


def stored_source(run: int, creature: int) -> Source:
    """Return the source of a creature of the archive in the folder of its page."""
    return Source("figure", {"file": f"{ARCHIVE_NAME}:{run}:{creature}"})


def found_file(name: str, beside: Path) -> Path:
    """Return the path of the figure file, or the address of the stored creature, of a source.

    name: name of the file; it is searched in the folder of `beside`, in the working folder, and in the default folder
    of results. beside: the file with the source. Raises GambolError if there is no such file.
    """
    stored = STORED.fullmatch(name)
    plain, creature = (ARCHIVE_NAME, stored[1]) if stored else (Path(name).name, "")
    for path in (beside.parent / plain, Path(plain), OUT / plain):
        if plain and path.is_file():
            return Path(f"{path}{creature}")
    raise GambolError(f'"{beside.name}" has numbers of "{plain}", which is not found; put that file into its folder')


def check_options(kind: type[Request], options: Mapping[str, Any]) -> Request:
    """Return a request from options as data. Raises GambolError for unknown options, and values of another type."""
    hints = get_type_hints(kind)
    allowed = {name: hint for name, hint in hints.items() if name not in OUTSIDE}
    values: dict[str, Any] = {}
    for name, value in options.items():
        if name not in allowed:
            raise GambolError(f'a source cannot have the option "{name}"; {did_you_mean(name, allowed)}')
        if name in NAMES and not NAME.fullmatch(str(value)):
            raise GambolError(f'the source has {name} "{value}", which is a file; a source has names only')
        values[name] = _checked(name, value, allowed[name])
    return kind(**values)


def _checked(name: str, value: Any, hint: Any) -> Any:
    """Return a value of a type; lists become tuples, objects the dataclass. Raises GambolError for another type."""
    if is_dataclass(hint) and isinstance(value, dict):
        return check_options(cast("type[Any]", hint), cast("dict[str, Any]", value))
    if get_origin(hint) is tuple and isinstance(value, (list, tuple)):
        entries = cast("list[Any]", value)
        return tuple(_checked(name, entry, get_args(hint)[0]) for entry in entries)
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    for kind in kinds:
        if get_origin(kind) is Literal and value in get_args(kind):
            return value
        if kind in (float, int, str, bool, NoneType, Path) and (
            type(value) is kind or (kind is float and type(value) is int) or (kind is Path and isinstance(value, Path))
        ):
            return value
    raise GambolError(f"the source has {name} = {value!r}, which is of another type")
