"""The linear velocities of free and planar joints, which are along axes that turn with the link.

If the velocity of the link is constant in its parent, its components along these axes still change: v' = v x w.
Angular velocities keep their components, because the link turns about them.
"""

from collections.abc import Sequence

from gambol.figure.joint.kind import TurningAxes
from gambol.lanes import Scalar, cos, sin
from gambol.spatial.rotation import Quaternion
from gambol.spatial.vector import Vector

Numbers = Sequence[Scalar]


def _free_acceleration(v: Numbers) -> list[Scalar]:
    """Return the derivatives of v for a free joint whose link has a constant velocity in its parent."""
    return [0.0, 0.0, 0.0, *Vector(*v[3:]).cross(Vector(*v[:3]))]


def _planar_acceleration(v: Numbers) -> list[Scalar]:
    """Return the derivatives of v for a planar joint whose link has a constant velocity in its parent."""
    return [0.0, v[0] * v[2], -(v[0] * v[1])]


def _free_re_expressed(old: Numbers, new: Numbers, v: Numbers) -> list[Scalar]:
    """Return the velocities v of a free joint along its axes at coordinates new; v is along the axes at `old`."""
    v_W = Quaternion(*old[:4]).rotation() @ Vector(*v[3:])
    return [*v[:3], *(Quaternion(*new[:4]).rotation().transpose @ v_W)]


def _planar_re_expressed(old: Numbers, new: Numbers, v: Numbers) -> list[Scalar]:
    """Return the velocities v of a planar joint along its axes at coordinates new; v is along the axes at `old`."""
    c, s = cos(new[0] - old[0]), sin(new[0] - old[0])
    return [v[0], c * v[1] + s * v[2], c * v[2] - s * v[1]]


FREE_AXES = TurningAxes(_free_acceleration, _free_re_expressed)
PLANAR_AXES = TurningAxes(_planar_acceleration, _planar_re_expressed)
