"""When a moving ball meets a plane, a ball or a capsule: in closed form. [Ericson 2005, section 5.3]

A ball of radius r that meets a shape is a point that meets the shape grown by r, and these grow into their own kind.
"""

from dataclasses import dataclass

from gambol.collide.continuous.hit import Hit, first_hit
from gambol.collide.continuous.roots import entry_time
from gambol.collide.convex.direction import ratio, unit_or
from gambol.collide.gap import FAR, UP
from gambol.lanes import Scalar, clamp, where
from gambol.spatial import Vector
from gambol.spatial.vector import across


@dataclass(frozen=True, slots=True)
class Way:
    """A ball that moves straight on: its centre at the start and its motion [m], and its radius [m], 0 for a point."""

    start: Vector
    motion: Vector
    radius: Scalar = 0.0

    def at(self, time: Scalar) -> Vector:
        """Where its centre is after a share of the motion."""
        return self.start + self.motion * time


def plane_hit(way: Way, normal: Vector, height: Scalar = 0.0) -> Hit:
    """When a ball meets the half space normal . x <= height; normal: unit. [Parent ch. 4]"""
    gap, speed = way.start.dot(normal) - height - way.radius, way.motion.dot(normal)
    inward = speed < 0.0
    time = where(inward & (gap >= 0.0), gap / where(inward, -speed, 1.0), FAR)
    return Hit(where(gap < 0.0, 0.0, within(time)), normal)


def sphere_hit(way: Way, centre: Vector, radius: Scalar) -> Hit:
    """When a ball meets another one that stays; concentric ones part against the motion."""
    reach = radius + way.radius
    time = _sphere_time(way.start - centre, way.motion, reach)
    return Hit(time, _away(way, centre, time))


def capsule_hit(way: Way, one: Vector, other: Vector, radius: Scalar) -> Hit:
    """When a ball meets a capsule about the segment between two points: on its side or on an end ball."""
    reach, axis = radius + way.radius, other - one
    ends = [Hit(_sphere_time(way.start - end, way.motion, reach), UP) for end in (one, other)]
    u, length = unit_or(axis, UP)
    m = way.start - one
    along, speed = m.dot(u), way.motion.dot(u)
    side = _sphere_time(m - u * along, way.motion - u * speed, reach)
    place = along + speed * where(side < FAR, side, 0.0)
    time = first_hit(Hit(where((place >= 0.0) & (place <= length), side, FAR), UP), *ends).time
    end = m + way.motion * where(time < FAR, time, 0.0)
    return Hit(time, _away(way, one + u * clamp(end.dot(u), 0.0, length), time, across(u)[0]))


def within(time: Scalar) -> Scalar:
    """A time up to 1, or FAR."""
    return where(time <= 1.0, time, FAR)


def _sphere_time(m: Vector, d: Vector, reach: Scalar) -> Scalar:
    """When the point m + t d comes within reach of the origin: |m| less the reach, not their squares, is the gap."""
    away, dd, md = m.length(), d.dot(d), m.dot(d)
    gap = (away - reach) * (away + reach)
    beside = (m - d * ratio(md, dd)).length()
    time = entry_time(md, gap, dd * ((reach - beside) * (reach + beside)), dd)
    return where(away < reach, 0.0, within(time))


def _away(way: Way, place: Vector, time: Scalar, fallback: Vector | None = None) -> Vector:
    """The direction from a place to the ball's centre at the hit; where these coincide, against the motion."""
    back, _ = unit_or(-way.motion, UP)
    return unit_or(way.at(where(time < FAR, time, 0.0)) - place, fallback or back)[0]
