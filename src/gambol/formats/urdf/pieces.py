"""Links, shapes and joints as URDF elements."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from gambol.figure import (
    IDENTITY,
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    Frustum,
    HeightField,
    Hull,
    Joint,
    JointSpring,
    MassProperties,
    Matrix3,
    Part,
    Pipe,
    Shape,
    Sphere,
    Triple,
    turned,
)
from gambol.formats.losses import DISC, ENDLESS, THIN, Losses
from gambol.formats.markup import Element, numbers_text
from gambol.formats.specimen import Motor

TYPES = {"fixed": "fixed", "rotary": "revolute", "sliding": "prismatic", "free": "floating", "planar": "planar"}


def origin(position: Triple, rotation: Matrix3 = IDENTITY) -> Element:
    """An <origin>: rotation as turns by roll, pitch and yaw about the parent's fixed x, y and z, in turn.

    Roll is what is left once the yaw is taken back, so that no digits are lost where both turn about nearly one axis.
    """
    R = rotation
    yaw, pitch = math.atan2(R[1][0], R[0][0]), math.atan2(-R[2][0], math.hypot(R[0][0], R[1][0]))
    c, s = math.cos(yaw), math.sin(yaw)
    roll = math.atan2(s * R[0][2] - c * R[1][2], c * R[1][1] - s * R[0][1])
    given = {"xyz": numbers_text(position)} if any(position) else {}
    if roll or pitch or yaw:
        given |= {"rpy": numbers_text((roll, pitch, yaw))}
    return Element("origin", given)


def inertial(body: MassProperties) -> Element:
    """The mass of a link and where it lies."""
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = body.inertia
    six = {"ixx": xx, "ixy": xy, "ixz": xz, "iyy": yy, "iyz": yz, "izz": zz}
    moments = Element("inertia", {name: numbers_text([number]) for name, number in six.items()})
    return Element(
        "inertial", children=[origin(body.com), Element("mass", {"value": numbers_text([body.mass])}), moments]
    )


@dataclass
class Meshes:
    """The meshes that a URDF file needs beside it: hulls by the names of their files, which begin with its own."""

    stem: str
    hulls: dict[str, Hull] = field(default_factory=dict[str, Hull])

    def name(self, hull: Hull) -> str:
        """The name of the file of a hull; equal ones share theirs."""
        for name, known in self.hulls.items():
            if known == hull:
                return name
        name = f"{self.stem}-{len(self.hulls) + 1}.obj"
        self.hulls[name] = hull
        return name


def shapes(part: Part, meshes: Meshes, losses: Losses) -> Iterator[Element]:
    """A part to be seen, and to touch if it does; a capsule is a cylinder and two balls."""
    ends: tuple[Triple, ...] = ((0.0, 0.0, 0.0),)
    shape = part.shape
    pieces: list[tuple[Shape, Triple]] = [(shape, ends[0])]
    if isinstance(shape, Capsule):
        losses.note("Capsules become cylinders with a ball on each end.")
        ball, z = Sphere(shape.radius), shape.length / 2.0
        pieces = [(Cylinder(shape.radius, shape.length), ends[0]), (ball, (0.0, 0.0, -z)), (ball, (0.0, 0.0, z))]
    if part.colliding and (part.group, part.mask, part.friction, part.restitution) != (1, 1, None, None):
        losses.note("Left out: friction and restitution of shapes, and which of them touch which.")
    for piece, at in pieces:
        x, y, z = (a + b for a, b in zip(part.position, turned(part.rotation, at), strict=True))
        solid = _geometry(piece, meshes, losses)
        if solid is None:
            continue
        for tag in ("visual", "collision") if part.colliding else ("visual",):
            yield Element(tag, children=[origin((x, y, z), part.rotation), Element("geometry", children=[solid])])


def _geometry(shape: Shape, meshes: Meshes, losses: Losses) -> Element | None:
    """A shape; None for one that is left out."""
    match shape:
        case Sphere():
            return Element("sphere", {"radius": numbers_text(shape.sizes)})
        case Box():
            return Element("box", {"size": numbers_text(shape.size)})
        case Hull():
            return Element("mesh", {"filename": meshes.name(shape)})
        case Ellipsoid():
            losses.note("Ellipsoids become meshes of 26 corners.")
            corners = Hull(tuple(point.position for point in shape.contact_points()))
            return Element("mesh", {"filename": meshes.name(corners)})
        case Cylinder() | Capsule():
            radius, length = shape.radius, shape.length
            if length == 0.0:
                losses.note(DISC)
                length = THIN * radius
        case Pipe() | HeightField():
            losses.lose("hollow shapes", f"a shape of kind {shape.kind}")
            return None
        case Frustum():
            losses.note("Frustums become cylinders of their mean radius.")
            radius, length = (shape.base_radius + shape.top_radius) / 2.0, shape.length
    return Element("cylinder", {"radius": numbers_text([radius]), "length": numbers_text([length])})


def joint(name: str, ends: tuple[str, str], given: Joint, spring: JointSpring, motor: Motor | None) -> Element:
    """A joint from its parent to its child; spring, motor: of which it takes limits, damping and friction."""
    limited = math.isfinite(spring.lower) or math.isfinite(spring.upper)
    kind = "continuous" if given.kind == "rotary" and not limited else TYPES[given.kind]
    element = Element("joint", {"name": name, "type": kind})
    element.children.append(origin(given.position, given.rotation))
    element.children.append(Element("parent", {"link": ends[0]}))
    element.children.append(Element("child", {"link": ends[1]}))
    if kind not in ("fixed", "floating"):
        element.children.append(Element("axis", {"xyz": numbers_text(given.axis)}))
    if given.kind in ("rotary", "sliding"):
        element.children.append(_limit(spring, motor, limited=kind != "continuous"))
    if spring.damping or spring.friction:
        loss = {"damping": numbers_text([spring.damping]), "friction": numbers_text([spring.friction])}
        element.children.append(Element("dynamics", loss))
    return element


def _limit(spring: JointSpring, motor: Motor | None, *, limited: bool) -> Element:
    """Limits of a joint and of its motor's force; 0 for a joint without motor."""
    effort = 0.0 if motor is None else min(abs(motor.gear[0]) * max(-motor.weakest, motor.strongest), ENDLESS)
    given = {"effort": numbers_text([effort]), "velocity": numbers_text([ENDLESS])}
    if limited:
        lower, upper = max(spring.lower, -ENDLESS), min(spring.upper, ENDLESS)
        given = {"lower": numbers_text([lower]), "upper": numbers_text([upper])} | given
    return Element("limit", given)
