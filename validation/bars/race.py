"""A kept controller from several starts, here and in MuJoCo."""

from dataclasses import dataclass

import numpy as np

from validation.bars.kept import Kept
from validation.bars.peer import in_gambol, in_mujoco

STEPS = (0.01, 0.005, 0.002)
"""MuJoCo's [s]: the files' own, and finer ones."""

STARTS, SPREAD = 6, 0.05  # rad
SECONDS, SINCE = 10.0, 1.0  # s
WANTED = 0.7


@dataclass(frozen=True)
class Raced:
    """Speeds along x from each start [m/s]: here, and in MuJoCo by its step [s]."""

    here: list[float]
    there: dict[float, list[float]]

    def kept(self, step: float) -> list[float]:
        """What part of its speed a body keeps in MuJoCo, from each start."""
        return [there / here for there, here in zip(self.there[step], self.here, strict=True)]


def raced(one: Kept, starts: int = STARTS, steps: tuple[float, ...] = STEPS, seconds: float = SECONDS) -> Raced:
    """A controller's races: the first from rest, the others from disturbed starts."""
    body, pattern, rng = one.of, one.pattern, np.random.default_rng(0)
    places = [body.q, *(body.disturbed(SPREAD, rng) for _ in range(starts - 1))]
    here = [in_gambol(body, pattern, q, seconds).speed(SINCE) for q in places]
    return Raced(
        here, {step: [in_mujoco(body, pattern, q, seconds, step).speed(SINCE) for q in places] for step in steps}
    )
