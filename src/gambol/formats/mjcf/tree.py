"""The tree of a compiled MJCF model: a link for each body, and one more for each further joint of a body.

MuJoCo applies the joints of a body one after the other, each at its own anchor in the body frame; the frame of a link
lies at its joint. So the frames of a body and of its link have the same axes, and the origin of the link frame is the
anchor of the body's last joint; every position in the body is shifted accordingly.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.figure import (
    FOREST_ROOT,
    Joint,
    Link,
    MassProperties,
    Matrix3,
    Part,
    Triple,
    Visual,
    compose,
    rotated,
    rotation_about,
    stacked,
)
from gambol.figure.rotation import matrix, triple
from gambol.formats.mjcf.compiler import CompiledMjcf
from gambol.spatial import Quaternion

FREE, BALL, SLIDE, HINGE = range(4)  # mjtJoint
JOINT_KINDS = {FREE: "free", BALL: "spherical", SLIDE: "prismatic", HINGE: "revolute"}
INERTIA_TOLERANCE = 1e-6  # relative difference up to which a full inertia agrees with the one that MuJoCo diagonalised

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Names:
    """The names of links, and the origins of their frames.

    bodies: name of the link of each body, by body number. joints: name of the link of each joint, by joint number.
    origins: origin of the link frame in the frame of each body [m].
    """

    bodies: dict[int, str]
    joints: dict[int, str]
    origins: dict[int, Triple]

    def position_in_link(self, body: int, position: Any) -> Triple:
        """Return a position in a body frame as a position in the frame of its link [m]."""
        x, y, z = (float(a) - b for a, b in zip(position, self.origins[body], strict=True))
        return (x, y, z)


def rotation_of(quaternion: Sequence[float] | Array) -> Matrix3:
    """Return the rotation matrix of a quaternion (w, x, y, z) of any length."""
    q = np.array(quaternion, float)
    return compose(matrix(Quaternion(*(q / np.linalg.norm(q)).tolist()).rotation().rows))


def joints_of(model: Any, body: int) -> range:
    """Return the numbers of a body's joints, from the parent outward."""
    first = int(model.body_jntadr[body])
    return range(first, first + int(model.body_jntnum[body]))


def names_of(mjcf: CompiledMjcf) -> Names:
    """Return unique names for the links of all bodies and joints: names of the file, or new names.

    The link of a body's last joint has the name of the body.
    """
    model, used = mjcf.model, {mjcf.name("body", k) for k in range(mjcf.model.nbody)}
    bodies: dict[int, str] = {}
    joints: dict[int, str] = {}
    for body in range(1, model.nbody):
        bodies[body] = mjcf.name("body", body) or _unused_name(f"body{body}", used)
        for number, joint in enumerate(joints_of(model, body), start=1):
            preferred = mjcf.name("joint", joint) or f"{bodies[body]} {number}"
            is_last = joint == joints_of(model, body)[-1]
            joints[joint] = bodies[body] if is_last else _unused_name(preferred, used)
    return Names(bodies, joints, {body: _anchors(model, body)[-1] for body in range(model.nbody)})


def _unused_name(preferred: str, used: set[str]) -> str:
    name, number = preferred, 2
    while name in used:
        name, number = f"{preferred} {number}", number + 1
    used.add(name)
    return name


def _anchors(model: Any, body: int) -> list[Triple]:
    """Return the origins of the body frame and of the links of its joints, parent first, in the body frame [m].

    A slide or free joint has no anchor: its link has the previous origin.
    """
    anchors: list[Triple] = [(0.0, 0.0, 0.0)]
    for joint in joints_of(model, body):
        anchors.append(triple(model.jnt_pos[joint]) if model.jnt_type[joint] in (BALL, HINGE) else anchors[-1])
    return anchors


