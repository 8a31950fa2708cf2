"""What the words of the command line mean: gaits, grounds and the time a walk takes."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gambol.collide import Ground, HeightGrid, Plane
from gambol.creatures import Creature
from gambol.creatures.home import SETTLING
from gambol.creatures.terrain import hills_for
from gambol.errors import GambolError, did_you_mean
from gambol.formats.heights import READERS, read_heights

GAITS = {"tripod": 1.0, "wave": 3.0}  # speed factors; at 3 a cycle is six steps long, so the legs step one by one
STRIDES = 10  # of a walk whose time is not given
HOLD = 0.2  # of a walk with two speeds: at the first speed before, and at the second after the change


@dataclass(frozen=True, slots=True)
class Gait:
    """Speed factors at the start and at the end of a walk."""

    start: float
    end: float


def read_gait(word: str) -> Gait:
    """The gait of "tripod", "wave", a speed factor such as "2.5", or a change from one to another such as "3:1"."""
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
            + cure(word, GAITS, 'give a speed factor, 1 or more, or a change such as "3:1"')
        ) from None
    if not 1.0 <= factor < math.inf:
        raise GambolError(f"--gait: a speed factor of {factor:g} is not possible; give 1 (the tripod, fastest) or more")
    return factor


def cure(word: str, known: Iterable[str], other: str) -> str:
    """The end of an error about a word that is unknown where something else than a known one may stand too."""
    cure = did_you_mean(word, known)
    return f"{cure} Or {other}" if cure.endswith("?") else f"{cure}; or {other}"


def time_of_walk(gait: Gait, creature: Creature) -> float:
    """The time of ten strides after settling [s], whether the gait changes or not."""
    cycle = 2.0 * creature.gait.protraction
    a, b = cycle * gait.start, cycle * gait.end
    changing = 1.0 / a if a == b else math.log(b / a) / (b - a)  # strides per second while the cycle grows evenly
    return SETTLING + STRIDES / (HOLD / a + (1.0 - 2.0 * HOLD) * changing + HOLD / b)


def ramp_of(seconds: float) -> tuple[float, float]:
    """When a change of gait begins and ends in a walk that lasts some time [s]."""
    walking = max(seconds - SETTLING, 1e-3)
    return SETTLING + HOLD * walking, SETTLING + (1.0 - HOLD) * walking


def read_ground(word: str, creature: Creature, seed: int, spacing: float) -> Ground:
    """The ground of "flat", "hills" or a height file, whose heights lie a spacing [m] apart around the origin."""
    if word == "flat":
        return Plane()
    if word == "hills":
        return hills_for(creature, seed)
    if Path(word).suffix.lower() not in READERS and not Path(word).exists():
        otherwise = cure(word, ("flat", "hills"), f"give a file that ends in {' or '.join(READERS)}")
        raise GambolError(f'--ground: "{word}" is unknown; {otherwise}')
    return height_file(word, spacing)


def height_file(word: str, spacing: float) -> HeightGrid:
    """The ground of a height file, whose heights lie a spacing [m] apart around the origin."""
    if not 0.0 < spacing < math.inf:
        raise GambolError(f"--spacing: {spacing:g} m is not possible; give more than 0")
    heights = read_heights(word)
    rows, columns = heights.shape
    return HeightGrid(heights, spacing, -spacing * (rows - 1) / 2, -spacing * (columns - 1) / 2)
