"""What a learner is paid for, and when its creature has fallen."""

import math
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from gambol.errors import EvolveError

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]


@dataclass(frozen=True)
class Goal:
    """Walk along x: what an action pays, and below what a creature has fallen.

        reward = speed v_x - effort P / (M g) + alive

    speed: paid for the trunk's mean speed along x [s/m]; effort: taken for the motors' mean power over the weight, a
    speed too [s/m]; alive: paid while it has not fallen. upright: the least cosine between the trunk's z and straight
    up; low: the least height of the trunk, of that at which it stands. Raises EvolveError for what is not finite.
    """

    speed: float = 1.0
    effort: float = 0.1
    alive: float = 0.2
    upright: float = 0.3
    low: float = 0.4

    def __post_init__(self) -> None:
        for of in fields(self):
            if not math.isfinite(getattr(self, of.name)):
                raise EvolveError(f"{of.name} of a goal is {getattr(self, of.name)}; it must be finite")

    def rewards(self, speed: Floats, effort: Floats, fallen: Truths) -> Floats:
        """What actions pay (W,): at such mean speeds and powers over the weight [m/s]."""
        return self.speed * speed - self.effort * effort + np.where(fallen, 0.0, self.alive)

    def fallen(self, up: Floats, height: Floats) -> Truths:
        """Which creatures have fallen (W,): up: the cosine; height: of that at which they stand."""
        return (up < self.upright) | (height < self.low)


CRAWLING = Goal(upright=-2.0, low=0.0)
GOALS = {"newt": CRAWLING, "snake": CRAWLING, "eel": CRAWLING}
"""Goals of plans for which the usual one is not right: what lies on its belly cannot fall."""


def goal_of(plan: str) -> Goal:
    """The goal of a body plan where nobody says."""
    return GOALS.get(plan, Goal())
