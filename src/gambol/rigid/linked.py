"""Articulated figures as bodies of a pile: a body for each link, a joint of the pile for each joint of the figure.

A body's frame is at the centre of mass of its link, along the principal axes. Bodies of one figure do not touch each
other. The joint's point is the link's origin, and its z axis the joint's axis, in the child and in the parent.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gambol.collide.convex.geom import geom_of
from gambol.dynamics import kinematics
from gambol.errors import WorldError
from gambol.figure import JOINTS, Figure, Part
from gambol.figure.link import PlacedLink
from gambol.figure.rotation import triple
from gambol.figure.shapes import ContactPoint
from gambol.rigid.body import LinkBody
from gambol.rigid.body_frame import BodyFrame
from gambol.rigid.joint_rows import PileJoints
from gambol.spatial import Quaternion, Rotation, Transform, Vector

Array = NDArray[np.float64]

LOCKED = {
    "fixed": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    "revolute": (1.0, 1.0, 0.0, 1.0, 1.0, 1.0),
    "prismatic": (1.0, 1.0, 1.0, 1.0, 1.0, 0.0),
    "cylindrical": (1.0, 1.0, 0.0, 1.0, 1.0, 0.0),
    "planar": (1.0, 1.0, 0.0, 0.0, 0.0, 1.0),
    "spherical": (0.0, 0.0, 0.0, 1.0, 1.0, 1.0),
}
"""Kinds of joints, and 1 for each locked motion: rotations and translations along x, y and z."""


@dataclass(frozen=True, eq=False)
class LinkedBodies:
    """The bodies and joints of a figure in a pile.

    figure: the figure; bodies: one for each link that moves, in the order of the links; joints: of these bodies.
    """

    figure: Figure
    bodies: tuple[LinkBody, ...]
    joints: PileJoints
    links: tuple[int, ...]

    def state(self, q: Sequence[float] | Array, v: Sequence[float] | Array) -> tuple[Array, Array, Array]:
        """Return positions (n, 3) [m], orientations (n, 4) and velocities (n, 6) of the bodies, for initial_state().

        q, v: coordinates (nq) and velocities (nv) of the figure.
        """
        state = kinematics(self.figure, list(map(float, q)), list(map(float, v)))
        positions, orientations, velocities = list[list[float]](), list[list[float]](), list[list[float]]()
        for body, link in zip(self.bodies, self.links, strict=True):
            pose, velocity = state.poses[link], state.velocities[link]
            com = Vector(*map(float, body.frame.com))
            turn = pose.rotation @ Rotation.of(body.frame.rotation.tolist())
            positions.append([*(pose @ com)])
            orientations.append([*Quaternion.of(turn).components()])
            velocities.append(
                [*(pose.rotation @ velocity.w), *(pose.rotation @ velocity.v.plus_cross(velocity.w, com))]
            )
        return np.array(positions, float), np.array(orientations, float), np.array(velocities, float)


def linked_bodies(figure: Figure, material: str = "body", first: int = 1) -> LinkedBodies:
    """Return the bodies and joints of a figure.

    material: name of the material of all links; first: number of the figure's first body in its pile, from 1. Raises
    WorldError for joints of other kinds than LOCKED, for rotors, loop constraints and prescribed bases, for massless
    links that move, and for links with several colliding parts.
    """
    if figure.constraints or figure.prescribed:
        raise WorldError(f'figure "{figure.name}" has loop constraints or a prescribed base; a pile has neither')
    rest = kinematics(figure, [x for link in figure.links for x in JOINTS[link.joint.kind].rest], [0.0] * figure.nv)
    still = Transform(Rotation(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))), Vector(0.0, 0.0, 0.0))
    carriers: dict[int, tuple[int, Transform]] = {0: (0, still)}  # the body of each link, and the link's pose in it
    bodies, links = list[LinkBody](), list[int]()
    rows: list[tuple[int, int, list[float], tuple[float, ...]]] = []
    for link in figure.links:
        parent, pose_of_parent = carriers[link.parent_index]
        pose_in_parent = rest.poses[link.parent_index].inverse @ rest.poses[link.index]
        if link.joint.kind == "fixed" and not link.mass_properties.mass:
            carriers[link.index] = parent, pose_of_parent @ pose_in_parent
            continue
        _check(link)
        bodies.append(_body(link, material, figure.name))
        links.append(link.index)
        number, frame = first + len(bodies) - 1, bodies[-1].frame
        in_body = Rotation.of(frame.rotation.T.tolist())
        own = Transform(in_body, -(in_body @ Vector(*map(float, frame.com))))
        carriers[link.index] = number, own
        if link.joint.kind != "free":
            axes = Transform(Rotation.with_z_axis(Vector(*link.joint.axis)), Vector(0.0, 0.0, 0.0))
            anchors = [own @ axes, pose_of_parent @ pose_in_parent @ axes]
            numbers = [x for a in anchors for x in (*a.position, *Quaternion.of(a.rotation).components())]
            rows.append((number, parent, numbers, LOCKED[link.joint.kind]))
    joints = PileJoints(
        np.array([row[0] for row in rows], np.int64),
        np.array([row[1] for row in rows], np.int64),
        np.array([row[2] for row in rows], float).reshape(len(rows), -1).T,
        np.array([row[3] for row in rows], float).reshape(len(rows), -1).T,
    )
    return LinkedBodies(figure, tuple(bodies), joints, tuple(links))


def _check(link: PlacedLink) -> None:
    """Raise WorldError for a link that cannot be a body of a pile."""
    kind = link.joint.kind
    if kind not in (*LOCKED, "free"):
        raise WorldError(f'link "{link.name}" has a joint of kind "{kind}"; a pile has {", ".join(LOCKED)} and free')
    if link.joint.rotor:
        raise WorldError(f'the joint of link "{link.name}" has a rotor; a pile has none')
    if not link.mass_properties.mass > 0.0:
        raise WorldError(f'link "{link.name}" has no mass, but moves; every body of a pile needs mass')
    if len(_colliding(link)) > 1:
        raise WorldError(f'link "{link.name}" has several parts that can touch; a body of a pile has one shape')


def _colliding(link: PlacedLink) -> list[Part]:
    return [part for part in link.parts if part.colliding]


def _body(link: PlacedLink, material: str, figure: str) -> LinkBody:
    """Return the body of a link."""
    mass, parts = link.mass_properties, _colliding(link)
    values, axes = np.linalg.eigh(np.array(mass.inertia, float))
    axes = axes * np.sign(np.linalg.det(axes))
    com = np.array(mass.com, float)
    frame = BodyFrame(com, axes, values / mass.mass, 0.0, None, (), ())
    for part in parts:
        R, x = axes.T @ np.array(part.rotation, float), axes.T @ (np.array(part.position, float) - com)
        geom = geom_of(part.shape)
        numbers = (*geom.sizes, 0.0, 0.0, 0.0)[:3]
        turn = [float(c) for c in Quaternion.of(Rotation.of(R.tolist())).components()]
        points = tuple(ContactPoint(triple(R @ p.position + x), p.radius) for p in part.shape.contact_points())
        radius = max(float(np.linalg.norm(p.position)) + p.radius for p in points)
        template = geom.template
        frame = replace(frame, radius=radius, template=template, points=points, numbers=(*numbers, *turn, *x.tolist()))
    return LinkBody(link.name, float(mass.mass), frame, material, figure)
