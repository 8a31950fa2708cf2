"""Torque motors in worlds: held torques have closed forms, and move a chain as MuJoCo's motors do."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from drives import ConstantPattern, joint_world, pendulum, wheel
from worlds import energy_balance, moved

from gambol.actuation import Servo, TorqueMotor, VelocityServo, actuators_of
from gambol.control import Drive
from gambol.control.patterns import Commanded
from gambol.errors import WorldError
from gambol.formats import read_mjcf
from gambol.world import Engine, Timing, World, start, step

CONTROL_STEP, INERTIA = 0.01, 0.02
MOTOR = TorqueMotor(-3.0, 3.0)
METHODS = [("penalty", "rk4", 2e-3), ("stepping", "rk4", 2e-3), ("impulse", "rk4", 2e-3), ("constraint", "rk4", 2e-3)]


@pytest.mark.parametrize(("contact", "method", "h"), METHODS)
def test_torques_are_held_between_actions(contact: str, method: str, h: float):
    """A wheel: v' = v + tau dt / I, q' = q + dt (v + v') / 2, exactly; a ramp would give half of the first change."""
    drive = Drive(Commanded(1), {"wheel": MOTOR})
    world = World(wheel(INERTIA), controller=drive, contact=contact, timing=Timing(CONTROL_STEP, h, method))
    state, q, v, work = start(world), 0.0, 0.0, 0.0
    for action in (1.0, -0.5, 0.25, 0.0, -1.0):
        state = step(world, state, [action])
        old, v = v, v + 3.0 * action * CONTROL_STEP / INERTIA
        q += 0.5 * CONTROL_STEP * (old + v)
        work += 3.0 * action * 0.5 * CONTROL_STEP * (old + v)
        np.testing.assert_allclose([state.q[0, 0], state.v[0, 0]], [q, v], rtol=0, atol=1e-13)
    np.testing.assert_allclose(state.step_state.ledger.motors, work, rtol=1e-12)
    np.testing.assert_allclose(0.5 * INERTIA * v * v, work, rtol=1e-12)


@pytest.mark.parametrize(("contact", "h", "close"), [("penalty", 1e-3, 1e-9), ("stepping", 1e-3, 1e-5)])
def test_a_pendulum_under_a_constant_torque_conserves_its_first_integral(contact: str, h: float, close: float):
    """I w^2 / 2 = tau q - m g l (1 - cos q): the motor's work is tau q, whatever the speed."""
    tau = 4.0
    world = joint_world(pendulum(), TorqueMotor(-tau, tau), 1.0, contact=contact)
    engine = Engine(replace(world, timing=Timing(CONTROL_STEP, h, "rk4")))
    begun = start(engine.world)
    state = moved(engine, begun, 0.6)
    q, w = float(state.q[0, 0]), float(state.v[0, 0])
    assert abs(q) > 0.5
    inertia = 1.0 * 0.5**2
    expected = tau * q - 9.81 * 0.5 * (1.0 - math.cos(q))
    np.testing.assert_allclose(0.5 * inertia * w * w, expected, atol=close)
    np.testing.assert_allclose(state.step_state.ledger.motors, tau * q, atol=close)
    np.testing.assert_allclose(energy_balance(engine, state), energy_balance(engine, begun), atol=close)


CHAIN = """<mujoco><compiler angle="radian"/><option timestep="0.002" integrator="RK4"/><worldbody>
<body name="cart"><joint name="cart" type="slide" axis="1 0 0"/><inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/>
<body name="upper"><joint name="upper" axis="0 1 0"/><inertial pos="0 0 -.2" mass=".7" diaginertia=".02 .02 .01"/>
<body name="lower" pos="0 0 -.4"><joint name="lower" axis="1 0 0" damping=".05"/>
<inertial pos="0 0 -.2" mass=".5" diaginertia=".01 .01 .01"/></body></body></body></worldbody>
<actuator><motor name="push" joint="cart" gear="100" ctrlrange="-1 1"/>
<motor name="hip" joint="upper" gear="10" ctrlrange="-2 2"/>
<motor name="knee" joint="lower" gear="-10" ctrlrange="-1 1"/></actuator></mujoco>"""


def test_a_chain_moves_as_with_mujocos_motors(tmp_path: Path):
    """Random torques, held for 5 steps each: both take classical steps of fourth order, so only rounding differs."""
    (tmp_path / "chain.xml").write_text(CHAIN)
    model = read_mjcf(tmp_path / "chain.xml")
    drive = Drive(Commanded(3), actuators_of(model))
    world = World(model.figure, model.springs, controller=drive, timing=Timing(CONTROL_STEP, 2e-3, "rk4"))
    assert drive.joints == ("cart", "upper", "lower")
    peer = mujoco.MjModel.from_xml_string(CHAIN)
    data, random, state, farthest = mujoco.MjData(peer), np.random.default_rng(2), start(world), 0.0
    for _ in range(60):
        control = random.uniform(-1.0, 1.0, 3) * [1.0, 2.0, 1.0]
        data.ctrl[:] = control
        for _ in range(5):
            mujoco.mj_step(peer, data)
        state = step(world, state, drive.signals_of(control * [100.0, 10.0, -10.0]))
        found = np.concatenate([state.q[0], state.v[0]])
        np.testing.assert_allclose(found, np.concatenate([data.qpos, data.qvel]), rtol=0, atol=1e-8)
        farthest = max(farthest, float(np.abs(data.qpos[1:]).max()))
    assert farthest > 0.5


def test_a_motor_with_a_line_runs_up_to_its_no_load_speed():
    """w0 (1 - exp(-t S / (w0 I))), also in large steps, which stay below w0."""
    motor = TorqueMotor(-10.0, 10.0, stall=5.0, no_load_speed=30.0)
    for contact, h, close in (("penalty", 1e-3, 1e-8), ("stepping", 1e-3, 0.06), ("stepping", 1e-2, 0.6)):
        world = joint_world(wheel(INERTIA), motor, 1.0, contact=contact)
        engine = Engine(replace(world, timing=Timing(CONTROL_STEP, h, "rk4")))
        state, rate = moved(engine, start(engine.world), 0.1), 5.0 / (30.0 * INERTIA)
        np.testing.assert_allclose(state.v[0, 0], 30.0 * (1.0 - math.exp(-rate * 0.1)), rtol=0, atol=close)
        late = moved(engine, state, 2.0)
        assert 29.9 < late.v[0, 0] <= 30.0
    light = joint_world(wheel(1e-5), motor, 1.0, contact="stepping")
    light = replace(light, timing=Timing(CONTROL_STEP, CONTROL_STEP, "rk4"))
    assert 29.9 < moved(Engine(light), start(light), 0.05).v[0, 0] <= 30.0


@pytest.mark.parametrize("contact", ["penalty", "stepping"])
def test_a_velocity_servo_turns_a_wheel_at_its_target(contact: str):
    """Held targets: target (1 - exp(-t g / I)); large steps are implicit, of first order."""
    servo = VelocityServo(-5.0, 5.0, gain=0.1)
    world = joint_world(wheel(INERTIA), servo, 0.6, contact=contact)
    engine = Engine(replace(world, timing=Timing(CONTROL_STEP, 1e-3, "rk4")))
    state, rate = moved(engine, start(engine.world), 0.2), 0.1 / INERTIA
    expected = 3.0 * (1.0 - math.exp(-rate * 0.2))
    close = 1e-9 if contact == "penalty" else 3.0 * rate * 1e-3
    np.testing.assert_allclose(state.v[0, 0], expected, rtol=0, atol=close)


def test_two_actuators_pull_at_one_joint():
    """A motor and a servo, each with a name of its own: k q = tau at rest."""
    servo = Servo(0.0, 0.0, stiffness=20.0, damping=2.0, joints=("wheel",))
    drive = Drive(ConstantPattern((1.0, 0.0)), {"motor": replace(MOTOR, joints=("wheel",)), "brake": servo})
    assert drive.joints == ("wheel",)
    assert drive.commanded == (("motor", "torque"), ("brake", "target"))
    for contact in ("penalty", "stepping"):
        world = World(wheel(INERTIA), controller=drive, contact=contact, timing=Timing(CONTROL_STEP, 1e-3, "rk4"))
        state = moved(Engine(world), start(world), 3.0)
        np.testing.assert_allclose(state.q[0, 0], 3.0 / 20.0, rtol=1e-9)


def test_signals_of_commands_are_in_the_range_of_each():
    drive = Drive(Commanded(2), {"a": MOTOR, "b": Servo(0.0, 2.0, 10.0)})
    assert drive.signals_of([-3.0, 1.5]) == [-1.0, 0.5]
    with pytest.raises(WorldError, match="1 commands were given; 2 actuators have 2 commands"):
        drive.signals_of([1.0])
    memory: Any = drive.memory()
    with pytest.raises(WorldError, match='does not move the rest angle of "a"'):
        drive.rest_angle(memory, "a", 0.0)
