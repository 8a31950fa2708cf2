"""gymnasium's locomotion tasks: observations, rewards and ends are those of its MuJoCo environments at equal states."""

from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import gambol
from gambol.env import VectorEnvironment
from gambol.env.locomotion import LOCOMOTION, LocomotionEnv
from gambol.errors import EvolveError

mujoco: Any = pytest.importorskip("mujoco")  # its stubs are incomplete
pytestmark = pytest.mark.filterwarnings("ignore:.*settotalmass.*")

ROUNDING = 2.0**-24  # of a number in single precision, relative
NAMES = [pytest.param(name, marks=[pytest.mark.slow] if name == "Humanoid-v5" else [], id=name) for name in LOCOMOTION]
FREE = ("Ant-v5", "Humanoid-v5")


def theirs_of(name: str) -> Any:
    return gymnasium.make(name).unwrapped


def ours_of(name: str) -> LocomotionEnv:
    return LocomotionEnv(LOCOMOTION[name], 1, lanes=1)


def random_state(env: Any, rng: np.random.Generator) -> tuple[Any, Any]:
    """A state about the first one, far enough from it that some states are healthy and others not."""
    qpos = env.init_qpos + rng.uniform(-0.6, 0.6, env.model.nq)
    if env.model.jnt_type[0] == mujoco.mjtJoint.mjJNT_FREE:
        qpos[3:7] /= np.linalg.norm(qpos[3:7])
    return qpos, rng.normal(0.0, 4.0, env.model.nv)


def set_both(ours: LocomotionEnv, theirs: Any, qpos: Any, qvel: Any, action: Any) -> None:
    ours.set_state([0], qpos[None], qvel[None])
    ours.set_last_actions(action[None])
    theirs.set_state(qpos, qvel)
    theirs.data.ctrl[:] = action
    mujoco.mj_forward(theirs.model, theirs.data)


def observed(name: str, obs: Any) -> Any:
    """Their observation with a unit quaternion, as MuJoCo has it after its first step."""
    obs = np.array(obs)
    if name in FREE:
        obs[1:5] /= np.linalg.norm(obs[1:5])
    return obs


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_gives_the_same_start(name: str) -> None:
    """Each coordinate is rounded once; quantities of bodies add some ten roundings for each of eight joints to them."""
    ours, theirs = gambol.make_env(name), gymnasium.make(name)
    for seed in (1, 2):
        obs, infos = ours.reset(seed=seed)
        wanted, their_infos = theirs.reset(seed=seed)
        wanted = observed(name, wanted)
        assert np.abs(obs - wanted).max() < 100.0 * ROUNDING * np.abs(wanted).max()
        assert infos.keys() == their_infos.keys()
        for key, value in infos.items():
            assert value == pytest.approx(their_infos[key], rel=4.0 * ROUNDING, abs=4.0 * ROUNDING)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space


@pytest.mark.parametrize("name", NAMES)
def test_observations_rewards_and_ends_are_gymnasiums_at_equal_states(name: str) -> None:
    ours, theirs, rng = ours_of(name), theirs_of(name), np.random.default_rng(1)
    healthy: list[bool] = []
    for _ in range(20):
        qpos, qvel = random_state(theirs, rng)
        action = rng.uniform(-1.0, 1.0, theirs.model.nu) * theirs.action_space.high
        set_both(ours, theirs, qpos, qvel, action)
        wanted = theirs._get_obs()
        assert np.abs(ours.observe()[0] - wanted).max() < 100.0 * ROUNDING * np.abs(wanted).max()
        speed = float(rng.normal())
        result, (reward, infos) = ours.reward(np.array([[speed, 0.0]])), theirs._get_rew(speed, action)
        assert result.reward[0] == pytest.approx(reward, abs=1e-6)
        for key, value in infos.items():
            assert result.infos[key][0] == pytest.approx(value, abs=1e-6)
        healthy.append(bool(getattr(theirs, "is_healthy", True)))
        assert bool(result.terminated[0]) is not healthy[-1]
    assert name == "HalfCheetah-v5" or len(set(healthy)) == 2


