"""A triangle of a surface: the wind on it, and its contribution to the volume that the surface encloses.

    n = (x1 - x0) x (x2 - x0) / 2        N = +-n/|n| with N . u >= 0, c = N . u/|u|, u = wind - mean velocity
    drag = rho/2 C_d |n| c |u| u        lift = rho/2 C_l |n| c |u|^2 (N - c u/|u|)        V = sum x0 . (x1 x x2)/6

A third of the force acts on each corner. Drag acts along the wind, lift across it. [Parent, wind; Wilson et al. 2014]
"""

from dataclasses import dataclass

from gambol.lanes import Scalar, maximum, sqrt, where
from gambol.spatial import Vector

THIRD = 1.0 / 3.0
MIN_SQUARED_SPEED = 1e-30  # m2/s2: the square of a speed without direction


@dataclass(frozen=True, slots=True)
class Wind:
    """A wind: its velocity [m/s], the density of air [kg/m3], and the coefficients of drag and lift."""

    velocity: Vector
    density: Scalar
    drag: Scalar
    lift: Scalar


def area_vector(x: list[Vector]) -> Vector:
    """Return the area of a triangle times its normal [m2]; x: its corners [m]."""
    return (x[1] - x[0]).cross(x[2] - x[0]) * 0.5


def wind_force(wind: Wind, x: list[Vector], v: list[Vector]) -> Vector:
    """Return the force of the wind on each corner of a triangle [N].

    x, v: positions and velocities of its corners [m, m/s].
    """
    n = area_vector(x)
    area = sqrt(n.dot(n))
    u = wind.velocity - (v[0] + v[1] + v[2]) * THIRD
    squared = u.dot(u)
    speed = sqrt(squared)
    inverse = where(squared > MIN_SQUARED_SPEED, 1.0 / where(squared > MIN_SQUARED_SPEED, speed, 1.0), 0.0)
    towards = u * inverse
    inverse_area = where(area > 0.0, 1.0 / where(area > 0.0, area, 1.0), 0.0)
    N = n * where(n.dot(u) < 0.0, -inverse_area, inverse_area)
    c = maximum(N.dot(towards), 0.0)
    pressure = 0.5 * wind.density * squared * area * c * THIRD
    return towards * (pressure * wind.drag) + (N - towards * c) * (pressure * wind.lift)


def volume_contribution(x: list[Vector]) -> Scalar:
    """Return the volume of the tetrahedron of a triangle and the origin [m3].

    It is negative if the outside of the triangle faces the origin.
    """
    return x[0].dot(x[1].cross(x[2])) * (1.0 / 6.0)
