"""Growth: from a genotype to its phenotype, a figure with servos or muscles. Every valid genotype has a phenotype.

Here one creature is checked and grown. topology_arrays.py grows many creatures of one topology at once, with arrays for
numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, TypeAlias

from gambol.actuation import ElasticServo, HillServo, Servo
from gambol.actuation.muscle import AntagonistPair
from gambol.collide import Plane
from gambol.control.controller import SENSE_NAMES
from gambol.control.patterns import Pattern
from gambol.evolve.genotype.anatomy import (
    PlacedFreedom,
    feet_of,
    links_of,
    mass_of,
    placed_freedoms,
    sine_cosine,
    standing_feet,
)
from gambol.evolve.genotype.body import MUSCLES, Body, drive_of
from gambol.evolve.genotype.elastic_servos import motor_numbers
from gambol.evolve.genotype.genotype import Genotype, check_genotype, pattern_of
from gambol.evolve.genotype.muscle_mass import with_muscle_mass
from gambol.evolve.genotype.muscle_pairs import metabolism_of, pair_numbers
from gambol.evolve.genotype.servos import joint_inertias, length_from, servo_numbers, spring_of
from gambol.figure import Figure, Joint, JointSpring
from gambol.lanes import Scalar, maximum, minimum
from gambol.sensing import Sensor, check_sensors
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.motion import IDENTITY_TRANSFORM

CLEARANCE = 0.01
"""The initial gap below the lowest ball, as a fraction of the standing height: so small that landing is soft."""


GrownActuator: TypeAlias = Servo | HillServo | ElasticServo | AntagonistPair
"""An actuator of a grown joint."""


@dataclass(frozen=True)
class Phenotype:
    """A grown creature.

    figure: figure of its links. springs, actuators: springs and actuators by the name of the link with their joint, in
    the order of links. pattern: one signal for each actuator, in their order. feet: names of the last links of limbs
    and twins, heads and tails included. angles: rest coordinates of joints by link [rad or m]. height: initial height
    of the trunk's centre, with the lowest ball just above the ground [m]. length: distance from the foremost to the
    hindmost point of its balls at rest [m]. standing: indices of the entries of `feet` that are real feet, not ends of
    heads or tails. sensors: sensors by name.
    """

    figure: Figure
    springs: Mapping[str, JointSpring]
    actuators: Mapping[str, GrownActuator]
    pattern: Pattern
    feet: tuple[str, ...]
    angles: Mapping[str, float]
    height: float
    length: float
    standing: tuple[int, ...] = ()
    sensors: Mapping[str, Sensor] = field(default_factory=dict[str, Sensor])

    @property
    def standing_feet(self) -> tuple[str, ...]:
        """The names of the links that are real feet, not ends of heads or tails."""
        return tuple(self.feet[k] for k in self.standing)

    @property
    def feet_in_contact(self) -> int:
        """The number of feet that may stand at once: all of a body with named limbs, such as a centipede; else 0."""
        return len(self.standing) if any(not name.startswith("limb") for name in self.feet) else 0

    @property
    def q(self) -> tuple[float, ...]:
        """The initial coordinates (nq): level above the origin, every joint at rest."""
        return (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, self.height, *self.angles.values())


def grow(genotype: Genotype, name: str = "creature") -> Phenotype:
    """Return the phenotype of a genotype.

    name: name of the figure. Raises EvolveError for an invalid genotype, see check_genotype().
    """
    check_genotype(genotype)
    body = with_muscle_mass(genotype.body)
    figure = Figure(name, links_of(body))
    freedoms = tuple(placed_freedoms(body))
    servos = servos_of(figure, body, freedoms)
    return Phenotype(
        figure,
        springs_of(figure, freedoms, servos),
        {p.link: _actuator(p, servos[p.link]) for p in freedoms},
        pattern_of(genotype),
        feet_of(body),
        angles := rest_angles(freedoms),
        *stance_of(figure, angles),
        standing_feet(body),
        dict(body.sensors),
    )


def check_grown_sensors(genotype: Genotype) -> None:
    """Raise WorldError or FigureError for sensors of a body that its creature cannot have.

    Such sensors are on an unknown link, read an unknown actuator, or have the name of a sense.
    """
    if genotype.body.sensors:
        creature = grow(genotype)
        check_sensors(creature.sensors, SENSE_NAMES, creature.figure, Plane(), creature.actuators)


def servos_of(figure: Figure, body: Body, freedoms: Sequence[PlacedFreedom]) -> dict[str, dict[str, Scalar]]:
    """Return the numbers of all actuators by link, see motor_numbers() and pair_numbers().

    figure, freedoms: figure and freedoms of the body.
    """
    mass, inertias = mass_of(body), joint_inertias(figure)

    def numbers(p: PlacedFreedom) -> dict[str, Scalar]:
        if p.freedom.muscles is not None:
            return pair_numbers(p.freedom, p.strength(mass), p.unit, p.arm)
        length = length_from(p.limb, p.number)
        servo = servo_numbers(p.freedom, p.strength(mass), p.unit, length, inertias[p.link])
        return motor_numbers(p.freedom.motor, servo, mass, len(freedoms))

    return {p.link: numbers(p) for p in freedoms}


def springs_of(
    figure: Figure, freedoms: Sequence[PlacedFreedom], servos: Mapping[str, Mapping[str, Scalar]]
) -> dict[str, JointSpring]:
    """Return the passive springs of all joints by link, see spring_of(); servos: as servos_of() returns them."""
    inertias = joint_inertias(figure)
    return {p.link: spring_of(servos[p.link], p.unit, inertias[p.link]) for p in freedoms}


ACTUATOR_KINDS: Mapping[str, type[GrownActuator]] = {
    "servos": Servo,
    "hill servos": HillServo,
    "elastic servos": ElasticServo,
    **dict.fromkeys(MUSCLES, AntagonistPair),
}
"""The actuator of a joint by its drive, see body.DRIVES."""


def _actuator(placed: PlacedFreedom, numbers: Mapping[str, Any]) -> GrownActuator:
    values: dict[str, Any] = {**numbers, **metabolism_of(placed.freedom)}
    return ACTUATOR_KINDS[drive_of(placed.freedom)](**values)


def rest_angles(freedoms: Sequence[PlacedFreedom]) -> dict[str, Scalar]:
    """Return the rest coordinate of each joint by link [rad or m]."""
    return {p.link: p.unit * p.freedom.middle for p in freedoms}


def height_of(figure: Figure, angles: Mapping[str, Scalar]) -> Scalar:
    """Return the trunk's height with the lowest ball just above the ground [m]; angles: as for stance_of()."""
    return stance_of(figure, angles)[0]


