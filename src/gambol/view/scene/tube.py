"""Muscles as tubes: round, thin at both ends like tendons, thick in the middle, and thicker under force.

    r(s) = (w / 2) (a + (1 - a) sin(pi s)) (1 - b + 2 b f)        s: fraction of the length, f: of the largest force

Circles follow the line without a twist: one axis of each circle is the axis of the previous circle, made normal to the
line. The player in a page computes the same tube, see player/muscles.js.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

RINGS, SIDES = 33, 10  # circles along a muscle, corners of each: smooth at the size of a picture
ENDS = 0.3  # a: thickness of the ends, as a fraction of that of the belly
SWELLING = 0.2  # b: from 0.8 of the width without force to 1.2 of it at the largest force
IDLE, ACTIVE = "#3d4f96", "#ef2b1d"
"""Colours at an activation of 0 and of 1: blue and red, as in OpenSim's views."""


def look_of_muscles() -> dict[str, Any]:
    """Return the constants of the tubes of muscles, for the player."""
    return {"rings": RINGS, "sides": SIDES, "ends": ENDS, "swelling": SWELLING, "idle": IDLE, "active": ACTIVE}


def tube(points: Array, width: float, force: float) -> tuple[Array, Array]:
    """Return the corners and their outward normals (RINGS, SIDES, 3) of a muscle's tube.

    points (P, 3): points of the line. width: diameter of the belly, in the unit of the points. force: force as a
    fraction of its largest value.
    """
    line, tangents = _resampled(points)
    axis = np.eye(3)[np.abs(tangents[0]).argmin()]
    normals = np.empty((RINGS, SIDES, 3))
    angles = np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)
    for k, tangent in enumerate(tangents):
        axis = _unit(axis - axis @ tangent * tangent, axis)
        normals[k] = np.cos(angles)[:, None] * axis + np.sin(angles)[:, None] * np.cross(tangent, axis)
    bulge = ENDS + (1.0 - ENDS) * np.sin(np.pi * np.linspace(0.0, 1.0, RINGS))
    radii = 0.5 * width * (1.0 - SWELLING + 2.0 * SWELLING * force) * bulge
    return line[:, None] + radii[:, None, None] * normals, normals


def tube_triangles() -> NDArray[np.int64]:
    """Return the triangles of every tube (2 (RINGS - 1) SIDES, 3): indices of corners, in order of their rings."""
    ring, side = np.meshgrid(np.arange(RINGS - 1), np.arange(SIDES), indexing="ij")
    a, b = (ring * SIDES + side).ravel(), (ring * SIDES + (side + 1) % SIDES).ravel()
    return np.concatenate([np.column_stack([a, b, b + SIDES]), np.column_stack([a, b + SIDES, a + SIDES])])


def _resampled(points: Array) -> tuple[Array, Array]:
    """Return RINGS points at equal distances along a line (RINGS, 3), and the unit tangents there."""
    pieces = np.diff(points, axis=0)
    lengths = np.linalg.norm(pieces, axis=1)
    arc_lengths: Array = np.concatenate([[0.0], np.cumsum(lengths)])
    sampled: Array = np.linspace(0.0, float(arc_lengths[-1]), RINGS)
    line: Array = np.column_stack([np.asarray(np.interp(sampled, arc_lengths, points[:, k]), float) for k in range(3)])
    along: Array = np.asarray(np.gradient(line, axis=0), float)
    chord = _unit(points[-1] - points[0], np.array([0.0, 0.0, 1.0]))
    return line, np.array([_unit(x, chord) for x in along])


def _unit(x: Array, otherwise: Array) -> Array:
    norm = float(np.linalg.norm(x))
    return x / norm if norm > 1e-12 else otherwise
