"""The actuators of a grown creature as motors of a figure file: position motors, and MuJoCo's muscles.

Position motors have no limit of power, the same strength at all speeds, no delay and no tendon.
"""

from collections.abc import Iterator

from gambol.actuation import ElasticServo, HillServo, Servo
from gambol.actuation.muscle import AntagonistPair
from gambol.actuation.muscle.antagonist_pair import SIGNS, WORKING_LENGTH
from gambol.actuation.muscle.curves.mujoco import MUJOCO
from gambol.evolve.genotype.growth import Phenotype
from gambol.formats.model import Motor
from gambol.formats.motor_law import MotorLaw

RANGE = (0.5, 1.0)
"""The two fibre lengths [optimal lengths] for which a file states the length of the actuator. From these two pairs
MuJoCo computes the optimal length and the length of the tendon."""


def motors_of(creature: Phenotype) -> Iterator[Motor]:
    """Yield the motors of a creature: one for each servo, and two for each pair of muscles, "LINK positive" first."""
    for joint, actuator in creature.actuators.items():
        if isinstance(actuator, AntagonistPair):
            yield from (_muscle(joint, actuator, name, sign) for name, sign in SIGNS.items())
        else:
            yield _position_motor(joint, actuator)


def _position_motor(joint: str, servo: Servo | HillServo | ElasticServo) -> Motor:
    return Motor(
        joint,
        joint,
        "position",
        gain=servo.stiffness,
        damping=servo.damping,
        lower=servo.lower,
        upper=servo.upper,
        weakest=-servo.strength,
        strongest=servo.strength,
    )


def _muscle(joint: str, pair: AntagonistPair, name: str, sign: float) -> Motor:
    """Return one muscle of a pair; its command is its excitation. sign: 1 if it pulls towards greater q.

    The length of MuJoCo's actuator is gear q; with the gear -sign r, it shortens as the muscle does.
    """
    middle, gear = 0.5 * (pair.lower + pair.upper), -sign * pair.radius
    shortest, longest = ((length - WORKING_LENGTH) * pair.optimal_length + gear * middle for length in RANGE)
    p = MUJOCO.numbers
    curves = (p["shortest"], p["longest"], pair.max_velocity, p["passive_max"], p["eccentric"])
    parameters = (*RANGE, pair.max_force, *curves)
    law = MotorLaw("filter", "muscle", "muscle", (pair.rise,), parameters, parameters, shortest, longest, 0.0, 1.0)
    return Motor(f"{joint} {name}", joint, "muscle", (gear,), lower=0.0, upper=1.0, law=law)
