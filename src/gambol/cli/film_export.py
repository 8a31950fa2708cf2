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

    rate, scale, skin, ground, root_motion: as of the formats' functions, None if not given. world: index of a
    world of the film. cycle: True for the stride that loops best; in_place: without its travel.
    """

    rate: float | None = None
    scale: float | None = None
    skin: bool | None = None
    ground: bool | None = None
    root_motion: bool | None = None
    world: int | None = None
    cycle: bool = False
    in_place: bool = False

    def given(self) -> dict[str, Any]:
        """Return the options of the formats' functions that are given."""
        named = {name: getattr(self, name) for name in ("rate", "scale", "skin", "ground", "root_motion")}
        return {name: value for name, value in named.items() if value is not None}

    def check_unused(self) -> None:
        """Raise GambolError if an option is given, since the file is no film."""
        others = {"world": self.world, "cycle": self.cycle or None, "in-place": self.in_place or None}
        for name, value in (self.given() | others).items():
            if value is not None:
                raise GambolError(f"--{name.replace('_', '-')} is for films (.npz); a figure has no motion")


def convert_film(file: Path, target: Path, options: FilmOptions) -> list[str]:
    """Write a film in another format, and return notes. Raises GambolError before any work."""
    given = options.given()
    check_exports([target], given, "FILE")
    film = Film.load(file)
    if options.world is not None:
        film = film.of_worlds([options.world])
    notes: list[str] = []
    if options.cycle or options.in_place:
        cycle = walk_cycle(film, in_place=options.in_place)
        notes.append(
            f"the stride from {cycle.start:.4g} s, {cycle.period:.4g} s long; so that it loops, links were moved by at "
            f"most {cycle.gap:.2g} m and turned by {cycle.gap_angle:.2g} rad; it travels {cycle.travel[0]:.4g} m along "
            f"x and {cycle.travel[1]:.4g} m along y"
        )
        film = cycle.film
    return notes + export_film(film, target, **given)
