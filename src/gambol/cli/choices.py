"""Parsers of option values: gaits, grounds and the duration of a walk."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gambol.collide import Ground, HeightGrid, Plane
from gambol.creatures import Creature
from gambol.creatures.creature_world import SETTLING_TIME
from gambol.creatures.leg_reflexes import LEG_REFLEXES
from gambol.creatures.terrain import hills_for
from gambol.errors import GambolError, WorldError, did_you_mean
from gambol.formats.heights import READERS, read_heights, read_rectangle
from gambol.gait import GroundPath

GAITS = {"tripod": 1.0, "wave": 3.0}  # speed factors; at 3 a period is six steps long, so the legs step one by one
DEFAULT_STRIDES = 10  # number of strides of a walk without --seconds
BACKWARD_SPEED = 0.6  # of the speed forward, with strokes of the same length
CONSTANT_SPEED_FRACTION = 0.2  # fraction of the walking time at each of the two speeds; the rest is the change


@dataclass(frozen=True, slots=True)
class Gait:
    """Speed factors at the start and at the end of a walk."""

    start: float
    end: float


def read_gait(text: str) -> Gait:
    """Parse a gait: "tripod", "wave", a speed factor such as "2.5", or a change of speed such as "3:1"."""
    start, colon, end = text.partition(":")
    first = _speed_factor(start, text)
    return Gait(first, _speed_factor(end, text) if colon else first)


def _speed_factor(word: str, gait: str) -> float:
    """Parse one speed factor of a gait. gait: the whole option value, for the error message."""
    word = word.strip().lower()
    if word in GAITS:
        return GAITS[word]
    try:
        factor = float(word)
    except ValueError:
        context = f' in "{gait}"' if word != gait.strip().lower() else ""
        raise GambolError(
            f'--gait: "{word}"{context} is unknown; '
            + hint(word, GAITS, 'give a speed factor, 1 or more, or a change such as "3:1"')
        ) from None
    if not 1.0 <= factor < math.inf:
        raise GambolError(f"--gait: a speed factor of {factor:g} is not possible; give 1 (the tripod, fastest) or more")
    return factor


def hint(word: str, known: Iterable[str], other: str) -> str:
    """Return the remedy in an error message about an unknown word.

    word: the unknown word. known: the known words. other: a sentence that names another kind of valid value.
    """
    suggestion = did_you_mean(word, known)
    return f"{suggestion} Or {other}" if suggestion.endswith("?") else f"{suggestion}; or {other}"


def read_reflexes(text: str) -> bool | tuple[str, ...]:
    """Parse reflexes of legs: "on", "off", or names with commas between them, such as "step,stable,elevator"."""
    word = text.strip().lower()
    if word in ("on", "off"):
        return word == "on"
    names = tuple(name.strip() for name in word.split(","))
    for name in names:
        if name not in LEG_REFLEXES:
            remedy = hint(name, ("on", "off", *LEG_REFLEXES), 'give names with commas, such as "step,stable,elevator"')
            raise GambolError(f'--reflexes: "{name}" is unknown; {remedy}')
    return names


def walk_duration(gait: Gait, creature: Creature) -> float:
    """Return the duration [s] of a walk of ten strides after settling. The speed may change during the walk."""
    tripod_period = 2.0 * creature.gait.protraction
    a, b = tripod_period * gait.start, tripod_period * gait.end  # periods at the start and at the end [s]
    ramp_frequency = 1.0 / a if a == b else math.log(b / a) / (b - a)  # mean, while the period changes linearly [1/s]
    return SETTLING_TIME + DEFAULT_STRIDES / (
        CONSTANT_SPEED_FRACTION / a
        + (1.0 - 2.0 * CONSTANT_SPEED_FRACTION) * ramp_frequency
        + CONSTANT_SPEED_FRACTION / b
    )


def ramp_times(seconds: float) -> tuple[float, float]:
    """Return the times [s] at which a change of speed begins and ends. seconds: duration of the walk [s]."""
    walking_time = max(seconds - SETTLING_TIME, 1e-3)  # more than 0, so that the times differ
    return SETTLING_TIME + CONSTANT_SPEED_FRACTION * walking_time, SETTLING_TIME + (
        1.0 - CONSTANT_SPEED_FRACTION
    ) * walking_time


def read_ground(text: str, creature: Creature, seed: int, spacing: float) -> Ground:
    """Parse a ground: "flat", "hills", or the path of a height file.

    text: value of the option. creature: creature whose size determines the size of hills. seed: seed of hills. spacing:
    spacing of the heights of a file [m].
    """
    if text == "flat":
        return Plane()
    if text == "hills":
        return hills_for(creature, seed)
    return read_ground_file(text, spacing)


def read_ground_file(text: str, spacing: float) -> HeightGrid:
    """Return the ground of a height file.

    text: value of the option, which may be misspelt. spacing: spacing of the heights [m].
    """
    if Path(text).suffix.lower() not in READERS and not Path(text).exists():
        remedy = hint(text, ("flat", "hills"), f"give a file that ends in {' or '.join(READERS)}")
        raise GambolError(f'--ground: "{text}" is unknown; {remedy}')
    return read_height_grid(text, spacing)


def read_path(file: str) -> GroundPath:
    """Return the path of a file with points x, y [m] and, in a third column, speeds relative to full speed.

    Raises GambolError for a file that cannot be read, and for points that make no path.
    """
    try:
        return GroundPath.through(read_rectangle(file, "path file", "numbers, a row x, y for each point"))
    except WorldError as error:
        raise GambolError(f'--path: "{file}": {error}') from error


def path_duration(path: GroundPath, creature: Creature, stroke: float) -> float:
    """Return 1.2 times the time that a creature needs to walk a path, after settling [s].

    stroke: length of its strokes, as a multiple of the usual length; negative for walking backward.
    """
    speed = creature.steering.speed * max(abs(stroke) * (BACKWARD_SPEED if stroke < 0.0 else 1.0), 0.1)
    return SETTLING_TIME + 1.2 * full_speed_length(path) / speed


def full_speed_length(path: GroundPath) -> float:
    """Return the length of a path that takes as long at full speed as the path at its own speeds [m]."""
    return path.length * sum(1.0 / speed for speed in path.speed) / len(path.speed)


def read_height_grid(path: str, spacing: float) -> HeightGrid:
    """Read a height file as a ground centred at the origin. spacing: distance between its heights [m]."""
    if not 0.0 < spacing < math.inf:
        raise GambolError(f"--spacing: {spacing:g} m is not possible; give more than 0")
    heights = read_heights(path)
    rows, columns = heights.shape
    return HeightGrid(heights, spacing, -spacing * (rows - 1) / 2, -spacing * (columns - 1) / 2)
