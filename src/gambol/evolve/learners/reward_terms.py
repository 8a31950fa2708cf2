"""The reward of an action, and the conditions that terminate an episode."""

import math
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from gambol.errors import EvolveError

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class RewardTerms:
    """The reward for walking along x, and the limits beyond which an episode is terminated.

        reward = speed v_x - effort P / (M g) + alive

    speed: weight of the trunk's mean speed along x [s/m]; effort: weight of the motors' mean power over the creature's
    weight, which is a speed [s/m]; alive: added while the creature has not fallen. upright: the least cosine between
    the trunk's z and the vertical; low: the least height of the trunk, relative to its standing height. Raises
    EvolveError for values that are not finite.
    """

    speed: float = 1.0
    effort: float = 0.1
    alive: float = 0.2
    upright: float = 0.3
    low: float = 0.4

    def __post_init__(self) -> None:
        for field in fields(self):
            if not math.isfinite(getattr(self, field.name)):
                raise EvolveError(f"{field.name} of the reward terms is {getattr(self, field.name)}; it must be finite")

    def rewards(self, speed: Floats, effort: Floats, terminated: Bools) -> Floats:
        """Return the rewards (W,) of mean speeds and powers over the weight [m/s].

        terminated: creatures that have fallen (W,).
        """
        return self.speed * speed - self.effort * effort + np.where(terminated, 0.0, self.alive)

    def terminated(self, up: Floats, height: Floats) -> Bools:
        """Return True for creatures that have fallen (W,). up: the cosine; height: relative to the standing height."""
        return (up < self.upright) | (height < self.low)


CRAWLING = RewardTerms(upright=-2.0, low=0.0)
REWARD_TERMS = {"newt": CRAWLING, "snake": CRAWLING, "eel": CRAWLING}
"""The reward terms of body plans that lie on their bellies and cannot fall."""


def reward_terms_of(plan: str) -> RewardTerms:
    """Return the default reward terms of a body plan."""
    return REWARD_TERMS.get(plan, RewardTerms())
