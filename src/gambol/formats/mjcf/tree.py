"""The tree of a compiled model: a link for each body, and one more for each further joint of a body.

MuJoCo turns a body by its joints one after the other, each about an anchor of its own in the body's frame; a link's
frame lies at its joint. So the frames of a body and of its link have the same axes, and the link's lies at the anchor
of the body's last joint; every place in the body is moved by that.
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
    compose,
    rotation_about,
    stacked,
    turned,
)
from gambol.figure.rotation import matrix, triple
from gambol.formats.mjcf.compiled import Compiled
from gambol.spatial import Quaternion

FREE, BALL, SLIDE, HINGE = range(4)  # MuJoCo's types of joints
KINDS = {FREE: "free", BALL: "spherical", SLIDE: "sliding", HINGE: "rotary"}
SAME = 1e-6  # how far an inertia may be from the one that MuJoCo made of it before it is taken for another

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Names:
    """What the links of a model are called: of each body, and of each joint."""

    bodies: dict[int, str]
    joints: dict[int, str]
    origins: dict[int, Triple]

    def shifted(self, body: int, position: Any) -> Triple:
        """A place in a body's frame as a place in its link's [m]."""
        x, y, z = (float(a) - b for a, b in zip(position, self.origins[body], strict=True))
        return (x, y, z)


def rotation_of(quaternion: Sequence[float] | Array) -> Matrix3:
    """The rotation of a quaternion (w, x, y, z) of any length."""
    q = np.array(quaternion, float)
    return compose(matrix(Quaternion(*(q / np.linalg.norm(q)).tolist()).rotation().rows))


def joints_of(model: Any, body: int) -> range:
    """The numbers of a body's joints, nearest the parent first."""
    first = int(model.body_jntadr[body])
    return range(first, first + int(model.body_jntnum[body]))


def names_of(given: Compiled) -> Names:
    """A name for the link of every body and joint, each once: MuJoCo's where it has one.

    The last joint of a body has the body's name: it is the one that carries it.
    """
    model, taken = given.model, {given.name("body", k) for k in range(given.model.nbody)}
    bodies: dict[int, str] = {}
    joints: dict[int, str] = {}
    for body in range(1, model.nbody):
        bodies[body] = given.name("body", body) or _free_name(f"body{body}", taken)
        for place, joint in enumerate(joints_of(model, body), start=1):
            wanted = given.name("joint", joint) or f"{bodies[body]} {place}"
            last = joint == joints_of(model, body)[-1]
            joints[joint] = bodies[body] if last else _free_name(wanted, taken)
    return Names(bodies, joints, {body: _anchors(model, body)[-1] for body in range(model.nbody)})


def _free_name(wanted: str, taken: set[str]) -> str:
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted} {number}", number + 1
    taken.add(name)
    return name


def _anchors(model: Any, body: int) -> list[Triple]:
    """Where the links of a body's joints lie in the body's frame, the parent's side first; a slide keeps the place."""
    places: list[Triple] = [(0.0, 0.0, 0.0)]
    for joint in joints_of(model, body):
        places.append(triple(model.jnt_pos[joint]) if model.jnt_type[joint] in (BALL, HINGE) else places[-1])
    return places


def links_of(given: Compiled, names: Names, parts: dict[int, tuple[Part, ...]]) -> tuple[Link, ...]:
    """All links of a model; several trees make a forest, and so do shapes of the world that a tree may touch."""
    model, links = given.model, list[Link]()
    roots = [body for body in range(1, model.nbody) if model.body_parentid[body] == 0]
    scenery = any(part.colliding for part in parts.get(0, ()))
    several = scenery or len(roots) > 1
    hook = _free_name(FOREST_ROOT, {*names.bodies.values(), *names.joints.values()}) if several else None
    if hook is not None:
        links.append(Link(hook, None, Joint("fixed"), parts.get(0, ())))
    for body in range(1, model.nbody):
        above = int(model.body_parentid[body])
        parent = hook if above == 0 else names.bodies[above]
        mass = _mass(model, body, names)
        link = Link(names.bodies[body], parent, Joint("fixed"), parts.get(body, ()), mass)
        links.extend(_hung(given, names, body, link))
    return tuple(links)


def _hung(given: Compiled, names: Names, body: int, link: Link) -> tuple[Link, ...]:
    """A body's link, hung by as many joints as the body has; coordinates count as MuJoCo's do."""
    model, anchors = given.model, _anchors(given.model, body)
    home = rotation_of(model.body_quat[body])
    foot = names.shifted(int(model.body_parentid[body]), model.body_pos[body])
    joints: list[tuple[str, Joint]] = []
    for joint, before, here in zip(joints_of(model, body), anchors[:-1], anchors[1:], strict=True):
        made = _joint(model, joint)
        if made.kind == "free":
            return (replace(link, joint=made),)  # its coordinates are the pose in the world, whatever the home
        step = triple(np.array(here) - np.array(before) + np.array(made.position))
        place = step if joints else np.array(foot) + np.array(turned(home, step))
        made = replace(made, position=triple(place), rotation=compose(home, made.rotation))
        joints.append((names.joints[joint], made))
        home = compose()
    if not joints:
        return (replace(link, joint=Joint("fixed", rotation=home, position=foot)),)
    return stacked(link, joints)


def _joint(model: Any, joint: int) -> Joint:
    """A joint in a frame at its anchor, with the body's axes, at which its coordinate is MuJoCo's reference."""
    kind, axis = int(model.jnt_type[joint]), triple(model.jnt_axis[joint])
    rotor = float(model.dof_armature[model.jnt_dofadr[joint]])
    if kind in (FREE, BALL):
        return Joint(KINDS[kind], rotor=rotor if kind == BALL else 0.0)
    back = -float(model.qpos0[model.jnt_qposadr[joint]])
    if kind == HINGE:
        rotation = rotation_about(axis, back) if back else compose()
        return Joint("rotary", axis, rotation, rotor=rotor)
    return Joint("sliding", axis, position=triple(back * np.array(axis)), rotor=rotor)


def _mass(model: Any, body: int, names: Names) -> MassProperties | None:
    """The mass properties of a body in its link's frame; None for one without mass.

    An inertia that was given in full is taken as given: MuJoCo diagonalises it to 1e-12 kg m2 only.
    """
    mass = float(model.body_mass[body])
    if mass == 0.0:
        return None
    R = np.array(rotation_of(model.body_iquat[body]))
    made = R @ np.diag(model.body_inertia[body]) @ R.T
    xx, yy, zz, xy, xz, yz = (float(x) for x in model.body_fullinertia[body])
    full = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    same = np.abs(full - made).max() <= SAME * np.abs(made).max()  # no number, hence false, where none was given
    I = full if same else made
    return MassProperties(mass, names.shifted(body, model.body_ipos[body]), matrix((I + I.T) / 2.0))
