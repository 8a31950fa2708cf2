"""Servos of grown joints that pull by tendons, and react later the larger the body is; and the choice of a motor.

    tendon_stiffness  strength / (TENDON_STRAIN TENDON_LENGTH unit)        unit: see unit_of() of servos.py
    rise              MUSCLE_FRACTION_OF_DELAY x 30 ms x (M / 1 kg)^0.21

A tendon of TENDON_LENGTH moment arms that is strained by TENDON_STRAIN turns the joint by their product. All other
numbers are those of hill_servos.py.
"""

from collections.abc import Mapping

from gambol.evolve.genotype.hill_servos import hill_numbers
from gambol.evolve.genotype.servos import RATED_ERROR
from gambol.gait.animals import SCALING
from gambol.lanes import Scalar, elementwise

TENDON_STRAIN = 0.049
"""Strain of a tendon by the largest isometric force of its muscle. [Millard and others 2013]"""

TENDON_LENGTH = 4.0
"""Length of a tendon divided by its moment arm: between muscles of the hip, less than 1, and of the ankle, about 5. The
value is our choice."""

MUSCLE_FRACTION_OF_DELAY = 0.5
"""The part of the delay of the fastest reflex that passes in the muscle itself, while its force rises: more than half.
[More and Donelan 2018, abstract]"""


def elastic_numbers(hill: Mapping[str, Scalar], mass: Scalar) -> dict[str, Scalar]:
    """Return the numbers of an ElasticServo, by the names of its fields.

    hill: numbers of the freedom's HillServo, see hill_numbers(). mass: mass of the creature [kg].
    """
    return dict(hill) | {
        "tendon_stiffness": (RATED_ERROR / (TENDON_STRAIN * TENDON_LENGTH)) * hill["stiffness"],
        "rise": MUSCLE_FRACTION_OF_DELAY * elementwise(SCALING["reflex delay"], mass),
    }


def motor_numbers(motor: str, servo: Mapping[str, Scalar], mass: Scalar, freedoms: Scalar) -> dict[str, Scalar]:
    """Return the numbers of a freedom's motor, by the names of its fields.

    motor: one of MOTORS. servo: numbers of its Servo, see servo_numbers(). mass, freedoms: see hill_numbers().
    """
    if motor == "servo":
        return dict(servo)
    hill = hill_numbers(servo, mass, freedoms)
    return elastic_numbers(hill, mass) if motor == "elastic" else hill
