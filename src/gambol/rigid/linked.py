"""Articulated figures as bodies of a pile: a body for each link, a joint of the pile for each joint of the figure.

A body's frame is at the centre of mass of its link, along the principal axes. Bodies of one figure do not touch each
other. The joint's point is the link's origin, and its z axis the joint's axis, in the child and in the parent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from gambol.actuation import Servo
from gambol.collide.convex.geom import geom_of
from gambol.dynamics import kinematics
from gambol.errors import WorldError
from gambol.figure import JOINTS, Figure, Joint, Part, Springs
from gambol.figure.link import PlacedLink
from gambol.figure.rotation import triple
from gambol.figure.shapes import ContactPoint
from gambol.rigid.body import LinkBody
from gambol.rigid.body_frame import BodyFrame
from gambol.rigid.joint_numbers import COORDINATES, joint_numbers
from gambol.rigid.linked_coordinates import joint_coordinates, joint_velocities
from gambol.rigid.pile_joints import NO_JOINTS, PileJoints
from gambol.rigid.state import PileState
from gambol.spatial import Quaternion, Rotation, Transform, Vector
from gambol.spatial.rotation import IDENTITY

Array = NDArray[np.float64]

LOCKED = {
    "fixed": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    "revolute": (1.0, 1.0, 0.0, 1.0, 1.0, 1.0),
    "prismatic": (1.0, 1.0, 1.0, 1.0, 1.0, 0.0),
    "cylindrical": (1.0, 1.0, 0.0, 1.0, 1.0, 0.0),
    "planar": (1.0, 1.0, 0.0, 0.0, 0.0, 1.0),
    "universal": (0.0, 0.0, 1.0, 1.0, 1.0, 1.0),
    "spherical": (0.0, 0.0, 0.0, 1.0, 1.0, 1.0),
}
"""Kinds of joints, and 1 for each locked motion: rotations and translations along x, y and z."""


@dataclass(frozen=True, eq=False)
class LinkedBodies:
    """The bodies and joints of a figure in a pile.

    figure: the figure; bodies: one for each link that moves, in the order of the links; joints: of these bodies;
    links: indices of their links; first: number of the first body in its pile.
    """

    figure: Figure
    bodies: tuple[LinkBody, ...]
    joints: PileJoints
    links: tuple[int, ...]
    first: int

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

    def coordinates(self, state: PileState) -> tuple[Array, Array]:
        """Return coordinates q (nq) and velocities v (nv) of the figure in a pile's state.

        Angles lie between -pi and pi. The pose by q differs from that of the bodies by the errors of the joints.
        """
        poses: list[tuple[Array, Array, Array, Array]] = [(np.eye(3), np.zeros(3), np.zeros(3), np.zeros(3))]
        bodies = dict(zip(self.links, enumerate(self.bodies, self.first), strict=True))
        q, v = list[float](), list[float]()
        for link in self.figure.links:
            R_P, x_P, w_P, v_P = poses[link.parent_index]
            if link.index not in bodies:  # fixed, without mass
                at = x_P + R_P @ np.array(link.joint.position, float)
                poses.append((R_P @ np.array(link.joint.rotation, float), at, w_P, v_P + np.cross(w_P, at - x_P)))
                continue
            poses.append(_link_motion(state, *bodies[link.index]))
            R, x, w, v_x = poses[-1]
            own = joint_coordinates(link.joint, R_P.T @ R, R_P.T @ (x - x_P))
            relative = v_x - v_P - np.cross(w_P, x - x_P)
            q, v = q + own, v + joint_velocities(link, own, R.T @ (w - w_P), R.T @ relative)
        return np.array(q, float), np.array(v, float)


def _link_motion(state: PileState, number: int, body: LinkBody) -> tuple[Array, Array, Array, Array]:
    """Return rotation, position of the origin, angular velocity, and velocity of the origin of a body's link."""
    turn = Quaternion(*map(float, state.orientation[:, number])).rotation()
    R = np.array(turn.rows, float) @ body.frame.rotation.T
    arm, w = -R @ body.frame.com, state.velocity[:3, number]
    return R, state.position[:, number] + arm, w, state.velocity[3:, number] + np.cross(w, arm)


