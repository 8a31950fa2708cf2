"""Coordinates and velocities of a figure in a pile, from the poses and velocities of its bodies.

R = R_rest^T R_PL,  d = R_rest^T (p - p_rest)        pose of a link in its parent, relative to that at rest
v: least squares of S v = relative motion            exact where the joint's errors are 0
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.figure import JOINTS, Joint, PlacedLink
from gambol.spatial import Quaternion, Rotation

Array = NDArray[Any]


def joint_coordinates(joint: Joint, R_PL: Array, p: Array) -> list[float]:
    """Return the coordinates of a joint; R_PL (3, 3), p (3): rotation and position of its link in the parent."""
    R_rest = np.array(joint.rotation, float)
    R, d = R_rest.T @ R_PL, R_rest.T @ (p - np.array(joint.position, float))
    return COORDINATES_OF[joint.kind](joint, R, d)


def joint_velocities(link: PlacedLink, q: list[float], w: Array, v: Array) -> list[float]:
    """Return the velocities of a link's joint.

    q: its coordinates; w, v (3): angular velocity and velocity of the link's origin relative to the parent, in the
    link's axes.
    """
    kind = JOINTS[link.joint.kind]
    placement = kind.place(link.joint, q)
    columns = [placement.to_link(S) for S in placement.columns]
    if not columns:
        return []
    matrix = np.array([[float(S[k]) for S in columns] for k in range(6)])
    return [float(x) for x in np.linalg.lstsq(matrix, np.concatenate([w, v]), rcond=None)[0]]


def _quaternion(R: Array) -> list[float]:
    return [float(x) for x in Quaternion.of(Rotation.of(R.tolist())).components()]


def _angle(axis: Array, R: Array) -> float:
    """Return the angle of a rotation about an axis, from -pi to pi."""
    w, *xyz = _quaternion(R)
    angle = 2.0 * np.arctan2(float(axis @ np.array(xyz)), w)
    return float(np.remainder(angle + np.pi, 2.0 * np.pi) - np.pi)


def _axes(joint: Joint) -> tuple[Array, Array, Array]:
    """Return the axis, the direction across, and axis x across, in the link."""
    axis = np.array(joint.axis, float)
    across = np.zeros(3) if joint.across is None else np.array(joint.across, float)
    return axis, across, np.cross(axis, across)


def _planar(joint: Joint, R: Array, d: Array) -> list[float]:
    axis, across, third = _axes(joint)
    return [_angle(axis, R), float(across @ d), float(third @ d)]


def _universal(joint: Joint, R: Array, d: Array) -> list[float]:
    frame = np.stack(_axes(joint), axis=1)
    M = frame.T @ R @ frame  # Rot(x, q_0) Rot(y, q_1)
    return [float(np.arctan2(M[2, 1], M[1, 1])), float(np.arctan2(M[0, 2], M[0, 0]))]


def _cylindrical(joint: Joint, R: Array, d: Array) -> list[float]:
    axis = _axes(joint)[0]
    return [_angle(axis, R), float(axis @ d)]


COORDINATES_OF: dict[str, Callable[[Joint, Array, Array], list[float]]] = {
    "fixed": lambda joint, R, d: [],
    "revolute": lambda joint, R, d: [_angle(_axes(joint)[0], R)],
    "prismatic": lambda joint, R, d: [float(_axes(joint)[0] @ d)],
    "cylindrical": _cylindrical,
    "universal": _universal,
    "planar": _planar,
    "spherical": lambda joint, R, d: _quaternion(R),
    "free": lambda joint, R, d: [*_quaternion(R), *map(float, d)],
}
"""The coordinates of each kind of joint, from the joint, R and d."""
