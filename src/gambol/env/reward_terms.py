"""The reward of an action, and the conditions that terminate an episode."""

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gambol.errors import EvolveError
from gambol.world import State

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class RewardTerms:
    """The reward for walking along x, and the limits beyond which an episode is terminated.

        reward = speed v_x - effort P / (M g) + alive

    speed: coefficient of the trunk's mean speed v_x [s/m]; effort: coefficient of the motors' mean power P over the
    creature's weight M g [s/m]; alive: added while the creature has not fallen. upright: the minimum cosine of the
    angle between the trunk's z axis and the vertical; low: the minimum height of the trunk, relative to its standing
    height. Raises EvolveError for values that are not finite.
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
        """Return the rewards (W,).

        speed: mean speeds along x [m/s]; effort: mean powers over the weight [m/s]; terminated: True for creatures that
        have fallen; each (W,).
        """
        return self.speed * speed - self.effort * effort + np.where(terminated, 0.0, self.alive)

    def terminated(self, up: Floats, height: Floats) -> Bools:
        """Return True for creatures that have fallen (W,).

        up: cosine of the angle between the trunk's z axis and the vertical; height: relative to the standing height.
        """
        return (up < self.upright) | (height < self.low)


@dataclass(frozen=True)
class ActionOutcome:
    """The data that a task's own function reads after an action, for W creatures.

    state: after it. actions (W, actuators). speed: mean speeds along x [m/s]; effort: mean powers over the weight
    [m/s]; up: cosine of the trunk's tilt; height: relative to the initial height; each (W,).
    """

    state: State
    actions: Floats
    speed: Floats
    effort: Floats
    up: Floats
    height: Floats


RewardFunction: TypeAlias = Callable[[ActionOutcome], tuple[Floats, Bools]]
"""A function that returns the rewards of an action, and True for creatures whose episode it ends; each (W,)."""

Reward: TypeAlias = RewardTerms | RewardFunction

TASK_REWARDS = {"walk": RewardTerms(), "stand": RewardTerms(speed=0.0, alive=1.0, upright=0.5, low=0.6)}
"""The reward terms of tasks, by name: walking along x, and standing where it is."""

CRAWLING = RewardTerms(upright=-2.0, low=0.0)
REWARD_TERMS = {"newt": CRAWLING, "snake": CRAWLING, "eel": CRAWLING}
"""The reward terms of body plans that lie on their bellies and cannot fall, by plan."""


def reward_terms_of(plan: object) -> RewardTerms:
    """Return the default reward terms of a body plan, or of any other body."""
    return REWARD_TERMS.get(plan, RewardTerms()) if isinstance(plan, str) else RewardTerms()
