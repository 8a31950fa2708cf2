"""Actuators for the motors and tendons of a figure file, URDF or MJCF.

    torque      tau = gear gain u                              limits: of u, and of the force before the gear
    position    tau = gear (gain (u - gear q) - damping gear v)
    velocity    tau = gear gain (u - gear v)
    muscle      a Muscle with MuJoCo's curves and a rigid tendon
    general     a GeneralMotor; also for torque, position and velocity along a tendon

[MuJoCo documentation, "Computation", actuation model]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gambol.actuation.actuator import Actuator
from gambol.actuation.general_motor import GeneralMotor
from gambol.actuation.muscle import Muscle
from gambol.actuation.servo import Servo
from gambol.actuation.spring_tendon import SpringTendon
from gambol.actuation.tendon_path import Spanned, joint_path, tendon_path
from gambol.actuation.torque_motor import TorqueMotor
from gambol.actuation.velocity_servo import VelocityServo
from gambol.errors import WorldError, did_you_mean
from gambol.figure import JointSpring
from gambol.formats.motor_law import MotorLaw

if TYPE_CHECKING:
    from gambol.formats import Model, Motor


def actuators_of(
    model: Model,
    *,
    unlimited: float | None = None,
    gains: Mapping[str, Sequence[float]] | None = None,
    limits: Mapping[str, float] | None = None,
) -> dict[str, Actuator]:
    """Return the actuators of a model by the names of its motors, for a Drive.

    model: model of a file. unlimited: bound of the commands of motors without bounds, in units of the command; None:
    such motors are refused. Commands of torque, position and velocity motors act at the joint: torques in N m or N,
    targets in rad, m, rad/s or m/s; where the file has a negative gear, the command has the opposite sign of the
    control in the file. The commands of other motors, and of motors along tendons, are the controls in the file.
    commands_of() converts controls to commands. gains: stiffness and damping by the names of motors at joints, which
    become servos [N m/rad, N m s/rad; N/m, N s/m]; their targets are within the limits of the joint, or within
    +-`unlimited`, else +-pi, and the strength is the smaller of the motor's two force limits. limits: largest torque or
    force by the names of motors, at the joint [N m or N] or along the tendon [N], which replaces the limit in the file.
    Raises WorldError for a motor that no actuator can represent, for unknown names of motors and for impossible
    numbers.
    """
    gains, limits = gains or {}, limits or {}
    for name in (*gains, *limits):
        _check_name(name, model)
    bound = math.inf if unlimited is None else unlimited
    if not bound > 0.0:
        raise WorldError(f"the bound of unlimited commands is {unlimited}; give more than 0, or None")
    motors = [_limited(motor, limits[motor.name]) if motor.name in limits else motor for motor in model.motors]
    return {
        motor.name: _servo(motor, gains[motor.name], unlimited, model)
        if motor.name in gains
        else _actuator(motor, bound, model)
        for motor in motors
    }


def spring_tendons_of(model: Model) -> dict[str, Actuator]:
    """Return the springs, dampers and limits of the tendons of a model by name, as actuators without commands.

    Each has the name of its tendon, with " spring" added, since motors are often named after tendons. A tendon that a
    sensor reads has one without forces.
    """
    read = {entry.options.get("actuator") for entry in model.sensors}
    springs: dict[str, Actuator] = {}
    names = ("stiffness", "damping", "shortest", "longest", "lower", "upper", "limit_stiffness", "limit_damping")
    for tendon in model.tendons:
        if tendon.has_force or f"{tendon.name} spring" in read:
            joints, path = tendon_path(tendon, model.figure)
            springs[f"{tendon.name} spring"] = SpringTendon(joints, path, **{n: getattr(tendon, n) for n in names})
    return springs


def commands_of(model: Model, control: Mapping[str, float]) -> dict[str, float]:
    """Return the commands of the actuators of a model, by the names of its motors, for the controls of its file.

    control: MuJoCo's controls by the names of motors; controls that are not named are 0, or the nearest number in their
    range. Raises WorldError for unknown names, and for controls out of the range of their motor.
    """
    for name in control:
        _check_name(name, model)
    return {motor.name: _command(motor, control.get(motor.name)) for motor in model.motors}


def _check_name(name: str, model: Model) -> None:
    """Raise WorldError for an unknown name of a motor."""
    if name not in (names := [motor.name for motor in model.motors]):
        raise WorldError(f'the model has no motor "{name}"; {did_you_mean(name, names)}')


def _limited(motor: Motor, limit: float) -> Motor:
    """Return a motor with another largest force. limit: this force, after the gear [N m or N]."""
    gear = abs(motor.gear[0])
    if not (limit > 0.0 and gear > 0.0):
        raise WorldError(f'the limit of the motor "{motor.name}" is {limit}, its gear {gear}; both must be more than 0')
    return replace(motor, weakest=-limit / gear, strongest=limit / gear)


def _command(motor: Motor, control: float | None) -> float:
    """Return the command of a motor's actuator.

    control: control in the units of the file; None: 0, or the number in the motor's range that is nearest to 0.
    """
    lower, upper = _control_range(motor)
    u = min(max(0.0, lower), upper) if control is None else control
    if not lower <= u <= upper:
        raise WorldError(f'the control of the motor "{motor.name}" is {u}; it must be from {lower} to {upper}')
    if motor.tendon or motor.law is not None:
        return u
    gear = motor.gear[0]
    return gear * motor.gain * u if motor.kind == "torque" else u / gear


def _control_range(motor: Motor) -> tuple[float, float]:
    """Return the range of the controls of a motor; the control of a muscle lies between 0 and 1."""
    if motor.law is not None and motor.law.dynamics == "muscle":
        return max(motor.lower, 0.0), min(motor.upper, 1.0)
    return motor.lower, motor.upper


def _actuator(motor: Motor, bound: float, model: Model) -> Actuator:
    if motor.tendon or motor.law is not None:
        return _along_path(motor, bound, model)
    if motor.kind not in _OF_MOTOR:
        raise WorldError(f'the motor "{motor.name}" is none of torque, position and velocity: {motor.note}')
    if len(motor.gear) != 1:
        raise WorldError(
            f'the motor "{motor.name}" drives the {len(motor.gear)} velocities of "{motor.joint}"; '
            "actuators of files need a joint with one"
        )
    return _OF_MOTOR[motor.kind](motor, motor.gear[0], bound)


def _along_path(motor: Motor, bound: float, model: Model) -> Actuator:
    """Return the actuator of a muscle, of a general motor, or of any motor along a tendon."""
    if len(motor.gear) != 1:
        raise WorldError(f'the motor "{motor.name}" has {len(motor.gear)} gears; it needs a joint with one velocity')
    tendons = {tendon.name: tendon for tendon in model.tendons}
    spanned = tendon_path(tendons[motor.tendon], model.figure) if motor.tendon else joint_path(motor.joint)
    if motor.kind == "other":
        raise WorldError(f'the motor "{motor.name}" has a law that gambol does not simulate: {motor.note}')
    law = motor.law or MotorLaw(
        gain_parameters=(motor.gain,),
        bias="none" if motor.kind == "torque" else "affine",
        bias_parameters=_AFFINE[motor.kind](motor),
    )
    if motor.gear[0] == 0.0:
        raise WorldError(f'the motor "{motor.name}" has a gear of 0')
    if muscle := _muscle(motor, law, spanned):
        return muscle
    lower, upper = _control_range(motor)
    bounds = _bounds(motor, max(lower, -bound), min(upper, bound))
    return GeneralMotor(*spanned, law, *bounds, motor.gear[0], motor.weakest, motor.strongest)


_AFFINE: dict[str, Callable[[Motor], tuple[float, ...]]] = {
    "torque": lambda motor: (),
    "position": lambda motor: (0.0, -motor.gain, -motor.damping),
    "velocity": lambda motor: (0.0, 0.0, -motor.gain),
}
"""The bias of motors along tendons that have no force law, by kind."""


def _muscle(motor: Motor, law: MotorLaw, spanned: Spanned) -> Muscle | None:
    """Return the muscle of a motor; None for laws that mix a muscle with other laws: these need a GeneralMotor."""
    if (law.dynamics, law.gain, law.bias) != ("muscle",) * 3 or law.gain_parameters != law.bias_parameters:
        return None
    limits = (motor.weakest, motor.strongest, law.lowest, law.highest)
    r0, r1, force, lmin, lmax, vmax, fpmax, fvmax = law.gain_parameters
    optimal = (law.longest - law.shortest) / (r1 - r0)
    slack = law.shortest - r0 * optimal
    has_standard_limits = (
        motor.gear == (1.0,) and _control_range(motor) == (0.0, 1.0) and not any(map(math.isfinite, limits))
    )
    if not has_standard_limits or slack < 0.0 or force <= 0.0:
        return None
    rise, fall, smoothing = law.time_constants
    return Muscle(
        *spanned,
        force,
        optimal,
        slack,
        vmax,
        curves="mujoco",
        curve_numbers={"shortest": lmin, "longest": lmax, "passive_max": fpmax, "eccentric": fvmax},
        activation_numbers={"rise": rise, "fall": fall, "smoothing": smoothing},
        rigid_tendon=True,
        initial_activation=0.0,
    )


def _torque(motor: Motor, gear: float, bound: float) -> Actuator:
    low, high = _forces(motor, bound)
    return TorqueMotor(*_bounds(motor, gear * low, gear * high), joints=(motor.joint,))


def _forces(motor: Motor, bound: float) -> tuple[float, float]:
    """Return the least and the largest force of a torque motor before the gear."""
    bounds = [motor.gain * u for u in (max(motor.lower, -bound), min(motor.upper, bound))]
    low, high = (min(max(x, motor.weakest), motor.strongest) for x in sorted(bounds))
    return low, high


def _servo(motor: Motor, gains: Sequence[float], unlimited: float | None, model: Model) -> Actuator:
    """Return a servo in place of a motor at a joint. gains: stiffness and damping."""
    if motor.tendon or motor.law is not None or len(motor.gear) != 1:
        raise WorldError(f'the motor "{motor.name}" cannot become a servo: it needs a joint with one velocity')
    if len(gains) != 2:
        raise WorldError(f'the gains of the motor "{motor.name}" are {tuple(gains)}; give a stiffness and a damping')
    low, high = _forces(motor, math.inf) if motor.kind == "torque" else (motor.weakest, motor.strongest)
    strength = abs(motor.gear[0]) * min(-low, high)
    if not strength > 0.0:
        raise WorldError(f'the motor "{motor.name}" has forces from {low} to {high}; a servo needs both directions')
    bound = math.pi if unlimited is None else unlimited
    spring = model.springs.get(motor.joint, JointSpring())
    assert isinstance(spring, JointSpring)  # a joint with one velocity has one
    lower, upper = (min(max(x, -bound), bound) if math.isinf(x) else x for x in (spring.lower, spring.upper))
    return Servo(lower, upper, gains[0], gains[1], strength, joints=(motor.joint,))


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
