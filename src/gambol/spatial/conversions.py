"""Conversions between rotations as NumPy arrays: quaternions, matrices, rotation vectors, Euler angles.

Quaternions are (w, x, y, z); q and -q are the same rotation, and results have w >= 0. All rotations transform
coordinates of a body to coordinates of its parent. Every function takes arrays of any leading shape (...). Euler angles
follow SciPy: an order in small letters such as "xyz" is about the axes of the parent (extrinsic), first x, then y, then
z; in capital letters such as "ZYX" about the axes of the body as it turns (intrinsic), first z.
"""

import math
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.errors import FigureError
from gambol.lanes import Scalar, atan2, cos, sin, sqrt, where
from gambol.spatial.rotation import Quaternion, Rotation, quaternion_of
from gambol.spatial.vector import Vector

Array: TypeAlias = NDArray[np.float64]

MIN_LENGTH = 1e-9
"""The least length of a quaternion with a direction."""

ORTHONORMAL_TOLERANCE = 1e-6
"""Tolerance of R R^T = 1: matrices that are given with six or more digits are accepted."""

GIMBAL_LOCK_TOLERANCE = 1e-13
"""Distance of the second Euler angle from the ends of its range below which the third angle is 0 [rad]: a thousand
times the rounding error."""


def matrix_from_quaternion(quaternion: ArrayLike) -> Array:
    """Return rotation matrices (..., 3, 3) of quaternions (..., 4) of any length. Raises FigureError for length 0."""
    q = _quaternion(quaternion)
    return _stack([_stack(row) for row in q.rotation().rows], axis=-2)


def quaternion_from_matrix(matrix: ArrayLike) -> Array:
    """Return unit quaternions (..., 4) of rotation matrices (..., 3, 3). Raises FigureError for other matrices."""
    R = np.asarray(matrix, float)
    if R.ndim < 2 or R.shape[-2:] != (3, 3):
        raise FigureError(f"a matrix of shape {R.shape} does not fit; give (..., 3, 3)")
    error = np.abs(R @ np.swapaxes(R, -1, -2) - np.eye(3)).max(initial=0.0)
    if not (error < ORTHONORMAL_TOLERANCE and (np.linalg.det(R) > 0.0).all()):
        raise FigureError("a matrix is not a rotation; its columns must be three right-handed axes of length 1")
    rows = [[R[..., i, j] for j in range(3)] for i in range(3)]
    return _canonical(Quaternion(*quaternion_of(Rotation.of(rows))))


def quaternion_from_rotation_vector(vector: ArrayLike) -> Array:
    """Return unit quaternions (..., 4) of rotation vectors (..., 3): the axis times the angle [rad]."""
    return _canonical(Quaternion.exponential(Vector.of(_components(vector, 3, "a rotation vector"))))


def rotation_vector_from_quaternion(quaternion: ArrayLike) -> Array:
    """Return rotation vectors (..., 3) of quaternions (..., 4): the axis times the angle, from 0 to pi [rad]."""
    return _stack(list(_quaternion(quaternion).logarithm()))


def quaternion_from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> Array:
    """Return unit quaternions (..., 4) of rotations by angles (...) [rad] about axes (..., 3) of any length.

    Raises FigureError for an axis of length 0.
    """
    direction = _unit(_components(axis, 3, "an axis"), "an axis")
    half = 0.5 * np.asarray(angle, float)
    return _canonical(Quaternion(np.cos(half), *(np.sin(half) * x for x in direction)))


def axis_angle_from_quaternion(quaternion: ArrayLike) -> tuple[Array, Array]:
    """Return unit axes (..., 3) and angles (...), 0 to pi [rad], of quaternions (..., 4).

    The axis of the identity is x.
    """
    vector = rotation_vector_from_quaternion(quaternion)
    angle = np.linalg.norm(vector, axis=-1)
    x_axis = np.broadcast_to((1.0, 0.0, 0.0), vector.shape)
    turns = angle[..., None] > 0.0
    return np.where(turns, vector / np.where(turns, angle[..., None], 1.0), x_axis), angle


def quaternion_from_euler(angles: ArrayLike, order: str = "xyz") -> Array:
    """Return unit quaternions (..., 4) of Euler angles (..., 3) [rad]; order: see the top of this module.

    Raises FigureError for an unknown order.
    """
    axes, intrinsic = _axes(order)
    result = Quaternion(1.0, 0.0, 0.0, 0.0)
    for axis, angle in zip(axes, _components(angles, 3, "Euler angles"), strict=True):
        s = sin(0.5 * angle)
        turn = Quaternion(cos(0.5 * angle), *(s if k == axis else 0.0 for k in range(3)))
        result = result @ turn if intrinsic else turn @ result
    return _canonical(result)


