"""The command `gambol together`: several creatures in one world, and the results of each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table
from rich.text import Text

from gambol.cli import report
from gambol.cli.film_files import model_of_world
from gambol.cli.output import Output
from gambol.cli.pages import SEVERAL_CREATURES, first_state
from gambol.cli.session import DONE, Session
from gambol.cli.targets import Targets
from gambol.cli.walk.creature import FILM_RATE
from gambol.cli.walk.directions import directed_row
from gambol.creatures.entry import CreatureEntry
from gambol.creatures.placing import Place
from gambol.creatures.together import together
from gambol.errors import GambolError
from gambol.figure.forest import members_by_name
from gambol.formats.heights import read_rectangle
from gambol.world import Film, World, run, start, was_interrupted

MAX_CREATURES = 12
"""Limit of the number of creatures: the program of 12 hounds takes half a minute to compile."""

PATH_INTERVAL = 1.0
"""Duration of a straight piece of a path [s]: longer than a stride, so that a swaying trunk adds nothing."""


@dataclass(frozen=True)
class TogetherRequest:
    """The options of the command line.

    creatures: words CREATURE or CREATURE:BEHAVIOUR. count: how often each. places: a file, or None. seconds [s].
    """

    creatures: tuple[str, ...]
    count: int = 1
    places: str | None = None
    seconds: float = 8.0


@dataclass(frozen=True)
class CreatureResult:
    """The result of a run for one creature.

    x_m, y_m: final position of its trunk [m]. path_length_m: length of its path, in straight pieces of PATH_INTERVAL
    [m]. nearest_m: least distance to the trunk of another [m], None for a creature alone. fell: True if its trunk was
    below the height of a fall.
    """

    name: str
    behaviour: str
    x_m: float
    y_m: float
    path_length_m: float
    nearest_m: float | None
    fell: bool


def run_together(request: TogetherRequest, output: Output, session: Session) -> int:
    """Simulate several creatures, print and write the results; return the exit code.

    Raises GambolError before any work.
    """
    targets = Targets.of(output, "together", 1)
    targets.check()
    rows, behaviours = _rows(request)
    worlds = [row.world() for row in rows]
    names = list(members_by_name([world.figure for world in worlds]))
    acting = {name: behaviour for name, behaviour in zip(names, behaviours, strict=True) if behaviour}
    world = together(dict(zip(names, worlds, strict=True)), _places(request, names), behaviours=acting)
    state = start(world)
    simulation = first_state(state, limits=SEVERAL_CREATURES)
    control_step = world.timing.control_step
    rate = 1.0 / (max(1, round(1.0 / (FILM_RATE * control_step))) * control_step)
    advance = partial(run, world, state, request.seconds, rate=rate, coordinates=True)
    film = session.with_progress(lambda progress: advance(progress=progress))
    results = creature_results(film, world, dict(zip(names, rows, strict=True)), acting)
    film = replace(film, name=f"{' and '.join(names)}: {film.duration:.2f} s")
    session.console.print(Text(film.name, style="bold"), soft_wrap=True)
    session.console.print(_table(results))
    facts = {"duration_s": film.duration, "interrupted": was_interrupted(film), "asked": asdict(request)}
    session.write_files(
        film, {"creatures": [asdict(result) for result in results], **facts}, targets, simulation, model_of_world(world)
    )
    return DONE


def _rows(request: TogetherRequest) -> tuple[list[CreatureEntry], list[str]]:
    """Return the row and the behaviour of each creature; "" for no behaviour."""
    if not 0.0 < request.seconds < math.inf:
        raise GambolError(f"--seconds: {request.seconds:g} is not possible; give more than 0")
    number = len(request.creatures) * request.count
    if not 1 <= number <= MAX_CREATURES:
        raise GambolError(f"{number} creatures are not possible; give 1 to {MAX_CREATURES}")
    words = [word for word in request.creatures for _ in range(request.count)]
    parts = [word.rpartition(":") if word.count(":") in (1, 4) else (word, "", "") for word in words]
    found = {creature: directed_row(creature) for creature in dict.fromkeys(creature for creature, _, _ in parts)}
    return [found[creature] for creature, _, _ in parts], [behaviour for _, _, behaviour in parts]


def _places(request: TogetherRequest, names: Sequence[str]) -> dict[str, Place]:
    """Return the places of a file: a row x, y [m] and perhaps heading [degrees] for each creature in order."""
    if request.places is None:
        return {}
    numbers = read_rectangle(request.places, "file of places", "numbers, a row x, y or x, y, heading for each creature")
    if len(numbers) != len(names) or numbers.shape[1] not in (2, 3):
        raise GambolError(
            f"--places: {request.places} needs {len(names)} rows of x, y and perhaps heading in degrees, "
            f"one for each of {', '.join(names)}"
        )
    return {name: Place(x, y, math.radians(sum(h))) for name, (x, y, *h) in zip(names, numbers.tolist(), strict=True)}


def creature_results(
    film: Film, world: World, rows: Mapping[str, CreatureEntry], behaviours: Mapping[str, Any]
) -> list[CreatureResult]:
    """Return the results of all creatures. rows, behaviours: by the names of the creatures."""
    q = film.signals["q"][:, 0]
    tracks: NDArray[np.float64] = np.array([q[:, root.q.start + 4 : root.q.start + 7] for root in world.figure.roots])
    frames = np.searchsorted(film.time, [*np.arange(0.0, film.duration, PATH_INTERVAL), film.time[-1]])
    results: list[CreatureResult] = []
    for k, (name, row) in enumerate(rows.items()):
        own, others = tracks[k], np.delete(tracks, k, axis=0)
        distances = np.linalg.norm(others[..., :2] - own[..., :2], axis=-1)
        path_length = float(np.linalg.norm(np.diff(own[frames, :2], axis=0), axis=1).sum())
        nearest = float(distances.min()) if len(others) else None
        fell = bool((own[:, 2] < row.fall_height).any())
        x, y, _ = map(float, own[-1])
        results.append(CreatureResult(name, str(behaviours.get(name, "")), x, y, path_length, nearest, fell))
    return results


def _table(results: Sequence[CreatureResult]) -> Table:
    """Return a table of the results of all creatures."""
    table = Table(box=None, pad_edge=False)
    for column in ("creature", "behaviour", "x m", "y m", "path m", "nearest other m", "fell"):
        table.add_column(column, justify="left" if column in ("creature", "behaviour") else "right")
    for result in results:
        lengths = (result.x_m, result.y_m, result.path_length_m, result.nearest_m)
        numbers = ["-" if x is None else report.number(x, 2) for x in lengths]
        table.add_row(result.name, result.behaviour, *numbers, "yes" if result.fell else "no")
    return table
