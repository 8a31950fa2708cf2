"""Joints of a URDF: their kinds, and what pushes, drives and couples them."""

import math
from collections.abc import Mapping
from dataclasses import replace

from gambol.errors import GambolError, did_you_mean
from gambol.figure import Coupling, Joint, JointSpring
from gambol.formats.losses import ENDLESS
from gambol.formats.markup import Element
from gambol.formats.specimen import Motor
from gambol.formats.urdf.shapes import origin

KINDS = {
    "fixed": "fixed",
    "revolute": "rotary",
    "continuous": "rotary",
    "prismatic": "sliding",
    "floating": "free",
    "planar": "planar",
}
"""gambol's name for each type of joint."""

LIMITED = ("revolute", "prismatic")


def joint_type(joint: Element) -> str:
    """The type of a joint; GambolError for one that there is not."""
    given = joint.name("type")
    if given not in KINDS:
        cure = did_you_mean(given, KINDS)
        raise GambolError(f'{joint.where}: joint "{joint.name()}" is of type "{given}", which is not known; {cure}')
    return given


def joint_of(joint: Element) -> Joint:
    """A joint as it hangs its child on its parent."""
    kind = KINDS[joint_type(joint)]
    position, rotation = origin(joint)
    given = joint.one("axis")
    axis = (1.0, 0.0, 0.0) if given is None else given.triple("xyz", (1.0, 0.0, 0.0))
    if kind in ("rotary", "sliding", "planar") and not any(axis):
        raise GambolError(f'{(given or joint).where}: joint "{joint.name()}" has an axis that points nowhere')
    return Joint(kind, axis if kind in ("rotary", "sliding", "planar") else (0.0, 0.0, 1.0), rotation, position)


def spring_of(joint: Element) -> JointSpring | None:
    """Damper, friction and limits of a joint with one degree of freedom, if it has any; limits without stiffness."""
    kind, spring = joint_type(joint), JointSpring()
    if KINDS[kind] not in ("rotary", "sliding"):
        return None
    dynamics = joint.one("dynamics")
    if dynamics is not None:
        damping, friction = dynamics.number("damping", 0.0), dynamics.number("friction", 0.0)
        if min(damping, friction) < 0.0:
            raise GambolError(f'{dynamics.where}: joint "{joint.name()}" has a negative damping or friction')
        spring = replace(spring, damping=damping, friction=friction)
    lower, upper = _limits(joint)
    if lower < upper:
        lower, upper = lower if lower > -ENDLESS else -math.inf, upper if upper < ENDLESS else math.inf
        spring = replace(spring, lower=lower, upper=upper)
    return None if spring == JointSpring() else spring


def without_room(joint: Element) -> bool:
    """Whether the limits of a joint leave it no room to move: most often they were forgotten."""
    lower, upper = _limits(joint)
    return lower == upper


def _limits(joint: Element) -> tuple[float, float]:
    """The limits of a joint [rad or m]; infinite where it has none."""
    kind, limit = joint_type(joint), joint.one("limit")
    if kind not in LIMITED:
        return -math.inf, math.inf
    if limit is None:
        cure = ", or make it continuous" if kind == "revolute" else ""
        raise GambolError(f'{joint.where}: {kind} joint "{joint.name()}" has no <limit>; give it one{cure}')
    lower, upper = limit.number("lower", 0.0), limit.number("upper", 0.0)
    if lower > upper:
        raise GambolError(f'{limit.where}: joint "{joint.name()}" has limits {lower:g} to {upper:g}; swap them')
    return lower, upper


def coupling_of(joint: Element, children: Mapping[str, str]) -> Coupling | None:
    """What couples a joint to another, if it mimics one; children: the link that each joint carries."""
    mimic = joint.one("mimic")
    if mimic is None or joint_type(joint) == "fixed":
        return None
    other = mimic.name("joint")
    if other not in children:
        cure = did_you_mean(other, children)
        raise GambolError(f'{mimic.where}: joint "{joint.name()}" mimics "{other}", which does not exist; {cure}')
    coefficients = (mimic.number("offset", 0.0), mimic.number("multiplier", 1.0))
    return Coupling(children[joint.name()], children[other], coefficients)


def motors_of(robot: Element, children: Mapping[str, str], notes: set[str]) -> tuple[Motor, ...]:
    """What may drive the joints: a motor for each that has a limit of effort, behind its transmission if it has one.

    children: the link that each joint carries. notes: grows by the transmissions of joints that do not exist.
    """
    motors: dict[str, Motor] = {}
    for joint in robot.all("joint"):
        limit = joint.one("limit")
        if limit is None or KINDS[joint_type(joint)] not in ("rotary", "sliding") or joint.one("mimic") is not None:
            continue
        effort, speed = abs(limit.number("effort", 0.0)), abs(limit.number("velocity", 0.0))
        if effort > 0.0:
            note = f"no faster than {speed:g}" if 0.0 < speed < ENDLESS else ""
            name = joint.name()
            effort = effort if effort < ENDLESS else math.inf
            motors[name] = Motor(name, children[name], weakest=-effort, strongest=effort, note=note)
    for transmission in robot.all("transmission"):
        gear: float | None = None
        for driven in transmission.all("joint"):
            if driven.name() in children:
                gear = gear or _reduction(transmission)
                _transmitted(gear, driven.name(), motors)
            else:
                notes.add(f'Left out: a transmission of joint "{driven.name()}", which does not exist.')
    return tuple(motors.values())


def _reduction(transmission: Element) -> float:
    """The gear of a transmission."""
    given = [e for e in transmission.walk() if e.tag == "mechanicalReduction"]
    text = given[0].text.strip() if given else "1"
    try:
        gear = float(text)
    except ValueError:
        gear = math.nan
    if not math.isfinite(gear) or gear == 0.0:
        raise GambolError(f'{given[0].where}: a reduction of "{text}" is not possible; give a number other than 0')
    return gear


def _transmitted(gear: float, name: str, motors: dict[str, Motor]) -> None:
    """Put a transmission's gear into the motor of a joint."""
    if name in motors:
        motor = motors[name]
        bounds = sorted((motor.weakest / gear, motor.strongest / gear))
        motors[name] = replace(motor, gear=(gear,), weakest=bounds[0], strongest=bounds[1])
