"""The gaits of the dog: patterns with a frequency, a speed, and the shape of strides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from gambol.gait.mammals import GAITS
from gambol.gait.phases import shifted_offsets
from gambol.lanes import Scalar, clamp


@dataclass(frozen=True)
class DogGait:
    """A gait of GAITS with the numbers of a dog.

    frequency: frequency of the stride [Hz]. speed: desired speed [m/s]. height: mean height of the centre of mass [m].
    clearance: clearance of a swinging paw above the ground [m]. pivot: point where the line of a leg's force crosses
    the height of the centre of mass: 1 is at the hip, 0 is at the centre of mass. width: distance between left and
    right feet, as a fraction of the distance between the hips. substeps: number of time steps in a control step: in the
    canter, 1.2 % of the motors' work is unaccounted with one time step, and 0.2 % with two.
    """

    gait: str
    frequency: float
    speed: float
    height: float = 0.45
    clearance: float = 0.08
    pivot: float = 0.7
    width: float = 0.8
    substeps: int = 1

    def numbers(self, offsets: tuple[float, ...] | None = None) -> dict[str, Any]:
        """Return its numbers, and the numbers of its gait.

        offsets: phase offsets of the previous gait; whole cycles are added to the offsets of this gait, so that they
        are as near as possible to those. None: nothing is added.
        """
        gait_offsets = GAITS[self.gait].offsets
        return {
            "offsets": list(gait_offsets) if offsets is None else shifted_offsets(offsets, gait_offsets),
            "duty": list(GAITS[self.gait].duty),
            "frequency": self.frequency,
            "speed": self.speed,
            "height": self.height,
            "clearance": self.clearance,
            "pivot": self.pivot,
            "width": self.width,
        }


DOG_GAITS = {
    gait.gait: gait
    for gait in (
        DogGait("crawl", 1.4, 0.4, clearance=0.06),
        DogGait("walk", 1.4, 1.0, clearance=0.06),
        DogGait("trot", 2.2, 2.0),
        DogGait("pace", 2.2, 1.8, width=0.4),
        DogGait("bound", 2.6, 2.0, pivot=0.7),
        DogGait("pronk", 2.2, 1.0),
        DogGait("canter", 2.3, 2.8, pivot=0.8, substeps=2),
        DogGait("gallop", 2.8, 4.0, pivot=0.8),
        DogGait("rotary-gallop", 2.8, 4.0, pivot=0.8),
    )
}
"""The numbers of the dog in each gait. Frequencies are near those of animals of its mass; all numbers are ours."""


ACCELERATION = 1.5
"""Mean acceleration from rest to a speed, and from one speed to another [m/s2]."""


def blended(numbers: Mapping[str, Any], time: Scalar) -> dict[str, Any]:
    """Return the numbers of the gait at a time [s].

    numbers: numbers of the law, with "gaits" and the "changes" between them.
    """
    first, *others = numbers["gaits"]
    blend = dict(first)
    for after, change in zip(others, numbers["changes"], strict=True):
        fractions = {name: smooth((time - start) / duration) for name, (start, duration) in change.items()}
        blend = {name: _between(x, after[name], fractions.get(name, fractions["pattern"])) for name, x in blend.items()}
    return blend


def _between(a: Any, b: Any, w: Scalar) -> Any:
    """Return a + w (b - a), of numbers or lists of numbers."""
    if isinstance(a, list):
        return [x + w * (y - x) for x, y in zip(cast("list[Any]", a), b, strict=True)]
    return a + w * (b - a)


@dataclass(frozen=True)
class Change:
    """A change from one gait to another.

    start: its time [s]. pattern: duration of the change of the gait [s]. The dog accelerates after the change of gait,
    and decelerates before it, since a walk cannot be as fast as a gallop.
    """

    start: float = 5.0
    pattern: float = 1.0

    def numbers(self, before: DogGait, after: DogGait) -> dict[str, list[float]]:
        """Return start and duration [s] of the change of the speed, and of all other numbers."""
        speeds = max(abs(after.speed - before.speed) / ACCELERATION, self.pattern)
        slower = after.speed < before.speed
        pattern = self.start + (speeds if slower else 0.0)
        speed = self.start + (0.0 if slower else self.pattern)
        return {"speed": [speed, speeds], "pattern": [pattern, self.pattern]}


def smooth(x: Scalar) -> Scalar:
    """Return a smooth step from 0 at x = 0 to 1 at x = 1."""
    s = clamp(x, 0.0, 1.0)
    return s * s * (3.0 - 2.0 * s)
