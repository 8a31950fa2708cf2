"""`gambol zoo --side-by-side`: one page on which animals of very different sizes walk side by side.

Each walks as it does alone. It is drawn in such a size that all move forward equally fast, so that they stay together:
a beetle is then nearly as large as a dog. Times are not scaled.
"""

import math
from pathlib import Path

import numpy as np

import gambol
from gambol.cli.interrupts import exit_code
from gambol.cli.session import DONE, Session
from gambol.cli.targets import check_targets
from gambol.creatures.animals import ANIMALS
from gambol.errors import GambolError, did_you_mean
from gambol.view import write_page
from gambol.world import Film, was_interrupted
from gambol.world.film.side_by_side import scaled_film, side_by_side

PAGE = "side-by-side.html"
"""Name of the page's file."""

SECONDS, RATE = 8.0, 60.0
"""Default duration of the film [s], and its frames per second."""

SPEED = 1.0
"""The speed at which all animals move forward on the page [m/s]."""

SETTLED = 0.25
"""The part of the film after which the speed is measured: animals begin at rest."""

COLUMNS, GAP = 4, 0.8
"""Animals in a row, and the space between neighbours [m]."""


def build_side_by_side(session: Session, folder: Path, names: tuple[str, ...], seconds: float | None) -> int:
    """Write the page; return the exit code. names: of animals, empty for all; seconds: simulated time.

    Raises GambolError for unknown names and impossible times.
    """
    for name in names:
        if name not in ANIMALS:
            raise GambolError(f'NAME: "{name}" is no animal that walks; {did_you_mean(name, ANIMALS)}')
    duration = SECONDS if seconds is None else seconds
    if not 1.0 / RATE <= duration < math.inf:
        raise GambolError(f"--seconds: {duration:g} is not possible; give {1.0 / RATE:.3g} or more")
    check_targets(folder, [folder / PAGE])
    films = dict[str, Film]()
    for name in names or ANIMALS:
        session.print_line(f"{name} walks")
        world = gambol.make_world(name)
        film = gambol.run(world, gambol.start(world), duration, rate=RATE)
        if was_interrupted(film):
            return exit_code()
        films[name] = film
    write_page(animals_film(films), folder / PAGE)
    session.print_line(f"wrote {folder / PAGE}")
    return DONE


def animals_film(films: dict[str, Film]) -> Film:
    """Return one film of the films of animals, the lowest in the first row. films: by name, of the same times."""
    scaled = {name: scaled_film(film, SPEED / speed_of(film)) for name, film in films.items()}
    ordered = dict(sorted(scaled.items(), key=lambda item: float(item[1].position[0, 0, :, 2].max())))
    return side_by_side("Animals side by side", ordered, places(list(ordered.values())))


def speed_of(film: Film) -> float:
    """Return the speed of the root of a film, from its place after a quarter of the film to the final one [m/s]."""
    begin = int(SETTLED * (len(film.time) - 1))
    way = film.position[-1, 0, 0, :2] - film.position[begin, 0, 0, :2]
    return max(float(np.hypot(*way) / (film.time[-1] - film.time[begin])), 1e-6)


def places(films: list[Film]) -> list[tuple[float, float]]:
    """Return x and y of each film's creature, in rows of COLUMNS, the first row ahead; by what each film covers."""
    found, x = list[tuple[float, float]](), 0.0
    for first in range(0, len(films), COLUMNS):
        row, y = films[first : first + COLUMNS], 0.0
        reach = [np.ptp(film.position[0, 0, :, 0]) for film in row]
        lanes = list[tuple[float, float]]()
        for film in row:
            low, high = film.position[..., 1].min(), film.position[..., 1].max()
            lanes.append((x - float(film.position[0, 0, :, 0].max()), y - float(low)))
            y += float(high - low) + GAP
        found += [(px, py - 0.5 * (y - GAP)) for px, py in lanes]
        x -= float(max(reach)) + GAP
    return found
