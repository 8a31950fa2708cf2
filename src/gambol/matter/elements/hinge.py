"""An angular spring with a damper at the edge of two triangles, and one at an inner point of a rope.

Hinge: edge e from x0 to x1, far corners x2 and x3, normals N1 = e x (x2 - x0), N2 = (x3 - x0) x e:

    angle = atan2((N1 x N2) . e / |e|, N1 . N2)        d angle/d x2 = -|e| N1/|N1|^2,  d angle/d x3 = -|e| N2/|N2|^2
    d angle/d x0 = -s2 d angle/d x2 - s3 d angle/d x3        s2 = (x1 - x2) . e/|e|^2,  s3 = (x1 - x3) . e/|e|^2

The gradient at x1 follows, since the sum of the gradients of an angle is 0. [Bridson, Marino & Fedkiw 2003, section 4;
Parent, angular springs]

Bend of a rope, with segments a, b of rest lengths la, lb:   w = 2 a x b/(la lb + a . b),  energy = E I |w|^2/(la + lb)
w is 2 tan(angle/2) about the normal of both. [Bergou et al. 2008, sections 4.2 and 7.1]
"""

from dataclasses import dataclass

from gambol.lanes import Scalar, atan2, maximum, sqrt, where
from gambol.spatial import Vector

MIN_NORMAL_SQUARED = 1e-60  # m4: a triangle whose squared normal is below this counts as without area


def hinge_angle(x0: Vector, x1: Vector, x2: Vector, x3: Vector) -> Scalar:
    """Return the dihedral angle of a hinge [rad]: 0 if flat, positive if the edge is a ridge on the side of N1.

    x0, x1: ends of the edge; x2, x3: far corners, left and right of it [m].
    """
    e = x1 - x0
    N1, N2 = e.cross(x2 - x0), (x3 - x0).cross(e)
    return atan2(N1.cross(N2).dot(e) / e.length(), N1.dot(N2))


def hinge_gradient(x0: Vector, x1: Vector, x2: Vector, x3: Vector) -> list[Vector]:
    """Return the gradients of the angle with respect to the four points [rad/m]; arguments: see hinge_angle()."""
    e = x1 - x0
    N1, N2 = e.cross(x2 - x0), (x3 - x0).cross(e)
    ee = e.dot(e)
    g2 = N1 * (-sqrt(ee) / maximum(N1.dot(N1), MIN_NORMAL_SQUARED))
    g3 = N2 * (-sqrt(ee) / maximum(N2.dot(N2), MIN_NORMAL_SQUARED))
    s2, s3 = (x1 - x2).dot(e) / maximum(ee, MIN_NORMAL_SQUARED), (x1 - x3).dot(e) / maximum(ee, MIN_NORMAL_SQUARED)
    g0 = -(g2 * s2) - g3 * s3
    return [g0, -(g0 + g2 + g3), g2, g3]


@dataclass(frozen=True, slots=True)
class Hinge:
    """A hinge: angle at rest [rad], stiffness k [N m/rad], damping c [N m s/rad]."""

    rest: Scalar
    stiffness: Scalar
    damping: Scalar


@dataclass(frozen=True, slots=True)
class CornerForces:
    """Forces on the corners of an element [N], its energy [J], and the power that its damper dissipates [W]."""

    forces: list[Vector]
    energy: Scalar
    damping: Scalar


def hinge_forces(hinge: Hinge, x: list[Vector], v: list[Vector]) -> CornerForces:
    """Return the forces of a hinge; x, v: positions and velocities of its four points [m, m/s]."""
    gradient = hinge_gradient(*x)
    rate: Scalar = 0.0
    for g, u in zip(gradient, v, strict=True):
        rate = g.dot(u, rate)
    turn = hinge_angle(*x) - hinge.rest
    torque = -(hinge.stiffness * turn + hinge.damping * rate)
    energy = 0.5 * hinge.stiffness * turn * turn
    return CornerForces([g * torque for g in gradient], energy, hinge.damping * rate * rate)


def hinge_rows(hinge: Hinge, x: list[Vector], h: Scalar) -> list[Vector]:
    """Return the row J of a hinge in the system of an implicit step, which has the matrix J^T J [kg^1/2].

    It omits the curvature of the angle itself, which may be negative. h: length of the step [s].
    """
    scale = sqrt(h * h * hinge.stiffness + h * hinge.damping)
    return [g * scale for g in hinge_gradient(*x)]


@dataclass(frozen=True, slots=True)
class Bend:
    """A bend of a rope: rest lengths of its two segments [m], and E I [N m2]."""

    rest_a: Scalar
    rest_b: Scalar
    stiffness: Scalar


def curvature(bend: Bend, x: list[Vector]) -> tuple[Vector, Vector, Vector, Scalar]:
    """Return w, the two segments, and the divisor of w. x: previous, middle and next point [m]."""
    a, b = x[1] - x[0], x[2] - x[1]
    divisor = bend.rest_a * bend.rest_b + a.dot(b)
    safe = where(
        divisor > MIN_NORMAL_SQUARED, divisor, MIN_NORMAL_SQUARED
    )  # a rope that is folded back has no finite curvature
    return a.cross(b) * (2.0 / safe), a, b, safe


def bend_forces(bend: Bend, x: list[Vector]) -> CornerForces:
    """Return the forces of a bend; x: previous, middle and next point [m]."""
    w, a, b, divisor = curvature(bend, x)
    scale = 2.0 * bend.stiffness / (bend.rest_a + bend.rest_b)
    ww = w.dot(w)
    # -scale J^T w with the columns of bend_rows(): J_first p = (2 b x p + w (b . p))/divisor
    first = (b.cross(w) * 2.0 - b * ww) * (scale / divisor)
    last = (a.cross(w) * 2.0 + a * ww) * (scale / divisor)
    return CornerForces([first, -(first + last), last], 0.5 * scale * ww, 0.0)


def bend_rows(bend: Bend, x: list[Vector], h: Scalar) -> list[list[Vector]]:
    """Return the three rows J of a bend in the system of an implicit step, which has the matrix J^T J [kg^1/2].

    x: its points [m]; h: length of the step [s].
    """
    w, a, b, divisor = curvature(bend, x)
    scale = sqrt(2.0 * bend.stiffness / (bend.rest_a + bend.rest_b)) * h / divisor
    rows: list[list[Vector]] = []
    for k in range(3):
        unit = Vector.axis(k)
        first = (unit.cross(b) * 2.0 + b * w[k]) * scale
        last = (unit.cross(a) * 2.0 - a * w[k]) * scale
        rows.append([first, -(first + last), last])
    return rows
