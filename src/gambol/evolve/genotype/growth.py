"""Growth: from genes to a figure with muscles, which every genotype within its bounds becomes.

    trunk      a box; touches the ground with four balls as thick as it is high, one at each upright edge
    segment    a frustum that hangs along -z; touches the ground with the ball at its lower end
    joint      one freedom, one link: a second freedom has a link of its own without mass (see figure.stacked)
    twin       its limb's mirror image in y = 0: turning axes are reversed on top, so that the same angle is the image

Only the ground is touched: limbs pass through each other unless a world is told otherwise.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from gambol.control.actuator import Actuator
from gambol.control.patterns import Pattern
from gambol.dynamics import kinematics
from gambol.evolve.genotype.body import Body, Freedom, Limb, Segment, Trunk
from gambol.evolve.genotype.genotype import Genotype, check_genotype, pattern_of
from gambol.evolve.genotype.servos import (
    actuator_of,
    carried,
    length_from,
    rotor_of,
    spring_of,
    strength_of,
    unit_of,
)
from gambol.figure import (
    Box,
    Figure,
    Frustum,
    Joint,
    JointSpring,
    Link,
    Part,
    Sphere,
    Triple,
    compose,
    mirrored_joint,
    rotation_about,
    stacked,
    turned,
)
from gambol.spatial.vector import Vector

TRUNK = "trunk"

CLEARANCE = 0.01
"""How far above the ground a grown creature begins, as a part of its standing height: it lands at once, and softly."""

OWN, GROUND = 2, 1
"""Layers of what a creature touches with: its parts are in one that only the ground's mask would not leave out."""


@dataclass(frozen=True)
class Muscle:
    """One freedom in its place: the link it moves, the name of its chain, and the number of its segment, from 0."""

    link: str
    chain: str
    limb: Limb
    number: int
    freedom: Freedom

    @property
    def unit(self) -> float:
        """What one unit of the genes middle and reach is [rad or m]."""
        return unit_of(self.freedom, self.limb.segments[self.number].length)


@dataclass(frozen=True)
class Grown:
    """A creature that has grown.

    springs, actuators: by the link whose joint they act on, in the order of links. pattern: one signal for each of the
    actuators, in their order. feet: the last link of every limb.
    angles: the joints' coordinates at rest, by link [rad or m]. height: of the trunk's middle above the ground, where
    the lowest ball is just above it [m].
    """

    figure: Figure
    springs: Mapping[str, JointSpring]
    actuators: Mapping[str, Actuator]
    pattern: Pattern
    feet: tuple[str, ...]
    angles: Mapping[str, float]
    height: float

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
    muscles = tuple(muscles_of(body))
    mass = mass_of(body)
    strengths = {m.link: strength_of(m.freedom, m.limb, m.number, mass) for m in muscles}
    figure = Figure(name, (_trunk(body.trunk), *_limbs(body, muscles, strengths)))
    inertias = carried(figure)
    actuators = {
        m.link: actuator_of(m.freedom, strengths[m.link], m.unit, length_from(m.limb, m.number), inertias[m.link])
        for m in muscles
    }
    angles = {m.link: m.unit * m.freedom.middle for m in muscles}
    return Grown(
        figure,
        {m.link: spring_of(actuators[m.link], m.unit) for m in muscles},
        actuators,
        pattern_of(genotype),
        tuple(segment_name(chain, len(limb.segments) - 1) for chain, limb, _ in body.chains()),
        angles,
        _height(figure, angles),
    )


def muscles_of(body: Body) -> Iterator[Muscle]:
    """Every muscle of a body in the order of its links: limb by limb, twins one after the other, from the trunk out."""
    for chain, limb, _ in body.chains():
        for number, segment in enumerate(limb.segments):
            link = segment_name(chain, number)
            for k, freedom in enumerate(segment.freedoms):
                own = k == len(segment.freedoms) - 1
                yield Muscle(link if own else f"{link} joint{k + 1}", chain, limb, number, freedom)


def segment_name(chain: str, number: int) -> str:
    """The name of a segment's link; number: from 0."""
    return f"{chain} {number + 1}"


