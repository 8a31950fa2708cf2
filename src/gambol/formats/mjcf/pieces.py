"""Shapes, joints, closures and motors as MJCF elements."""

import math
from collections.abc import Collection, Sequence
from itertools import product

import numpy as np

from gambol.errors import GambolError
from gambol.figure import (
    Box,
    Capsule,
    Closure,
    Constraint,
    Coupling,
    Cylinder,
    Ellipsoid,
    Figure,
    Frustum,
    Hull,
    JointSpring,
    MassProperties,
    Matrix3,
    Part,
    PlacedLink,
    Sphere,
    Triple,
)
from gambol.figure.rotation import matrix
from gambol.formats.losses import ENDLESS, Losses
from gambol.formats.markup import Element, numbers_text
from gambol.formats.mjcf.stack import Turn
from gambol.formats.specimen import Motor
from gambol.spatial import Quaternion, Rotation

SMALLEST = 1e-14  # kg m2: MuJoCo takes no moment below 1e-15, nor a full inertia near that

ROLLING = (0.005, 0.0001)  # MuJoCo's own friction against twisting and rolling [m], of which gambol knows none

TIES = {"point": "connect", "weld": "weld"}


def quaternion_text(rotation: Matrix3) -> str:
    """A rotation as quat attribute; empty, hence left out, for none."""
    q = Quaternion.of(Rotation(rotation)).components()
    return "" if q == (1.0, 0.0, 0.0, 0.0) else numbers_text(q)


def place_text(position: Triple) -> str:
    """A position as pos attribute; empty at the origin."""
    return numbers_text(position) if any(position) else ""


def inertial(body: MassProperties) -> Element:
    """The mass of a link: moments where it is diagonal, all six numbers where it is not."""
    I, given = np.array(body.inertia), {"pos": numbers_text(body.com), "mass": numbers_text([body.mass])}
    moments, axes = np.linalg.eigh(I)
    if not (I - np.diag(np.diag(I))).any():
        return Element("inertial", {**given, "diaginertia": numbers_text(np.diag(I))})
    if moments[0] > SMALLEST:
        full = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
        return Element("inertial", {**given, "fullinertia": numbers_text(full)})
    axes = axes * np.linalg.det(axes)
    quat = quaternion_text(matrix(axes))
    return Element("inertial", {**given, "quat": quat, "diaginertia": numbers_text(np.maximum(moments, 0.0))})


def joint(turn: Turn, springs: Sequence[JointSpring], losses: Losses) -> Element:
    """One joint with its spring, damper, friction and range; springs: of all places of our joint, or none."""
    kind, rotor = turn.type, turn.link.joint.armature
    spring = springs[turn.place] if springs else JointSpring()
    _check(turn, springs, losses)
    given = {"name": turn.name, "type": kind}
    if kind in ("hinge", "slide"):
        given |= {"axis": numbers_text(turn.axis), "springref": _unless_zero(spring.rest)}
    if kind in ("hinge", "ball"):
        given |= {"pos": place_text(turn.anchor)}
    if kind != "free":
        rotor = 0.0 if turn.link.joint.kind == "planar" else rotor
        given |= {"armature": _unless_zero(rotor), "stiffness": _unless_zero(spring.stiffness)}
        if math.isfinite(spring.lower) or math.isfinite(spring.upper):
            lower = 0.0 if kind == "ball" else max(spring.lower, -ENDLESS)
            given |= {"limited": "true", "range": numbers_text((lower, min(spring.upper, ENDLESS)))}
    given |= {"damping": _unless_zero(spring.damping), "frictionloss": _unless_zero(spring.friction)}
    return Element("joint", given)


def _check(turn: Turn, springs: Sequence[JointSpring], losses: Losses) -> None:
    """Name what acts at a joint and MuJoCo lacks."""
    of, kind = f'the joint of "{turn.link.name}"', turn.link.joint.kind
    if any(spring.alpha and spring.beta for spring in springs):
        losses.lose("exponential springs", of)
    if any(spring.bias for spring in springs):
        losses.lose("biases", of)
    if kind in ("free", "planar") and turn.link.joint.armature:
        losses.lose("rotors", of)
    even = springs[1:] if kind == "planar" else springs if kind == "free" else ()
    uneven = len({(spring.damping, spring.friction) for spring in even}) > 1
    if uneven or (kind == "free" and any(spring.stiffness for spring in springs)):
        losses.lose("springs", of)


def _unless_zero(number: float) -> str:
    return numbers_text([number]) if number else ""


