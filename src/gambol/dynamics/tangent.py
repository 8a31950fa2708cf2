"""Moves of a whole figure along its degrees of freedom: from joint to joint by the maps of the joints' kinds."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError
from gambol.figure import JOINTS, Figure
from gambol.lanes import Scalar

UNIT = 1e-3
"""How far from 1 the length of a quaternion may be: far more than any run leaves, far less than a slip of the pen."""


def displaced(figure: Figure, q: Sequence[Scalar], x: Sequence[Scalar]) -> list[Scalar]:
    """q (nq) moved by x (nv): plain coordinates by adding, quaternions by a rotation vector in link axes [rad]."""
    return [new for link in figure.links for new in JOINTS[link.joint.kind].displaced(q[link.q], x[link.v])]


def coordinate_rates(figure: Figure, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
    """dq/dt of a figure (nq) at coordinates q (nq) and velocities v (nv)."""
    return [rate for link in figure.links for rate in JOINTS[link.joint.kind].rates(q[link.q], v[link.v])]


def nudged(figure: Figure, q: Sequence[Scalar], x: Sequence[Scalar]) -> list[Scalar]:
    """q + N(q) x: where joint velocities x (nv) lead in unit time, to first order."""
    return [a + b for a, b in zip(q, coordinate_rates(figure, q, x), strict=True)]


def unwound(figure: Figure, q: Sequence[Scalar], x: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
    """dx/dt (nv) where the figure is at q moved by x and has the velocity v (nv)."""
    joints = ((JOINTS[link.joint.kind], link) for link in figure.links)
    return [rate for kind, link in joints for rate in kind.unwound(q[link.q], x[link.v], v[link.v])]


def normalised(figure: Figure, q: Sequence[Scalar]) -> list[Scalar]:
    """q with every quaternion brought back to length 1, from which rounding takes it."""
    return [y for link in figure.links for y in JOINTS[link.joint.kind].normalised(q[link.q])]


def check_orientations(figure: Figure, q: NDArray[Any]) -> None:
    """Raise WorldError for a quaternion whose length is not 1, or near enough for the first step to mend it.

    q: (nq, W), of W lanes.
    """
    for link in figure.links:
        if JOINTS[link.joint.kind].turns:
            sizes = np.linalg.norm(q[link.q.start : link.q.start + 4].astype(float), axis=0)
            far = np.flatnonzero(abs(sizes - 1.0) > UNIT)
            if len(far):
                raise WorldError(
                    f'the orientation of "{link.name}" in lane {far[0]} is a quaternion of length {sizes[far[0]]:g}; '
                    "divide it by its length, or give (1, 0, 0, 0) for none"
                )
