"""Directions of creatures that follow commands: their options of the command line as options of their worlds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gambol.cli.choices import full_speed_length, read_path
from gambol.cli.walk.creature_request import CreatureRequest
from gambol.creatures.directed import directed_creature, directed_entry
from gambol.creatures.entry import CreatureEntry
from gambol.creatures.table import CREATURES, creature_entry
from gambol.errors import GambolError, did_you_mean
from gambol.gait import Directed, GroundPath
from gambol.world import World

PATH_TIME_FACTOR = 1.2
"""Factor of the time that a path needs: creatures begin slowly, and are slower in bends."""


STOPPING_TIME = 2.0
"""Time for a creature to brake before the end of a path, and to stand there [s]."""


def directed_row(word: str) -> CreatureEntry:
    """Return the entry of a creature that follows commands.

    word: its name, a genotype file, or its address in an archive. Raises GambolError for a creature that cannot be
    directed, and as creature_entry() and read_creature() do.
    """
    from gambol.cli.figures.creatures import is_creature, read_creature  # imports databases
    from gambol.evolve.genotype import of_json

    if not is_creature(Path(word)) and Path(word).suffix.lower() != ".toml":
        return _with_commands(creature_entry(word))
    found = read_creature(Path(word))
    creature = directed_creature(of_json(found.genotype), found.settings, found.name)
    return directed_entry(creature, f"an evolved creature of {word}")


def _with_commands(entry: CreatureEntry) -> CreatureEntry:
    """Return the row. Raises GambolError for a creature that follows no commands."""
    if "turn" not in entry.options:
        names = [name for name, row in CREATURES.items() if "turn" in row.options]
        reason = f", because {entry.lacks['turn']}" if "turn" in entry.lacks else ""
        raise GambolError(f"the {entry.name} cannot be directed{reason}; creatures that can are {', '.join(names)}")
    return entry


def read_speeds(text: str) -> tuple[float, ...]:
    """Return the speeds of a text such as "0.5,1.0" [m/s]. Raises GambolError for another text."""
    try:
        speeds = tuple(float(word) for word in text.split(","))
    except ValueError:
        speeds = (math.nan,)
    if not all(map(math.isfinite, speeds)):
        raise GambolError(f'--speed: "{text}" is not possible; give a speed in m/s, or several with commas: 0.5,1.0')
    return speeds


def read_styles(words: tuple[str, ...]) -> dict[str, float]:
    """Return the amounts of styles of words such as "tired" or "tired=0.5". Raises GambolError for other words."""
    from gambol.evolve.genotype.walking.styles import STYLES

    amounts: dict[str, float] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if name not in STYLES:
            raise GambolError(f'--style: there is no style "{name}"; {did_you_mean(name, STYLES)}')
        try:
            amounts[name] = float(text) if equals else 1.0
        except ValueError as error:
            raise GambolError(f'--style: "{word}" is not possible; give a name, or {name}=0.5 for half') from error
    return amounts


def directed_options(request: CreatureRequest, entry: CreatureEntry) -> dict[str, Any]:
    """Return the arguments of a creature's world by which a request directs it.

    entry: the creature. Raises GambolError for impossible values.
    """
    given: dict[str, Any] = {"variation": request.variation, "hold": request.hold}
    if request.turn is not None:
        given["turn"] = math.radians(request.turn)
    if request.style:
        given["style"] = read_styles(request.style)
    if request.path is not None:
        given["path"] = read_path(request.path)
    if request.crab is not None:
        given["sideways"] = 0.01 * request.crab
    if request.speeds:
        given["speed"] = sum(request.speeds) / len(request.speeds)
    if len(request.speeds) > 1 and not entry.timed_speed:
        raise GambolError(f"--speed: the {entry.name} has one speed; give one")
    return {name: value for name, value in given.items() if value is not None}


def commanded_speed(request: CreatureRequest, entry: CreatureEntry) -> float | None:
    """Return the speed of a walk, below 0 backward [m/s]; None: the default of the creature.

    A creature that only walks sideways has the speed 0. Raises GambolError if it cannot walk backward.
    """
    speed = request.speed if request.crab is None or request.speed is not None else 0.0
    if not request.backward:
        return speed
    if not entry.backward_speed:
        reason = f", because {entry.lacks['backward']}" if "backward" in entry.lacks else ""
        raise GambolError(f"--backward: the {entry.name} does not walk backward{reason}; leave it out")
    return -entry.backward_speed if request.speed is None else -request.speed


def path_seconds(entry: CreatureEntry, world: World, path: GroundPath) -> float:
    """Return the time in which a creature follows a path and stops [s]."""
    assert entry.course_speed is not None
    return STOPPING_TIME + PATH_TIME_FACTOR * full_speed_length(path) / entry.course_speed(world)


def timed_options(request: CreatureRequest, entry: CreatureEntry, seconds: float) -> dict[str, Any]:
    """Return the options of a walk that change in time: several speeds, and the gaits of a word "walk:trot:walk".

    Speeds are at equal intervals, gaits have equal parts of the walk. seconds: its duration [s].
    """
    given = dict[str, Any]()
    if len(request.speeds) > 1:
        given["speed"] = tuple((seconds * k / (len(request.speeds) - 1), x) for k, x in enumerate(request.speeds))
    if entry.timed_gait and request.gait and ":" in request.gait:
        gaits = request.gait.split(":")
        given["gait"] = tuple((seconds * k / len(gaits), gait) for k, gait in enumerate(gaits))
    return given


def with_gait_as_input(world: World, entry: CreatureEntry, options: Mapping[str, Any]) -> World:
    """Return the world of a creature with several gaits, with the gait as an input of its program.

    Until it changes, the motion is the same except for rounding. world: the world with the options. Worlds of creatures
    that follow a path, or have several gaits or speeds, are returned unchanged.
    """
    pattern = _pattern_of(world)
    if pattern.next_gait or pattern.following or (isinstance(pattern.speed, tuple) and len(pattern.speed) > 1):
        return world
    first, after = entry.gaits
    walks = pattern.responses == _pattern_of(entry.world(gait=first)).responses
    return entry.world(**{**options, "gait": ((0.0, first if walks else after),)})


def _pattern_of(world: World) -> Directed:
    """Return the pattern of a directed creature."""
    pattern = getattr(world.controller, "pattern", None)
    assert isinstance(pattern, Directed)
    return pattern
