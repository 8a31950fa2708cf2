"""The configuration manifold of a figure, joint by joint: q_dot, integration, tangent coordinates, and turning axes.

Tangent coordinates x (nv) around coordinates q describe the configuration integrate_configuration(figure, q, x).

The linear velocities of free and planar joints are along axes that turn with the link. A step adds impulses to
velocities, so both must be expressed along the same axes: the axes of the link at the beginning of the step. Afterwards
they are re-expressed along the new axes of the link, so that momentum is conserved at any spin. Angular velocities
(also of spherical joints) need no re-expression: a rotation about the angular velocity keeps its components.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError
from gambol.figure import JOINTS, Figure
from gambol.lanes import Scalar

UNIT_LENGTH_TOLERANCE = 1e-3
"""Tolerance of a quaternion's length: far above rounding errors, and far below typing errors."""


def integrate_configuration(figure: Figure, q: Sequence[Scalar], x: Sequence[Scalar]) -> list[Scalar]:
    """Return q (nq) moved by tangent coordinates x (nv).

    For a quaternion, x is a rotation vector in link axes [rad]; for other coordinates, the change of the coordinate.
    """
    return [new for link in figure.links for new in JOINTS[link.joint.kind].integrate(q[link.q], x[link.v])]


def configuration_difference(figure: Figure, q: Sequence[Scalar], other: Sequence[Scalar]) -> list[Scalar]:
    """Return the tangent coordinates x (nv) around q (nq) of another configuration (nq).

    The inverse of integrate_configuration(figure, q, x), with rotation vectors of length up to pi.
    """
    return [y for link in figure.links for y in JOINTS[link.joint.kind].difference(q[link.q], other[link.q])]


def figure_q_dot(figure: Figure, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
    """Return q_dot of a figure (nq) at coordinates q (nq) and velocities v (nv)."""
    return [rate for link in figure.links for rate in JOINTS[link.joint.kind].q_dot(q[link.q], v[link.v])]


def perturbed(figure: Figure, q: Sequence[Scalar], x: Sequence[Scalar]) -> list[Scalar]:
    """Return q + N(q) x: q (nq) perturbed by joint velocities x (nv) in unit time, to first order."""
    return [a + b for a, b in zip(q, figure_q_dot(figure, q, x), strict=True)]


def tangent_rates(figure: Figure, q: Sequence[Scalar], x: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
    """Return x_dot (nv), the rate of tangent coordinates x around q, at joint velocities v.

    q: coordinates (nq) at x = 0. x: tangent coordinates (nv) of the current configuration, which is
    integrate_configuration(figure, q, x). v: joint velocities (nv) there.
    """
    joints = ((JOINTS[link.joint.kind], link) for link in figure.links)
    return [rate for kind, link in joints for rate in kind.tangent_rate(q[link.q], x[link.v], v[link.v])]


def normalised(figure: Figure, q: Sequence[Scalar]) -> list[Scalar]:
    """Return coordinates q (nq) of a figure with every quaternion normalised."""
    return [y for link in figure.links for y in JOINTS[link.joint.kind].normalised(q[link.q])]


def check_orientations(figure: Figure, q: NDArray[Any]) -> None:
    """Raise WorldError for a quaternion whose length is not near 1; q: coordinates (nq, W) of W lanes."""
    for link in figure.links:
        if JOINTS[link.joint.kind].has_quaternion:
            lengths = np.linalg.norm(q[link.q.start : link.q.start + 4].astype(float), axis=0)
            invalid = np.flatnonzero(abs(lengths - 1.0) > UNIT_LENGTH_TOLERANCE)
            if len(invalid):
                raise WorldError(
                    f'the orientation of "{link.name}" in lane {invalid[0]} is a quaternion of length '
                    f"{lengths[invalid[0]]:g}; divide it by its length, or give (1, 0, 0, 0) for none"
                )


Numbers = Sequence[Scalar]


def fixed_axis_acceleration(figure: Figure, v: Numbers) -> list[Scalar]:
    """Return the derivatives of v (nv) if the velocities stay constant along fixed axes: the effect of turning axes.

    They are 0 except for the linear velocities of free and planar joints; see the top of this file.
    """
    a: list[Scalar] = [0.0] * figure.nv
    for link in figure.links:
        if (turning := JOINTS[link.joint.kind].turning) is not None:
            a[link.v] = turning.acceleration(v[link.v])
    return a


def re_expressed(figure: Figure, old: Numbers, new: Numbers, v: Numbers) -> list[Scalar]:
    """Return velocities along the axes at coordinates new (nq); v (nv) is along the axes at coordinates old (nq)."""
    result = list(v)
    for link in figure.links:
        if (turning := JOINTS[link.joint.kind].turning) is not None:
            result[link.v] = turning.re_expressed(old[link.q], new[link.q], v[link.v])
    return result


def displaced(figure: Figure, q: Numbers, increment: Numbers) -> list[Scalar]:
    """Return q (nq) after a displacement.

    increment: joint velocities along the axes at q, integrated over time (nv). Free and planar joints slide along these
    axes of the link; in integrate_configuration() they slide along the axes of their coordinates.
    """
    return integrate_configuration(figure, q, tangent_rates(figure, q, [0.0] * figure.nv, increment))


def moved(figure: Figure, q: Numbers, v: Numbers, increment: Numbers) -> tuple[list[Scalar], list[Scalar]]:
    """Return q (nq) after a displacement, with quaternions normalised, and v (nv) along the joint axes there.

    increment: see displaced().
    """
    q_new = normalised(figure, displaced(figure, q, increment))
    return q_new, re_expressed(figure, q, q_new, v)
