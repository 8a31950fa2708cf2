"""The command `gambol convert`: writes a figure, or the film of a motion, in another format."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.text import Text

from gambol.cli.figures.creatures import is_creature, read_creature
from gambol.cli.figures.sources import ReadOptions, convert_file
from gambol.cli.log import collected_warnings
from gambol.cli.session import DONE, Session
from gambol.cli.targets import check_exports
from gambol.errors import GambolError
from gambol.export import EXPORTERS, export_film, walk_cycle
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


def convert_to(session: Session, file: Path, target: Path, options: ReadOptions, film_options: FilmOptions) -> int:
    """Write a file in another format and print notes; return the exit code, 0. Raises GambolError before any work.

    options: of the reader of a figure. film_options: for films only.
    """
    with collected_warnings() as warnings, session.error_console.status(Text(f"writing {target}")):
        if is_film(file, target):
            notes = convert_film(file, target, film_options)
        else:
            film_options.check_unused()
            notes = convert_file(file, target, options)
    session.warn(warnings)
    session.note(notes)
    session.say(f"wrote {target}")
    return DONE


def is_film(file: Path, target: Path) -> bool:
    """True if a film is to be written: that of a .npz file, or of a creature into a file for films."""
    return file.suffix.lower() == ".npz" or (target.suffix.lower() in EXPORTERS and is_creature(file))


def convert_film(file: Path, target: Path, options: FilmOptions) -> list[str]:
    """Write a film in another format, and return notes. Raises GambolError before any work.

    file: of the film, or of a creature, which is simulated for the duration of its rollouts.
    """
    given = options.given()
    check_exports([target], given, "FILE")
    film = Film.load(file) if file.suffix.lower() == ".npz" else read_creature(file).film()
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
