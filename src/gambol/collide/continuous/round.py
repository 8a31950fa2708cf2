"""The time of impact of a moving ball and a plane, a ball or a capsule: closed forms. [Ericson 2005, section 5.3]

A ball of radius r touches a shape when its centre touches the shape enlarged by r.
"""

from dataclasses import dataclass

from gambol.collide.continuous.hit import Hit, first_hit
from gambol.collide.continuous.roots import entry_time
from gambol.collide.convex.direction import ratio, unit_or
from gambol.collide.gap import FAR, UP
from gambol.lanes import Scalar, clamp, where
from gambol.spatial import Vector
from gambol.spatial.vector import tangent_basis


@dataclass(frozen=True, slots=True)
class BallMotion:
    """A ball in straight motion: its centre at the start and its motion [m], and its radius [m], 0 for a point."""

    start: Vector
    motion: Vector
    radius: Scalar = 0.0

    def at(self, time: Scalar) -> Vector:
        """Return its centre after a fraction of the motion."""
        return self.start + self.motion * time


def plane_hit(ball: BallMotion, normal: Vector, height: Scalar = 0.0) -> Hit:
    """Return the hit of a ball on the half space normal . x <= height. [Parent ch. 4]

    ball: its motion. normal: unit, out of the half space. height: height of its surface, along the normal [m].
    """
    gap, speed = ball.start.dot(normal) - height - ball.radius, ball.motion.dot(normal)
    inward = speed < 0.0
    time = where(inward & (gap >= 0.0), gap / where(inward, -speed, 1.0), FAR)
    return Hit(where(gap < 0.0, 0.0, time_in_motion(time)), normal)


def sphere_hit(ball: BallMotion, centre: Vector, radius: Scalar) -> Hit:
    """Return the hit of a ball on a sphere at rest.

    ball: its motion. centre, radius: centre and radius of the sphere [m]. If both are concentric, the normal is
    opposite to the motion.
    """
    radius_sum = radius + ball.radius
    time = _sphere_time(ball.start - centre, ball.motion, radius_sum)
    return Hit(time, _normal_at(ball, centre, time))


def capsule_hit(ball: BallMotion, a: Vector, b: Vector, radius: Scalar) -> Hit:
    """Return the hit of a ball on a capsule at rest: on its side or on an end ball.

    ball: its motion. a, b: ends of the capsule's axis [m]. radius: radius of the capsule [m].
    """
    radius_sum, axis = radius + ball.radius, b - a
    ends = [Hit(_sphere_time(ball.start - end, ball.motion, radius_sum), UP) for end in (a, b)]
    u, length = unit_or(axis, UP)
    m = ball.start - a
    along, speed = m.dot(u), ball.motion.dot(u)
    side = _sphere_time(m - u * along, ball.motion - u * speed, radius_sum)
    hit_along = along + speed * where(side < FAR, side, 0.0)
    time = first_hit(Hit(where((hit_along >= 0.0) & (hit_along <= length), side, FAR), UP), *ends).time
    end = m + ball.motion * where(time < FAR, time, 0.0)
    return Hit(time, _normal_at(ball, a + u * clamp(end.dot(u), 0.0, length), time, tangent_basis(u)[0]))


def time_in_motion(time: Scalar) -> Scalar:
    """Return a time if it is at most 1, the end of the motion, else FAR."""
    return where(time <= 1.0, time, FAR)


def _sphere_time(m: Vector, d: Vector, radius_sum: Scalar) -> Scalar:
    """Return the time t at which the distance of the point m + t d from the origin falls to `radius_sum` [m], or FAR.

    Differences of squares are computed as products, which loses fewer digits.
    """
    distance, dd, md = m.length(), d.dot(d), m.dot(d)
    gap = (distance - radius_sum) * (distance + radius_sum)
    closest = (m - d * ratio(md, dd)).length()
    time = entry_time(md, gap, dd * ((radius_sum - closest) * (radius_sum + closest)), dd)
    return where(distance < radius_sum, 0.0, time_in_motion(time))


def _normal_at(ball: BallMotion, point: Vector, time: Scalar, fallback: Vector | None = None) -> Vector:
    """Return the direction from a point to the ball's centre at a time; if they coincide, the fallback or -motion."""
    against_motion, _ = unit_or(-ball.motion, UP)
    return unit_or(ball.at(where(time < FAR, time, 0.0)) - point, fallback or against_motion)[0]
