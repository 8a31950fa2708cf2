"""The rewards of learners, and termination."""

import math

import numpy as np
import pytest

from gambol.env import RewardTerms, reward_terms_of
from gambol.errors import EvolveError


def test_speed_is_rewarded_effort_costs_and_only_standing_creatures_get_the_bonus() -> None:
    reward_terms = RewardTerms(speed=2.0, effort=0.5, alive=0.1)
    rewards = reward_terms.rewards(np.array([1.0, 1.0]), np.array([0.4, 0.4]), np.array([False, True]))
    assert rewards.tolist() == pytest.approx([2.0 - 0.2 + 0.1, 2.0 - 0.2])


def test_leaning_too_far_or_lying_too_low_is_a_fall() -> None:
    reward_terms = RewardTerms(upright=0.3, low=0.4)
    up, height = np.array([1.0, 0.29, 1.0, 0.31]), np.array([1.0, 1.0, 0.39, 0.41])
    assert reward_terms.terminated(up, height).tolist() == [False, True, True, False]


def test_a_snake_cannot_fall() -> None:
    assert not reward_terms_of("snake").terminated(np.array([-1.0]), np.array([0.0]))[0]


def test_a_goal_is_finite() -> None:
    with pytest.raises(EvolveError, match="effort of the reward terms is nan"):
        RewardTerms(effort=math.nan)
