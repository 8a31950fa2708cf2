"""Joints of a URDF: kinds, springs, motors and couplings."""

import math
from collections.abc import Mapping
from dataclasses import replace

from gambol.errors import GambolError, did_you_mean
from gambol.figure import Coupling, Joint, JointSpring
from gambol.formats.export_report import UNLIMITED
from gambol.formats.model import Motor
from gambol.formats.urdf.shapes import origin_of
from gambol.formats.xml_file import Element

JOINT_KINDS = {
    "fixed": "fixed",
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "floating": "free",
    "planar": "planar",
}
"""The kind of joint in gambol for each type in URDF."""

LIMITED_TYPES = ("revolute", "prismatic")  # of URDF, where a continuous joint is another type


def joint_type(joint: Element) -> str:
    """Return the type of a joint. Raises GambolError for an unknown type."""
    type_name = joint.name("type")
    if type_name not in JOINT_KINDS:
        hint = did_you_mean(type_name, JOINT_KINDS)
        raise GambolError(f'{joint.where}: joint "{joint.name()}" is of type "{type_name}", which is not known; {hint}')
    return type_name


def joint_of(joint: Element) -> Joint:
    """Return the joint of a joint element, with its pose in the parent link."""
    kind = JOINT_KINDS[joint_type(joint)]
    position, rotation = origin_of(joint)
    axis_element = joint.find("axis")
    axis = (1.0, 0.0, 0.0) if axis_element is None else axis_element.triple("xyz", (1.0, 0.0, 0.0))
    if kind in ("revolute", "prismatic", "planar") and not any(axis):
        raise GambolError(f'{(axis_element or joint).where}: joint "{joint.name()}" has an axis of length 0')
    return Joint(kind, axis if kind in ("revolute", "prismatic", "planar") else (0.0, 0.0, 1.0), rotation, position)


def spring_of(joint: Element) -> JointSpring | None:
    """Return damper, friction and limits of a revolute or prismatic joint, if any; limits have no stiffness."""
    spring = JointSpring()
    if JOINT_KINDS[joint_type(joint)] not in ("revolute", "prismatic"):
        return None
    dynamics = joint.find("dynamics")
    if dynamics is not None:
        damping, friction = dynamics.number("damping", 0.0), dynamics.number("friction", 0.0)
        if min(damping, friction) < 0.0:
            raise GambolError(f'{dynamics.where}: joint "{joint.name()}" has a negative damping or friction')
        spring = replace(spring, damping=damping, friction=friction)
    lower, upper = _limits(joint)
    if lower < upper:
        lower, upper = lower if lower > -UNLIMITED else -math.inf, upper if upper < UNLIMITED else math.inf
        spring = replace(spring, lower=lower, upper=upper)
    return None if spring == JointSpring() else spring


def has_equal_limits(joint: Element) -> bool:
    """Return True if the limits of a joint are equal, which usually means that they were not set."""
    lower, upper = _limits(joint)
    return lower == upper


def _limits(joint: Element) -> tuple[float, float]:
    """Return the limits of a joint [rad or m]; infinite for a type without limits.

    Raises GambolError for missing limits, and for a lower limit above the upper one.
    """
    type_name, limit = joint_type(joint), joint.find("limit")
    if type_name not in LIMITED_TYPES:
        return -math.inf, math.inf
    if limit is None:
        hint = ", or make it continuous" if type_name == "revolute" else ""
        raise GambolError(f'{joint.where}: {type_name} joint "{joint.name()}" has no <limit>; give it one{hint}')
    lower, upper = limit.number("lower", 0.0), limit.number("upper", 0.0)
    if lower > upper:
        raise GambolError(f'{limit.where}: joint "{joint.name()}" has limits {lower:g} to {upper:g}; swap them')
    return lower, upper


def coupling_of(joint: Element, children: Mapping[str, str]) -> Coupling | None:
    """Return the coupling of a joint that mimics another, else None. children: the child link of each joint."""
    mimic = joint.find("mimic")
    if mimic is None or joint_type(joint) == "fixed":
        return None
    other = mimic.name("joint")
    if other not in children:
        hint = did_you_mean(other, children)
        raise GambolError(f'{mimic.where}: joint "{joint.name()}" mimics "{other}", which does not exist; {hint}')
    coefficients = (mimic.number("offset", 0.0), mimic.number("multiplier", 1.0))
    return Coupling(children[joint.name()], children[other], coefficients)


def motors_of(robot: Element, children: Mapping[str, str], notes: set[str]) -> tuple[Motor, ...]:
    """Return a motor for each revolute or prismatic joint with an effort limit, except joints that mimic others.

    A motor has the gear of its transmission, if any. robot: the root element. children: the child link of each joint.
    notes: receives sentences on omitted transmissions.
    """
    motors: dict[str, Motor] = {}
    for joint in robot.find_all("joint"):
        limit = joint.find("limit")
        if (
            limit is None
            or JOINT_KINDS[joint_type(joint)] not in ("revolute", "prismatic")
            or joint.find("mimic") is not None
        ):
            continue
        effort, speed = abs(limit.number("effort", 0.0)), abs(limit.number("velocity", 0.0))
        if effort > 0.0:
            note = f"no faster than {speed:g}" if 0.0 < speed < UNLIMITED else ""
            name = joint.name()
            effort = effort if effort < UNLIMITED else math.inf
            motors[name] = Motor(name, children[name], weakest=-effort, strongest=effort, note=note)
    for transmission in robot.find_all("transmission"):
        gear: float | None = None
        for driven in transmission.find_all("joint"):
            if driven.name() in children:
                gear = gear or _gear_of(transmission)
                _apply_gear(gear, driven.name(), motors)
            else:
                notes.add(f'Left out: a transmission of joint "{driven.name()}", which does not exist.')
    return tuple(motors.values())


def _gear_of(transmission: Element) -> float:
    """Return the gear of a transmission: its first mechanical reduction, or 1."""
    reductions = [e for e in transmission.walk() if e.tag == "mechanicalReduction"]
    text = reductions[0].text.strip() if reductions else "1"
    try:
        gear = float(text)
    except ValueError:
        gear = math.nan
    if not math.isfinite(gear) or gear == 0.0:
        raise GambolError(f'{reductions[0].where}: a reduction of "{text}" is not possible; give a number other than 0')
    return gear


def _apply_gear(gear: float, name: str, motors: dict[str, Motor]) -> None:
    """Set the gear of the motor of a joint. The force limits were given at the joint, and are divided by the gear."""
    if name in motors:
        motor = motors[name]
        bounds = sorted((motor.weakest / gear, motor.strongest / gear))
        motors[name] = replace(motor, gear=(gear,), weakest=bounds[0], strongest=bounds[1])
