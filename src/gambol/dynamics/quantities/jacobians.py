"""How the velocity of a frame on a link depends on the joint velocities, and its acceleration on their rates.

    [w; v_p] = J v        column of a direction S of an ancestor A:  [R_A S_w;  R_A S_v + R_A S_w x (p - r_A)]
    [w'; v_p'] = J v' + J' v        J' v: what is left of the acceleration where all v' are 0

[Siciliano et al. 2009, chapter 3]. A frame lies at a point of a link, in world axes or in the link's. Its velocity is
that of the point; rates are those seen in the axes, which turn with the link if they are the link's.
"""

from typing import Literal, TypeAlias

from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.quantities.derivatives import time_derivative
from gambol.spatial.motion import AT_REST, Motion
from gambol.spatial.vector import ZERO, Vector, centripetal

Axes: TypeAlias = Literal["world", "link"]


def link_jacobian(state: Kinematics, link: int, point: Vector = ZERO, axes: Axes = "world") -> list[Motion]:
    """The spatial Jacobian of a frame on a link: nv columns, each the motion of the frame at one unit joint velocity.

    link: its number. point: where on the link the frame is, in link coordinates [m]. axes: along which columns are
    written. A column that is exactly zero belongs to a joint that does not carry the link.
    """
    columns = [AT_REST] * state.figure.nv
    place, back = state.poses[link] @ point, state.poses[link].rotation.transpose
    for placed in state.figure.carriers(link):
        joint, pose = state.joints[placed.index], state.poses[placed.index]
        for k, S in zip(range(placed.v.start, placed.v.stop), joint.columns, strict=True):
            S_L = joint.to_link(S)
            w = pose.rotation @ S_L.w
            v = (pose.rotation @ S_L.v).plus_cross(w, place - pose.position)
            columns[k] = Motion(back @ w, back @ v) if axes == "link" else Motion(w, v)
    return columns


def point_jacobian(state: Kinematics, link: int, point: Vector = ZERO) -> list[Vector]:
    """How a point of a link, given in its coordinates [m], moves in world axes: nv columns."""
    return [column.v for column in link_jacobian(state, link, point)]


def link_jacobian_rate(state: Kinematics, link: int, point: Vector = ZERO, axes: Axes = "world") -> list[Motion]:
    """How fast each column of link_jacobian() changes as the figure moves at v."""
    return time_derivative(lambda moving: link_jacobian(moving, link, point, axes), state)


def bias_acceleration(state: Kinematics, link: int, point: Vector = ZERO, axes: Axes = "world") -> Motion:
    """J' v of link_jacobian(): the acceleration that a frame on a link has while no joint accelerates."""
    a = state.accelerations([0.0] * state.figure.nv)[link]
    w, R = state.velocities[link].w, state.poses[link].rotation
    at_point = a.v.plus_cross(a.w, point) + centripetal(w, point)
    if axes == "link":
        return Motion(a.w, at_point - w.cross(state.velocities[link].v.plus_cross(w, point)))
    return Motion(R @ a.w, R @ at_point)
