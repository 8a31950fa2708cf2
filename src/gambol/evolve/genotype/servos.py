"""The servos of grown joints: their numbers scale with the load of the joint, so that any body can be driven.

Joints with muscles have the actuators of muscle_pairs.py instead, with the rotor and the stops of this module.

    revolute   torque  s W L              stiffness  k = s W L / RATED_ERROR
    prismatic  force   s W / SLIDE_UNIT   stiffness  k = s W / (RATED_ERROR SLIDE_UNIT^2 l)

W = M g is the creature's weight, L the length of the limb from the joint to its end, l the length of the segment, and s
the gene strength: the same gene gives limbs of any size the same strength relative to their load. The motor's rotor is
k / MAX_SERVO_FREQUENCY^2, so even a servo of a very light limb cannot oscillate faster. Damping is critical for the
limb's inertia, in the air and at rest. All functions take generic scalars.
"""

from collections.abc import Mapping

from gambol.actuation.muscle.antagonist_pair import pair_stiffness
from gambol.evolve.genotype.body import Freedom, Limb
from gambol.evolve.genotype.muscle_pairs import STOP_MARGIN, stiffness_of
from gambol.figure import Figure, JointSpring, MassProperties, PlacedLink, composite_bodies
from gambol.lanes import Scalar, sqrt, total
from gambol.spatial import Vector

WEIGHT_PER_MASS = 9.81
"""Weight per mass from which the strength of servos is computed [N/kg]: standard gravity, in any world."""

RATED_ERROR = 0.2
"""The position error at which a servo reaches its strength, in units of the genes middle and reach: see unit_of()."""

SLIDE_UNIT = 0.3
"""One unit of the genes middle and reach of a prismatic joint, as a fraction of its segment's length."""

MAX_SERVO_FREQUENCY = 120.0
"""The largest angular frequency of a servo [rad/s]: its phase advances by a third of a radian in a task's step of
1/360 s, so that 19 steps resolve a period."""

RATED_SPEED = 3.0
"""The rated speed of a joint, in sqrt(g / L) units of the genes middle and reach: the largest power of the joint is its
strength times this speed. The value is typical of the motors of robot dogs."""

PASSIVE_DAMPING = 0.05
"""The passive damping of a joint, as a fraction of the damping of its servo."""


def unit_of(freedom: Freedom, length: Scalar) -> Scalar:
    """Return the size of one unit of the genes middle and reach [rad or m]; length: length of the segment [m]."""
    return SLIDE_UNIT * length if freedom.kind == "prismatic" else 1.0


def strength_of(freedom: Freedom, limb: Limb, number: int, mass: Scalar) -> Scalar:
    """Return the largest torque or force of a freedom [N m or N].

    freedom: freedom of segment `number` (from 0) of the limb. mass: mass of the creature [kg].
    """
    strength_per_weight = 1.0 / SLIDE_UNIT if freedom.kind == "prismatic" else length_from(limb, number)
    return freedom.strength * mass * WEIGHT_PER_MASS * strength_per_weight


def length_from(limb: Limb, number: int) -> Scalar:
    """Return the length of a limb from the joint of segment `number` (from 0) to its end [m]."""
    return total(segment.length for segment in limb.segments[number:])


def rotor_of(freedom: Freedom, strength: Scalar, unit: Scalar) -> Scalar:
    """Return the inertia at the joint of an actuator of this strength [kg m2 or kg]; unit: see unit_of().

    For a motor it is the inertia of the rotor; muscles get the same inertia for their stiffness.
    """
    if freedom.muscles is not None:
        return stiffness_of(freedom, strength, unit) / MAX_SERVO_FREQUENCY**2
    return strength / (RATED_ERROR * unit * MAX_SERVO_FREQUENCY**2)


def arm_of(freedom: Freedom, upper_radius: Scalar) -> Scalar:
    """Return the moment arm of a freedom's muscles: the upper radius of the segment [m], or 1 along a slide."""
    return 1.0 if freedom.kind == "prismatic" else upper_radius


def servo_numbers(
    freedom: Freedom, strength: Scalar, unit: Scalar, length: Scalar, inertia: Scalar
) -> dict[str, Scalar]:
    """Return the numbers of a freedom's Servo, by the names of its fields.

    freedom: the freedom. strength [N m or N]. unit: see unit_of(). length: length of the limb from the joint to its end
    [m]. inertia: inertia that the joint carries, with its rotor [kg m2 or kg].
    """
    stiffness = strength / (RATED_ERROR * unit)
    return {
        "lower": unit * (freedom.middle - freedom.reach),
        "upper": unit * (freedom.middle + freedom.reach),
        "stiffness": stiffness,
        "damping": 2.0 * sqrt(stiffness * inertia),
        "strength": strength,
        "power": strength * unit * RATED_SPEED * sqrt(WEIGHT_PER_MASS / length),
    }


def spring_of(servo: Mapping[str, Scalar], unit: Scalar, inertia: Scalar) -> JointSpring:
    """Return the passive spring of a joint: damping, and stops outside the range of targets.

    servo: numbers of the joint's servo or muscles. unit: see unit_of(). inertia: inertia that the joint carries [kg m2
    or kg].
    """
    margin = STOP_MARGIN * unit
    damping = servo["damping"] if "damping" in servo else 2.0 * sqrt(pair_stiffness(servo) * inertia)
    return JointSpring(damping=PASSIVE_DAMPING * damping, lower=servo["lower"] - margin, upper=servo["upper"] + margin)


def joint_inertias(figure: Figure) -> Mapping[str, Scalar]:
    """Return the inertia that each joint carries along its freedom at rest, with its rotor, by link [kg m2 or kg]."""
    composites = composite_bodies(figure.links[1:])
    return {link.name: _joint_inertia(link, composites[link.index]) for link in figure.links[1:]}


def _joint_inertia(link: PlacedLink, body: MassProperties) -> Scalar:
    if link.joint.kind == "prismatic":
        return body.mass + link.joint.armature
    axis = Vector(*link.joint.axis)
    inertia_times_axis = (axis.dot(Vector(*row)) for row in body.inertia_about((0.0, 0.0, 0.0)))
    return axis.dot(Vector(*inertia_times_axis)) + link.joint.armature
