"""A gait whose motor programs excite antagonist muscles, step by step on floats."""

import pytest

from gambol.actuation.muscle import Antagonists
from gambol.control import Senses
from gambol.errors import WorldError
from gambol.gait import GaitController, Leg, MotorCommand, with_muscles

DT = 1.0 / 2400.0  # s
LEGS = tuple(
    Leg(
        name,
        name,
        0,
        (f"{name} hip", f"{name} knee"),
        (MotorCommand(f"{name} hip", -0.4, 0.0, 1.0), MotorCommand(f"{name} knee", 0.3, 0.0, 0.5)),
        (MotorCommand(f"{name} hip", 0.4, 0.0, 1.0), MotorCommand(f"{name} knee", 0.0, 0.0, 0.5)),
    )
    for name in ("left", "right")
)
PAIRS = tuple(Antagonists(joint, 1e-4, 0.0, 0.6, 1e-3) for leg in LEGS for joint in leg.joints)


def gait(**options):
    plain = GaitController(LEGS, {joint: 0.1 for leg in LEGS for joint in leg.joints})
    return plain, with_muscles(plain, PAIRS, **options)


def senses(time, outputs=None):
    joints = [joint for leg in LEGS for joint in leg.joints]
    return Senses(
        time,
        joint_angles=dict.fromkeys(joints, 0.0),
        spring_torques=dict.fromkeys(joints, 0.0),
        actuator_outputs=outputs or {f"{joint} {sign}": {"force": 0.0} for joint in joints for sign in "+-"},
    )


@pytest.mark.parametrize("lead", [0.0, 0.005])
def test_excitations_are_those_of_the_motor_programs_rest_angles(lead):
    plain, muscled = gait(lead=lead)
    one, other = plain.memory(), muscled.memory()
    passed = 0
    for k in range(300):
        one = plain.decide(plain.numbers(), one, senses(k * DT), DT)
        other = muscled.decide(muscled.numbers(), other, senses(k * DT), DT)
        assert other.rest == one.rest
        assert other.state == one.state
        for pair, name in zip(PAIRS, plain.joints, strict=True):
            i = plain.joints.index(name)
            ahead = one.rest[i] + one.rate[i] * lead
            if (ahead - one.target[i]) * (one.rest[i] - one.target[i]) < 0.0:
                ahead, passed = one.target[i], passed + 1
            expected = pair.excitations(pair.numbers(), ahead)
            given = [muscled.commands(other, f"{name} {sign}", 0.0)[0] for sign in "+-"]
            assert given == pytest.approx(expected, rel=1e-12)
        one, other = plain.advanced(one, DT), muscled.advanced(other, DT)
    assert (passed > 0) == (lead > 0.0)


def test_muscles_start_with_the_activations_that_hold_the_first_rest_angles():
    _, muscled = gait()
    for name, muscle in muscled.actuators.items():
        assert muscle.initial_activation == pytest.approx(muscled.commands(muscled.memory(), name, 0.0)[0])


def test_the_load_bearing_reflex_senses_the_torque_of_the_muscles():
    _, muscled = gait()
    outputs = {name: {"force": 0.5 if name == "left knee +" else 0.1} for name in muscled.actuators}
    torques = muscled.sensed_torques(muscled.numbers(), senses(0.0, outputs))
    assert torques["left knee"] == pytest.approx(1e-3 * (0.5 - 0.1))
    assert torques["right knee"] == pytest.approx(0.0)


def test_antagonists_that_no_motor_program_moves_are_refused():
    plain, _ = gait()
    with pytest.raises(WorldError, match='antagonists at "left hop", which no motor program moves; did you mean'):
        with_muscles(plain, (Antagonists("left hop", 1e-4, 0.0, 0.6, 1e-3),))
    with pytest.raises(WorldError, match="needs antagonists"):
        with_muscles(plain, ())
