"""The body of the dog: a trunk with neck, head, ears and tail, and four legs of three segments with paws.

It is about as large as a pointer: hips 0.48 m high, 28 kg. No source gives all its numbers: lengths are ours, chosen by
eye; masses follow from the shapes at the density of water; angles between segments are as in a standing dog.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from gambol.creatures.colors import DOG, colored
from gambol.creatures.dog.leg import PantographLeg
from gambol.figure import (
    Capsule,
    Ellipsoid,
    Figure,
    Joint,
    Link,
    Part,
    Shape,
    Sphere,
    Triple,
    composite_bodies,
    rotation_about,
)
from gambol.spatial import Vector

LEGS = ("hind left", "front left", "hind right", "front right")
"""The legs, in the order of the phases of a gait."""

OTHER_JOINTS = ("neck", "head", "tail", "tail tip")
"""Other moving links of the trunk, besides the legs."""

PAW_RADIUS = 0.022
"""Radius of the ball under each paw that touches the ground [m]."""

STANDING_HEIGHT = 0.46
"""Height of the middle of the trunk above the ground when the dog stands [m]."""

SEGMENTS = {"front": ("scapula", "upper arm", "forearm"), "hind": ("thigh", "shank", "metatarsus")}
"""Names of the segments of a leg, from the trunk down."""


@dataclass(frozen=True)
class Limb:
    """A pair of legs.

    leg: their kinematics. joint: position of the left leg's joint in the trunk [m]. radii: radii of the segments [m].
    """

    leg: PantographLeg
    joint: Triple
    radii: tuple[float, float, float]


LIMBS = {
    "front": Limb(
        PantographLeg((0.155, 0.165, 0.275), math.radians(-33.0)), (0.235, 0.075, 0.07), (0.032, 0.03, 0.018)
    ),
    "hind": Limb(PantographLeg((0.19, 0.21, 0.17), math.radians(-28.0)), (-0.25, 0.075, 0.02), (0.045, 0.026, 0.016)),
}
"""Front and hind legs. The front leg begins at the scapula's point of rotation, high on the chest."""


def limb(leg: str) -> Limb:
    """Return the limb of a leg of LEGS."""
    return LIMBS[leg.split()[0]]


def joint_position(leg: str) -> Triple:
    """Return the position of a leg's upper joint in the trunk [m]."""
    x, y, z = limb(leg).joint
    return x, y if leg.endswith("left") else -y, z


def joint_names(leg: str) -> tuple[str, str, str, str]:
    """Return the names of the links whose joints move a leg, from the trunk down."""
    return f"shoulder {leg}" if leg.startswith("front") else f"hip {leg}", *segment_names(leg)


def segment_names(leg: str) -> tuple[str, str, str]:
    """Return the names of the links of a leg's segments, from the trunk down."""
    a, b, c = SEGMENTS[leg.split()[0]]
    return f"{a} {leg}", f"{b} {leg}", f"{c} {leg}"


def paw(leg: str) -> str:
    """Return the name of the link with the paw of a leg."""
    return segment_names(leg)[-1]


@cache
def dog_figure() -> Figure:
    """Return the dog: 26 freedoms with a free trunk; with all coordinates 0, its legs hang straight down."""
    links = [Link("trunk", None, Joint("free"), _trunk_parts())]
    links += [
        Link("neck", "trunk", _hinge((0.27, 0.0, 0.07)), (_bar((0.0, 0.0, 0.0), (0.13, 0.0, 0.13), 0.052),)),
        Link("head", "neck", _hinge((0.14, 0.0, 0.15)), _head_parts()),
        Link("tail", "trunk", _hinge((-0.31, 0.0, 0.06)), (_bar((0.0, 0.0, 0.0), (-0.17, 0.0, -0.04), 0.016),)),
        Link("tail tip", "tail", _hinge((-0.17, 0.0, -0.04)), (_bar((0.0, 0.0, 0.0), (-0.15, 0.0, 0.03), 0.011),)),
    ]
    for leg in LEGS:
        links += _leg_links(leg)
    return colored(Figure("dog", tuple(links)), DOG)


@cache
def centre_in_trunk() -> Vector:
    """Return the centre of mass of the standing dog, in the trunk [m]."""
    return Vector(*composite_bodies(_standing_figure().links)[1].com)


@cache
def moments() -> tuple[float, float, float]:
    """Return the moments of inertia of the standing dog about its centre of mass, about x, y and z [kg m2]."""
    inertia = composite_bodies(_standing_figure().links)[1].inertia
    return inertia[0][0], inertia[1][1], inertia[2][2]


