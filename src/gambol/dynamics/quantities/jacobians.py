"""Jacobians of frames on links, their time derivatives, and bias accelerations.

    [w; v_p] = J v        column of a direction S of an ancestor A:  [R_A S_w;  R_A S_v + R_A S_w x (p - r_A)]
    [w'; v_p'] = J v' + J' v        J' v: the acceleration at v' = 0

[Siciliano et al. 2009, chapter 3]. A frame lies at a point of a link, with world axes or the link's. Its velocity is
the velocity of the point. Time derivatives are relative to these axes; the axes of a link rotate with it.
"""

from typing import Literal, TypeAlias

from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.quantities.derivatives import time_derivative
from gambol.spatial.motion import ZERO_MOTION, Motion
from gambol.spatial.vector import ZERO, Vector, centripetal

Axes: TypeAlias = Literal["world", "link"]


def link_jacobian(state: Kinematics, link: int, point: Vector = ZERO, axes: Axes = "world") -> list[Motion]:
    """Return the spatial Jacobian of a frame on a link: nv columns, the frame's motion at each unit joint velocity.

    state: only its positions are used. link: index of the link. point: origin of the frame, in link coordinates [m].
    axes: axes of the frame: those of the world, or of the link. Columns of joints that do not move the link are exactly
    zero.
    """
    columns = [ZERO_MOTION] * state.figure.nv
    p, R_LW = state.poses[link] @ point, state.poses[link].rotation.transpose
    for ancestor in state.figure.path_to_root(link):
        joint, pose = state.joints[ancestor.index], state.poses[ancestor.index]
        for k, S in zip(range(ancestor.v.start, ancestor.v.stop), joint.columns, strict=True):
            S_L = joint.to_link(S)
            w = pose.rotation @ S_L.w
            v = (pose.rotation @ S_L.v).plus_cross(w, p - pose.position)
            columns[k] = Motion(R_LW @ w, R_LW @ v) if axes == "link" else Motion(w, v)
    return columns


def point_jacobian(state: Kinematics, link: int, point: Vector = ZERO) -> list[Vector]:
    """Return the Jacobian of a point of a link in world axes: nv columns.

    state: only its positions are used. link: index of the link. point: in link coordinates [m].
    """
    return [column.v for column in link_jacobian(state, link, point)]


def link_jacobian_rate(state: Kinematics, link: int, point: Vector = ZERO, axes: Axes = "world") -> list[Motion]:
    """Return the time derivative of each column of link_jacobian() at a state.

    link, point, axes: as for link_jacobian().
    """
    return time_derivative(lambda moving: link_jacobian(moving, link, point, axes), state)


def bias_acceleration(state: Kinematics, link: int, point: Vector = ZERO, axes: Axes = "world") -> Motion:
    """Return J' v, with the J of link_jacobian(): the acceleration of a frame on a link at zero joint accelerations.

    state: the positions and velocities. link, point, axes: as for link_jacobian().
    """
    a = state.accelerations([0.0] * state.figure.nv)[link]
    w, R = state.velocities[link].w, state.poses[link].rotation
    at_point = a.v.plus_cross(a.w, point) + centripetal(w, point)
    if axes == "link":
        return Motion(a.w, at_point - w.cross(state.velocities[link].v.plus_cross(w, point)))
    return Motion(R @ a.w, R @ at_point)