@pytest.mark.parametrize("name", ["Walker2d-v5", "Ant-v5"])
def test_a_motion_in_the_air_is_mujocos(name: str) -> None:
    """Masses, rotors, dampers and motors, against Runge-Kutta steps of MuJoCo, whose error is far smaller.

    The error of our steps is of second order, so halving them quarters it, and (4 x(h / 2) - x(h)) / 3 has an error of
    a higher order: less than half of what the steps differ by, where these are short enough for the order to show. With
    an error of first order it would be off by two thirds of that.
    """
    theirs, task, rng = theirs_of(name), LOCOMOTION[name], np.random.default_rng(3)
    theirs.reset(seed=1)
    qpos, qvel = theirs.init_qpos.copy(), rng.normal(0.0, 0.3, theirs.model.nv)
    qpos[2 if name in FREE else 1] += 1.0
    middles = theirs.model.jnt_range.mean(axis=1)
    for joint in np.flatnonzero(theirs.model.jnt_limited):
        qpos[theirs.model.jnt_qposadr[joint]] = middles[joint]
    action = rng.uniform(-0.2, 0.2, theirs.model.nu)
    ends: list[Any] = []
    for steps in (task.contact_steps, 2 * task.contact_steps):
        ours = LocomotionEnv(replace(task, contact_steps=steps), 1, lanes=1)
        ours.set_state([0], qpos[None], qvel[None])
        ours.step(action[None])
        ends.append(np.concatenate(ours.body.coordinates(ours.state), axis=1)[0])
    set_both(ours, theirs, qpos, qvel, action)
    theirs.do_simulation(action, theirs.frame_skip)
    assert theirs.data.ncon == 0
    wanted = np.concatenate([theirs.data.qpos, theirs.data.qvel])
    difference = np.abs(ends[1] - ends[0]).max()
    moved = np.abs(wanted - np.concatenate([qpos, qvel])).max()
    assert difference < 0.05 * moved  # so that the comparison means something
    assert np.abs((4.0 * ends[1] - ends[0]) / 3.0 - wanted).max() < 0.5 * difference


def test_contact_forces_of_an_ant_at_rest_balance_its_weight() -> None:
    """Force: the weight. Moment about the centre of mass: none. What is left is the momentum that still changes."""
    ours = ours_of("Ant-v5")
    ours.reset([0], [np.random.default_rng(1)])
    for _ in range(200):
        ours.step(np.zeros((1, 8)))
    figure = ours.engine.world.figure
    unclipped = LocomotionEnv(replace(ours.task, contact_force_range=(-1e9, 1e9)), 1, lanes=1)
    unclipped.state.rows[:] = ours.state.rows
    forces = unclipped.observe()[0, 27:].reshape(13, 6).sum(axis=0)
    weight = figure.mass * 9.81
    assert np.abs(ours.state.v).max() < 1e-2
    assert forces[3:] == pytest.approx([0.0, 0.0, weight], abs=0.01 * weight)
    assert forces[:3] == pytest.approx(0.0, abs=0.01 * weight * ours.engine.world.size)
    clipped = ours.observe()[0, 27:]
    cost = ours.reward(np.zeros((1, 2))).infos["reward_contact"][0]
    assert np.abs(clipped).max() <= 1.0
    assert cost == pytest.approx(-5e-4 * np.sum(clipped**2))


def test_observed_contact_forces_are_the_contacts_of_the_world() -> None:
    """By the arrays of gambol.contacts: sums over contacts of ((p - c) x f, f), of ants that fall on their legs."""
    ours = LocomotionEnv(replace(LOCOMOTION["Ant-v5"], contact_force_range=(-1e9, 1e9)), 3)
    ours.reset([0, 1, 2], [np.random.default_rng(k) for k in range(3)])
    for _ in range(12):
        ours.step(np.random.default_rng(4).uniform(-1.0, 1.0, (3, 8)))
    world, figure = ours.engine.world, ours.engine.world.figure
    touching = gambol.world.contacts(world, ours.state)
    assert set(touching.lane.tolist()) == {0, 1, 2}
    bodies = [link for link in figure.links if link.mass_properties.mass > 0.0]
    body_of = {link.index - 1: k for k, link in enumerate(bodies)}
    expected = np.zeros((3, len(bodies), 6))
    c = ours.body.observer(ours.state.rows, ours.numbers, tables=ours.engine.tables)[0][:3].T.astype(float)
    for k, lane in enumerate(touching.lane.tolist()):
        force = touching.force[k]
        wrench = np.concatenate([np.cross(touching.point[k] - c[lane], force), force])
        for link, sign in ((touching.link[k], 1.0), (touching.other[k], -1.0)):
            if link >= 0:
                expected[lane, body_of[link]] += sign * wrench
    observed_forces = ours.observe()[:, 27:].reshape(expected.shape)
    assert np.abs(observed_forces - expected).max() < 100.0 * ROUNDING * np.abs(expected).max()


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_many_hoppers_are_gymnasiums_vector_of_single_ones(mode: AutoresetMode) -> None:
    """To the last bit, with infos, over episodes that end by falling and by time."""
    ours: Any = VectorEnvironment(3, "Hopper-v5", max_episode_steps=30, autoreset_mode=mode)
    theirs: Any = SyncVectorEnv(
        [lambda: gymnasium.make("gambol/Hopper-v5", max_episode_steps=30)] * 3, autoreset_mode=mode
    )
    (obs, infos), (wanted, their_infos) = ours.reset(seed=3), theirs.reset(seed=3)
    rng, ended = np.random.default_rng(1), np.zeros(2, int)
    for _ in range(100):
        assert np.array_equal(obs, wanted)
        assert {k: v for k, v in their_infos.items() if k.startswith("final")}.keys() <= infos.keys()
        for key in ("x_position", "x_velocity", "reward_survive"):
            assert np.array_equal(infos.get(key, 0.0), their_infos.get(key, 0.0)), key
        actions = rng.uniform(-1.0, 1.0, (3, 3)).astype(np.float32)
        (obs, *rest, infos), (wanted, *their_rest, their_infos) = ours.step(actions), theirs.step(actions)
        for own, other in zip(rest, their_rest, strict=True):
            assert np.array_equal(own, other)
        ended += rest[1].any(), rest[2].any()
    assert ended.all()


