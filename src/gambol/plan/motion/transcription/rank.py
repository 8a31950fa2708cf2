"""Independent rows of a matrix: redundant equations are left out of a program.

Four corners of a rigid foot have twelve coordinates, but six numbers determine its pose; in a plane, a point has two.
Redundant rows make the equations of a program dependent, which slows a solver down or stops it.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import kinematics
from gambol.figure import Figure
from gambol.lanes import Scalar
from gambol.plan.motion.transcription.points import PlacedPoint
from gambol.spatial import Vector

Matrix = NDArray[np.float64]

DEPENDENCE_TOLERANCE = 1e-6
"""Fraction of a row's length that must be outside the span of the other rows: more than rounding, less than the effect
of any lever arm."""


def independent_rows(kept: Matrix, groups: Sequence[tuple[Sequence[int], Matrix]]) -> list[int]:
    """Return the indices of rows that are independent of the selected rows `kept` and of each other.

    kept (rows, n). groups: (indices, rows) in order of preference; within a group the row with the longest remainder is
    selected first.
    """
    basis = _orthonormal(kept)
    chosen: list[int] = []
    for numbers, rows in groups:
        rest = np.array(rows, float)
        lengths = np.linalg.norm(rest, axis=1)
        rest -= rest @ basis.T @ basis
        left = list(range(len(numbers)))
        while left:
            k = max(left, key=lambda i: float(np.linalg.norm(rest[i])))
            if np.linalg.norm(rest[k]) <= DEPENDENCE_TOLERANCE * max(lengths[k], lengths.max(initial=0.0)):
                break
            left.remove(k)
            unit = rest[k] / np.linalg.norm(rest[k])
            unit -= unit @ basis.T @ basis  # twice is enough [Kahan; Parlett 1980]
            unit /= np.linalg.norm(unit)
            basis = np.vstack([basis, unit])
            rest -= np.outer(rest @ unit, unit)
            chosen.append(numbers[k])
    return sorted(chosen)


def _orthonormal(rows: Matrix) -> Matrix:
    if not rows.size:
        return np.zeros((0, rows.shape[1]))
    _, lengths, basis = np.linalg.svd(rows, full_matrices=False)
    return basis[lengths > DEPENDENCE_TOLERANCE * lengths.max(initial=0.0)]


def point_jacobian(figure: Figure, q: Sequence[float], points: Sequence[PlacedPoint], scale: Matrix) -> Matrix:
    """Return the Jacobian of touching points in world axes (3 points, nv), columns times `scale` (nv)."""
    units: list[Scalar] = list(np.eye(figure.nv))
    state, up = kinematics(figure, [float(x) for x in q], units), Vector(0.0, 0.0, 1.0)
    rows = [component for point in points for component in point.touching_velocity(state, up)]
    full = [np.broadcast_to(np.asarray(row, float), (figure.nv,)) for row in rows]
    return np.array(full).reshape(len(rows), figure.nv) * scale
