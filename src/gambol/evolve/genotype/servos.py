"""The servos of grown joints: their numbers follow from what the joint carries, so that any body can be driven.

With the creature's weight W = M g, the length L of the limb from the joint to its end, that of the segment l, and the
gene s (strength):

    revolute   torque  s W L         stiffness  k = s W L / GIVE
    prismatic  force   s W / SLIDE   stiffness  k = s W / (GIVE SLIDE^2 l)

so that a limb of any size works as hard for the same gene. The motor's rotor is k / FASTEST^2: with it no servo swings
faster than FASTEST, however light its limb. Damping is critical for the limb in the air at rest, with its inertia I.
Generic scalars.
"""

from collections.abc import Mapping

from gambol.evolve.genotype.body import Freedom, Limb
from gambol.figure import Figure, JointSpring, MassProperties, PlacedLink, composite_bodies
from gambol.lanes import Scalar, sqrt, total
from gambol.spatial import Vector

WEIGHT = 9.81
"""Weight per mass for the strength of servos [N/kg]: that of Earth, in any gravity."""

GIVE = 0.2
"""The position error at which a servo reaches its largest torque [rad]."""

SLIDE = 0.3
"""The travel of a slide for one unit of the genes middle and reach, as a fraction of its segment's length."""

FASTEST = 120.0
"""The largest angular frequency of a servo [rad/s]: half a radian in a step of 1/240 s."""

NIMBLE = 3.0
"""The speed at which a joint at its largest torque reaches its largest power, in units of sqrt(g / L): as the motors of
robot dogs.
"""

PASSIVE = 0.05
"""The passive damping of a joint, as a fraction of its servo's."""

BEYOND = 0.1
"""How far a joint moves beyond the range of its targets before it is stopped [rad or units of the gene]."""


def unit_of(freedom: Freedom, length: Scalar) -> Scalar:
    """Return the size of one unit of the genes middle and reach [rad, or m for a slide]; length: of the segment [m]."""
    return SLIDE * length if freedom.kind == "prismatic" else 1.0


def strength_of(freedom: Freedom, limb: Limb, number: int, mass: Scalar) -> Scalar:
    """Return the largest torque or force of a freedom [N m or N].

    freedom: of a segment of the limb; number: of the segment, from 0; mass: of the creature [kg].
    """
    arm = 1.0 / SLIDE if freedom.kind == "prismatic" else length_from(limb, number)
    return freedom.strength * mass * WEIGHT * arm


def length_from(limb: Limb, number: int) -> Scalar:
    """Return the length of a limb from the joint of a segment to its end [m]."""
    return total(segment.length for segment in limb.segments[number:])


def rotor_of(strength: Scalar, unit: Scalar) -> Scalar:
    """Return the rotor inertia of a motor of this strength at its joint [kg m2 or kg]; unit: see unit_of()."""
    return strength / (GIVE * unit * FASTEST**2)


def servo_numbers(
    freedom: Freedom, strength: Scalar, unit: Scalar, length: Scalar, inertia: Scalar
) -> dict[str, Scalar]:
    """Return the numbers of a freedom's Actuator.

    freedom: with its range. strength [N m or N]; unit: see unit_of(); length: of the limb from there [m]; inertia: that
    the joint carries, its rotor's included [kg m2 or kg].
    """
    stiffness = strength / (GIVE * unit)
    return {
        "lower": unit * (freedom.middle - freedom.reach),
        "upper": unit * (freedom.middle + freedom.reach),
        "stiffness": stiffness,
        "damping": 2.0 * sqrt(stiffness * inertia),
        "strength": strength,
        "power": strength * unit * NIMBLE * sqrt(WEIGHT / length),
    }


def spring_of(servo: Mapping[str, Scalar], unit: Scalar) -> JointSpring:
    """Return the passive spring of a joint: some damping, and stops a little outside of the range of targets."""
    beyond = BEYOND * unit
    return JointSpring(damping=PASSIVE * servo["damping"], lower=servo["lower"] - beyond, upper=servo["upper"] + beyond)


def joint_inertias(figure: Figure) -> Mapping[str, Scalar]:
    """Return the inertia that every joint carries at rest along its freedom, its rotor's included [kg m2 or kg]."""
    bodies = composite_bodies(figure.links[1:])
    return {link.name: _moment(link, bodies[link.index]) for link in figure.links[1:]}


def _moment(link: PlacedLink, body: MassProperties) -> Scalar:
    if link.joint.kind == "prismatic":
        return body.mass + link.joint.armature
    axis = Vector(*link.joint.axis)
    turned = (axis.dot(Vector(*row)) for row in body.inertia_about((0.0, 0.0, 0.0)))
    return axis.dot(Vector(*turned)) + link.joint.armature
