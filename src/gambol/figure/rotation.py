"""Constant rotations of a figure: 3x3 tuples of floats whose zeros and ones are exact.

A rotation R takes link coordinates to parent coordinates; its columns are the link's axes in the parent.
Multiplications by 0 and 1 vanish when a figure's equations are traced, so a quarter turn must not leave 6e-17 where a
zero belongs.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.errors import FigureError
from gambol.figure.joint.joint import Matrix3, Triple

SNAP = 1e-14  # a few dozen roundings of entries of size 1; an angle this small moves a 1 km limb by 10 pm
ORTHONORMAL = 1e-9  # tolerance of R R^T = 1: above rounding, below the error of six typed digits
SQUARE = 1e-6  # tolerance of a right angle [rad]: axes typed with six digits; they are then made perpendicular

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def triple(values: Sequence[float] | NDArray[np.float64]) -> Triple:
    """Return three numbers as a tuple of floats, without negative zeros."""
    x, y, z = (float(value) + 0.0 for value in values)
    return (x, y, z)


def matrix(rows: Sequence[Sequence[float]] | NDArray[np.float64]) -> Matrix3:
    """Return a matrix, given by rows, as a tuple of triples."""
    first, second, third = (triple(row) for row in rows)
    return (first, second, third)


def snapped(rows: Sequence[Sequence[float]] | NDArray[np.float64]) -> Matrix3:
    """Return a rotation whose entries within 1e-14 of 0, 1 and -1 are exact."""
    R = np.array(rows, dtype=float)
    near = np.round(R)
    return matrix(np.where(np.abs(R - near) < SNAP, near, R))


def unit(direction: Sequence[float], of: str) -> Triple:
    """Return a direction with length 1; of: its owner, for the error where its length is 0 or not finite."""
    length = math.hypot(*direction)
    if not (0.0 < length < math.inf):
        raise FigureError(f"{of} has the axis {tuple(direction)}, which has no direction; give one such as (0, 0, 1)")
    return triple([component / length for component in direction])


def perpendicular(axis: Triple, across: Sequence[float] | None, of: str) -> Triple:
    """Return a unit direction perpendicular to a unit axis.

    axis: of length 1. across: the direction; None takes the coordinate axis that follows the one nearest the axis, made
    perpendicular. of: their owner, for the message. Raises FigureError where across is not perpendicular to the axis.
    """
    a = np.array(axis)
    if across is None:
        next_axis = np.eye(3)[(int(np.argmax(np.abs(a))) + 1) % 3]
        return unit((next_axis - a * (a @ next_axis)).tolist(), of)
    other = np.array(unit(across, of))
    if abs(a @ other) > SQUARE:
        raise FigureError(
            f"{of} has across = {tuple(across)}, which is not at right angles to its axis {axis}; "
            f"give a direction such as {perpendicular(axis, None, of)}"
        )
    return unit((other - a * (a @ other)).tolist(), of)


def rotation_about(axis: Sequence[float] | str, angle: float) -> Matrix3:
    """Return the rotation by an angle [rad] about an axis: "x", "y", "z" or a direction of any length. [Rodrigues]"""
    x, y, z = AXES[axis] if isinstance(axis, str) else unit(axis, "a rotation")
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return snapped(np.eye(3) + math.sin(angle) * K + (1.0 - math.cos(angle)) * (K @ K))


def compose(*rotations: Matrix3) -> Matrix3:
    """Return the product of rotations, of which the last is applied first: R_WA and R_AB give R_WB."""
    product = np.eye(3)
    for rotation in rotations:
        product = product @ np.array(rotation)
    return snapped(product)


def transposed(rotation: Matrix3) -> Matrix3:
    """Return the inverse of a rotation."""
    return matrix(np.array(rotation).T)


def rotated(rotation: Matrix3, vector: Sequence[float]) -> Triple:
    """Return R v: a vector in the axes that the rotation transforms to."""
    return triple(np.array(rotation) @ np.array(vector))


def check_rotation(rotation: Matrix3, of: str) -> None:
    """Raise FigureError unless the matrix is a right-handed rotation; of: its owner, for the message."""
    R = np.array(rotation, dtype=float)
    fits = R.shape == (3, 3) and bool(np.abs(R @ R.T - np.eye(3)).max() < ORTHONORMAL)
    if not fits or np.linalg.det(R) < 0.0:
        raise FigureError(
            f"{of} has an invalid rotation: {rotation}; its columns must be three right-handed axes of length 1 "
            "(rotation_about and compose make them)"
        )
