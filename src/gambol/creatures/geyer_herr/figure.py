"""The body of the walker: trunk with head and arms, and two legs of thigh, shank and foot; 80 kg in a plane.

Masses, lengths, centres of mass and moments of inertia are the author's, of his file NMS_Model_MechInit.m (H. Geyer,
5 October 2006), the ones of [Geyer and Herr 2010]. There a foot is a line without height that carries the ankle. The
shapes are ours; they have no mass. The balls under the feet touch the ground; a walker that falls lies on balls in its
head, chest, hips and knees. The joint angles are zero where the figure stands upright; positive angles bring the lower
segment forward. The source's angles are

    ankle  phi = pi/2 - q        knee  phi = pi + q        hip  phi = pi - q        lean of the trunk  theta = -q
"""

import math
from dataclasses import dataclass, replace

from gambol.creatures.colors import MUSCLED_PERSON, colored
from gambol.figure import (
    Capsule,
    Ellipsoid,
    Figure,
    Hull,
    Joint,
    JointSpring,
    Link,
    MassProperties,
    Part,
    Sphere,
    Triple,
    rotation_about,
)

SIDES = ("left", "right")
"""The names of the two legs, in the order of feet. The left leg stands at the start."""

HINGE = (0.0, -1.0, 0.0)
"""The axis of all joints: positive turns bring a hanging limb forward."""

SHANK, THIGH, TRUNK = 0.5, 0.5, 0.8
"""Lengths [m]."""

BALL, HEEL = 0.16, -0.04
"""Positions of the contact points of the sole, forward of the ankle [m]."""

TRUNK_MASS = 53.5
"""Mass of head, arms and trunk [kg]."""

SOLE_RADIUS = 0.01
"""Radius of the spheres under ball and heel [m]; their lowest points are the contact points of the source; not from the
source."""

SHOULDER, QUARTER = 0.50, 0.5 * math.pi
"""Height of the shoulders above the hips [m], and a quarter of a turn [rad]."""

HALF_HIP = 0.08
"""Half the distance of the legs in pictures [m]; in the plane it has no effect."""

DEGREE = 0.017453292519943295

STOPS = {"foot": (-40.0 * DEGREE, 20.0 * DEGREE), "shank": (-2.6, -5.0 * DEGREE), "thigh": (-50.0 * DEGREE, 2.6)}
"""Limits of ankle, knee and hip [rad]: the source's 70 to 130, below 175, and below 230 degrees.

In the source a stop is a spring of 0.3 N m per degree whose torque grows with the speed into it, by 100 % per degree
per second, and is 0 when it separates at this speed. With a method on velocities a stop is hard and without rebound.
The limits on the other side are ours; walking does not reach them."""


STOP_STIFFNESS, STOP_DAMPING = 0.3 / DEGREE, 0.3 / DEGREE
"""Stiffness and damping of soft stops [N m/rad, N m s/rad]: the source's, with that damping 1 degree past the limit."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment. mass [kg].

    com: position of the centre of mass of the hanging or upright segment, relative to its joint [m]; inertia: moment of
    inertia for pitching, about the centre of mass [kg m2]; parts: its shapes.
    """

    mass: float
    com: Triple
    inertia: float
    parts: tuple[Part, ...]

    @property
    def mass_properties(self) -> MassProperties:
        """Mass properties of which only the moment about y matters; the others have no effect in the plane."""
        I = self.inertia
        return MassProperties(self.mass, self.com, ((I, 0.0, 0.0), (0.0, I, 0.0), (0.0, 0.0, I)))


def walker_figure() -> Figure:
    """Return the figure: links "trunk", "left thigh", "left shank", "left foot", and the same on the right."""
    joint = Joint("planar", HINGE, across=(1.0, 0.0, 0.0))
    trunk = Segment(TRUNK_MASS, (0.0, 0.0, 0.35), 3.0, (*_torso(), *_arms()))
    links = [Link("trunk", None, joint, trunk.parts, trunk.mass_properties)]
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        segments = {
            "thigh": ("trunk", (0.0, sign * HALF_HIP, 0.0), Segment(8.5, (0.0, 0.0, -0.2), 0.15, _thigh())),
            "shank": (f"{side} thigh", (0.0, 0.0, -THIGH), Segment(3.5, (0.0, 0.0, -0.2), 0.05, _shank())),
            "foot": (f"{side} shank", (0.0, 0.0, -SHANK), Segment(1.25, (0.02, 0.0, 0.0), 0.005, _foot())),
        }
        for name, (parent, position, segment) in segments.items():
            hinge = Joint("revolute", HINGE, position=position)
            links.append(Link(f"{side} {name}", parent, hinge, segment.parts, segment.mass_properties))
    return colored(Figure("geyer-herr", tuple(links)), MUSCLED_PERSON)


