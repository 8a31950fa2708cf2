"""Growth: from genes to a figure with muscles, which every genotype within its bounds becomes.

One creature is grown from plain numbers and checked. Many of one structure are grown at once, as one of arrays: see
litter.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from gambol.control import Actuator
from gambol.control.patterns import Pattern
from gambol.evolve.genotype.anatomy import Muscle, feet_of, links_of, mass_of, muscles_of, sine_cosine
from gambol.evolve.genotype.body import Body
from gambol.evolve.genotype.genotype import Genotype, check_genotype, pattern_of
from gambol.evolve.genotype.servos import carried, length_from, servo_numbers, spring_of
from gambol.figure import Figure, Joint, JointSpring
from gambol.lanes import Scalar, maximum, minimum
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.transform import SAME

CLEARANCE = 0.01
"""How far above the ground a grown creature begins, as a part of its standing height: it lands at once, and softly."""


@dataclass(frozen=True)
class Grown:
    """A creature that has grown.

    springs, actuators: by the link whose joint they act on, in the order of links. pattern: one signal for each of the
    actuators, in their order. feet: the last link of every limb. angles: the joints' coordinates at rest, by link [rad
    or m]. height: of the trunk's middle above the ground, where the lowest ball is just above it [m]. length: from the
    foremost to the hindmost point of its balls there [m].
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
        """Coordinates (nq) where it begins: level above the origin, every joint at rest."""
        return (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, self.height, *self.angles.values())


def grown(genotype: Genotype, name: str = "creature") -> Grown:
    """The creature of a genotype. name: of its figure.

    Raises EvolveError for genes out of their bounds, see check_genotype().
    """
    check_genotype(genotype)
    body = genotype.body
    figure = Figure(name, links_of(body))
    muscles = tuple(muscles_of(body))
    servos = servos_of(figure, body, muscles)
    return Grown(
        figure,
        {m.link: spring_of(servos[m.link], m.unit) for m in muscles},
        {link: Actuator(**servo) for link, servo in servos.items()},
        pattern_of(genotype),
        feet_of(body),
        angles := angles_of(muscles),
        *stance_of(figure, angles),
    )


def servos_of(figure: Figure, body: Body, muscles: Sequence[Muscle]) -> dict[str, dict[str, Scalar]]:
    """The numbers of all servos of a figure that a body has become, by link."""
    mass, inertias = mass_of(body), carried(figure)
    return {
        m.link: servo_numbers(m.freedom, m.strength(mass), m.unit, length_from(m.limb, m.number), inertias[m.link])
        for m in muscles
    }


def angles_of(muscles: Sequence[Muscle]) -> dict[str, Scalar]:
    """The coordinate at which each joint rests, by link [rad or m]."""
    return {m.link: m.unit * m.freedom.middle for m in muscles}


def height_of(figure: Figure, angles: Mapping[str, Scalar]) -> Scalar:
    """How high a figure's trunk is where its lowest ball is just above the ground [m]; angles: see Grown."""
    return stance_of(figure, angles)[0]


def stance_of(figure: Figure, angles: Mapping[str, Scalar]) -> tuple[Scalar, Scalar]:
    """How a figure stands with its joints at some coordinates: see standing()."""
    poses = {0: SAME, figure.root.index: SAME}
    for link in figure.links[1:]:
        poses[link.index] = poses[link.parent_index] @ _placed(link.joint, angles[link.name])
    points = [(link.index, point) for link in figure.links for point in link.contact_points()]
    return standing([(point.radius, poses[index] @ Vector(*point.position)) for index, point in points])


def standing(balls: Sequence[tuple[Scalar, Vector]]) -> tuple[Scalar, Scalar]:
    """How high the trunk's middle is when the lowest ball is a little above the ground, and how long the whole is [m].

    balls: radius and place of each in the trunk's frame [m]. Its length is from the foremost point to the hindmost.
    """
    lowest = reduce(minimum, [place.z - radius for radius, place in balls])
    front = reduce(maximum, [place.x + radius for radius, place in balls])
    back = reduce(minimum, [place.x - radius for radius, place in balls])
    return -(1.0 + CLEARANCE) * lowest, front - back


def _placed(joint: Joint, q: Scalar) -> Transform:
    """Where a joint of one freedom puts its link; as of kinematics(), but to the same bit for floats and arrays."""
    home, position, axis = Rotation(joint.rotation), Vector(*joint.position), Vector(*joint.axis)
    if joint.kind == "sliding":
        return Transform(home, position + home @ (axis * q))
    return Transform(home @ Rotation.about(axis, *sine_cosine(q)), position)
