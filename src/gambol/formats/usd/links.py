"""Links of the branches of a stage: a link for each body, and a massless one for each further freedom of its joints.

The frame of a link has the axes of its body, and its origin at the frame of the body's last joint. With the parent's
frame P, the child's frame C and the frames of a joint J0 and J1 on them, at coordinate 0:

    X_PC = X_P_J0 X_J1_C

Where the joint's second body is the parent, J0 and J1 are swapped and the axis is negated.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

import numpy as np

from gambol.figure import Coupling, Joint, JointSpring, Link, MassProperties, Part, Visual, stacked
from gambol.figure.rotation import matrix, snapped, triple
from gambol.formats.usd.joints import Freedom, StageJoint, axis_of, coordinates_of, motion_of
from gambol.formats.usd.stage import Array, inverse, pose_of
from gambol.formats.usd.tree import Branch
from gambol.spatial.rotation import Rotation, quaternion_of

S = TypeVar("S", Part, Visual)

POSE_TOLERANCE = 1e-4
"""Maximum difference between the pose of a body and the pose that its joint gives it [m, rad], far above rounding of
float32."""


@dataclass(frozen=True)
class PlacedBody:
    """A moving body with its pose and shapes.

    name: name of its link. pose: X_WB. mass: mass properties in the body's axes, about its origin. parts, visuals: in
    the body's frame.
    """

    name: str
    pose: Array
    mass: MassProperties | None
    parts: tuple[Part, ...]
    visuals: tuple[Visual, ...] = ()


@dataclass(frozen=True)
class LinkFreedom:
    """One freedom of a branch, with the link that it moves, its joint in the file, and its initial coordinates."""

    link: str
    joint: StageJoint
    freedom: Freedom
    q: tuple[float, ...]


@dataclass(frozen=True)
class LinkChain:
    """The links of a branch, its freedoms, and the origin of the last link in the body's frame [m]."""

    links: tuple[Link, ...]
    link_freedoms: tuple[LinkFreedom, ...]
    origin: Array


def chain_of(
    branch: Branch, bodies: Mapping[str, PlacedBody], parent: tuple[str | None, Array], names: set[str], notes: set[str]
) -> LinkChain:
    """Return the links of a branch.

    bodies: bodies by path. parent: name of the parent's link, None for the world, and X_WP, the pose of its frame in
    the world. names: used names, to which names of massless links are added. notes: receives sentences.
    """
    body, (parent_link, X_WP) = bodies[branch.child], parent
    freedoms = [(joint, freedom) for joint in branch.joints for freedom in _outward(branch, joint)]
    anchors = [inverse(body.pose) @ _frames(branch, joint)[1] for joint, _ in freedoms]
    origin = anchors[-1][:3, 3] if anchors else np.zeros(3)
    parts, visuals = _moved(body.parts, origin), _moved(body.visuals, origin)
    link = Link(body.name, parent_link, Joint("free"), parts, _shifted(body.mass, origin), visuals)
    if not branch.joints:
        return LinkChain((link,), (), origin)
    link = replace(link, joint=Joint("fixed"))
    J0, J1 = _frames(branch, branch.joints[0])
    X_PC = inverse(X_WP) @ J0 @ inverse(J1) @ body.pose
    motion = inverse(branch.joints[0].frames[0]) @ branch.joints[0].frames[1]
    coordinates, reached = _coordinates(branch.joints, motion, (X_WP @ X_PC)[:3, :3].T @ body.pose[:3, :3])
    if np.abs(motion - reached).max() > POSE_TOLERANCE:
        notes.add(f'"{body.name}" starts at a pose that its joint allows, not at its pose in the file.')
    coordinates = coordinates[::-1] if branch.is_reversed(branch.joints[0]) else coordinates
    if not freedoms:
        return LinkChain((replace(link, joint=_with_pose(link.joint, X_PC[:3, :3], X_PC[:3, 3])),), (), origin)
    last = len(freedoms) - 1
    names_of_links = [body.name if k == last else _name(*freedoms[k], names) for k in range(len(freedoms))]
    positions = [b[:3, 3] - a[:3, 3] for a, b in pairwise(anchors)]
    poses = [(X_PC[:3, :3], X_PC[:3, :3] @ anchors[0][:3, 3] + X_PC[:3, 3]), *((np.eye(3), p) for p in positions)]
    joints = [
        (name, _with_pose(_joint(branch, *freedom, body), *pose))
        for name, freedom, pose in zip(names_of_links, freedoms, poses, strict=True)
    ]
    link_freedoms = (LinkFreedom(n, *f, q) for n, f, q in zip(names_of_links, freedoms, coordinates, strict=True))
    return LinkChain(stacked(link, joints), tuple(link_freedoms), origin)


