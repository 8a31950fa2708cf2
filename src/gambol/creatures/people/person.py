"""A three-dimensional person: pelvis, trunk, head, arms of upper arm and forearm, legs of thigh, shank and foot.

Masses are the fractions of [Winter 2009, table 4.1], lengths are from [Winter 2009, figure 4.1, after Drillis and
Contini]. Moments of inertia belong to the shapes at uniform density; the widths of the shapes and the distance of the
hips are ours. x points forward, y to the left, z up. Angles are positive where the lower segment turns forward, or to
the left; a positive yaw turns to the left.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from gambol.creatures.colors import PERSON, colored
from gambol.creatures.people.planar_figure import HINGE, SIDES, SOLE_RADIUS, bumper
from gambol.errors import FigureError
from gambol.figure import (
    Box,
    Capsule,
    Ellipsoid,
    Figure,
    Joint,
    Link,
    Part,
    Shape,
    Sphere,
    Triple,
    rotation_about,
    stacked,
)

MASSES = {
    "head": 0.081,
    "trunk": 0.355,  # thorax and abdomen
    "pelvis": 0.142,
    "upper arm": 0.028,
    "forearm": 0.022,  # with hand
    "thigh": 0.100,
    "shank": 0.0465,
    "foot": 0.0145,
}
"""Mass of each segment, as a fraction of the mass of the body [Winter 2009, table 4.1]."""

LENGTHS = {
    "upper arm": 0.186,
    "forearm": 0.146,
    "hand": 0.108,
    "thigh": 0.245,
    "shank": 0.246,
    "ankle": 0.039,  # height above the sole
    "foot": 0.152,
    "shoulder": 0.129,  # half the distance of the shoulders
    "shoulder height": 0.288,  # above the hips
    "chin": 0.340,  # above the hips
    "crown": 0.470,  # above the hips
    "hip": 0.050,  # half the distance of the hip joints (not from the source)
    "lumbar": 0.060,  # joint of pelvis and trunk above the hips (not from the source)
    "heel": 0.038,  # sole behind the ankle: a quarter of the foot (not from the source)
}
"""Lengths, as fractions of the height of the body [Winter 2009, figure 4.1]; lengths of our own are marked."""

ROLL, YAW = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
"""Axes of joints that turn to the side, and about the vertical."""


@dataclass(frozen=True)
class _Sizes:
    """A person's mass [kg] and height [m]; planar: True if it moves in the plane of x and z."""

    mass: float
    height: float
    planar: bool

    def length(self, name: str) -> float:
        return LENGTHS[name] * self.height

    def part(self, segment: str, shape: Shape, position: Triple, mass_fraction: float = 1.0) -> Part:
        """Return a shape with a fraction of a segment's mass, without contact."""
        return Part(
            shape, position, density=mass_fraction * MASSES[segment] * self.mass / shape.volume, colliding=False
        )

    def jointed(self, link: Link, position: Triple, axes: Mapping[str, Triple]) -> tuple[Link, ...]:
        """Return a link on hinges; in the plane, on the pitching hinge only. axes: axes of the hinges, by name."""
        kept = {name: axis for name, axis in axes.items() if axis == HINGE or not self.planar}
        joints = [(name, Joint("revolute", axis)) for name, axis in kept.items()]
        joints[0] = (joints[0][0], replace(joints[0][1], position=position))
        return stacked(replace(link, name=joints[-1][0]), joints)


def person(mass: float = 75.0, height: float = 1.75, *, planar: bool = False) -> Figure:
    """Return the figure of a person of a mass [kg] and a height [m]: 13 links with mass, 28 degrees of freedom.

    The lumbar joint, hips, ankles and shoulders are stacks of hinges. planar: True for a person of 15 degrees of
    freedom who is held by a planar joint, which does no work, and has the pitching hinges only. The hips are at the
    pelvis' origin. Raises FigureError for numbers that are not positive.
    """
    if not (0.0 < mass < float("inf") and 0.0 < height < float("inf")):
        raise FigureError(f"a person of {mass} kg and {height} m is impossible; both must be positive")
    sizes = _Sizes(mass, height, planar)
    links = [*_torso(sizes)]
    for side, sign in zip(SIDES, (-1.0, 1.0), strict=True):
        links += [*_leg(side, sign, sizes), *_arm(side, sign, sizes)]
    return colored(Figure("person", tuple(links)), PERSON)


def hip_height(height: float) -> float:
    """Return the height of the hips of a person who stands upright [m]; height: height of the person [m]."""
    return sum(LENGTHS[name] for name in ("thigh", "shank", "ankle")) * height


