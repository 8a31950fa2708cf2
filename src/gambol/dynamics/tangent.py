"""Configurations of a whole figure as a manifold: q_dot, integration and tangent rates, joint by joint."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError
from gambol.figure import JOINTS, Figure
from gambol.lanes import Scalar

UNIT = 1e-3
"""Tolerance of a quaternion's length: far above the error of any run, far below that of a typing mistake."""


def integrate_configuration(figure: Figure, q: Sequence[Scalar], x: Sequence[Scalar]) -> list[Scalar]:
    """Return q (nq) moved by x (nv): plain coordinates by adding, quaternions by rotation vectors in link axes."""
    return [new for link in figure.links for new in JOINTS[link.joint.kind].integrate(q[link.q], x[link.v])]


def figure_q_dot(figure: Figure, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
    """Return q_dot of a figure (nq) at coordinates q (nq) and velocities v (nv)."""
    return [rate for link in figure.links for rate in JOINTS[link.joint.kind].q_dot(q[link.q], v[link.v])]


def perturbed(figure: Figure, q: Sequence[Scalar], x: Sequence[Scalar]) -> list[Scalar]:
    """Return q + N(q) x: q (nq) perturbed by joint velocities x (nv) in unit time, to first order."""
    return [a + b for a, b in zip(q, figure_q_dot(figure, q, x), strict=True)]


def tangent_rates(figure: Figure, q: Sequence[Scalar], x: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
    """Return x_dot (nv) of tangent coordinates x about q, for a figure at q moved by x with velocity v (nv)."""
    joints = ((JOINTS[link.joint.kind], link) for link in figure.links)
    return [rate for kind, link in joints for rate in kind.tangent_rate(q[link.q], x[link.v], v[link.v])]


def normalised(figure: Figure, q: Sequence[Scalar]) -> list[Scalar]:
    """Return q with every quaternion normalised."""
    return [y for link in figure.links for y in JOINTS[link.joint.kind].normalised(q[link.q])]


def check_orientations(figure: Figure, q: NDArray[Any]) -> None:
    """Raise WorldError for a quaternion whose length is not near 1; q: (nq, W), of W lanes."""
    for link in figure.links:
        if JOINTS[link.joint.kind].has_quaternion:
            sizes = np.linalg.norm(q[link.q.start : link.q.start + 4].astype(float), axis=0)
            far = np.flatnonzero(abs(sizes - 1.0) > UNIT)
            if len(far):
                raise WorldError(
                    f'the orientation of "{link.name}" in lane {far[0]} is a quaternion of length {sizes[far[0]]:g}; '
                    "divide it by its length, or give (1, 0, 0, 0) for none"
                )