def links_of(
    mjcf: CompiledMjcf,
    names: Names,
    parts: dict[int, tuple[Part, ...]],
    visuals: dict[int, tuple[Visual, ...]],
) -> tuple[Link, ...]:
    """Return all links of a model. Several trees, or colliding geoms of the world, make a kinematic forest.

    names: names of the links. parts, visuals: parts and visuals of each body, by body number; 0 is the world.
    """
    model, links = mjcf.model, list[Link]()
    roots = [body for body in range(1, model.nbody) if model.body_parentid[body] == 0]
    has_obstacles = any(part.colliding for part in parts.get(0, ()))
    is_forest = has_obstacles or len(roots) > 1
    forest_root = _unused_name(FOREST_ROOT, {*names.bodies.values(), *names.joints.values()}) if is_forest else None
    if forest_root is not None:
        links.append(Link(forest_root, None, Joint("fixed"), parts.get(0, ()), visuals=visuals.get(0, ())))
    for body in range(1, model.nbody):
        parent_body = int(model.body_parentid[body])
        parent = forest_root if parent_body == 0 else names.bodies[parent_body]
        mass = _mass(model, body, names)
        link = Link(names.bodies[body], parent, Joint("fixed"), parts.get(body, ()), mass, visuals.get(body, ()))
        links.extend(_links_of_body(mjcf, names, body, link))
    return tuple(links)


def _links_of_body(mjcf: CompiledMjcf, names: Names, body: int, link: Link) -> tuple[Link, ...]:
    """Return the links of a body, one per joint, with MuJoCo's coordinates.

    link: the body as one link, which becomes the last; several joints are a compound joint, with massless links.
    """
    model, anchors = mjcf.model, _anchors(mjcf.model, body)
    rotation = rotation_of(model.body_quat[body])
    position_L = names.position_in_link(int(model.body_parentid[body]), model.body_pos[body])
    joints: list[tuple[str, Joint]] = []
    for joint, anchor_before, anchor in zip(joints_of(model, body), anchors[:-1], anchors[1:], strict=True):
        new_joint = _joint(model, joint)
        if new_joint.kind == "free":
            return (replace(link, joint=new_joint),)  # its coordinates are the pose in the world
        offset = triple(np.array(anchor) - np.array(anchor_before) + np.array(new_joint.position))
        position = offset if joints else np.array(position_L) + np.array(rotated(rotation, offset))
        new_joint = replace(new_joint, position=triple(position), rotation=compose(rotation, new_joint.rotation))
        joints.append((names.joints[joint], new_joint))
        rotation = compose()
    if not joints:
        return (replace(link, joint=Joint("fixed", rotation=rotation, position=position_L)),)
    return stacked(link, joints)


def _joint(model: Any, joint: int) -> Joint:
    """Return a joint in a frame at its anchor with the axes of the body; its coordinate is MuJoCo's."""
    kind, axis = int(model.jnt_type[joint]), triple(model.jnt_axis[joint])
    rotor = float(model.dof_armature[model.jnt_dofadr[joint]])
    if kind in (FREE, BALL):
        return Joint(JOINT_KINDS[kind], rotor=rotor if kind == BALL else 0.0)
    shift = -float(model.qpos0[model.jnt_qposadr[joint]])
    if kind == HINGE:
        rotation = rotation_about(axis, shift) if shift else compose()
        return Joint("revolute", axis, rotation, rotor=rotor)
    return Joint("prismatic", axis, position=triple(shift * np.array(axis)), rotor=rotor)


def _mass(model: Any, body: int, names: Names) -> MassProperties | None:
    """Return the mass properties of a body in the frame of its link; None for a body without mass.

    MuJoCo diagonalises a full inertia (`fullinertia`) only to 1e-12 kg m2, so the inertia in the file is used
    unchanged. If the two disagree, because MuJoCo's compiler has scaled or replaced the inertia, the diagonalised
    inertia is used.
    """
    mass = float(model.body_mass[body])
    if mass == 0.0:
        return None
    R = np.array(rotation_of(model.body_iquat[body]))
    diagonalised = R @ np.diag(model.body_inertia[body]) @ R.T
    xx, yy, zz, xy, xz, yz = (float(x) for x in model.body_fullinertia[body])
    full = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    # without a full inertia in the file the entries are NaN, so the comparison is False
    agrees = np.abs(full - diagonalised).max() <= INERTIA_TOLERANCE * np.abs(diagonalised).max()
    I = full if agrees else diagonalised
    return MassProperties(mass, names.position_in_link(body, model.body_ipos[body]), matrix((I + I.T) / 2.0))