def euler_from_quaternion(quaternion: ArrayLike, order: str = "xyz") -> Array:
    """Return Euler angles (..., 3) of quaternions (..., 4) [rad]; order: see the top of this module.

    The second angle is in [-pi/2, pi/2], or in [0, pi] if the first and the last axis are the same. At the ends of this
    range only the sum or the difference of the other angles is determined; the third angle is then 0 (the first for
    intrinsic orders). [Bernardes and Viollet 2022, algorithm 1] Raises FigureError for an unknown order.
    """
    axes, intrinsic = _axes(order)
    i, j, k = axes[::-1] if intrinsic else axes
    w, *xyz = _quaternion(quaternion).components()
    proper = i == k
    k = 3 - i - j if proper else k
    parity = (i - j) * (j - k) * (k - i) / 2.0
    a, b, c, d = w, xyz[i], xyz[j], xyz[k] * parity
    if not proper:
        a, b, c, d = a - c, b + d, c + a, d - b
    middle = 2.0 * atan2(sqrt(c * c + d * d), sqrt(a * a + b * b))
    plus, minus = atan2(b, a), atan2(d, c)
    low, high = middle <= GIMBAL_LOCK_TOLERANCE, middle >= math.pi - GIMBAL_LOCK_TOLERANCE
    first = where(low, 2.0 * plus, where(high, -2.0 * minus, plus - minus))
    third = where(low | high, 0.0, plus + minus)
    if intrinsic:
        first = where(low | high, 0.0, plus - minus)
        third = where(low, 2.0 * plus, where(high, 2.0 * minus, plus + minus))
    if not proper:
        third, middle = third * parity, middle - 0.5 * math.pi
    return _stack([_wrapped(x) for x in ((third, middle, first) if intrinsic else (first, middle, third))])


def multiply_quaternions(first: ArrayLike, second: ArrayLike) -> Array:
    """Return the products (..., 4) of unit quaternions: the second rotation acts first, as in R_AC = R_AB R_BC."""
    return _canonical(_quaternion(first) @ _quaternion(second))


def rotate(quaternion: ArrayLike, vector: ArrayLike) -> Array:
    """Return vectors (..., 3) rotated by quaternions (..., 4): from the body's axes to the parent's."""
    v = Vector.of(_components(vector, 3, "a vector"))
    return _stack(list(_quaternion(quaternion).rotation() @ v))


def _axes(order: str) -> tuple[list[int], bool]:
    """Return the indices of the three axes of an order, and True if it is intrinsic. Raises FigureError."""
    axes = ["xyz".find(letter) for letter in order.lower()]
    known = len(order) == 3 and min(axes) >= 0 and (order.islower() or order.isupper())
    if not known or axes[0] == axes[1] or axes[1] == axes[2]:
        raise FigureError(
            f'there is no order of Euler angles "{order}"; give three axes of which neighbours differ, such as "xyz" '
            '(about the axes of the parent) or "ZYX" (about those of the body)'
        )
    return axes, order.isupper()


def _components(values: ArrayLike, count: int, name: str) -> list[Any]:
    """Return the components of arrays (..., count).

    Raises FigureError for another shape, and for numbers that are not finite.
    """
    array = np.asarray(values, float)
    if not array.ndim or array.shape[-1] != count:
        raise FigureError(f"{name} of shape {array.shape} does not fit; give (..., {count})")
    if not np.isfinite(array).all():
        raise FigureError(f"{name} has numbers that are not finite")
    return [array[..., k] for k in range(count)]


def _unit(components: list[Any], name: str) -> list[Any]:
    """Return the components of vectors scaled to length 1. Raises FigureError for length 0."""
    length = np.sqrt(sum(x * x for x in components))
    if not (length > MIN_LENGTH).all():
        raise FigureError(f"{name} of length 0 has no direction")
    return [x / length for x in components]


def _quaternion(values: ArrayLike) -> Quaternion:
    return Quaternion(*_unit(_components(values, 4, "a quaternion"), "a quaternion"))


def _canonical(q: Quaternion) -> Array:
    """Return a quaternion as an array (..., 4) with w >= 0."""
    array = _stack(list(q.components()))
    return np.where(array[..., :1] < 0.0, -array, array)


def _wrapped(angle: Scalar) -> Any:
    """Return an angle in [-pi, pi] that is the same up to whole turns."""
    return angle - 2.0 * math.pi * np.round(np.asarray(angle) / (2.0 * math.pi))


def _stack(components: Any, axis: int = -1) -> Array:
    """Return components as one array along an axis; some may be plain numbers."""
    return np.stack(np.broadcast_arrays(*(np.asarray(x, float) for x in components)), axis=axis)