def couplings_of(link_freedoms: Iterable[LinkFreedom]) -> tuple[Coupling, ...]:
    """Return the couplings of freedoms that are held by equal limits."""
    held = ((entry.link, entry.freedom.held) for entry in link_freedoms)
    return tuple(Coupling(link, None, (value,)) for link, value in held if value is not None)


def spring_of(entry: LinkFreedom) -> JointSpring | None:
    """Return the limits, damper and friction of a freedom; None if it has none of them."""
    return None if entry.freedom.spring == JointSpring() else entry.freedom.spring


def _outward(branch: Branch, joint: StageJoint) -> tuple[Freedom, ...]:
    """Return the freedoms of a joint from the parent outward."""
    return joint.freedoms[::-1] if branch.is_reversed(joint) else joint.freedoms


def _frames(branch: Branch, joint: StageJoint) -> tuple[Array, Array]:
    """Return the poses in the world of a joint's frames on the parent and on the child."""
    first, second = joint.frames
    return (second, first) if branch.is_reversed(joint) else (first, second)


def _joint(branch: Branch, joint: StageJoint, freedom: Freedom, body: PlacedBody) -> Joint:
    """Return the joint of a freedom, without its pose."""
    if freedom.kind == "spherical":
        return Joint("spherical", rotor=joint.rotor)
    axis = axis_of(freedom, inverse(body.pose) @ _frames(branch, joint)[1])
    return Joint(freedom.kind, triple(-axis if branch.is_reversed(joint) else axis), rotor=joint.rotor)


def _with_pose(joint: Joint, rotation: Array, position: Array) -> Joint:
    return replace(joint, rotation=snapped(rotation), position=triple(position))


def _name(joint: StageJoint, freedom: Freedom, names: set[str]) -> str:
    """Return a new name for the massless link of a freedom."""
    several = len(joint.freedoms) > 1
    preferred = f"{joint.prim['name']} {freedom.dof}" if several else str(joint.prim["name"])
    name, number = preferred, 2
    while name in names:
        name, number = f"{preferred} {number}", number + 1
    names.add(name)
    return name


def _coordinates(joints: Sequence[StageJoint], motion: Array, turned: Array) -> tuple[list[tuple[float, ...]], Array]:
    """Return the coordinates at which the file places a body, and the pose of J1 in J0 at them.

    joints: joints of a branch; the coordinates of several joints in series are 0. motion: pose of J1 in J0, as the file
    places them. turned: rotation (3, 3) of the body from its attitude at coordinates 0, for the coordinates of a ball.
    """
    if len(joints) > 1:
        freedoms = [freedom for joint in joints for freedom in joint.freedoms]
        return [(1.0, 0.0, 0.0, 0.0) if freedom.kind == "spherical" else (0.0,) for freedom in freedoms], np.eye(4)
    freedoms, reached = joints[0].freedoms, np.eye(4)
    numbers = iter(coordinates_of(freedoms, motion))
    coordinates: list[tuple[float, ...]] = []
    for freedom in freedoms:
        if freedom.kind == "spherical":
            w, *v = quaternion_of(Rotation(matrix(turned)))
            coordinates.append((float(w), *(float(x) for x in v)))
            reached[:3, :3] = motion[:3, :3]
        else:
            coordinates.append((next(numbers),))
            reached = reached @ motion_of(freedom, coordinates[-1][0])
    return coordinates, reached


def _shifted(mass: MassProperties | None, origin: Array) -> MassProperties | None:
    return None if mass is None else mass.placed(matrix(np.eye(3)), triple(-origin))


def _moved(shapes: tuple[S, ...], origin: Array) -> tuple[S, ...]:
    """Return parts or visuals in a frame with this origin."""
    return tuple(replace(shape, position=triple(np.array(shape.position) - origin)) for shape in shapes)


def frame_of(body: PlacedBody, origin: Array) -> Array:
    """Return the pose in the world of a link's frame. origin: origin of the link in the body's frame [m]."""
    return body.pose @ pose_of(np.eye(3), origin.tolist())