@pytest.mark.slow
def test_two_humanoids_have_the_lengths_of_their_tendons_as_infos() -> None:
    ours: Any = VectorEnvironment(2, "Humanoid-v5")
    theirs: Any = SyncVectorEnv([lambda: gymnasium.make("Humanoid-v5")] * 2)
    _, infos = ours.reset(seed=3)
    _, wanted = theirs.reset(seed=3)
    for key in ("tendon_length", "tendon_velocity"):
        np.testing.assert_allclose(infos[key], wanted[key], rtol=0.0, atol=4.0 * ROUNDING)
    *_, infos = ours.step(np.zeros((2, 17), np.float32))
    assert infos["tendon_length"].shape == (2, 2)


@pytest.mark.filterwarnings("ignore:.*observation space m..imum value is")  # as gymnasium's own
@pytest.mark.parametrize("name", ["HalfCheetah-v5", "Ant-v5"])
def test_gymnasium_finds_nothing_wrong(name: str) -> None:
    check_env(gymnasium.make(f"gambol/{name}").unwrapped, skip_render_check=True)  # warnings are errors here


def test_they_are_registered_with_gymnasiums_length_of_episodes() -> None:
    for name in LOCOMOTION:
        ours, theirs = (gymnasium.spec(each) for each in (f"gambol/{name}", name))
        assert ours.max_episode_steps == theirs.max_episode_steps == 1000
    assert VectorEnvironment(2, "Hopper-v5").max_episode_steps == 1000


def test_gymnasium_makes_them_with_changed_parameters() -> None:
    one = gymnasium.make("gambol/Hopper-v5", forward_reward_weight=2.0, healthy_reward=0.0)
    many: Any = gymnasium.make_vec(
        "gambol/Hopper-v5", 2, vectorization_mode="vector_entry_point", forward_reward_weight=2.0, healthy_reward=0.0
    )
    one.reset(seed=1)
    many.reset(seed=1)
    action = np.array([0.3, -0.2, 0.1], np.float32)
    _, reward, _, _, infos = one.step(action)
    _, rewards, *_ = many.step(np.stack([action, action]))
    assert reward == rewards[0]
    assert infos["reward_forward"] == pytest.approx(2.0 * infos["x_velocity"])
    assert infos["reward_survive"] == 0.0
    with pytest.raises(EvolveError, match='"Hopper-v5" has no parameter "forward_weight"; did you mean "forward_rewar'):
        gymnasium.make("gambol/Hopper-v5", forward_weight=2.0)
    with pytest.raises(EvolveError, match='the environment of "quadruped" has no parameter "rewards"; did you mean'):
        gymnasium.make("gambol/Quadruped-v0", rewards=None)


def test_weights_can_be_changed_and_unknown_ones_are_refused() -> None:
    env = gambol.make_env("Hopper-v5", forward_reward_weight=2.0)
    env.reset(seed=1)
    *_, infos = env.step(np.zeros(3, np.float32))
    assert infos["reward_forward"] == pytest.approx(2.0 * infos["x_velocity"])
    with pytest.raises(EvolveError, match='"Ant-v5" has no parameter "ctrl_cost"; did you mean "ctrl_cost_weight"'):
        gambol.make_env("Ant-v5", ctrl_cost=1.0)
    with pytest.raises(EvolveError, match='"Ant-v5" has its own reward'):
        gambol.make_env("Ant-v5", task="stand")
    with pytest.raises(EvolveError, match="did you mean"):
        gambol.make_env("HalfCheetah-v4")