def linked_bodies(
    figure: Figure,
    material: str = "body",
    first: int = 1,
    *,
    springs: Mapping[str, Springs] = MappingProxyType({}),
    servos: Mapping[str, Servo] = MappingProxyType({}),
    motors: bool = False,
    self_contact: bool = False,
) -> LinkedBodies:
    """Return the bodies and joints of a figure.

    material: name of the material of all links; first: number of the figure's first body in its pile, from 1. springs:
    springs, dampers, friction, limits and biases of joints by link name, as for a world with the method `stepping`:
    limits without stiffness and damping are hard. servos: by the names of links. motors: True for joints that take
    torques, see PileStepper.advance(); joints with springs or servos take them, too. self_contact: True to let links
    touch that no joint connects. Raises WorldError for joints of other kinds than LOCKED, for loop constraints and
    prescribed bases, for massless links that move, and for springs and servos that joint_numbers() refuses; FigureError
    for springs of unknown links, and invalid ones.
    """
    if figure.constraints or figure.prescribed:
        raise WorldError(f'figure "{figure.name}" has loop constraints or a prescribed base; a pile has neither')
    rest = kinematics(figure, [x for link in figure.links for x in JOINTS[link.joint.kind].rest], [0.0] * figure.nv)
    still = Transform(Rotation(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))), Vector(0.0, 0.0, 0.0))
    carriers: dict[int, tuple[int, Transform]] = {0: (0, still)}  # the body of each link, and the link's pose in it
    bodies, links = list[LinkBody](), list[int]()
    rows: list[tuple[int, int, list[float], PlacedLink]] = []
    for link in figure.links:
        parent, pose_of_parent = carriers[link.parent_index]
        pose_in_parent = rest.poses[link.parent_index].inverse @ rest.poses[link.index]
        if link.joint.kind == "fixed" and not link.mass_properties.mass:
            carriers[link.index] = parent, pose_of_parent @ pose_in_parent
            continue
        _check(link)
        bodies.append(_body(link, material, figure.name, self_contact=self_contact))
        links.append(link.index)
        number, frame = first + len(bodies) - 1, bodies[-1].frame
        in_body = Rotation.of(frame.rotation.T.tolist())
        own = Transform(in_body, -(in_body @ Vector(*map(float, frame.com))))
        carriers[link.index] = number, own
        if link.joint.kind != "free":
            axes = Transform(_joint_axes(link.joint), Vector(0.0, 0.0, 0.0))
            anchors = [own @ axes, pose_of_parent @ pose_in_parent @ axes]
            places = [x for a in anchors for x in (*a.position, *Quaternion.of(a.rotation).components())]
            rows.append((number, parent, places, link))
    numbers = joint_numbers(figure, [row[3] for row in rows], springs, servos, always=motors)
    return LinkedBodies(figure, tuple(bodies), _joints(rows, numbers), tuple(links), first)


def _joints(rows: list[tuple[int, int, list[float], PlacedLink]], numbers: Array | None) -> PileJoints:
    """Return joints; rows: the two bodies, the anchors and the link of each joint; numbers: see PileJoints."""
    if not rows:
        return NO_JOINTS
    kinds = [row[3].joint.kind for row in rows]
    return PileJoints(
        np.array([row[0] for row in rows], np.int64),
        np.array([row[1] for row in rows], np.int64),
        np.array([row[2] for row in rows], float).T,
        np.array([LOCKED[kind] for kind in kinds], float).T,
        numbers,
        np.array([(k, row) for k, kind in enumerate(kinds) for row in COORDINATES[kind]], np.int64).reshape(-1, 2),
    )


def _joint_axes(joint: Joint) -> Rotation:
    """Return the axes of the rows of a joint in its link: z is the axis, or x and y are those of a universal joint."""
    if joint.kind == "spherical":
        return IDENTITY
    axis = Vector(*joint.axis)
    if joint.across is None or joint.kind not in ("planar", "universal"):
        return Rotation.with_z_axis(axis)
    across = Vector(*joint.across)
    x, y = (across, axis.cross(across)) if joint.kind == "planar" else (axis, across)
    return Rotation.of([list(row) for row in zip(x, y, x.cross(y), strict=True)])


def _check(link: PlacedLink) -> None:
    """Raise WorldError for a link that cannot be a body of a pile."""
    kind = link.joint.kind
    if kind not in (*LOCKED, "free"):
        raise WorldError(f'link "{link.name}" has a joint of kind "{kind}"; a pile has {", ".join(LOCKED)} and free')
    if not link.mass_properties.mass > 0.0:
        raise WorldError(f'link "{link.name}" has no mass, but moves; every body of a pile needs mass')


def _body(link: PlacedLink, material: str, figure: str, *, self_contact: bool) -> LinkBody:
    """Return the body of a link."""
    mass = link.mass_properties
    values, axes = np.linalg.eigh(np.array(mass.inertia, float))
    axes = axes * np.sign(np.linalg.det(axes))
    com = np.array(mass.com, float)
    frame = BodyFrame(com, axes, values / mass.mass, 0.0, None, (), ())
    shapes = [_placed(frame, part) for part in link.parts if part.colliding]
    return LinkBody(link, frame, tuple(shapes), material, figure, self_contact)


def _placed(frame: BodyFrame, part: Part) -> BodyFrame:
    """Return the shape of a part in the frame of its body."""
    axes, com = frame.rotation, frame.com
    R, x = axes.T @ np.array(part.rotation, float), axes.T @ (np.array(part.position, float) - com)
    geom = geom_of(part.shape)
    numbers = (*geom.sizes, 0.0, 0.0, 0.0)[:3]
    turn = [float(c) for c in Quaternion.of(Rotation.of(R.tolist())).components()]
    points = tuple(ContactPoint(triple(R @ p.position + x), p.radius) for p in part.shape.contact_points())
    radius = max(float(np.linalg.norm(p.position)) + p.radius for p in points)
    template = geom.template
    return replace(frame, radius=radius, template=template, points=points, numbers=(*numbers, *turn, *x.tolist()))
