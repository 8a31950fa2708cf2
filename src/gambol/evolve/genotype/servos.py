"""What moves a grown joint: servos whose numbers follow from what the joint carries, so that any body can be driven.

With the creature's weight W = M g, the length L of the limb from the joint to its end, that of the segment l, and the
gene s (strength):

    rotary     torque  s W L         stiffness  k = s W L / GIVE
    sliding    force   s W / SLIDE   stiffness  k = s W / (GIVE SLIDE^2 l)

so that a limb of any size works as hard for the same gene. The motor's rotor is k / FASTEST^2: with it no servo swings
faster than FASTEST, however light its limb. Damping is critical for the limb in the air at rest, with its inertia I.
Generic scalars.
"""

from collections.abc import Mapping

from gambol.evolve.genotype.body import Freedom, Limb
from gambol.figure import Figure, JointSpring, MassProperties, PlacedLink, composites
from gambol.lanes import Scalar, sqrt, total
from gambol.spatial import Vector

WEIGHT = 9.81
"""N/kg: creatures are as strong as life on Earth asks, wherever they live."""

GIVE = 0.2
"""Error at which a servo works as hard as it can [rad]: a stiffer one is only more at its limit."""

SLIDE = 0.3
"""Of its segment's length: how far a joint slides for one unit of the genes middle and reach."""

FASTEST = 120.0
"""Rate of the quickest servo [rad/s]: half a radian in a step of 1/240 s."""

NIMBLE = 3.0
"""Speed at which a joint at its full strength is at its full power, in units of sqrt(g / L): the motors of robot dogs
give their largest torque up to about there."""

PASSIVE = 0.05
"""Of a servo's damping: what flesh and joint damp by themselves."""

BEYOND = 0.1
"""How far a joint goes beyond the range of its targets before it is stopped [rad or units of the gene]."""


def unit_of(freedom: Freedom, length: Scalar) -> Scalar:
    """What one unit of the genes middle and reach is [rad, or m for a slide]; length: of the segment [m]."""
    return SLIDE * length if freedom.kind == "sliding" else 1.0


def strength_of(freedom: Freedom, limb: Limb, number: int, mass: Scalar) -> Scalar:
    """Largest torque or force of a freedom [N m or N]; number: of its segment, from 0; mass: of the creature [kg]."""
    arm = 1.0 / SLIDE if freedom.kind == "sliding" else length_from(limb, number)
    return freedom.strength * mass * WEIGHT * arm


def length_from(limb: Limb, number: int) -> Scalar:
    """Length of a limb from the joint of a segment to its end [m]."""
    return total(segment.length for segment in limb.segments[number:])


def rotor_of(strength: Scalar, unit: Scalar) -> Scalar:
    """Inertia of a motor of this strength at its joint [kg m2 or kg]; unit: see unit_of()."""
    return strength / (GIVE * unit * FASTEST**2)


def servo_numbers(
    freedom: Freedom, strength: Scalar, unit: Scalar, length: Scalar, inertia: Scalar
) -> dict[str, Scalar]:
    """The numbers of a freedom's Actuator.

    strength [N m or N]; unit: see unit_of(); length: of the limb from there [m]; inertia: what the joint carries, its
    rotor's included [kg m2 or kg].
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
    """What a joint has besides its servo: some damping, and stops a little outside of the range of targets."""
    beyond = BEYOND * unit
    return JointSpring(damping=PASSIVE * servo["damping"], lower=servo["lower"] - beyond, upper=servo["upper"] + beyond)


def carried(figure: Figure) -> Mapping[str, Scalar]:
    """The inertia that every joint of one freedom carries at rest along it, its rotor's included [kg m2 or kg]."""
    bodies = composites(figure.links[1:])
    return {link.name: _moment(link, bodies[link.index]) for link in figure.links[1:]}


def _moment(link: PlacedLink, body: MassProperties) -> Scalar:
    if link.joint.kind == "sliding":
        return body.mass + link.joint.armature
    axis = Vector(*link.joint.axis)
    turned = (axis.dot(Vector(*row)) for row in body.inertia_about((0.0, 0.0, 0.0)))
    return axis.dot(Vector(*turned)) + link.joint.armature
