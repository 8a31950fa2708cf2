"""Servos as strong as muscles that pull by an elastic tendon: series elastic actuators. [Pratt and Williamson 1995]

    tau = F = K (x - q)                      x: coordinate of the motor side of the tendon
    x' = w, at most f(F) and at least -max_speed, w = (k (g - x) - F) / d, for F >= 0; mirrored for F < 0
    g' = (target - g) / rise                 g: target that has reached the muscle

f(F) is the velocity at which a fully active muscle shortens against F: the inverse of the curves V of hill_servo.py,

    F < S    f / max_speed = (1 - F/S) / (1 + K_h F/S), and f <= power / F                               [Hill 1938]
    F >= S   f / max_speed = -(1 + y) / (1 - 7.56 K_h y), y = (F/S - N) / (N - 1)

with S = strength and K_h, N = CURVE. Above y = 0, where V ends, f continues as a straight line. So the muscle yields to
a force above its strength, and the motor is a servo with d while it is within its limits. [Zajac 1989 for the elements]
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from gambol.actuation.actuator import Actuator, ActuatorInput, Numbers
from gambol.actuation.hill_servo import CURVE, UNLIMITED_POWER, HillServo
from gambol.actuation.muscle.curves.geyer_herr import LENGTHENING
from gambol.actuation.step_energy import StepEnergy
from gambol.errors import WorldError
from gambol.lanes import Scalar, clamp, maximum, minimum, where

MOTOR, GOAL = "motor", "goal"
"""The state: the coordinate of the motor side of the tendon, and the target that has reached the muscle [rad or m]."""


@dataclass(frozen=True, slots=True)
class ElasticServo(Actuator):
    """A HillServo that pulls by a tendon, at a joint with one degree of freedom. Its command is the target.

    lower, upper, stiffness, damping, strength, max_speed, power, joints: as for a HillServo, of the motor side of the
    tendon; the damping must be more than 0. tendon_stiffness: K [N m/rad or N/m]. rise: time constant of the target on
    its way to the muscle [s]. Raises WorldError for invalid numbers.
    """

    kind: ClassVar[str] = "elastic servo"
    commands: ClassVar[tuple[str, ...]] = ("target",)
    held: ClassVar[bool] = False

    lower: float
    upper: float
    stiffness: float
    damping: float
    strength: float
    max_speed: float
    tendon_stiffness: float
    rise: float
    power: float = UNLIMITED_POWER
    joints: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        HillServo(self.lower, self.upper, self.stiffness, self.damping, self.strength, self.max_speed, self.power)
        for name in ("damping", "tendon_stiffness", "rise"):
            if not 0.0 < (value := getattr(self, name)) < math.inf:
                raise WorldError(f"an actuator's {name} is {value}; it must be more than 0, and finite")

    def force(self, numbers: Numbers, at: ActuatorInput) -> Sequence[Scalar]:
        """Return the torque or force of the tendon [N m or N]."""
        return [_tension(numbers, at)]

    def initial_state(self, numbers: Numbers, at: ActuatorInput) -> Numbers:
        """Return a state with a tendon without force, whose motor holds its position if that is within the range."""
        return {MOTOR: at.q[0], GOAL: clamp(at.q[0], numbers["lower"], numbers["upper"])}

    def derivative(self, numbers: Numbers, at: ActuatorInput) -> Numbers:
        """Return the rates of its state [rad/s or m/s]."""
        tension = _tension(numbers, at)
        servo = (numbers["stiffness"] * (at.state[GOAL] - at.state[MOTOR]) - tension) / numbers["damping"]
        sign = where(tension < 0.0, -1.0, 1.0)
        fastest = _shortening_velocity(numbers, sign * tension)
        rate = sign * minimum(maximum(sign * servo, -numbers["max_speed"]), fastest)
        return {MOTOR: rate, GOAL: (at.commands[0] - at.state[GOAL]) / numbers["rise"]}

    def outputs(self, numbers: Numbers, at: ActuatorInput) -> Numbers:
        """Return its state, and the torque or force of the tendon [N m or N]."""
        return {**at.state, "torque": _tension(numbers, at)}

    def supply(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return the power of the motor [W]: negative while it yields."""
        return _tension(numbers, at) * self.derivative(numbers, at)[MOTOR]

    def energy(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return the energy that the tendon stores [J]."""
        return _stored(numbers, at.state[MOTOR] - at.q[0])

    def step_energy(
        self, numbers: Numbers, at: ActuatorInput, end: ActuatorInput, h: Scalar, work: Scalar
    ) -> StepEnergy:
        """Return the work of the motor against the force at the end of a step, and what implicit steps take.

        The latter is K/2 times the square of the change of the tendon, as for any spring in implicit Euler steps.
        """
        source = _tension(numbers, end) * (end.state[MOTOR] - at.state[MOTOR])
        before = _stored(numbers, at.state[MOTOR] - (at.q[0] - 0.5 * h * at.v[0]))
        return StepEnergy(source, 0.0, source - work - (self.energy(numbers, end) - before))


def _tension(numbers: Numbers, at: ActuatorInput) -> Scalar:
    """Return the torque or force of the tendon on the joint [N m or N]."""
    return numbers["tendon_stiffness"] * (at.state[MOTOR] - at.q[0])


def _stored(numbers: Numbers, stretch: Scalar) -> Scalar:
    """Return the energy of the tendon [J]; stretch: its stretch [rad or m]."""
    return 0.5 * numbers["tendon_stiffness"] * stretch * stretch


def _shortening_velocity(numbers: Numbers, force: Scalar) -> Scalar:
    """Return f(F) [rad/s or m/s]; force: F, 0 or more [N m or N]."""
    N, curvature, fastest = CURVE["eccentric"], CURVE["curvature"], numbers["max_speed"]
    load = force / numbers["strength"]
    y = (load - N) * (1.0 / (N - 1.0))
    slope = LENGTHENING * curvature
    lengthening = (1.0 + y) / (1.0 - slope * minimum(y, 0.0)) + slope * maximum(y, 0.0)
    speed = fastest * where(load < 1.0, (1.0 - load) / (1.0 + curvature * load), -lengthening)
    return minimum(speed, numbers["power"] / maximum(force, numbers["power"] / fastest))
