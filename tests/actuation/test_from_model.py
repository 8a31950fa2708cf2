"""Actuators for the motors of a file: their forces are MuJoCo's at random states and commands."""

from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np
import pytest

from gambol.actuation import ActuatorInput, Servo, TorqueMotor, VelocityServo, actuators_of
from gambol.errors import WorldError
from gambol.formats import Model, read_mjcf, read_urdf

MJCF = """<mujoco><compiler angle="radian"/><worldbody>
<body name="a"><joint name="a" axis="0 1 0"/><inertial pos="0 0 -.2" mass="1" diaginertia=".01 .01 .01"/>
<body name="b" pos="0 0 -.4"><joint name="b" axis="0 1 0"/><inertial pos="0 0 -.2" mass="1" diaginertia=".01 .01 .01"/>
<body name="c" pos="0 0 -.4"><joint name="c" type="slide" axis="1 0 0"/>
<inertial pos="0 0 -.2" mass="1" diaginertia=".01 .01 .01"/></body></body></body></worldbody>
<actuator>
<motor name="torque" joint="a" gear="-3" ctrlrange="-.5 1" forcerange="-.4 .7"/>
<position name="position" joint="b" gear="2" kp="30" kv="1.5" ctrlrange="-1 2" forcerange="-9 9"/>
<velocity name="velocity" joint="c" gear="-2" kv="5" ctrlrange="-2 3" forcerange="-7 7"/>
</actuator></mujoco>"""
URDF = """<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="1"/>
<inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="elbow" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="12" velocity="3"/></joint></robot>"""


@pytest.fixture
def model(tmp_path: Path) -> Model:
    (tmp_path / "arm.xml").write_text(MJCF)
    return read_mjcf(tmp_path / "arm.xml")


def test_forces_are_those_of_mujoco(model: Model):
    actuators = actuators_of(model)
    kinds = (TorqueMotor, Servo, VelocityServo)
    assert [type(one) for one in actuators.values()] == [*kinds]
    peer = mujoco.MjModel.from_xml_string(MJCF)
    data, random, gears = mujoco.MjData(peer), np.random.default_rng(1), (-3.0, 2.0, -2.0)
    limited = 0
    for _ in range(200):
        data.qpos[:], data.qvel[:] = random.normal(size=(2, 3))
        data.ctrl[:] = random.uniform(peer.actuator_ctrlrange[:, 0], peer.actuator_ctrlrange[:, 1])
        mujoco.mj_forward(peer, data)
        for k, (actuator, gear) in enumerate(zip(actuators.values(), gears, strict=True)):
            command = data.ctrl[k] * gear if k == 0 else data.ctrl[k] / gear
            (lower, upper), numbers = actuator.bounds(actuator.numbers())[0], actuator.numbers()
            assert k == 0 or lower - 1e-12 <= command <= upper + 1e-12
            at = ActuatorInput(0.0, [float(data.qpos[k])], [float(data.qvel[k])], [float(command)])
            (tau,) = actuator.force(numbers, at)
            np.testing.assert_allclose(tau, data.qfrc_actuator[k], rtol=1e-12, atol=1e-12)
            limited += bool(abs(abs(data.actuator_force[k]) - peer.actuator_forcerange[k, 1]) < 1e-12)
    assert 50 < limited < 500


def test_effort_limits_of_urdf_are_torques(tmp_path: Path):
    (tmp_path / "r.urdf").write_text(URDF)
    model = read_urdf(tmp_path / "r.urdf")
    assert actuators_of(model, unlimited=1e9) == {"elbow": TorqueMotor(-12.0, 12.0, joints=("arm",))}
    assert actuators_of(model) == {"elbow": TorqueMotor(-12.0, 12.0, joints=("arm",))}


def test_what_no_actuator_can_stand_for_is_refused_by_name(model: Model):
    torque, position, _ = model.motors
    for motor, message in (
        (
            replace(torque, kind="other", note="MuJoCo: dynamics 3"),
            '"torque" is none of .*: MuJoCo: dynamics 3',
        ),
        (replace(torque, lower=-np.inf, weakest=-np.inf), '"torque" have no limits in the file; give `unlimited`'),
        (replace(position, gear=(0.0,)), '"position" has a gear of 0'),
        (replace(position, weakest=-3.0), '"position" has forces from -3.0 to 9.0'),
    ):
        with pytest.raises(WorldError, match=message):
            actuators_of(replace(model, motors=(motor,)))
    with pytest.raises(WorldError, match="bound of unlimited commands is 0"):
        actuators_of(model, unlimited=0.0)


def test_gains_make_servos_of_motors_by_name_with_their_strength(model: Model):
    made = actuators_of(model, gains={"torque": (40.0, 2.0), "velocity": (30, 1)}, unlimited=5.0)
    torque, velocity = made["torque"], made["velocity"]
    assert isinstance(torque, Servo)
    assert (torque.stiffness, torque.damping, torque.joints) == (40.0, 2.0, ("a",))
    assert torque.strength == pytest.approx(3.0 * 0.4)  # of the weaker direction
    assert (torque.lower, torque.upper) == (-5.0, 5.0)
    assert velocity.strength == pytest.approx(2.0 * 7.0)
    assert made["position"] == actuators_of(model)["position"]


def test_targets_of_servos_are_within_the_limits_of_joints(tmp_path: Path):
    (tmp_path / "r.urdf").write_text(URDF)
    (servo,) = actuators_of(read_urdf(tmp_path / "r.urdf"), gains={"elbow": (5.0, 1.0)}).values()
    assert (servo.lower, servo.upper, servo.strength) == (-1.0, 1.0, 12.0)


def test_limits_replace_those_of_the_file_at_the_joint(model: Model):
    made = actuators_of(model, limits={"torque": 0.9, "position": 4.0, "velocity": 2.0})
    assert (made["torque"].lower, made["torque"].upper) == (pytest.approx(-0.9), pytest.approx(0.9))
    assert (made["position"].strength, made["velocity"].strength) == (4.0, 2.0)


def test_gains_and_limits_of_unknown_motors_suggest_names(model: Model):
    for option in ("gains", "limits"):
        with pytest.raises(WorldError, match='the model has no motor "torqu"; did you mean "torque"'):
            actuators_of(model, **{option: {"torqu": (1.0, 1.0)}})
    with pytest.raises(WorldError, match=r'the limit of the motor "torque" is -1\.0, its gear 3\.0'):
        actuators_of(model, limits={"torque": -1.0})
    with pytest.raises(WorldError, match=r'the gains of the motor "torque" are .*; give a stiffness and a damping'):
        actuators_of(model, gains={"torque": (1.0,)})
