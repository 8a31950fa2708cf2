"""The reward of an action, and the conditions that terminate an episode."""

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from gambol.errors import EvolveError
from gambol.world import State

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class RewardTerms:
    """The reward for walking along x, and the limits of an episode.

        reward = speed v_x - effort P / (M g) + alive

    speed: coefficient of the trunk's mean speed v_x [s/m]; effort: coefficient of the motors' mean power P divided by
    the creature's weight M g [s/m]; alive: added while the creature has not fallen. upright: the minimum cosine of the
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

        speed: mean speeds along x [m/s]; effort: mean powers divided by the weight [m/s]; terminated: True for
        creatures that have fallen; each (W,).
        """
        return self.speed * speed - self.effort * effort + np.where(terminated, 0.0, self.alive)

    def terminated(self, up: Floats, height: Floats) -> Bools:
        """Return True for creatures that have fallen (W,).

        up: cosine of the angle between the trunk's z axis and the vertical; height: height of the trunk, relative to
        its standing height.
        """
        return (up < self.upright) | (height < self.low)


@dataclass(frozen=True)
class ActionOutcome:
    """The data for a user's task function after an action, for W creatures.

    state: state after the action. actions (W, actuators). speed: mean speeds along x [m/s]; effort: mean powers of the
    motors divided by the weight [m/s]; up: cosine of the trunk's tilt; height: height of the trunk, relative to its
    initial height; each (W,).
    """

    state: State
    actions: Floats
    speed: Floats
    effort: Floats
    up: Floats
    height: Floats


RewardFunction: TypeAlias = Callable[[ActionOutcome], tuple[Floats, Bools]]
"""A function that returns the rewards of an action, and True for creatures whose episode is terminated; each (W,)."""

Reward: TypeAlias = RewardTerms | RewardFunction

TASK_REWARDS = {"walk": RewardTerms(), "stand": RewardTerms(speed=0.0, alive=1.0, upright=0.5, low=0.6)}
"""The reward terms of tasks, by name: walking along x, and standing."""

CRAWLING = RewardTerms(upright=-2.0, low=0.0)
REWARD_TERMS = {"newt": CRAWLING, "snake": CRAWLING, "eel": CRAWLING}
"""The reward terms of body plans that lie on the belly and cannot fall, by plan."""


def reward_terms_of(plan: object) -> RewardTerms:
    """Return the default reward terms of a body plan, or of any other body."""
    return REWARD_TERMS.get(plan, RewardTerms()) if isinstance(plan, str) else RewardTerms()


def rewards_of(reward: Reward, outcome: ActionOutcome, frozen: Bools) -> tuple[Floats, Bools]:
    """Return the rewards of an action and True for creatures whose episode has ended; each (W,).

    frozen: True for creatures whose motion is no longer finite (W,), whose episodes end. Raises EvolveError for a
    function that returns arrays of other shapes.
    """
    if isinstance(reward, RewardTerms):
        terminated = reward.terminated(outcome.up, outcome.height) | frozen
        return reward.rewards(outcome.speed, outcome.effort, terminated), terminated
    returned = cast("tuple[Any, ...] | None", reward(outcome))
    if not isinstance(returned, tuple) or len(returned) != 2:
        name = getattr(reward, "__name__", type(reward).__name__)
        raise EvolveError(f"the task {name} must return two arrays, rewards and terminated, not {returned!r:.80}")
    rewards, ended = (np.asarray(values) for values in returned)
    if rewards.shape != frozen.shape or ended.shape != frozen.shape:
        raise EvolveError(
            f"the task returned arrays of shapes {rewards.shape} and {ended.shape}; rewards and terminated must both "
            f"have {frozen.shape}"
        )
    return np.where(np.isfinite(rewards), rewards, 0.0), ended.astype(np.bool_) | frozen
