"""A spring with a damper between two points, and the matrix of its implicit step.

    d = (x_a - x_b) / l        f_a = -(k (l - l0) + c d . u) d - t u_t        f_b = -f_a        u = v_a - v_b

t is a coefficient of friction across the spring, for points of a mesh that touch each other; 0 for other springs.
-df_a/dx_a = k d d^T + k max(0, 1 - l0/l) (1 - d d^T), without the negative part of a compressed spring. [Parent, spring
meshes; Choi & Ko 2002, section 4]
"""

from dataclasses import dataclass

from gambol.lanes import Scalar, maximum, sqrt, where
from gambol.spatial import Vector

MIN_LENGTH_SQUARED = 1e-30
"""Minimum squared length [m2]: a spring of length 0 has no direction, and no force."""

SLIP_SPEED = 1e-4
"""Speed below which friction is viscous [m/s]: slow compared with visible motion."""


@dataclass(frozen=True, slots=True)
class Spring:
    """A spring: rest length [m], stiffness k [N/m], damping c [N s/m], and its kind.

    one_sided: 1 for a spring that pushes only, such as the contact of two points; else 0. friction: friction of such a
    contact. A broken spring has k = c = 0.
    """

    rest: Scalar
    stiffness: Scalar
    damping: Scalar
    one_sided: Scalar
    friction: Scalar


@dataclass(frozen=True, slots=True)
class SpringForce:
    """The force of a spring on its first end [N], its energy [J], and the power lost by damper and friction [W]."""

    force: Vector
    energy: Scalar
    damping: Scalar
    friction: Scalar


def direction(r: Vector) -> tuple[Vector, Scalar]:
    """Return the unit vector along r, or 0 if its length is 0, and the length."""
    squared = r.dot(r)
    length = sqrt(squared)
    return r * where(squared > MIN_LENGTH_SQUARED, 1.0 / where(squared > MIN_LENGTH_SQUARED, length, 1.0), 0.0), length


def _acts(spring: Spring, length: Scalar) -> Scalar:
    """Return 1 where a spring acts at a length, 0 where a contact is open."""
    return where((spring.one_sided > 0.5) & (length >= spring.rest), 0.0, 1.0)


def _friction_coefficient(spring: Spring, length: Scalar, across: Vector) -> Scalar:
    """Return t: the force of friction divided by the speed across the spring [N s/m]."""
    pressed = spring.friction * spring.stiffness * maximum(spring.rest - length, 0.0)
    return pressed / maximum(across.length(), SLIP_SPEED)


def spring_force(spring: Spring, r: Vector, u: Vector, u_lag: Vector) -> SpringForce:
    """Return the force of a spring.

    r: vector from the second end to the first [m]. u: rate of r [m/s]. u_lag: rate from which the size of friction is
    computed [m/s].
    """
    d, length = direction(r)
    acts, rate = _acts(spring, length), d.dot(u)
    across, across_lag = u - d * rate, u_lag - d * d.dot(u_lag)
    t = _friction_coefficient(spring, length, across_lag) * acts
    stretch, damper = (length - spring.rest) * acts, spring.damping * rate * acts
    force = d * -(spring.stiffness * stretch + damper) - across * t
    return SpringForce(force, 0.5 * spring.stiffness * stretch * stretch, damper * rate, t * across.dot(across))


@dataclass(frozen=True, slots=True)
class SpringMatrix:
    """The matrix a 1 + e e^T of a spring in the system of an implicit step [kg]."""

    a: Scalar
    e: Vector


def spring_matrix(spring: Spring, r: Vector, u_lag: Vector, h: Scalar) -> SpringMatrix:
    """Return h^2 K + h D of a spring; r, u_lag: as for spring_force(); h: length of the step [s]."""
    d, length = direction(r)
    acts = _acts(spring, length)
    across = u_lag - d * d.dot(u_lag)
    t = h * _friction_coefficient(spring, length, across) * acts
    K = h * h * spring.stiffness * acts
    slack = where(length > spring.rest, 1.0 - spring.rest / maximum(length, spring.rest), 0.0)
    a = K * slack + t
    along = maximum(K + h * spring.damping * acts - a, 0.0)
    return SpringMatrix(a, d * sqrt(along))


def matrix_product(matrix: SpringMatrix, p: Vector) -> Vector:
    """Return (a 1 + e e^T) p."""
    return p * matrix.a + matrix.e * matrix.e.dot(p)


def excess_stretch(r: Vector, rest: Scalar, limit: Scalar) -> Vector:
    """Return the vector to subtract from r, so that r is not longer than limit times the rest length. [Provot 1995]"""
    d, length = direction(r)
    return d * maximum(length - limit * rest, 0.0)


def spring_constraint(spring: Spring, r: Vector) -> tuple[Scalar, Vector]:
    """Return C = l - l0 of a spring [m] and its gradient with respect to the first end; 0 for an open contact."""
    d, length = direction(r)
    acts = _acts(spring, length)
    return (length - spring.rest) * acts, d * acts


def end_fractions(weight_a: Scalar, weight_b: Scalar) -> tuple[Scalar, Scalar]:
    """Return the fractions of a change of distance by which two ends move, by inverse masses; 0 if both are pinned."""
    total = weight_a + weight_b
    inverse = where(total > 0.0, 1.0 / where(total > 0.0, total, 1.0), 0.0)
    return weight_a * inverse, weight_b * inverse