def stops(*, soft: bool = False) -> dict[str, JointSpring]:
    """Return the limits of ankles, knees and hips, by link. soft: True for springs, which compliant methods need."""
    k, b = (STOP_STIFFNESS, STOP_DAMPING) if soft else (0.0, 0.0)
    return {
        f"{side} {name}": JointSpring(lower=lower, upper=upper, limit_stiffness=k, limit_damping=b)
        for side in SIDES
        for name, (lower, upper) in STOPS.items()
    }


def _shape(shape: Capsule | Ellipsoid | Hull | Sphere, position: Triple) -> Part:
    """Return a shape that is only drawn."""
    return Part(shape, position, inertial=False, colliding=False)


def _torso() -> tuple[Part, ...]:
    """Return pelvis, chest, neck and head; the crown is at the source's length of the trunk."""
    return (
        _shape(Ellipsoid((0.10, 0.15, 0.11)), (-0.01, 0.0, 0.05)),
        _shape(Ellipsoid((0.11, 0.17, 0.24)), (0.0, 0.0, 0.31)),
        _shape(Capsule(0.05, 0.08), (0.01, 0.0, 0.56)),
        _shape(Ellipsoid((0.095, 0.075, 0.125)), (0.03, 0.0, TRUNK - 0.125)),
        _shape(Sphere(0.02), (0.125, 0.0, TRUNK - 0.14)),
        _ball(0.09, (-0.01, 0.0, 0.05)),
        _ball(0.09, (0.0, 0.0, 0.40)),
        _ball(0.07, (0.03, 0.0, TRUNK - 0.125)),
    )


def _arms() -> tuple[Part, ...]:
    """Return shoulders, and arms with bent elbows that hang from them; they are a part of the trunk."""
    girdle = replace(
        _shape(Capsule(0.05, 0.34), (0.0, 0.0, SHOULDER)), rotation=rotation_about((1.0, 0.0, 0.0), QUARTER)
    )
    parts = [girdle]
    for y in (-0.21, 0.21):
        shoulder, elbow, hand = (0.0, y, SHOULDER), (-0.03, y, SHOULDER - 0.29), (0.12, y, SHOULDER - 0.49)
        parts += [_bone(0.045, shoulder, elbow), _bone(0.036, elbow, hand)]
        parts.append(_shape(Sphere(0.045), hand))
    return tuple(parts)


def _bone(radius: float, start: Triple, end: Triple) -> Part:
    """Return a capsule that is only drawn, from one point to another in a plane of x and z [m]."""
    x, z = end[0] - start[0], end[2] - start[2]
    middle = (0.5 * (start[0] + end[0]), start[1], 0.5 * (start[2] + end[2]))
    capsule = _shape(Capsule(radius, math.hypot(x, z)), middle)
    return replace(capsule, rotation=rotation_about((0.0, 1.0, 0.0), math.atan2(x, z)))


def _ball(radius: float, position: Triple) -> Part:
    """Return a ball without mass inside a segment, on which the walker lies that has fallen [m]."""
    return Part(Sphere(radius), position, inertial=False)


def _thigh() -> tuple[Part, ...]:
    return (_shape(Capsule(0.07, THIGH - 0.1), (0.0, 0.0, -0.5 * THIGH)), _ball(0.045, (0.0, 0.0, -THIGH)))


def _shank() -> tuple[Part, ...]:
    calf = _shape(Ellipsoid((0.055, 0.05, 0.15)), (-0.02, 0.0, -0.17))
    return (_shape(Capsule(0.04, SHANK - 0.1), (0.0, 0.0, -0.5 * SHANK + 0.02)), calf)


def _foot() -> tuple[Part, ...]:
    """Return the shape of a foot, and the balls under ball and heel."""
    half, top = 0.04, 0.075
    corners = [(x, y, 0.0) for x in (HEEL - 0.01, BALL + 0.05) for y in (-half, half)]
    corners += [(x, 0.7 * y, z) for x, z in ((HEEL, top), (0.05, top), (BALL + 0.04, 0.025)) for y in (-half, half)]
    points = [Part(Sphere(SOLE_RADIUS), (x, 0.0, SOLE_RADIUS), inertial=False) for x in (HEEL, BALL)]
    return (_shape(Hull(tuple(corners)), (0.0, 0.0, 0.0)), *points)
