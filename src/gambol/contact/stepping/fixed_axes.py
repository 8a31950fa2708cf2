"""Velocities along axes that stay fixed during a step, for free and planar joints, whose own axes turn with the link.

A step adds impulses to velocities, so all must be expressed along the same axes: those of the link at the beginning of
the step. Afterwards they are re-expressed along the new axes of the link, so that momentum is conserved at any spin.
"""

from collections.abc import Callable, Sequence

from gambol.figure import JOINTS, Figure
from gambol.lanes import Scalar, cos, sin
from gambol.spatial import Quaternion, Vector

Numbers = Sequence[Scalar]


def _free_acceleration(v: Numbers) -> list[Scalar]:
    """Return the accelerations of a free joint whose link keeps its velocity."""
    return [0.0, 0.0, 0.0, *Vector(*v[3:]).cross(Vector(*v[:3]))]


def _planar_acceleration(v: Numbers) -> list[Scalar]:
    """Return the accelerations of a planar joint whose link keeps its velocity."""
    return [0.0, v[0] * v[2], -(v[0] * v[1])]


def _free_re_expressed(old: Numbers, new: Numbers, v: Numbers) -> list[Scalar]:
    """Return the velocities v of a free joint along its axes at coordinates new; v is along those at old."""
    v_W = Quaternion(*old[:4]).rotation() @ Vector(*v[3:])
    return [*v[:3], *(Quaternion(*new[:4]).rotation().transpose @ v_W)]


def _planar_re_expressed(old: Numbers, new: Numbers, v: Numbers) -> list[Scalar]:
    """Return the velocities v of a planar joint along its axes at coordinates new; v is along those at old."""
    c, s = cos(new[0] - old[0]), sin(new[0] - old[0])
    return [v[0], c * v[1] + s * v[2], c * v[2] - s * v[1]]


ACCELERATIONS: dict[str, Callable[[Numbers], list[Scalar]]] = {
    "free": _free_acceleration,
    "planar": _planar_acceleration,
}
RE_EXPRESSIONS: dict[str, Callable[[Numbers, Numbers, Numbers], list[Scalar]]] = {
    "free": _free_re_expressed,
    "planar": _planar_re_expressed,
}


def fixed_axis_acceleration(figure: Figure, v: Numbers) -> list[Scalar]:
    """Return the accelerations (nv) at which all velocities v (nv) stay constant along axes that do not turn."""
    a: list[Scalar] = [0.0] * figure.nv
    for link in figure.links:
        if link.joint.kind in ACCELERATIONS:
            a[link.v] = ACCELERATIONS[link.joint.kind](v[link.v])
    return a


def re_expressed(figure: Figure, old: Numbers, new: Numbers, v: Numbers) -> list[Scalar]:
    """Return velocities along the axes at coordinates new (nq); v (nv) is along the axes at coordinates old (nq)."""
    result = list(v)
    for link in figure.links:
        if link.joint.kind in RE_EXPRESSIONS:
            result[link.v] = RE_EXPRESSIONS[link.joint.kind](old[link.q], new[link.q], v[link.v])
    return result


def displaced(figure: Figure, q: Numbers, increment: Numbers) -> list[Scalar]:
    """Return q (nq) after a displacement (nv), the time integral of velocities along the axes at q."""
    zeros = [0.0] * figure.nv
    x = [
        y
        for link in figure.links
        for y in JOINTS[link.joint.kind].tangent_rate(q[link.q], zeros[link.v], increment[link.v])
    ]
    return [y for link in figure.links for y in JOINTS[link.joint.kind].integrate(q[link.q], x[link.v])]
