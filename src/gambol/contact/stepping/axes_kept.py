"""Velocities along axes that stay while a step lasts: those of free and planar joints lie along axes that turn.

A step adds impulses to velocities, so all must be told along the same axes: those of the link as the step begins. Only
afterwards are they told along the axes that the link has then; so momentum is kept however fast a body spins.
"""

from collections.abc import Callable, Sequence

from gambol.figure import JOINTS, Figure
from gambol.lanes import Scalar, cos, sin
from gambol.spatial import Quaternion, Vector

Numbers = Sequence[Scalar]


def _free_rates(v: Numbers) -> list[Scalar]:
    """Of a free joint whose link keeps its velocity."""
    return [0.0, 0.0, 0.0, *Vector(*v[3:]).cross(Vector(*v[:3]))]


def _planar_rates(v: Numbers) -> list[Scalar]:
    """Of a planar joint whose link keeps its velocity."""
    return [0.0, v[0] * v[2], -(v[0] * v[1])]


def _free_retold(old: Numbers, new: Numbers, v: Numbers) -> list[Scalar]:
    kept = Quaternion(*old[:4]).rotation() @ Vector(*v[3:])
    return [*v[:3], *(Quaternion(*new[:4]).rotation().transpose @ kept)]


def _planar_retold(old: Numbers, new: Numbers, v: Numbers) -> list[Scalar]:
    c, s = cos(new[0] - old[0]), sin(new[0] - old[0])
    return [v[0], c * v[1] + s * v[2], c * v[2] - s * v[1]]


KEPT: dict[str, Callable[[Numbers], list[Scalar]]] = {"free": _free_rates, "planar": _planar_rates}
RETOLD: dict[str, Callable[[Numbers, Numbers, Numbers], list[Scalar]]] = {
    "free": _free_retold,
    "planar": _planar_retold,
}


def keeping_rates(figure: Figure, v: Numbers) -> list[Scalar]:
    """The rates of v (nv) at which every velocity stays the same along axes that do not turn."""
    rates: list[Scalar] = [0.0] * figure.nv
    for link in figure.links:
        if link.joint.kind in KEPT:
            rates[link.v] = KEPT[link.joint.kind](v[link.v])
    return rates


def retold(figure: Figure, old: Numbers, new: Numbers, v: Numbers) -> list[Scalar]:
    """Velocities (nv) told along the axes at coordinates new (nq) that were told along those at coordinates old."""
    told = list(v)
    for link in figure.links:
        if link.joint.kind in RETOLD:
            told[link.v] = RETOLD[link.joint.kind](old[link.q], new[link.q], v[link.v])
    return told


def moved(figure: Figure, q: Numbers, move: Numbers) -> list[Scalar]:
    """q (nq) moved by what velocities along the axes at q did in all (nv)."""
    still = [0.0] * figure.nv
    x = [y for link in figure.links for y in JOINTS[link.joint.kind].unwound(q[link.q], still[link.v], move[link.v])]
    return [y for link in figure.links for y in JOINTS[link.joint.kind].displaced(q[link.q], x[link.v])]
