"""Servos of grown joints whose strength falls with speed as that of muscles; their numbers follow from the body's mass.

    max_speed  2 pi f(M) x reach / PEAK_SPEED      f: frequency of mammals of mass M at their change from trot to gallop
    power      MUSCLE_POWER MUSCLE_FRACTION M / n  n: number of freedoms

So a joint that swings through its whole range at this frequency reaches the speed at which muscles are most powerful.
There its strength is 0.31 of that at rest; at higher speeds it is weaker. All other numbers are those of a servo, see
servos.py.
"""

import math
from collections.abc import Mapping

from gambol.actuation.hill_servo import CURVE
from gambol.gait.animals import SCALING
from gambol.lanes import Scalar, elementwise

PEAK_SPEED = (math.sqrt(1.0 + CURVE["curvature"]) - 1.0) / CURVE["curvature"]
"""The speed at which the power is largest, as a fraction of max_speed. Muscles of locomotion work at 0.17 to 0.36 of
it. [Rome and others 1988]"""

MUSCLE_POWER = 250.0
"""The largest power of a muscle, divided by its mass, in repeated contractions [W/kg]. [Weis-Fogh and Alexander
1977]"""

MUSCLE_FRACTION = 0.4
"""The part of a mammal's mass that is muscle: 0.4 to 0.45, at any size."""


def hill_numbers(servo: Mapping[str, Scalar], mass: Scalar, freedoms: Scalar) -> dict[str, Scalar]:
    """Return the numbers of a HillServo, by the names of its fields.

    servo: numbers of the freedom's Servo, see servo_numbers(). mass: mass of the creature [kg]. freedoms: number of its
    freedoms.
    """
    frequency = elementwise(SCALING["trot-gallop frequency"], mass)
    reach = 0.5 * (servo["upper"] - servo["lower"])
    return dict(servo) | {
        "max_speed": (2.0 * math.pi / PEAK_SPEED) * frequency * reach,
        "power": MUSCLE_POWER * MUSCLE_FRACTION * mass / freedoms,
    }
