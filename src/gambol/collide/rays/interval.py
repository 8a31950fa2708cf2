"""The part of a ray inside simple convex sets: an interval of distances, in closed form. [Ericson 2005, section 5.3]

A ray is x(t) = o + t d, t >= 0, with d of length 1. Inside

    a half space   n . x <= h                 t below or above (h - n . o) / (n . d)
    a quadric      A t^2 + 2 B t + C <= 0     t between the roots, and for A < 0 outside them
"""

from __future__ import annotations

from dataclasses import dataclass

from gambol.collide.gap import FAR, select
from gambol.lanes import Scalar, maximum, minimum, sqrt, where
from gambol.spatial import Transform, Vector


@dataclass(frozen=True, slots=True)
class Ray:
    """A half line: its origin [m], and its direction, of length 1."""

    origin: Vector
    direction: Vector

    def at(self, distance: Scalar) -> Vector:
        """Return the point at a distance along the ray [m]."""
        return self.origin + self.direction * distance

    def local(self, pose: Transform) -> Ray:
        """Return the ray in the axes of a pose in the world."""
        back = pose.rotation.transpose
        return Ray(back @ (self.origin - pose.position), back @ self.direction)


@dataclass(frozen=True, slots=True)
class Interval:
    """Distances along a line from enter to leave [m]; empty if enter is beyond leave."""

    enter: Scalar
    leave: Scalar

    def __and__(self, other: Interval) -> Interval:
        """Return the part that both contain."""
        return Interval(maximum(self.enter, other.enter), minimum(self.leave, other.leave))

    @property
    def is_empty(self) -> Scalar:
        """True where it contains no point at a distance of 0 or more."""
        return (self.enter > self.leave) | (self.leave < 0.0)

    @property
    def distance(self) -> Scalar:
        """The least distance that it contains, 0 at least [m]; FAR if it is empty."""
        return where(self.is_empty, FAR, maximum(self.enter, 0.0))


def half_space(ray: Ray, normal: Vector, height: Scalar) -> Interval:
    """Return the part of a ray's line with normal . x <= height; normal: normal of any length."""
    return below(ray.origin.dot(normal) - height, ray.direction.dot(normal))


def below(value: Scalar, rate: Scalar) -> Interval:
    """Return where value + rate t <= 0, in t."""
    flat = rate == 0.0
    t = -value / where(flat, 1.0, rate)
    enter = where(flat, where(value > 0.0, FAR, -FAR), where(rate > 0.0, -FAR, t))
    leave = where(flat, where(value > 0.0, -FAR, FAR), where(rate > 0.0, t, FAR))
    return Interval(enter, leave)


def slab(position: Scalar, direction: Scalar, half: Scalar) -> Interval:
    """Return where |position + t direction| <= half, in t."""
    return below(position - half, direction) & below(-position - half, -direction)


def between_roots(a: Scalar, b: Scalar, c: Scalar, discriminant: Scalar) -> Interval:
    """Return where a t^2 + 2 b t + c <= 0 for a >= 0, in t.

    discriminant: b^2 - a c, computed by the caller without cancellation. Roots are q / a and c / q, with q = -(b +
    sign(b) sqrt(discriminant)), so that no terms cancel. For a = b = 0 the interval is the whole line or empty.
    """
    crosses = (discriminant > 0.0) & (a > 0.0)
    q = -(b + where(b < 0.0, -1.0, 1.0) * sqrt(where(crosses, discriminant, 0.0)))
    first, second = q / where(crosses, a, 1.0), c / where(crosses, q, 1.0)
    constant = (a <= 0.0) & (c <= 0.0)
    enter = where(crosses, minimum(first, second), where(constant, -FAR, FAR))
    leave = where(crosses, maximum(first, second), where(constant, FAR, -FAR))
    return Interval(enter, leave)


def first_outside(whole: Interval, hole: Interval) -> Interval:
    """Return the nearest part, at distances of 0 or more, of an interval from which another interval is removed."""
    before = Interval(whole.enter, minimum(whole.leave, hole.enter))
    after = Interval(maximum(whole.enter, hole.leave), whole.leave)
    no_hole = hole.enter > hole.leave
    nearer = select(before.is_empty, after, before)
    return select(no_hole, whole, nearer)
