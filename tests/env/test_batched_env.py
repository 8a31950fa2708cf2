"""Batched environments: motion depends on starts and actions alone, and observations are those of the state."""

import numpy as np
import pytest
from numpy.random import default_rng

from gambol.dynamics import STANDARD_GRAVITY, kinematics
from gambol.env import BatchedEnv
from gambol.env.batched_env import MAX_ANGULAR_VELOCITY
from gambol.env.body import CONTROL_STEP
from gambol.errors import EvolveError
from gambol.spatial import Vector

ACTIONS = default_rng(1).uniform(-1.0, 1.0, (20, 5, 8))


@pytest.fixture(scope="module")
def stepped() -> BatchedEnv:
    """Return five quadrupeds after random actions for a while."""
    batched_env = reset_env(range(5))
    for actions in ACTIONS:
        batched_env.act(actions)
    return batched_env


def reset_env(seeds: range, lanes: int | None = None) -> BatchedEnv:
    batched_env = BatchedEnv("quadruped", len(seeds), lanes=lanes)
    batched_env.reset(range(len(seeds)), [default_rng(seed) for seed in seeds])
    return batched_env


def test_a_creature_alone_moves_as_it_does_among_others_to_the_last_bit(stepped: BatchedEnv) -> None:
    alone = reset_env(range(3, 4), lanes=1)
    for actions in ACTIONS:
        alone.act(actions[3:4])
    assert np.array_equal(alone.state.rows[:, 0], stepped.state.rows[:, 3])
    assert np.array_equal(alone.observe()[0], stepped.observe()[3])


def test_a_reset_world_is_like_the_first(stepped: BatchedEnv) -> None:
    again = reset_env(range(5))
    for actions in ACTIONS[:7]:
        again.act(actions)
    again.reset([1, 2], [default_rng(1), default_rng(2)])
    for actions in ACTIONS:
        again.act(actions)
    assert np.array_equal(again.state.rows[:, 1:3], stepped.state.rows[:, 1:3])


def test_actions_are_thirty_a_second() -> None:
    assert pytest.approx(1.0 / 30.0) == CONTROL_STEP


def test_waiting_worlds_are_unchanged_to_the_last_bit() -> None:
    batched_env = reset_env(range(4))
    before = batched_env.state.rows.copy()
    speed, effort = batched_env.act(ACTIONS[0, :4], np.array([True, False, True, False]))
    assert np.array_equal(batched_env.state.rows[:, 1::2], before[:, 1::2])
    assert not speed[1::2].any()
    assert not effort[1::2].any()
    assert batched_env.state.time[::2] == pytest.approx(CONTROL_STEP, rel=1e-6)


def test_observations_are_those_of_the_state(stepped: BatchedEnv) -> None:
    """Against kinematics in double precision; observed in single precision, of some units at most."""
    figure = stepped.programs.body.world.figure
    for obs, q, v in zip(stepped.observe(), stepped.state.q.astype(float), stepped.state.v.astype(float), strict=True):
        state = kinematics(figure, q.tolist(), v.tolist())
        root = state.poses[figure.root.index]
        way = state.point_velocity(figure.root.index, Vector(0.0, 0.0, 0.0))
        own = [*(root.rotation.transpose @ way)]
        expected = [*q[7:], *v[6:], *root.rotation.rows[2], *own, q[6]]
        assert obs[: len(expected)] == pytest.approx(expected, rel=1e-5, abs=1e-5)
        assert obs[-3:] == pytest.approx(np.clip(v[:3], -MAX_ANGULAR_VELOCITY, MAX_ANGULAR_VELOCITY), rel=1e-5)


def test_a_settled_creature_observes_its_contacts() -> None:
    batched_env = reset_env(range(3))
    for _ in range(45):
        batched_env.act(np.zeros((3, 8)))
    feet = batched_env.observe()[:, -7:-3]
    assert feet.sum(axis=1).min() >= 3.0  # a body at rest needs three
    assert batched_env.up == pytest.approx(1.0, abs=0.02)
    assert batched_env.height.min() > 0.7


def test_effort_is_the_work_of_motors_over_weight_and_time() -> None:
    batched_env = reset_env(range(2))
    before = np.asarray(batched_env.state.step_state.ledger.motors, float).copy()
    _, effort = batched_env.act(ACTIONS[0, :2])
    work = np.asarray(batched_env.state.step_state.ledger.motors, float) - before
    weight = sum(link.mass_properties.mass for link in batched_env.programs.body.world.figure.links) * STANDARD_GRAVITY
    assert effort == pytest.approx(work / (weight * CONTROL_STEP), rel=1e-5)


def test_the_error_of_an_unknown_plan_names_the_nearest() -> None:
    with pytest.raises(EvolveError, match='did you mean "hexapod"'):
        BatchedEnv("hexpod", 1)