def standing_angles(leg: str, height: float = STANDING_HEIGHT) -> tuple[float, ...]:
    """Return the joint angles of a leg whose paw stands below its upper joint [rad].

    height: height of the trunk [m].
    """
    return tuple(limb(leg).leg.angles_at(Vector(0.0, 0.0, PAW_RADIUS - height - limb(leg).joint[2])))


def _standing_figure() -> Figure:
    """Return the dog with the joints of the standing posture fixed in the figure."""
    angles = {name: q for leg in LEGS for name, q in zip(joint_names(leg), standing_angles(leg), strict=True)}
    links: list[Link] = []
    for link in dog_figure().given_links:
        turn = rotation_about(link.joint.axis, angles.get(link.name, 0.0))
        joint = Joint("fixed" if link.parent else "free", rotation=turn, position=link.joint.position)
        links.append(Link(link.name, link.parent, joint, link.parts))
    return Figure("standing dog", tuple(links))


def _leg_links(leg: str) -> list[Link]:
    """Return the links of a leg: a joint's block, and three segments; the paw is part of the third."""
    own, (upper, *names) = limb(leg), joint_names(leg)
    l1, l2, l3 = own.leg.lengths
    block = Part(Sphere(0.03), density=1000.0, colliding=False)
    links = [Link(upper, "trunk", Joint("revolute", (1.0, 0.0, 0.0), position=joint_position(leg)), (block,))]
    positions: tuple[Triple, ...] = ((0.0, 0.0, 0.0), (0.0, 0.0, -l1), (0.0, 0.0, -l2))
    for name, parent, position, length, radius in zip(
        names, (upper, *names), positions, (l1, l2, l3), own.radii, strict=False
    ):
        links.append(Link(name, parent, _hinge(position), (_bar((0.0, 0.0, 0.0), (0.0, 0.0, -length), radius),)))
    third = links[-1]
    pad = Part(Sphere(PAW_RADIUS), (0.0, 0.0, -l3), inertial=False)
    toes = Part(Ellipsoid((0.042, 0.026, 0.021)), (0.016, 0.0, -l3 + 0.002), colliding=False)
    links[-1] = Link(third.name, third.parent, third.joint, (*third.parts, toes, pad))
    return links


def _trunk_parts() -> tuple[Part, ...]:
    """Return the chest, the loins and the croup, and a ball below each end that touches the ground after a fall."""
    return (
        _flesh(Ellipsoid((0.19, 0.095, 0.125)), (0.11, 0.0, -0.01)),
        _flesh(Ellipsoid((0.20, 0.080, 0.085)), (-0.13, 0.0, 0.03)),
        _drawn(Ellipsoid((0.10, 0.085, 0.09)), (-0.24, 0.0, 0.02)),
        _drawn(Ellipsoid((0.11, 0.075, 0.09)), (0.22, 0.0, 0.05)),
        Part(Sphere(0.09), (0.14, 0.0, -0.04), inertial=False),
        Part(Sphere(0.08), (-0.20, 0.0, 0.02), inertial=False),
    )


def _head_parts() -> tuple[Part, ...]:
    """Return the skull, the snout, the nose and the ears."""
    return (
        _flesh(Ellipsoid((0.085, 0.058, 0.062)), (0.03, 0.0, 0.02)),
        _bar((0.06, 0.0, 0.0), (0.15, 0.0, -0.025), 0.032),
        _flesh(Sphere(0.014), (0.185, 0.0, -0.018)),
        _flesh(Ellipsoid((0.022, 0.010, 0.055)), (0.0, 0.062, 0.015)),
        _flesh(Ellipsoid((0.022, 0.010, 0.055)), (0.0, -0.062, 0.015)),
    )


def _flesh(shape: Shape, position: Triple) -> Part:
    """Return a part with mass that does not collide."""
    return Part(shape, position, colliding=False)


def _drawn(shape: Shape, position: Triple) -> Part:
    """Return a part that is only drawn: other parts have the mass of its volume."""
    return Part(shape, position, inertial=False, colliding=False)


def _bar(start: Triple, end: Triple, radius: float) -> Part:
    """Return a capsule in the plane y = 0 with an axis from start to end [m]; it has mass but no contact."""
    x, z = end[0] - start[0], end[2] - start[2]
    middle = (0.5 * (start[0] + end[0]), 0.0, 0.5 * (start[2] + end[2]))
    turn = rotation_about((0.0, 1.0, 0.0), math.atan2(x, z))
    return Part(Capsule(radius, math.hypot(x, z)), middle, turn, colliding=False)


def _hinge(position: Triple) -> Joint:
    """Return a revolute joint about -y: a positive angle swings the leg below it forward."""
    return Joint("revolute", (0.0, -1.0, 0.0), position=position)
