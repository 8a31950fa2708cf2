"""`gambol zoo --side-by-side`: one page on which animals of very different sizes live side by side.

Each is computed in the page by a program of its own, as it walks alone. It is drawn in such a size that all move
forward equally fast, so that they stay together: a beetle is then nearly as large as a dog. Times are not scaled. For
the scale, each walks here first.
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
from gambol.view.side_by_side import PlacedCreature, write_side_by_side
from gambol.world import Film, State, was_interrupted
from gambol.world.film.side_by_side import scaled_film

PAGE = "side-by-side.html"
"""Name of the page's file."""

SECONDS, RATE = 8.0, 60.0
"""Default duration of the walks [s], and frames per second."""

SPEED = 1.0
"""The speed at which all animals move forward on the page [m/s]."""

SETTLED = 0.25
"""The part of a walk after which the speed is measured: animals begin at rest."""

COLUMNS, GAP = 4, 0.35
"""Animals in a row, and the space between neighbours [m]."""

MIN_TURN = 0.1
"""The least rate of turn, as a fraction of that of the kinematics, of an animal that holds its heading."""


def build_side_by_side(session: Session, folder: Path, names: tuple[str, ...], seconds: float | None) -> int:
    """Write the page; return the exit code. names: of animals, empty for all; seconds: duration of the walks.

    Raises GambolError for unknown names and impossible times.
    """
    for name in names:
        if name not in ANIMALS:
            raise GambolError(f'NAME: "{name}" is no animal that walks; {did_you_mean(name, ANIMALS)}')
    duration = SECONDS if seconds is None else seconds
    if not 1.0 / RATE <= duration < math.inf:
        raise GambolError(f"--seconds: {duration:g} is not possible; give {1.0 / RATE:.3g} or more")
    check_targets(folder, [folder / PAGE])
    walks = dict[str, tuple[State, Film]]()
    for name in names or ANIMALS:
        session.print_line(f"{name} walks")
        state = first_state(name)
        film = gambol.run(state.world, state.copied(), duration, rate=RATE)
        if was_interrupted(film):
            return exit_code()
        walks[name] = (state, film)
    write_side_by_side("Animals side by side", placed_creatures(walks), folder / PAGE)
    session.print_line(f"wrote {folder / PAGE}, {(folder / PAGE).stat().st_size / 1e6:.1f} MB")
    return DONE


def first_state(name: str) -> State:
    """Return the first state of an animal, which holds its heading if its legs can turn it."""
    world = gambol.make_world(name, hold=ANIMALS[name].yields[1] >= MIN_TURN)
    return gambol.start(world)


def placed_creatures(walks: dict[str, tuple[State, Film]]) -> dict[str, PlacedCreature]:
    """Return the creatures of the page, the lowest in the first row. walks: first states and films, by name."""
    scales = {name: SPEED / speed_of(film) for name, (_, film) in walks.items()}
    films = {name: scaled_film(film, scales[name]) for name, (_, film) in walks.items()}
    names = sorted(films, key=lambda name: float(films[name].position[0, 0, :, 2].max()))
    found = zip(names, places([films[name] for name in names]), strict=True)
    return {name: PlacedCreature(walks[name][0], scales[name], place, ANIMALS[name].summary) for name, place in found}


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