def stance_of(figure: Figure, angles: Mapping[str, Scalar]) -> tuple[Scalar, Scalar]:
    """Return height and length of a figure, see height_and_length(); angles: joint coordinates by link [rad or m]."""
    return height_and_length(balls_of(figure, angles))


def balls_of(figure: Figure, angles: Mapping[str, Scalar]) -> list[tuple[Scalar, Vector]]:
    """Return the radius and the position in the trunk's frame of each contact ball [m]; angles: as for stance_of()."""
    poses = {0: IDENTITY_TRANSFORM, figure.root.index: IDENTITY_TRANSFORM}
    for link in figure.links[1:]:
        poses[link.index] = poses[link.parent_index] @ joint_transform(link.joint, angles[link.name])
    points = [(link.index, point) for link in figure.links for point in link.contact_points()]
    return [(point.radius, poses[index] @ Vector(*point.position)) for index, point in points]


def height_and_length(balls: Sequence[tuple[Scalar, Vector]]) -> tuple[Scalar, Scalar]:
    """Return the height of the trunk's centre with the lowest ball just above the ground, and the body's length [m].

    balls: radius and position of each ball in the trunk's frame [m]. The length is measured from the foremost point of
    the balls to the hindmost.
    """
    lowest = reduce(minimum, [position.z - radius for radius, position in balls])
    front = reduce(maximum, [position.x + radius for radius, position in balls])
    back = reduce(minimum, [position.x - radius for radius, position in balls])
    return -(1.0 + CLEARANCE) * lowest, front - back


def joint_transform(joint: Joint, q: Scalar) -> Transform:
    """Return the transform of a joint at coordinate q, like kinematics(), but with equal bits for floats and arrays."""
    rotation, position, axis = Rotation(joint.rotation), Vector(*joint.position), Vector(*joint.axis)
    if joint.kind == "prismatic":
        return Transform(rotation, position + rotation @ (axis * q))
    return Transform(rotation @ Rotation.about(axis, *sine_cosine(q)), position)
