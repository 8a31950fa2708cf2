"""Default servos for the joints of any figure, from its motors, limits and size.

With mass M, weight W = M g, and L the distance from a joint to the farthest point that it carries,

    range      the joint's limits, or 1 rad (L at a prismatic joint) to either side of its initial position
    strength   that of the motor in the file, or W L / 2 (W at a prismatic joint): two limbs can carry the figure
    stiffness  strength at an error of 0.2 rad (0.2 L)
    damping    critical for the inertia that the joint carries, at the initial position
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from gambol.actuation import Actuator, Servo
from gambol.dynamics import STANDARD_GRAVITY
from gambol.dynamics.states import LinkStates, kinematics, mass_matrix
from gambol.figure import JOINTS, Figure, PlacedLink
from gambol.formats.model import Motor
from gambol.world import World

RANGE = 1.0
"""Half the range of a joint without limits [rad, or lengths of the limb]."""

RATED_ERROR = 0.2
"""Error at which a servo reaches its strength [rad, or lengths of the limb]."""

LIMBS = 2.0
"""The number of limbs that can carry the figure."""


def servos_for(world: World, motors: Sequence[Motor] = ()) -> dict[str, Actuator]:
    """Return a servo for each driven joint by link name: joints of motors, or all joints with one degree of freedom.

    world: a world with initial coordinates. Motors of other kinds than torque and position only name the joint.
    """
    figure, q = world.figure, np.array(world.initial.q)
    states, inertias = kinematics(figure, q), np.diagonal(mass_matrix(figure, q))
    by_joint = {motor.joint: motor for motor in motors}
    servos: dict[str, Actuator] = {}
    for link in figure.links:
        has_one_freedom = JOINTS[link.joint.kind].nv == 1 and JOINTS[link.joint.kind].nq == 1
        if has_one_freedom and (link.name in by_joint or not motors):
            length = max((float(np.linalg.norm(r)) for r in _carried(figure, link, states)), default=world.size)
            inertia, angle = float(inertias[link.v.start]), float(q[link.q.start])
            servos[link.name] = _servo(world, link, by_joint.get(link.name), (length or world.size, inertia, angle))
    return servos


def _servo(world: World, link: PlacedLink, motor: Motor | None, carried: tuple[float, float, float]) -> Actuator:
    """Return the servo of a joint; carried: length of its limb [m], inertia [kg m2 or kg], initial coordinate."""
    length, inertia, start = carried
    unit = length if JOINTS[link.joint.kind].v_units[0] == "m/s" else 1.0
    weight = world.figure.mass * STANDARD_GRAVITY
    strength = weight * length / (LIMBS * unit)
    stiffness = damping = 0.0
    if motor is not None:
        gear = abs(motor.gear[0])
        limits = (abs(motor.weakest), abs(motor.strongest))
        if motor.kind == "torque":
            limits = (min(limits[0], abs(motor.gain * motor.lower)), min(limits[1], abs(motor.gain * motor.upper)))
        strength = gear * max(limits) if 0.0 < gear * max(limits) < math.inf else strength
        if motor.kind == "position":
            stiffness, damping = gear * gear * abs(motor.gain), gear * gear * abs(motor.damping)
    stiffness = stiffness or strength / (RATED_ERROR * unit)
    lower, upper = _range(world, link, start, RANGE * unit)
    return Servo(lower, upper, stiffness, damping or 2.0 * math.sqrt(stiffness * inertia), strength)


def _range(world: World, link: PlacedLink, start: float, reach: float) -> tuple[float, float]:
    """Return the range of a joint's targets: between its limits, or around its initial coordinate."""
    springs = world.resolved_springs.get(link.name, ())
    lower, upper = (springs[0].lower, springs[0].upper) if springs else (-math.inf, math.inf)
    return (
        lower if math.isfinite(lower) else min(start, upper) - reach,
        upper if math.isfinite(upper) else max(start, lower) + reach,
    )


def _carried(figure: Figure, link: PlacedLink, states: LinkStates) -> Iterator[np.ndarray]:
    """Yield the vectors from a joint to the contact points and centres of mass of the links that it carries [m]."""
    origin = states.point(link.name)
    for other in figure.links:
        if link.index in {ancestor.index for ancestor in figure.path_to_root(other.index)}:
            points = [point.position for point in other.contact_points()]
            yield from (states.point(other.name, p) - origin for p in (*points, other.mass_properties.com))
