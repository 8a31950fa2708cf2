"""Environments of figures, creatures, files and worlds of one's own: one line each, with gymnasium's checks."""

import math
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import gambol
from gambol.actuation import Servo
from gambol.control import Drive
from gambol.control.patterns import Commanded
from gambol.dynamics.states import kinematics
from gambol.env import ActionOutcome, RewardTerms
from gambol.errors import EvolveError, GambolError
from gambol.figure import Box, Capsule, Figure, Joint, JointSpring, Link, Part
from gambol.formats import Model
from gambol.sensing import JointPosition
from gambol.sensing.noise import normal_numbers

make_env: Any = gambol.env.make_env
X, Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)


def dog() -> Figure:
    """A trunk on two legs before and two behind, each with a hip and a knee."""
    links = [Link("trunk", None, Joint("free"), (Part(Box((0.5, 0.3, 0.1)), density=300.0),))]
    for x in (-0.2, 0.2):
        for y in (-0.15, 0.15):
            name = f"{'front' if x > 0 else 'hind'} {'left' if y > 0 else 'right'}"
            segment = (Part(Capsule(0.02, 0.12), (0.0, 0.0, -0.08), density=900.0),)
            links.append(Link(f"{name} thigh", "trunk", Joint("revolute", Y, position=(x, y, -0.05)), segment))
            knee = Joint("revolute", Y, position=(0.0, 0.0, -0.16))
            links.append(Link(f"{name} shank", f"{name} thigh", knee, segment))
    return Figure("dog", tuple(links))


def cart_pole() -> Figure:
    cart = Link("cart", None, Joint("prismatic", X), (Part(Box((0.3, 0.2, 0.1)), density=200.0, colliding=False),))
    pole = Part(Capsule(0.02, 0.6), (0.0, 0.0, 0.3), density=500.0, colliding=False)
    return Figure("cart pole", (cart, Link("pole", "cart", Joint("revolute", Y), (pole,))))


@pytest.fixture(scope="module")
def env():
    return make_env(dog(), pairs=())


def test_gymnasium_finds_nothing_wrong(env):
    check_env(env, skip_render_check=True)  # warnings are errors here


def test_a_figure_of_ones_own_stands_and_is_observed(env):
    """Angles and speeds of 8 joints, up, velocity, height, no corners as feet, angular velocity."""
    obs, _ = env.reset(seed=3)
    q = env.batched_env.state.q[0].astype(float)
    np.testing.assert_allclose(obs[:8], q[7:], atol=1e-6)
    assert obs.shape == (8 + 8 + 3 + 3 + 1 + 3,)
    info: Any = None
    for _ in range(30):
        obs, reward, terminated, truncated, info = env.step(np.zeros(8, np.float32))
        assert not terminated
        assert not truncated
        assert np.isfinite(reward)
    # the servos hold the legs, as strong as half the weight at each joint
    assert env.batched_env.height[0] == pytest.approx(1.0, abs=0.1)
    assert env.batched_env.up[0] == pytest.approx(1.0, abs=0.02)
    assert set(info) == {"speed", "effort"}


def test_a_reset_is_just_above_the_ground(env):
    env.reset(seed=5)
    world, q = env.batched_env.programs.body.world, env.batched_env.state.q[0].astype(float)
    height = float(env.batched_env.programs.body.q[6])
    assert gambol.world.depth_of(world, q.tolist()) == pytest.approx(-0.01 * height, abs=1e-6)


def test_actions_reach_their_targets(env):
    """A knee's servo, with its feet off the ground: the target is the end of its range."""
    env.reset(seed=1)
    env.batched_env.state.q[0, 6] += 1e3  # it falls for a while
    action = np.zeros(8, np.float32)
    action[1] = 0.5
    for _ in range(20):
        env.step(action)
    lower, upper = -1.0, 1.0
    assert env.batched_env.state.q[0, 8] == pytest.approx(0.25 * (upper - lower), abs=0.02)


def test_many_equal_single_ones(env):
    many = make_env(dog(), 3, pairs=())
    obs, _ = many.reset(seed=7)
    actions = np.random.default_rng(1).uniform(-1.0, 1.0, (10, 3, 8)).astype(np.float32)
    all_obs = [obs] + [many.step(a)[0] for a in actions]
    one, _ = env.reset(seed=8)
    ones = [one] + [env.step(a[1])[0] for a in actions]
    np.testing.assert_array_equal(np.array(all_obs)[:, 1], np.array(ones))


def test_a_task_of_ones_own_rewards_and_ends():
    def crouch(outcome: ActionOutcome):
        return 1.0 - outcome.height, outcome.height < 0.9

    env = make_env(dog(), pairs=(), task=crouch)
    env.reset(seed=1)
    reward, terminated = 0.0, False
    for _ in range(60):
        _, reward, terminated, _, _ = env.step(np.tile((0.9, -0.9), 4).astype(np.float32))
        assert reward == pytest.approx(1.0 - env.batched_env.height[0])
        if terminated:
            break
    assert terminated
    assert reward > 0.1


def test_a_task_that_returns_nothing_is_refused():
    env = make_env(cart_pole(), task=lambda outcome: None)
    env.reset(seed=1)
    with pytest.raises(EvolveError, match="must return two arrays, rewards and terminated, not None"):
        env.step(np.zeros(2, np.float32))


def test_tasks_by_name():
    env = make_env(dog(), pairs=(), task="stand")
    env.reset(seed=1)
    _, reward, *_, info = env.step(np.zeros(8, np.float32))
    assert reward == pytest.approx(1.0 - 0.1 * info["effort"], rel=1e-6)
    assert make_env(dog(), pairs=(), reward_terms=RewardTerms(alive=3.0)).batched_env.reward_terms.alive == 3.0
    with pytest.raises(EvolveError, match='did you mean "stand"'):
        make_env(dog(), pairs=(), task="stnd")