def _torso(sizes: _Sizes) -> tuple[Link, ...]:
    """Return pelvis, trunk and head, with their joints."""
    lumbar, chin = sizes.length("lumbar"), sizes.length("chin")
    rise = sizes.length("shoulder height") - lumbar
    half_head = 0.5 * (sizes.length("crown") - chin)
    root = Joint("planar", HINGE, across=(1.0, 0.0, 0.0)) if sizes.planar else Joint("free")
    hips = sizes.part("pelvis", Ellipsoid((0.10, 0.15, 0.11)), (0.0, 0.0, 0.04))
    across = (0.0,) if sizes.planar else (-0.05, 0.05)
    pelvis = Link("pelvis", None, root, (hips, *(bumper(0.085, (0.0, y, 0.04)) for y in across)))
    chest = sizes.part("trunk", Ellipsoid((0.115, 0.17, 0.5 * rise + 0.06)), (0.0, 0.0, 0.5 * rise), 0.9)
    width = 2.0 * sizes.length("shoulder") - 0.06
    girdle = sizes.part("trunk", Capsule(0.05, width), (0.0, 0.0, rise - 0.01), 0.1)
    girdle = replace(girdle, rotation=rotation_about(ROLL, 0.5 * math.pi))
    trunk = sizes.jointed(
        Link(
            "", "pelvis", Joint("fixed"), (chest, girdle, *(bumper(0.08, (0.0, 1.2 * y, rise - 0.06)) for y in across))
        ),
        (0.0, 0.0, lumbar),
        {"lumbar yaw": YAW, "lumbar roll": ROLL, "trunk": HINGE},
    )
    neck = chin - sizes.length("shoulder height")
    shapes = (
        sizes.part("head", Ellipsoid((0.095, 0.08, half_head)), (0.01, 0.0, neck + half_head), 0.9),
        sizes.part("head", Capsule(0.05, neck), (0.0, 0.0, 0.5 * neck), 0.1),
        bumper(0.075, (0.01, 0.0, neck + half_head)),
    )
    return pelvis, *trunk, Link("head", "trunk", Joint("revolute", HINGE, position=(0.0, 0.0, rise)), shapes)


def _leg(side: str, sign: float, sizes: _Sizes) -> list[Link]:
    """Return the links of a leg. sign: 1 for the left."""
    thigh, shank, ankle = (sizes.length(name) for name in ("thigh", "shank", "ankle"))
    hip = (0.0, sign * sizes.length("hip"), 0.0)
    return [
        *sizes.jointed(
            Link("", "pelvis", Joint("fixed"), (_limb("thigh", 0.07, thigh, sizes), bumper(0.06, (0.0, 0.0, -thigh)))),
            hip,
            {f"{side} hip yaw": YAW, f"{side} hip roll": ROLL, f"{side} thigh": HINGE},
        ),
        Link(
            f"{side} shank",
            f"{side} thigh",
            Joint("revolute", HINGE, position=(0.0, 0.0, -thigh)),
            (_limb("shank", 0.05, shank, sizes),),
        ),
        *sizes.jointed(
            Link("", f"{side} shank", Joint("fixed"), _foot(ankle, sizes)),
            (0.0, 0.0, -shank),
            {f"{side} foot roll": ROLL, f"{side} foot": HINGE},
        ),
    ]


def _foot(ankle: float, sizes: _Sizes) -> tuple[Part, ...]:
    """Return the parts of a foot: a box with mass, and balls under its corners, which touch the ground."""
    heel, length, half_width = -sizes.length("heel"), sizes.length("foot"), 0.045
    middle, r = heel + 0.5 * length, SOLE_RADIUS
    box = sizes.part("foot", Box((length - 2.0 * r, 2.0 * half_width, ankle)), (middle, 0.0, -0.5 * ankle))
    across = (0.0,) if sizes.planar else (-half_width + r, half_width - r)
    corners = [(x, y) for x in (heel + r, heel + length - r) for y in across]
    return (box, *(Part(Sphere(r), (x, y, r - ankle), inertial=False) for x, y in corners))


def _arm(side: str, sign: float, sizes: _Sizes) -> list[Link]:
    """Return the links of an arm. sign: 1 for the left."""
    upper, fore = sizes.length("upper arm"), sizes.length("forearm") + 0.5 * sizes.length("hand")
    shoulder = (0.0, sign * sizes.length("shoulder"), sizes.length("shoulder height") - sizes.length("lumbar"))
    return [
        *sizes.jointed(
            Link("", "trunk", Joint("fixed"), (_limb("upper arm", 0.045, upper, sizes),)),
            shoulder,
            {f"{side} shoulder roll": ROLL, f"{side} upper arm": HINGE},
        ),
        Link(
            f"{side} forearm",
            f"{side} upper arm",
            Joint("revolute", HINGE, position=(0.0, 0.0, -upper)),
            (_limb("forearm", 0.035, fore, sizes), bumper(0.03, (0.0, 0.0, -fore))),
        ),
    ]


def _limb(segment: str, radius: float, length: float, sizes: _Sizes) -> Part:
    """Return a limb below its joint."""
    return sizes.part(segment, Capsule(radius, length), (0.0, 0.0, -0.5 * length))
