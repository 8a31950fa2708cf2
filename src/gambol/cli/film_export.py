"""Exports of films by commands: `gambol convert FILM.npz FILE`, and the option --export."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gambol.cli.targets import check_folder
from gambol.errors import GambolError
from gambol.export import check_target, export_film, walk_cycle
from gambol.world import Film


@dataclass(frozen=True, slots=True)
class FilmOptions:
    """Options of `gambol convert` for a film.

    rate, scale, world, skin, ground: as of the formats' functions, None if not given. cycle: True for the stride that
    loops best; in_place: without its travel.
    """

    rate: float | None = None
    scale: float | None = None
    world: int | None = None
    skin: bool | None = None
    ground: bool | None = None
    cycle: bool = False
    in_place: bool = False

    def given(self) -> dict[str, Any]:
        """Return the options of the formats' functions that are given."""
        named = {name: getattr(self, name) for name in ("rate", "scale", "world", "skin", "ground")}
        return {name: value for name, value in named.items() if value is not None}

    def check_unused(self) -> None:
        """Raise GambolError if an option is given, since the file is no film."""
        for name, value in (*self.given().items(), ("cycle", self.cycle), ("in-place", self.in_place)):
            if value:
                raise GambolError(f"--{name} is for films (.npz); a figure has no motion")


def convert_film(file: Path, target: Path, options: FilmOptions) -> list[str]:
    """Write a film in another format, and return notes. Raises GambolError before any work."""
    given = options.given()
    check_exports([target], given, "FILE")
    film = Film.load(file)
    notes: list[str] = []
    if options.cycle or options.in_place:
        cycle = walk_cycle(film, in_place=options.in_place, world=options.world or 0)
        notes.append(
            f"the stride from {cycle.start:.4g} s, {cycle.period:.4g} s long; so that it loops, links were moved by at "
            f"most {cycle.gap:.2g} m and turned by {cycle.gap_angle:.2g} rad; it travels {cycle.travel[0]:.4g} m along "
            f"x and {cycle.travel[1]:.4g} m along y"
        )
        film, given = cycle.film, {name: value for name, value in given.items() if name != "world"}
    return notes + export_film(film, target, **given)


def check_exports(paths: Sequence[Path], options: dict[str, Any], option: str) -> None:
    """Raise GambolError for a file that cannot be exported. option: name of the option, for the message."""
    for path in paths:
        check_folder(path.parent, option)
        if path.is_dir():
            raise GambolError(f'{option}: "{path}" is a folder; give the path of a file')
        check_target(path, options)
