"""Films in formats of other programs by `gambol convert FILM.npz FILE`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gambol.cli.targets import check_exports
from gambol.errors import GambolError
from gambol.export import export_film, walk_cycle
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
