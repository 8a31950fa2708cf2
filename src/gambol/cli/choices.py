"""Parsers of option values: gaits, grounds and the duration of a walk."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gambol.collide import Ground, HeightGrid, Plane
from gambol.creatures import Creature
from gambol.creatures.creature_world import SETTLING_TIME
from gambol.creatures.terrain import hills_for
from gambol.errors import GambolError, did_you_mean
from gambol.formats.heights import READERS, read_heights

GAITS = {"tripod": 1.0, "wave": 3.0}  # speed factors; at 3 a cycle is six steps long, so the legs step one by one
STRIDES = 10  # of a walk without --seconds
CONSTANT_SHARE = 0.2  # share of a walk with two speeds that is walked at the first speed, and again at the second


@dataclass(frozen=True, slots=True)
class Gait:
    """Speed factors at the start and at the end of a walk."""

    start: float
    end: float


def read_gait(word: str) -> Gait:
    """Parse a gait: "tripod", "wave", a speed factor such as "2.5", or a change between two such as "3:1"."""
    start, colon, end = word.partition(":")
    first = _factor(start, word)
    return Gait(first, _factor(end, word) if colon else first)


def _factor(word: str, whole: str) -> float:
    word = word.strip().lower()
    if word in GAITS:
        return GAITS[word]
    try:
        factor = float(word)
    except ValueError:
        where = f' in "{whole}"' if word != whole.strip().lower() else ""
        raise GambolError(
            f'--gait: "{word}"{where} is unknown; '
            + hint(word, GAITS, 'give a speed factor, 1 or more, or a change such as "3:1"')
        ) from None
    if not 1.0 <= factor < math.inf:
        raise GambolError(f"--gait: a speed factor of {factor:g} is not possible; give 1 (the tripod, fastest) or more")
    return factor


def hint(word: str, known: Iterable[str], other: str) -> str:
    """Return the end of an error message about an unknown word: a suggestion, or another kind of value (other)."""
    hint = did_you_mean(word, known)
    return f"{hint} Or {other}" if hint.endswith("?") else f"{hint}; or {other}"


def walk_duration(gait: Gait, creature: Creature) -> float:
    """Return the duration of ten strides after settling [s]; the gait may change on the way."""
    cycle = 2.0 * creature.gait.protraction
    a, b = cycle * gait.start, cycle * gait.end
    changing = 1.0 / a if a == b else math.log(b / a) / (b - a)  # strides per second while the cycle grows evenly
    return SETTLING_TIME + STRIDES / (CONSTANT_SHARE / a + (1.0 - 2.0 * CONSTANT_SHARE) * changing + CONSTANT_SHARE / b)


def ramp_times(seconds: float) -> tuple[float, float]:
    """Return the times at which a change of gait begins and ends in a walk of this duration [s]."""
    walking = max(seconds - SETTLING_TIME, 1e-3)
    return SETTLING_TIME + CONSTANT_SHARE * walking, SETTLING_TIME + (1.0 - CONSTANT_SHARE) * walking


def read_ground(word: str, creature: Creature, seed: int, spacing: float) -> Ground:
    """Parse a ground: "flat", "hills", or a height file with this grid spacing [m], centred at the origin."""
    if word == "flat":
        return Plane()
    if word == "hills":
        return hills_for(creature, seed)
    if Path(word).suffix.lower() not in READERS and not Path(word).exists():
        otherwise = hint(word, ("flat", "hills"), f"give a file that ends in {' or '.join(READERS)}")
        raise GambolError(f'--ground: "{word}" is unknown; {otherwise}')
    return height_file(word, spacing)


def height_file(word: str, spacing: float) -> HeightGrid:
    """Read the ground of a height file; the grid has this spacing [m] and is centred at the origin."""
    if not 0.0 < spacing < math.inf:
        raise GambolError(f"--spacing: {spacing:g} m is not possible; give more than 0")
    heights = read_heights(word)
    rows, columns = heights.shape
    return HeightGrid(heights, spacing, -spacing * (rows - 1) / 2, -spacing * (columns - 1) / 2)
