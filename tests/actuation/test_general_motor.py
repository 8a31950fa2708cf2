"""Muscles, general motors and motors along tendons of a file, against MuJoCo itself."""

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest
from muscle_models import ARM, input_of, random_state

from gambol.actuation import GeneralMotor, actuators_of, commands_of, spring_tendons_of
from gambol.actuation.muscle import Muscle, Pulley, PulleyPath
from gambol.errors import WorldError
from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.formats import read_mjcf
from gambol.formats.motor_law import MotorLaw

TOLERANCE = 1e-9
MASS = MassProperties(1.0, (0.0, 0.0, 0.0), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
FIGURE = Figure("arm", (Link("arm", None, Joint("revolute"), (), MASS),))
PASSIVE_JOINT = 0.1  # N m s/rad, damping of both joints of the arm


@pytest.fixture(scope="module")
def arm(tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("arm") / "arm.xml"
    path.write_text(ARM)
    return read_mjcf(path), mujoco.MjModel.from_xml_path(str(path))


def test_lengths_rates_forces_and_joint_forces_are_those_of_mujoco(arm):
    model, peer = arm
    actuators, rng = actuators_of(model, unlimited=10.0), np.random.default_rng(3)
    for _ in range(60):
        data = random_state(peer, rng)
        commands = commands_of(model, {motor.name: float(data.ctrl[k]) for k, motor in enumerate(model.motors)})
        qfrc = np.zeros(peer.nv)
        for k, motor in enumerate(model.motors):
            actuator, address = actuators[motor.name], int(peer.actuator_actadr[k])
            activation = float(data.act[address]) if address >= 0 else math.nan
            at = input_of(model.figure, actuator.joint_names(motor.name), data, [commands[motor.name]], activation)
            numbers, dofs = actuator.numbers(), [link.v.start for link in at.links]
            qfrc[dofs] += actuator.force(numbers, at)
            seen, gear = actuator.outputs(numbers, at), motor.gear[0]
            sign = -1.0 if isinstance(actuator, Muscle) else 1.0  # MuJoCo's forces are negative where they pull
            assert gear * seen["length"] == pytest.approx(data.actuator_length[k], abs=TOLERANCE)
            assert gear * seen["velocity"] == pytest.approx(data.actuator_velocity[k], abs=TOLERANCE)
            assert sign * seen["force"] == pytest.approx(data.actuator_force[k], rel=TOLERANCE, abs=TOLERANCE)
            if address >= 0:
                rate = actuator.derivative(numbers, at)["activation"]
                assert rate == pytest.approx(data.act_dot[address], rel=TOLERANCE, abs=TOLERANCE)
        np.testing.assert_allclose(qfrc, data.qfrc_actuator, rtol=TOLERANCE, atol=TOLERANCE)


def test_passive_forces_of_tendons_are_those_of_mujoco(arm):
    model, peer = arm
    tendons, rng = spring_tendons_of(model), np.random.default_rng(4)
    assert list(tendons) == ["SE spring", "P spring", "F spring"]
    for _ in range(40):
        data = random_state(peer, rng)
        tau = -PASSIVE_JOINT * data.qvel
        for name, tendon in tendons.items():
            at = input_of(model.figure, tendon.joint_names(name), data, [])
            tau[[link.v.start for link in at.links]] += tendon.force(tendon.numbers(), at)
        np.testing.assert_allclose(tau, data.qfrc_passive, rtol=TOLERANCE, atol=TOLERANCE)


def test_plain_muscles_are_muscles_and_others_general_motors(arm):
    """J has a tendon of negative slack length by its range of lengths, and T limits of force."""
    model, _ = arm
    kinds = {name: actuator.kind for name, actuator in actuators_of(model, unlimited=1.0).items()}
    assert {name for name, kind in kinds.items() if kind == "muscle"} == {"SF", "SE", "BF", "EE"}
    assert {name for name, kind in kinds.items() if kind == "general"} == {"J", "T", "G", "I", "X", "M", "Q", "V"}


def test_a_filter_takes_exact_steps_and_stays_in_its_limits():
    law = MotorLaw("filter", time_constants=(0.1,), gain_parameters=(2.0,), highest=0.6)
    motor = GeneralMotor(("arm",), PulleyPath((Pulley(-1.0),), 0.0), law, -1.0, 1.0)
    numbers = motor.numbers()

    def after(u: float, w: float, h: float) -> float:
        data = type("Data", (), {"qpos": np.zeros(1), "qvel": np.zeros(1)})()
        return float(motor.advanced(numbers, input_of(FIGURE, ("arm",), data, [u], w), h)["activation"])

    assert after(0.5, 0.0, 0.05) == pytest.approx(0.5 * (1.0 - math.exp(-0.5)), rel=1e-12)
    assert after(1.0, 0.5, 1.0) == 0.6


def test_large_steps_come_to_the_motion_of_mujoco_as_they_shrink(arm):
    """The angle after 0.1 s of a filtered motor along a tendon; MuJoCo with RK4 at a step where it does not change."""
    from dataclasses import replace

    from gambol.control import ConstantLaw, FeedbackController
    from gambol.world import Timing, World, run, start

    model, _ = arm
    motors = [motor for motor in model.motors if motor.name == "G"]
    only = ARM.replace(ARM[ARM.index("<actuator>") : ARM.index("</actuator>")], "<actuator>" + G)
    peer = mujoco.MjModel.from_xml_string(only.replace('timestep="0.002"', 'timestep="0.0001" integrator="RK4"'))
    data = mujoco.MjData(peer)
    data.ctrl[:], data.qpos[:] = 1.5, MIDDLE
    for _ in range(1000):
        mujoco.mj_step(peer, data)
    driven = actuators_of(replace(model, motors=tuple(motors)))
    controller = FeedbackController(ConstantLaw((1.5,)), {**driven, **spring_tendons_of(model)})
    errors: list[float] = []
    for step in (1e-3, 5e-4):
        world = World(
            model.figure, springs=model.springs, controller=controller, gravity=model.gravity, contact="stepping",
            timing=Timing(1e-2, step, "semi-implicit euler"),
        )  # fmt: skip
        state = start(world)
        state.q[:] = MIDDLE
        run(world, state, 0.1, rate=100.0)
        errors.append(abs(float(state.q[0, 1]) - float(data.qpos[1])))
    assert 0.4 * errors[0] < errors[1] < 0.6 * errors[0]  # of first order
    assert errors[0] < 0.03


MIDDLE = (0.8, 1.0)  # rad, far from the limits of the joints, of which MuJoCo's are soft

G = ARM[ARM.index('<general name="G"') : ARM.index('<general name="I"')]


@pytest.mark.parametrize(
    ("control", "text"),
    [
        ({"SG": 1.0}, 'no motor "SG"; did you mean'),
        ({"SF": 1.2}, "must be from 0.0 to 1.0"),
        ({"M": -1.5}, 'control of the motor "M"'),
    ],
)
def test_impossible_controls_are_refused(arm, control, text):
    with pytest.raises(WorldError, match=text):
        commands_of(arm[0], control)


def test_a_law_that_gambol_lacks_is_refused_by_name(tmp_path: Path):
    path = tmp_path / "pid.xml"
    dcmotor = '<dcmotor name="pump" joint="elbow" motorconst="0.05 0.05" resistance="2"/>'
    path.write_text(ARM.replace(ARM[ARM.index("<actuator>") : ARM.index("</actuator>")], f"<actuator>{dcmotor}"))
    with pytest.raises(WorldError, match='the motor "pump" is none of'):
        actuators_of(read_mjcf(path))


def test_a_tendon_inside_of_a_round_body_is_refused_by_name(tmp_path: Path):
    path = tmp_path / "inside.xml"
    path.write_text(ARM.replace('<site name="x0" pos="0 -0.15 0"/>', '<site name="x0" pos="0 -0.05 0"/>'))
    with pytest.raises(WorldError, match='the tendon "SE" runs inside of a cylinder'):
        actuators_of(read_mjcf(path), unlimited=1.0)
