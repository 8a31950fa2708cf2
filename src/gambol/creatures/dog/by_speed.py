"""The gait of each speed: the dog walks, trots and gallops at the Froude numbers v^2 / (g h) of animals.

    walk to trot      0.5, back at 0.35       0.35 to 0.5 in horses, dogs and people [Griffin and others 2004]
    trot to gallop    2.5, back at 2.0        2 to 3 in quadrupeds [Alexander and Jayes 1983]
    frequency         f (v / v_gait)^0.4      stride length / h = 2.3 Fr^0.3 grows as v^0.6 [Alexander 1976]

So the gait has a memory: between the two Froude numbers of a change it is that in which the dog came.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from gambol.creatures.dog.dog_gait import ACCELERATION, DOG_GAITS, DogGait
from gambol.dynamics import STANDARD_GRAVITY
from gambol.errors import WorldError

HIP = 0.48
"""Height of the hips [m]."""

GAITS_BY_SPEED = ("walk", "trot", "gallop")
FASTER, SLOWER = (0.5, 2.5), (0.35, 2.0)
"""The Froude numbers at which the dog changes to the next gait, and back."""

FREQUENCY_EXPONENT = 0.4

SLOWEST, FASTEST = 0.6, 4.5
"""The range of speeds [m/s]. Below, paws bounce in a walk."""

PATTERN = 1.0
"""Duration of a change of gait [s], as of Change."""


@dataclass(frozen=True)
class SpeedChange:
    """A change to another speed, and maybe to another gait. speed, pattern: start and duration of each [s]."""

    speed: tuple[float, float]
    pattern: tuple[float, float]

    def numbers(self, before: DogGait, after: DogGait) -> dict[str, list[float]]:
        """Return start and duration [s] of the change of the speed, and of all other numbers."""
        return {"speed": list(self.speed), "pattern": list(self.pattern)}


def speed_at(froude: float) -> float:
    """Return the speed of a Froude number [m/s]."""
    return math.sqrt(froude * STANDARD_GRAVITY * HIP)


def gait_at(number: int, speed: float) -> DogGait:
    """Return a gait at a speed [m/s]. number: its index in GAITS_BY_SPEED."""
    gait = DOG_GAITS[GAITS_BY_SPEED[number]]
    return replace(gait, speed=speed, frequency=gait.frequency * (speed / gait.speed) ** FREQUENCY_EXPONENT)


def gaits_by_speed(speeds: Sequence[tuple[float, float]]) -> tuple[tuple[DogGait, ...], tuple[SpeedChange, ...]]:
    """Return the gaits of a motion, and the changes between them.

    speeds: pairs of time [s] and speed [m/s], between which the speed changes smoothly. Raises WorldError for speeds
    out of range, times that do not rise, and accelerations that the dog does not have.
    """
    _check(speeds)
    (_, first), *_ = speeds
    number = sum(first > speed_at(froude) for froude in FASTER)
    gaits, changes = [gait_at(number, first)], list[SpeedChange]()
    for (begin, slow), (end, fast) in pairwise(speeds):
        a, v = begin, slow
        for after, crossing in _crossings(number, slow, fast):
            b = begin + (end - begin) * (crossing - slow) / (fast - slow)
            gaits += [gait_at(number, crossing), gait_at(after, crossing)]
            changes += [SpeedChange((a, b - a), (a, b - a)), SpeedChange((b, PATTERN), (b - 0.5 * PATTERN, PATTERN))]
            number, a, v = after, b, crossing
        if v != fast:
            gaits.append(gait_at(number, fast))
            changes.append(SpeedChange((a, end - a), (a, end - a)))
    return tuple(gaits), tuple(changes)


def _crossings(number: int, before: float, after: float) -> Iterator[tuple[int, float]]:
    """Yield the gaits after gait `number` between two speeds [m/s], as indices, and the speeds of the changes."""
    if after > before:
        for k in range(number, len(FASTER)):
            if speed_at(FASTER[k]) < after:
                yield k + 1, max(speed_at(FASTER[k]), before)
    else:
        for k in range(number - 1, -1, -1):
            if speed_at(SLOWER[k]) > after:
                yield k, min(speed_at(SLOWER[k]), before)


def _check(speeds: Sequence[tuple[float, float]]) -> None:
    for _, speed in speeds:
        if not SLOWEST <= speed <= FASTEST:
            raise WorldError(
                f"the dog cannot move at {speed:g} m/s with its gait by speed; give {SLOWEST} to {FASTEST}"
            )
    for (begin, slow), (end, fast) in pairwise(speeds):
        if not 0.0 <= begin < end:
            raise WorldError(f"a speed at {end:g} s follows one at {begin:g} s; give times of 0 or more that rise")
        if abs(fast - slow) > ACCELERATION * (end - begin) * (1.0 + 1e-9):
            least = abs(fast - slow) / ACCELERATION
            raise WorldError(
                f"the dog cannot change from {slow:g} to {fast:g} m/s in {end - begin:.3g} s; give {least:.3g} or more"
            )
