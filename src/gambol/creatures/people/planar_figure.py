"""A planar person of seven links: trunk, and two legs of thigh, shank and foot.

It moves in the plane of x and z, on a planar joint that does no work. Angles are positive when the lower segment turns
forward: hips flexed, knees overextended, toes lifted. The angle of the trunk is positive when it leans backward.
"""

from gambol.creatures.colors import ONE_TRUNK_PERSON, colored
from gambol.creatures.people.body import Body, Segment
from gambol.figure import Box, Capsule, Ellipsoid, Figure, Joint, Link, MassProperties, Part, Sphere, Triple

SIDES = ("right", "left")
"""The names of the two legs, in the order of feet."""

HINGE = (0.0, -1.0, 0.0)
"""The axis of all joints: positive turns bring a hanging limb forward."""

HALF_HIP = 0.08
"""Half the distance of the two legs in pictures [m]; in the plane it has no effect."""

SOLE_RADIUS = 0.02
"""Radius of the balls at both ends of a sole, which touch the ground [m]."""


def bumper(radius: float, position: Triple) -> Part:
    """Return a ball without mass inside a limb, on which a person lies that has fallen [m]."""
    return Part(Sphere(radius), position, inertial=False)


def planar_person(name: str, body: Body) -> Figure:
    """Return the figure: links "trunk", and "right thigh", "right shank", "right foot", and the same on the left."""
    trunk = body.trunk
    shapes = (
        _limb(0.12, trunk.length - 0.12, (0.0, 0.0, 0.5 * trunk.length)),
        _limb(0.05, 0.15, (0.0, 0.0, trunk.length + 0.10)),
        Part(Ellipsoid((0.10, 0.08, 0.13)), (0.01, 0.0, trunk.length + 0.25), inertial=False, colliding=False),
        bumper(0.11, (0.0, 0.0, 0.05)),
        bumper(0.11, (0.0, 0.0, trunk.length - 0.12)),
        bumper(0.078, (0.01, 0.0, trunk.length + 0.25)),
    )
    links = [
        Link(
            "trunk",
            None,
            Joint("planar", HINGE, position=(0.0, 0.0, body.hip_height), across=(1.0, 0.0, 0.0)),
            shapes,
            _mass(trunk.mass, (0.0, 0.0, trunk.com), trunk.inertia),
        )
    ]
    for side, sign in zip(SIDES, (-1.0, 1.0), strict=True):
        links += _leg(side, sign * HALF_HIP, body)
    return colored(Figure(name, tuple(links)), ONE_TRUNK_PERSON)


def _leg(side: str, y: float, body: Body) -> list[Link]:
    """Return the three links of a leg. y: y of its hip [m]."""
    thigh, shank, foot = body.thigh, body.shank, body.foot
    knee, ankle = (0.0, 0.0, -thigh.length), (0.0, 0.0, -shank.length)
    length, r = foot.toe - foot.heel, SOLE_RADIUS
    sole = Part(
        Box((length - 2.0 * r, 0.08, foot.sole)),
        (0.5 * (foot.heel + foot.toe), 0.0, -0.5 * foot.sole),
        inertial=False,
        colliding=False,
    )
    ends = [Part(Sphere(r), (x, 0.0, r - foot.sole), inertial=False) for x in (foot.heel + r, foot.toe - r)]
    com = (foot.com[0], 0.0, foot.com[1])
    return [
        _bone(f"{side} thigh", "trunk", (0.0, y, 0.0), thigh, 0.065, bumper(0.055, knee)),
        _bone(f"{side} shank", f"{side} thigh", knee, shank, 0.045),
        Link(
            f"{side} foot",
            f"{side} shank",
            Joint("revolute", HINGE, position=ankle),
            (sole, *ends),
            _mass(foot.mass, com, foot.inertia),
        ),
    ]


def _bone(name: str, parent: str, position: Triple, segment: Segment, radius: float, *balls: Part) -> Link:
    """Return a thigh or a shank. position: position of its upper joint in the parent [m]. balls: see bumper()."""
    shape = _limb(radius, segment.length, (0.0, 0.0, -0.5 * segment.length))
    mass = _mass(segment.mass, (0.0, 0.0, -segment.com), segment.inertia)
    return Link(name, parent, Joint("revolute", HINGE, position=position), (shape, *balls), mass)


def _limb(radius: float, length: float, middle: Triple) -> Part:
    """Return a capsule along z that shows a segment, without mass and contact."""
    return Part(Capsule(radius, length), middle, inertial=False, colliding=False)


def _mass(mass: float, com: Triple, inertia: float) -> MassProperties:
    """Return mass properties of which only the moment about y matters; the others have no effect in the plane."""
    return MassProperties(mass, com, ((inertia, 0.0, 0.0), (0.0, inertia, 0.0), (0.0, 0.0, inertia)))