def mass_of(body: Body) -> float:
    """Mass of a whole body, all twins counted [kg]."""
    limbs = (segment_mass(segment) * len(limb.sides) for limb in body.limbs for segment in limb.segments)
    return body.trunk.density * body.trunk.length * body.trunk.width * body.trunk.height + sum(limbs)


def segment_mass(segment: Segment) -> float:
    """Mass of one segment [kg]."""
    return segment.density * Frustum(segment.lower_radius, segment.upper_radius, segment.length).volume


def axis_of(freedom: Freedom) -> Triple:
    """The direction of a freedom's axis in its link, of a limb that is no twin."""
    lifted = rotation_about("x", freedom.elevation)
    return turned(compose(rotation_about("z", freedom.azimuth), lifted), (0.0, 1.0, 0.0))


def _trunk(trunk: Trunk) -> Link:
    edges = (trunk.length, trunk.width, trunk.height)
    radius = trunk.height / 2
    x, y = (max(edge / 2 - radius, 0.0) for edge in edges[:2])
    balls = (_ball(radius, (sx * x, sy * y, 0.0)) for sx in (1.0, -1.0) for sy in (1.0, -1.0))
    return Link(TRUNK, None, Joint("free"), (Part(Box(edges), density=trunk.density, colliding=False), *balls))


def _ball(radius: float, position: Triple) -> Part:
    return Part(Sphere(radius), position, inertial=False, group=OWN, mask=GROUND)


def _limbs(body: Body, muscles: tuple[Muscle, ...], strengths: Mapping[str, float]) -> Iterator[Link]:
    """The links of all limbs, twins included."""
    rotors = {m.link: rotor_of(strengths[m.link], m.unit) for m in muscles}
    trunk = body.trunk
    for chain, limb, side in body.chains():
        edges = (trunk.length, trunk.width, trunk.height)
        x, y, z = (part * edge / 2 for part, edge in zip(limb.at, edges, strict=True))
        position, parent = (x, y, z), TRUNK
        for number, segment in enumerate(limb.segments):
            here = [m for m in muscles if m.chain == chain and m.number == number]
            pairs = zip(here, _joints(segment, position, side), strict=True)
            joints = [(m.link, replace(joint, rotor=rotors[m.link])) for m, joint in pairs]
            yield from stacked(Link(here[-1].link, parent, joints[-1][1], _parts(limb, number)), joints)
            position, parent = (0.0, 0.0, -segment.length), here[-1].link


def _joints(segment: Segment, position: Triple, side: str) -> Iterator[Joint]:
    """The joints of one freedom each that hang a segment on what is above it."""
    turn = compose(rotation_about("x", segment.roll), rotation_about("y", segment.pitch))
    for k, freedom in enumerate(segment.freedoms):
        joint = Joint(freedom.kind, axis_of(freedom))
        joint = joint if k else replace(joint, rotation=turn, position=position)
        yield _twin(joint) if side == "right" else joint


def _twin(joint: Joint) -> Joint:
    """The joint's mirror image, moved the same way by the same angle: a turn's image turns about the axis reversed."""
    image = mirrored_joint(joint)
    x, y, z = image.axis
    return replace(image, axis=(0.0 - x, 0.0 - y, 0.0 - z)) if joint.kind == "rotary" else image


def _parts(limb: Limb, number: int) -> tuple[Part, ...]:
    """A frustum with the mass, and the ball at its lower end: a knee as thick as the thicker side of it."""
    segment, below = limb.segments[number], limb.segments[number + 1 : number + 2]
    radius = max([segment.lower_radius, *(next_one.upper_radius for next_one in below)])
    shape = Frustum(segment.lower_radius, segment.upper_radius, segment.length)
    flesh = Part(shape, (0.0, 0.0, -segment.length / 2), density=segment.density, colliding=False)
    return flesh, _ball(radius, (0.0, 0.0, -segment.length))


def _height(figure: Figure, angles: Mapping[str, float]) -> float:
    """How high the trunk's middle is when the lowest ball is a little above the ground [m]."""
    q = [1.0, *[0.0] * 6, *angles.values()]
    poses = kinematics(figure, q, [0.0] * figure.nv).poses
    lowest = min(
        (poses[link.index] @ Vector(*point.position)).z - point.radius
        for link in figure.links
        for point in link.contact_points()
    )
    return -lowest * (1.0 + CLEARANCE)