def test_a_fixed_base_has_joints_only():
    env = make_env(cart_pole(), actuators={"cart": Servo(-1.0, 1.0, 500.0, 50.0)}, task="stand")
    obs, _ = env.reset(seed=2)
    assert obs.shape == (2,)
    obs, _, terminated, _, _ = env.step(np.array([0.5], np.float32))
    assert not terminated
    check_env(env, skip_render_check=True)


def test_sensors_of_the_world_are_observed_last():
    """Each episode has noise of its own, which follows from its seed and is that of the control step."""
    sensors = {"pole": JointPosition("pole"), "noisy": JointPosition("pole", noise=0.5)}
    options = {"actuators": {"cart": Servo(-1.0, 1.0, 500.0, 50.0)}, "task": "stand", "sensors": sensors}
    env = make_env(cart_pole(), 2, **options)
    obs, _ = env.reset(seed=2)
    first = obs
    assert obs.shape == (2, 4)
    numbers = np.array(env.batched_env.state.step_state.memory.sensors.world, float)
    assert numbers[0] != numbers[1]
    for step in range(2):
        noise = normal_numbers(1, "noisy", 0.0, numbers, float(step))[0]
        np.testing.assert_allclose(obs[:, 3] - obs[:, 2], 0.5 * noise, atol=1e-5)
        obs, *_ = env.step(np.zeros((2, 1), np.float32))
    np.testing.assert_array_equal(env.reset(seed=2)[0], first)
    assert (env.reset(seed=3)[0][:, 3] != first[:, 3]).all()
    check_env(make_env(cart_pole(), **options), skip_render_check=True)


def test_limits_of_joints_are_ranges_of_servos():
    springs = {"pole": JointSpring(lower=-0.4, upper=0.3), "cart": JointSpring(lower=-2.0)}
    actuators = make_env(Model(cart_pole(), springs)).batched_env.engine.world.actuators
    assert (actuators["pole"].lower, actuators["pole"].upper) == (-0.4, 0.3)
    assert actuators["cart"].lower == -2.0
    # W L / 2 of the pole's centre of mass, since nothing of it collides
    weight = cart_pole().mass * 9.81
    assert actuators["pole"].strength == pytest.approx(0.5 * weight * 0.3, rel=1e-6)
    # critical: d^2 = 4 k I, with I of the pole about its joint
    body = kinematics(cart_pole(), [0.0, 0.0])
    pole = cart_pole().link("pole").mass_properties
    inertia = pole.inertia_about((0.0, 0.0, 0.0))[1][1]
    assert body.link_names == ("cart", "pole")
    assert actuators["pole"].damping == pytest.approx(2.0 * math.sqrt(actuators["pole"].stiffness * inertia))


MJCF = """<mujoco><worldbody><geom type="plane" size="5 5 1"/>
<body pos="0 0 0.5"><freejoint/><geom type="box" size="0.2 0.1 0.05"/>
<body pos="0.1 0 0"><joint name="hip" axis="0 1 0" range="-40 60"/>
<geom type="capsule" size="0.02" fromto="0 0 0 0 0 -0.3"/></body>
<body pos="-0.1 0 0"><joint name="tail" axis="0 1 0"/>
<geom type="capsule" size="0.02" fromto="0 0 0 0 0 -0.3"/></body></body></worldbody>
<actuator><motor joint="hip" gear="15" ctrllimited="true" ctrlrange="-0.4 0.4"/></actuator></mujoco>"""


def test_a_file_has_its_motors(tmp_path):
    path = tmp_path / "two.xml"
    path.write_text(MJCF)
    env = make_env(str(path))
    (actuator,) = env.batched_env.engine.world.actuators.values()
    assert actuator.strength == pytest.approx(15 * 0.4)
    assert (actuator.lower, actuator.upper) == pytest.approx((math.radians(-40), math.radians(60)))
    env.reset(seed=1)
    assert np.isfinite(env.step(np.zeros(1, np.float32))[0]).all()


def test_a_world_is_taken_as_it_is():
    drive = Drive(Commanded(1), {"cart": Servo(-0.5, 0.5, 80.0, 2.0, 20.0)})
    world = gambol.make_world(cart_pole(), controller=drive, contact="stepping")
    env = make_env(world)
    assert env.batched_env.control_step == world.timing.control_step
    assert env.metadata["render_fps"] == 240
    env.reset(seed=1)
    assert np.isfinite(env.step(np.ones(1, np.float32))[1])
    with pytest.raises(EvolveError, match="takes actions"):
        make_env(gambol.make_world(cart_pole()))
    with pytest.raises(EvolveError, match='no option "ground"'):
        make_env(world, ground=None)


def test_what_cannot_act_is_refused():
    ball = Figure("ball", (Link("ball", None, Joint("free"), (Part(Box((0.1, 0.1, 0.1)), density=1e3),)),))
    with pytest.raises(EvolveError, match='"ball" has no joint'):
        make_env(ball)
    with pytest.raises(EvolveError, match="of its own"):
        make_env("quadruped", contact="penalty")
    with pytest.raises(GambolError, match="no option"):
        make_env(dog(), contacts="penalty")


def test_a_wrapper_truncates_it(env):
    limited = gymnasium.wrappers.TimeLimit(env, 2)
    limited.reset(seed=1)
    assert not limited.step(np.zeros(8, np.float32))[3]
    assert limited.step(np.zeros(8, np.float32))[3]
