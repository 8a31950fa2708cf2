"""Growth: from a genotype to its phenotype, a figure with servos. Every valid genotype has one.

One creature is grown from plain numbers and checked. Many of one topology are grown at once, as one of arrays: see
topology_arrays.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from gambol.control import Actuator
from gambol.control.patterns import Pattern
from gambol.evolve.genotype.anatomy import Muscle, feet_of, links_of, mass_of, muscles_of, sine_cosine
from gambol.evolve.genotype.body import Body
from gambol.evolve.genotype.genotype import Genotype, check_genotype, pattern_of
from gambol.evolve.genotype.servos import joint_inertias, length_from, servo_numbers, spring_of
from gambol.figure import Figure, Joint, JointSpring
from gambol.lanes import Scalar, maximum, minimum
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.transform import IDENTITY_TRANSFORM

CLEARANCE = 0.01
"""The initial height above the ground, as a fraction of the standing height: the creature lands at once, and softly."""


@dataclass(frozen=True)
class Phenotype:
    """A grown creature.

    figure: its links. springs, actuators: by the link whose joint they act on, in the order of links. pattern: one
    signal for each of the actuators, in their order. feet: the last link of every limb. angles: the joints' rest
    coordinates by link [rad or m]. height: of the trunk's middle above the ground, where the lowest ball is just above
    it [m]. length: from the foremost to the hindmost point of its balls there [m].
    """

    figure: Figure
    springs: Mapping[str, JointSpring]
    actuators: Mapping[str, Actuator]
    pattern: Pattern
    feet: tuple[str, ...]
    angles: Mapping[str, float]
    height: float
    length: float

    @property
    def q(self) -> tuple[float, ...]:
        """The initial coordinates (nq): level above the origin, every joint at rest."""
        return (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, self.height, *self.angles.values())


def grow(genotype: Genotype, name: str = "creature") -> Phenotype:
    """Return the phenotype of a genotype. name: of its figure.

    Raises EvolveError for genes out of their bounds, see check_genotype().
    """
    check_genotype(genotype)
    body = genotype.body
    figure = Figure(name, links_of(body))
    muscles = tuple(muscles_of(body))
    servos = servos_of(figure, body, muscles)
    return Phenotype(
        figure,
        {m.link: spring_of(servos[m.link], m.unit) for m in muscles},
        {link: Actuator(**servo) for link, servo in servos.items()},
        pattern_of(genotype),
        feet_of(body),
        angles := rest_angles(muscles),
        *stance_of(figure, angles),
    )


def servos_of(figure: Figure, body: Body, muscles: Sequence[Muscle]) -> dict[str, dict[str, Scalar]]:
    """Return the numbers of all servos of a grown body, by link. figure: of the body; muscles: of the body."""
    mass, inertias = mass_of(body), joint_inertias(figure)
    return {
        m.link: servo_numbers(m.freedom, m.strength(mass), m.unit, length_from(m.limb, m.number), inertias[m.link])
        for m in muscles
    }


def rest_angles(muscles: Sequence[Muscle]) -> dict[str, Scalar]:
    """Return the rest coordinate of each joint by link [rad or m]."""
    return {m.link: m.unit * m.freedom.middle for m in muscles}


def height_of(figure: Figure, angles: Mapping[str, Scalar]) -> Scalar:
    """Return the trunk's height where the lowest ball is just above the ground [m]; angles: see Phenotype."""
    return stance_of(figure, angles)[0]


def stance_of(figure: Figure, angles: Mapping[str, Scalar]) -> tuple[Scalar, Scalar]:
    """Return height and length of a figure with its joints at some coordinates: see height_and_length()."""
    poses = {0: IDENTITY_TRANSFORM, figure.root.index: IDENTITY_TRANSFORM}
    for link in figure.links[1:]:
        poses[link.index] = poses[link.parent_index] @ _placed(link.joint, angles[link.name])
    points = [(link.index, point) for link in figure.links for point in link.contact_points()]
    return height_and_length([(point.radius, poses[index] @ Vector(*point.position)) for index, point in points])


def height_and_length(balls: Sequence[tuple[Scalar, Vector]]) -> tuple[Scalar, Scalar]:
    """Return the height of the trunk where the lowest ball is just above the ground, and the body's length [m].

    balls: radius and position of each in the trunk's frame [m]. The height is that of the trunk's middle; the length is
    from the foremost point to the hindmost.
    """
    lowest = reduce(minimum, [place.z - radius for radius, place in balls])
    front = reduce(maximum, [place.x + radius for radius, place in balls])
    back = reduce(minimum, [place.x - radius for radius, place in balls])
    return -(1.0 + CLEARANCE) * lowest, front - back


def _placed(joint: Joint, q: Scalar) -> Transform:
    """Return the transform of a joint of one freedom, as kinematics(), but with the same bits for floats and arrays."""
    rotation, position, axis = Rotation(joint.rotation), Vector(*joint.position), Vector(*joint.axis)
    if joint.kind == "prismatic":
        return Transform(rotation, position + rotation @ (axis * q))
    return Transform(rotation @ Rotation.about(axis, *sine_cosine(q)), position)
