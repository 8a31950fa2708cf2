"""Unit vectors and quotients that stay finite where the divisor may be zero."""

from gambol.collide.gap import select
from gambol.lanes import Scalar, sqrt, where
from gambol.spatial import Vector

MIN_LENGTH = 1e-18  # m or m2: a shorter vector has no direction; the square of MIN_LENGTH is still a normal float32


def unit_or(v: Vector, other: Vector) -> tuple[Vector, Scalar]:
    """Return v normalised, or another vector where v is shorter than MIN_LENGTH; and the length of v."""
    length = sqrt(v.dot(v))
    real = length > MIN_LENGTH
    return select(real, v * (1.0 / where(real, length, 1.0)), other), length


def ratio(a: Scalar, b: Scalar, otherwise: Scalar = 0.0) -> Scalar:
    """Return a / b, or `otherwise` where b is not above 0."""
    real = b > 0.0
    return where(real, a / where(real, b, 1.0), otherwise)