def geom(part: Part, name: str, losses: Losses) -> tuple[Element, Element | None]:
    """A shape, and the mesh of this name that it needs if MuJoCo has no such shape."""
    shape, mesh = part.shape, None
    given = {"pos": place_text(part.position), "quat": quaternion_text(part.rotation)} | _surface(part, losses)
    match shape:
        case Sphere():
            given |= {"type": "sphere", "size": numbers_text(shape.sizes)}
        case Ellipsoid():
            given |= {"type": "ellipsoid", "size": numbers_text(shape.radii)}
        case Box():
            given |= {"type": "box", "size": numbers_text(edge / 2.0 for edge in shape.size)}
        case Capsule() | Cylinder():
            given |= {"type": shape.kind, "size": numbers_text((shape.radius, shape.length / 2.0))}
        case Frustum() | Hull():
            corners = shape.sizes
            if isinstance(shape, Frustum):
                losses.note("Frustums become meshes of eight sides.")
                corners = [x for point in shape.contact_points() for x in point.position]
            mesh = Element("mesh", {"name": name, "vertex": numbers_text(corners), "inertia": "convex"})
            given |= {"type": "mesh", "mesh": name}
    return Element("geom", given), mesh


def _surface(part: Part, losses: Losses) -> dict[str, str]:
    """What a shape may touch, and how rough it is, where either is not as MuJoCo has it without a word."""
    if not part.colliding:
        return {"contype": "0", "conaffinity": "0"}
    if part.restitution is not None:
        losses.note("Left out: coefficients of restitution.")
    bits = {"contype": str(part.group), "conaffinity": str(part.mask)} if (part.group, part.mask) != (1, 1) else {}
    return bits if part.friction is None else bits | {"friction": numbers_text((part.friction, *ROLLING))}


def contacts(figure: Figure, bodies: Collection[str]) -> list[Element]:
    """The pairs of links that never touch, and of shapes of those that do whatever their bits; bodies: that there are.

    A link that is no body of its own has no shapes either.
    """
    apart, paired = ([pair for pair in pairs if set(pair) <= set(bodies)] for pairs in (figure.apart, figure.paired))
    made = [Element("exclude", {"body1": one, "body2": other}) for one, other in apart]
    for pair in paired:
        for a, b in product(*(_touching(figure.link(name)) for name in pair)):
            made.append(Element("pair", {"geom1": a, "geom2": b}))
    return made


def _touching(link: PlacedLink) -> list[str]:
    """The names of a link's shapes that touch."""
    return [shape_name(link, number) for number, part in enumerate(link.parts, start=1) if part.colliding]


def shape_name(link: PlacedLink, number: int) -> str:
    """The name of a link's shape by its number, from 1."""
    return f"{link.name} {number}"


def equality(constraint: Constraint, sites: Sequence[str]) -> Element:
    """A closure between two sites, or a coupling of joints, whose references are all 0."""
    if isinstance(constraint, Closure):
        return Element(TIES[constraint.kind], {"site1": sites[0], "site2": sites[1]})
    if len(constraint.coefficients) > 5:
        raise GambolError(f'the coupling of "{constraint.joint}" is of degree 5 or more; MuJoCo goes to 4')
    polynomial = [*constraint.coefficients, 0.0, 0.0, 0.0, 0.0][:5]
    given = {"joint1": constraint.joint, "joint2": constraint.other or "", "polycoef": numbers_text(polynomial)}
    return Element("joint", given)


def tied(constraint: Constraint, losses: Losses) -> bool:
    """Whether a constraint is one that MuJoCo has; says so if it is left out."""
    if isinstance(constraint, Coupling) or constraint.kind in TIES:
        return True
    losses.lose("closures", f'the {constraint.kind} closure of "{constraint.link}"')
    return False


def motor(given: Motor) -> Element:
    """An actuator of a kind that MuJoCo has."""
    gain, bias = numbers_text([given.gain]), {"position": (-given.gain, -given.damping), "velocity": (0.0, -given.gain)}
    attributes = {"name": given.name, "joint": given.joint, "gear": numbers_text(given.gear), "gainprm": gain}
    if given.kind in bias:
        attributes |= {"biastype": "affine", "biasprm": numbers_text((0.0, *bias[given.kind]))}
    for name, low, high in (("ctrl", given.lower, given.upper), ("force", given.weakest, given.strongest)):
        if math.isfinite(low) or math.isfinite(high):
            attributes |= {f"{name}range": numbers_text((max(low, -ENDLESS), min(high, ENDLESS)))}
    return Element("general", attributes)
