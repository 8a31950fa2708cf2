"""A body for Beer's network: an insect of 30 cm, with two joints in each leg. Its sizes and masses are ours.

Beer's own insect is a drawing in a plane, which falls when its centre is outside the polygon of its feet; it has no
mass and no height. The insect here stands on ball-shaped feet. The first joint of a leg turns about the vertical and
swings the leg, the second joint lifts it; femur and tibia are one link.
"""

from __future__ import annotations

from gambol.creatures.beer.network import LEGS
from gambol.creatures.colors import INSECT, colored
from gambol.figure import Capsule, Ellipsoid, Figure, Joint, Link, Part, Sphere, Triple
from gambol.figure.rotation import matrix, triple
from gambol.spatial import Rotation, Vector

LEG_X = {"front": 0.12, "middle": 0.0, "hind": -0.13}
"""Positions of the legs' joints along the trunk [m]."""

HALF_WIDTH, FOOT_RADIUS = 0.045, 0.011  # m
KNEE, FOOT = (0.06, 0.035), (0.115, -0.085)
"""Knee and foot of a leg: distance outward from its joints, and height above them [m]."""

TRUNK, HEIGHT = "trunk", 0.096
"""Name of the trunk, and height of its origin above the ground in the standing posture [m]."""

STANCE = {
    "hind left": -0.28, "middle left": -0.1, "front left": 0.06,
    "hind right": 0.1, "middle right": 0.2, "front right": -0.2,
}  # fmt: skip
"""Initial swing angle of each leg, forward positive [rad]: a wave, with the sides half a cycle apart."""


def insect_figure() -> Figure:
    """Return the insect: x forward, z up, its trunk's origin between the joints of the middle legs."""
    trunk = Link(TRUNK, None, Joint("free"), _trunk_parts())
    return colored(Figure("insect", (trunk, *(link for leg in LEGS for link in _leg_links(leg)))), INSECT)


def forward_sign(leg: str) -> float:
    """Return the sign of a forward swing of a leg in its joint's coordinate; its lift has the opposite sign."""
    return -1.0 if leg.endswith("left") else 1.0


def _trunk_parts() -> tuple[Part, ...]:
    def ellipsoid(radii: Triple, position: Triple, density: float) -> Part:
        return Part(Ellipsoid(radii), position, density=density, colliding=False)

    eyes = (_ball(0.009, (0.205, side * 0.022, 0.02), 200.0) for side in (1.0, -1.0))
    antennae = (_rod((0.205, side * 0.012, 0.022), (0.285, side * 0.06, 0.045), 0.0025, 200.0) for side in (1.0, -1.0))
    thorax = ellipsoid((0.135, 0.04, 0.03), (0.0, 0.0, 0.0), 1000.0)
    head = ellipsoid((0.04, 0.032, 0.026), (0.18, 0.0, 0.005), 1000.0)
    abdomen = ellipsoid((0.09, 0.045, 0.032), (-0.19, 0.0, 0.008), 600.0)
    return (thorax, head, abdomen, *eyes, *antennae)


def _leg_links(leg: str) -> tuple[Link, Link]:
    """Return the two links of a leg: the hip, which swings about the vertical, and the leg, which lifts about x."""
    rank, side = leg.split()
    out = 1.0 if side == "left" else -1.0
    knee, foot = ((0.0, out * y, z) for y, z in (KNEE, FOOT))
    hip = Joint("revolute", axis=(0.0, 0.0, 1.0), position=(LEG_X[rank], out * HALF_WIDTH, 0.0))
    lift = Joint("revolute", axis=(1.0, 0.0, 0.0))
    parts = (
        _rod((0.0, 0.0, 0.0), knee, 0.009, 1000.0),
        _rod(knee, foot, 0.007, 1000.0),
        Part(Sphere(FOOT_RADIUS), foot, density=1000.0),
    )
    return Link(f"hip {leg}", TRUNK, hip, (_ball(0.013, (0.0, 0.0, 0.0), 2000.0),)), Link(
        leg, f"hip {leg}", lift, parts
    )


def _ball(radius: float, position: Triple, density: float) -> Part:
    return Part(Sphere(radius), position, density=density, colliding=False)


def _rod(start: Triple, end: Triple, radius: float, density: float) -> Part:
    """Return a capsule from one point to another, without contact."""
    a, b = Vector(*start), Vector(*end)
    length = (b - a).length()
    rotation = Rotation.with_z_axis((b - a) * (1.0 / length))
    middle = (a + b) * 0.5
    return Part(Capsule(radius, length), triple(list(middle)), matrix(rotation.rows), density=density, colliding=False)
