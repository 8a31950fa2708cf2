"""Actuators for the motors of a figure file, URDF or MJCF.

    torque      tau = gear gain u                              limits: of u, and of the force before the gear
    position    tau = gear (gain (u - gear q) - damping gear v)
    velocity    tau = gear gain (u - gear v)

[MuJoCo documentation, "Computation", actuation model]
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from gambol.actuation.actuator import Actuator
from gambol.actuation.servo import Servo
from gambol.actuation.torque_motor import TorqueMotor
from gambol.actuation.velocity_servo import VelocityServo
from gambol.errors import WorldError

if TYPE_CHECKING:
    from gambol.formats import Model, Motor


def actuators_of(model: Model, *, unlimited: float | None = None) -> dict[str, Actuator]:
    """Return the actuators of a model by the names of its motors, for a Drive.

    model: of a file. unlimited: bound of the commands of motors that have none, in units of the command; None: they are
    refused. Commands act at the joint: torques in N m or N, targets in rad, m, rad/s or m/s. Where the file has a
    negative gear, the command has the opposite sign of the file's. Raises WorldError for a motor that no actuator can
    stand for.
    """
    bound = math.inf if unlimited is None else unlimited
    if not bound > 0.0:
        raise WorldError(f"the bound of unlimited commands is {unlimited}; give more than 0, or None")
    return {motor.name: _actuator(motor, bound) for motor in model.motors}


def _actuator(motor: Motor, bound: float) -> Actuator:
    if motor.kind not in _OF_MOTOR:
        raise WorldError(f'the motor "{motor.name}" is none of torque, position and velocity: {motor.note}')
    if len(motor.gear) != 1:
        raise WorldError(
            f'the motor "{motor.name}" drives the {len(motor.gear)} velocities of "{motor.joint}"; '
            "actuators of files need a joint with one"
        )
    return _OF_MOTOR[motor.kind](motor, motor.gear[0], bound)


def _torque(motor: Motor, gear: float, bound: float) -> Actuator:
    ends = [motor.gain * u for u in (max(motor.lower, -bound), min(motor.upper, bound))]
    low, high = (min(max(x, motor.weakest), motor.strongest) for x in sorted(ends))
    return TorqueMotor(*_bounds(motor, gear * low, gear * high), joints=(motor.joint,))


def _position(motor: Motor, gear: float, bound: float) -> Actuator:
    lower, upper = _targets(motor, gear, bound)
    scale = gear * gear
    stiffness, damping = scale * motor.gain, scale * motor.damping
    return Servo(lower, upper, stiffness, damping, _strength(motor, gear), joints=(motor.joint,))


def _velocity(motor: Motor, gear: float, bound: float) -> Actuator:
    lower, upper = _targets(motor, gear, bound)
    return VelocityServo(lower, upper, gear * gear * motor.gain, _strength(motor, gear), joints=(motor.joint,))


def _targets(motor: Motor, gear: float, bound: float) -> tuple[float, float]:
    """Return the range of targets at the joint: u / gear."""
    if gear == 0.0:
        raise WorldError(f'the motor "{motor.name}" has a gear of 0')
    return _bounds(motor, max(motor.lower, -bound) / gear, min(motor.upper, bound) / gear)


def _bounds(motor: Motor, a: float, b: float) -> tuple[float, float]:
    """Return two bounds in order. Raises WorldError if one is infinite."""
    if not (math.isfinite(a) and math.isfinite(b)):
        raise WorldError(
            f'the commands of the motor "{motor.name}" have no limits in the file; '
            "give `unlimited`, a bound for such commands"
        )
    return min(a, b), max(a, b)


def _strength(motor: Motor, gear: float) -> float:
    """Return the strength at the joint. Raises WorldError for limits that differ in the two directions."""
    if motor.weakest != -motor.strongest:
        raise WorldError(
            f'the motor "{motor.name}" has forces from {motor.weakest} to {motor.strongest}; a servo needs the same '
            "limit in both directions"
        )
    return abs(gear) * motor.strongest


_OF_MOTOR: dict[str, Callable[[Motor, float, float], Actuator]] = {
    "torque": _torque,
    "position": _position,
    "velocity": _velocity,
}
"""For each kind of motor in files, the function that makes its actuator."""
