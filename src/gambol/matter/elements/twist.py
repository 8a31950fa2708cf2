"""The twist of a rod between two held ends, whose material frames are fixed. [Bergou et al. 2008, sections 4.2.2 and 5]

    energy = G J m^2/(2 L)        m = turn + angle from the transported frame to the frame at the end, about the end
    d m/d x_k-1 = -w/(2 |e_k-1|),  d m/d x_k+1 = w/(2 |e_k|),  w = 2 t_k-1 x t_k/(1 + t_k-1 . t_k) for each inner point

e are segments, t their directions. The frame at the start is transported along the rod by the smallest rotations
between segments, which do not turn it about them. The rest, m, is twist. It is spread evenly at all times, since waves
of twist run faster than waves of bending.
"""

from gambol.lanes import Scalar, atan2, sqrt
from gambol.spatial import Quaternion, Vector


def smallest_rotation(t: Vector, u: Vector) -> Quaternion:
    """Return the smallest rotation that turns a unit vector t to u; they must not be opposite."""
    w = sqrt(0.5 * (1.0 + t.dot(u)))
    axis = t.cross(u) * (0.5 / w)
    return Quaternion(w, axis.x, axis.y, axis.z)


def angle_about(axis: Vector, a: Vector, b: Vector) -> Scalar:
    """Return the angle from a to b about a unit axis [rad]."""
    return atan2(a.cross(b).dot(axis), a.dot(b))


def twist_gradient(t: Vector, u: Vector, before: Scalar, after: Scalar) -> tuple[Vector, Vector]:
    """Return the gradient of the angle m by the point before an inner point and by the point after it [rad/m].

    The gradient by the inner point is minus their sum. t, u: directions of the segments; before, after: their lengths
    [m].
    """
    w = t.cross(u) * (2.0 / (1.0 + t.dot(u)))
    return w * (-0.5 / before), w * (0.5 / after)
