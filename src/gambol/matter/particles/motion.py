"""The motion of one particle in a step, without obstacles.

    B  v += h/2 (a(x) + d (p' - v))     A  x += h/2 v
    O  v = u + (v - u) e / (1 + k |v - u| (1 - e) / c),   e = exp(-c h)
    step = B A O A B*

B* is B with v at its end. The symmetric sequence is of second order [Strang 1968]. Parabolas under gravity and drag are
exact: O solves w' = -c w - k |w| w for w = v - u.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gambol.lanes import Scalar, exp, where
from gambol.matter.particles.fields import Field
from gambol.spatial import Vector
from gambol.spatial.vector import ZERO

MAX_SERIES_ARGUMENT = 1e-6
"""Value of c h below which (1 - exp(-c h)) / c is computed as h (1 - c h / 2): the next term is less than 2e-13 of it.
"""


@dataclass(frozen=True, slots=True)
class Particle:
    """A particle while a step is traced.

    position [m], velocity [m/s], in world axes. age, lifetime [s]. radius [m]; mass [kg]. kind: index of its emitter.
    """

    position: Vector
    velocity: Vector
    age: Scalar
    lifetime: Scalar
    radius: Scalar
    mass: Scalar
    kind: Scalar


@dataclass(frozen=True, slots=True)
class Drag:
    """The drag of a particle: linear c [1/s] and quadratic k [1/m], for acceleration c w + k |w| w."""

    linear: Scalar
    quadratic: Scalar


def free_motion(
    particle: Particle, h: Scalar, drag: Drag, fields: Sequence[Field], inputs: tuple[Sequence[dict[str, Any]], Any]
) -> tuple[Vector, Vector, Scalar]:
    """Return position and velocity after a time h [s], and the loss of energy by drag [J].

    fields: all fields. inputs: their numbers, and the table of curves. The loss is the work against the air in the
    world; it is negative if wind drives a particle.
    """
    numbers, table = inputs
    half = 0.5 * h
    a, d, pull = _accelerations(fields, numbers, (particle.position, particle.age), table)
    v = particle.velocity + (a + pull - particle.velocity * d) * half
    x = particle.position + v * half
    air = sum((f.air(n, x) for f, n in zip(fields, numbers, strict=True)), ZERO)
    dragged = air + (v - air) * _decay((v - air).length(), drag, h)
    loss = 0.5 * particle.mass * (v.dot(v) - dragged.dot(dragged))
    x = x + dragged * half
    a, d, pull = _accelerations(fields, numbers, (x, particle.age + h), table)
    return x, (dragged + (a + pull) * half) * (1.0 / (1.0 + half * d)), loss


def _decay(w: Scalar, drag: Drag, h: Scalar) -> Scalar:
    """Return the factor by which drag reduces a speed w [m/s] relative to the air in a time h [s]."""
    c = drag.linear
    small = c * h < MAX_SERIES_ARGUMENT
    e = exp(-c * h)
    duration = where(small, h * (1.0 - 0.5 * c * h), (1.0 - e) / where(small, 1.0, c))
    return e / (1.0 + drag.quadratic * w * duration)


def _accelerations(
    fields: Sequence[Field], numbers: Sequence[dict[str, Any]], at: tuple[Vector, Scalar], table: Any
) -> tuple[Vector, Scalar, Vector]:
    """Return the sums of a, of d, and of d p' over all fields. at: position and age of the particle."""
    x, age = at
    dampers = [f.damper(n, age, table) for f, n in zip(fields, numbers, strict=True)]
    a = sum((f.acceleration(n, x, age, table) for f, n in zip(fields, numbers, strict=True)), ZERO)
    return a, sum((d for d, _ in dampers), 0.0), sum((p_dot * d for d, p_dot in dampers), ZERO)


def potential(fields: Sequence[Field], numbers: Sequence[dict[str, Any]], x: Vector) -> Scalar:
    """Return the potential energy of a unit mass in all fields [J/kg]."""
    values = [f.potential(n, x) for f, n in zip(fields, numbers, strict=True)]
    return sum(values[1:], values[0]) if values else 0.0
