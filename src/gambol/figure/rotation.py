"""Constant rotations of a figure: 3x3 tuples of floats whose zeros and ones are exact.

A rotation R takes link coordinates to parent coordinates; its columns are the link's axes in the parent.
Tracing removes multiplications by 0 and 1 from a figure's equations, so a rotation by a right angle must have exact
zeros, not 6e-17.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.errors import FigureError
from gambol.figure.joint.joint import Matrix3, Triple

SNAP_TOLERANCE = 1e-14  # a few dozen rounding errors of 1; this angle moves the end of a 1 km limb by 10 pm
ORTHONORMAL_TOLERANCE = 1e-9  # tolerance of R R^T = 1: above rounding, below six-digit input
PERPENDICULAR_TOLERANCE = 1e-6  # rad, for axes with six digits; they are then made perpendicular

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def triple(values: Sequence[float] | NDArray[np.float64]) -> Triple:
    """Return three numbers as a tuple of floats, without negative zeros."""
    x, y, z = (float(value) + 0.0 for value in values)
    return (x, y, z)


def matrix(rows: Sequence[Sequence[float]] | NDArray[np.float64]) -> Matrix3:
    """Return a matrix of rows as a tuple of triples."""
    first, second, third = (triple(row) for row in rows)
    return (first, second, third)


def snapped(rows: Sequence[Sequence[float]] | NDArray[np.float64]) -> Matrix3:
    """Return a rotation in which entries within 1e-14 of 0, 1 and -1 are exact."""
    R = np.array(rows, dtype=float)
    rounded = np.round(R)
    return matrix(np.where(np.abs(R - rounded) < SNAP_TOLERANCE, rounded, R))


def unit(direction: Sequence[float], subject: str) -> Triple:
    """Return a direction with length 1; subject: its owner, for messages. Raises FigureError for length 0 or inf."""
    length = math.hypot(*direction)
    if not (0.0 < length < math.inf):
        raise FigureError(
            f"{subject} has the axis {tuple(direction)}, which has no direction; give one such as (0, 0, 1)"
        )
    return triple([component / length for component in direction])


def perpendicular(axis: Triple, across: Sequence[float] | None, subject: str) -> Triple:
    """Return a unit direction perpendicular to a unit axis.

    axis: axis of length 1. across: the direction; None: the coordinate axis after the one nearest to the axis, made
    perpendicular. subject: their owner, for messages. Raises FigureError if across is not perpendicular to the axis.
    """
    a = np.array(axis)
    if across is None:
        next_axis = np.eye(3)[(int(np.argmax(np.abs(a))) + 1) % 3]
        return unit((next_axis - a * (a @ next_axis)).tolist(), subject)
    other = np.array(unit(across, subject))
    if abs(a @ other) > PERPENDICULAR_TOLERANCE:
        raise FigureError(
            f"{subject} has across = {tuple(across)}, which is not perpendicular to its axis {axis}; "
            f"give a direction such as {perpendicular(axis, None, subject)}"
        )
    return unit((other - a * (a @ other)).tolist(), subject)


def rotation_about(axis: Sequence[float] | str, angle: float) -> Matrix3:
    """Return the rotation by an angle [rad] about an axis: "x", "y", "z" or a direction of any length. [Rodrigues]"""
    x, y, z = AXES[axis] if isinstance(axis, str) else unit(axis, "a rotation")
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return snapped(np.eye(3) + math.sin(angle) * K + (1.0 - math.cos(angle)) * (K @ K))


def compose(*rotations: Matrix3) -> Matrix3:
    """Return the product of rotations, R_WA R_AB = R_WB; the last rotation is applied first."""
    product = np.eye(3)
    for rotation in rotations:
        product = product @ np.array(rotation)
    return snapped(product)


def transposed(rotation: Matrix3) -> Matrix3:
    """Return the inverse of a rotation."""
    return matrix(np.array(rotation).T)


def rotated(rotation: Matrix3, vector: Sequence[float]) -> Triple:
    """Return R v, the rotated vector."""
    return triple(np.array(rotation) @ np.array(vector))


def check_rotation(rotation: Matrix3, subject: str) -> None:
    """Raise FigureError unless a matrix is a right-handed rotation; subject: its owner, for the message."""
    R = np.array(rotation, dtype=float)
    is_orthonormal = R.shape == (3, 3) and bool(np.abs(R @ R.T - np.eye(3)).max() < ORTHONORMAL_TOLERANCE)
    if not is_orthonormal or np.linalg.det(R) < 0.0:
        raise FigureError(
            f"{subject} has an invalid rotation: {rotation}; its columns must be three right-handed axes of length 1 "
            "(rotation_about and compose make them)"
        )
