"""The time of impact of two convex bodies that move and turn: conservative advancement. [Mirtich 1996, section 2.3.2]

While the gap between two bodies is d along n, no two of their points can touch before they have approached by d along
n, and no two points approach faster than

    s = -n . (v_a - v_b) + r_a |w_a x n| + r_b |w_b x n|

with r the radius of a ball around the origin of each body's frame that contains the body. So they do not touch during
the time d / s, and the search continues at its end. It never misses a touch. It mostly takes 10 to 20 steps, and more
for grazing bodies.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from gambol.collide.broad.balls import ball
from gambol.collide.continuous.hit import Hit
from gambol.collide.convex.direction import unit_or
from gambol.collide.gap import FAR, UP, Gap
from gambol.lanes import Scalar, cos, logical_not, loop, sin, where
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.motion import IDENTITY_TRANSFORM

MAX_STEPS = 100.0  # most searches take 10 to 20

GapFunction: TypeAlias = Callable[[Transform, Transform], Gap]


@dataclass(frozen=True, slots=True)
class ConstantVelocity:
    """A motion at constant velocity from time 0 to 1.

    pose: pose at time 0. translation: displacement of the origin, in world axes [m]. rotation: rotation vector, in
    world axes [rad].
    """

    pose: Transform
    translation: Vector
    rotation: Vector

    def at(self, time: Scalar) -> Transform:
        """Return the pose at a time between 0 and 1."""
        axis, angle = unit_or(self.rotation, UP)
        rotation = Rotation.about(axis, sin(angle * time), cos(angle * time))
        return Transform(rotation @ self.pose.rotation, self.pose.position + self.translation * time)


@dataclass(frozen=True, slots=True)
class AdvancementResult:
    """The result of conservative advancement.

    hit: the first touch, when the gap has fallen to the tolerance. clear_until: time before which the bodies cannot
    touch. gap: distance of the bodies at that time [m]. If MAX_STEPS were not enough, the time of hit is FAR,
    `clear_until` is below 1 and the gap above the tolerance: see `not_converged`.
    """

    hit: Hit
    clear_until: Scalar
    gap: Scalar

    @property
    def not_converged(self) -> Scalar:
        """True where MAX_STEPS were not enough or a number was not finite; `clear_until` is still valid."""
        return (self.hit.time > 1.0) & logical_not((self.clear_until >= 1.0) & (self.gap > 0.0))


@dataclass(frozen=True, slots=True)
class AdvancementState:
    """The state of the search: time, gap, normal, running (1 until it ends, then 0), and number of steps."""

    time: Scalar
    gap: Scalar
    normal: Vector
    running: Scalar
    steps: Scalar


def conservative_advancement(
    a: ConstantVelocity,
    b: ConstantVelocity,
    radii: tuple[Scalar, Scalar],
    gap_between: GapFunction,
    tolerance: Scalar = 1e-6,
) -> AdvancementResult:
    """Return the first time at which two convex bodies are nearer than a tolerance [m].

    a, b: motions of the bodies. radii: bounding_radius() of each [m]. gap_between: function of the two poses that
    returns the gap between the bodies; its size may be too small, but not too large. tolerance: tolerance of the gap
    [m].
    """

    def step(s: AdvancementState) -> AdvancementState:
        gap = gap_between(a.at(s.time), b.at(s.time))
        n = gap.normal
        speed = (b.translation - a.translation).dot(n)
        speed = speed + radii[0] * a.rotation.cross(n).length() + radii[1] * b.rotation.cross(n).length()
        approaches = speed > 0.0
        next_time = where(approaches, s.time + gap.size / where(approaches, speed, 1.0), 1.0)
        touching = gap.size <= tolerance
        clear = (next_time >= 1.0) & (s.time >= 1.0)
        time = where(touching, s.time, where(next_time >= 1.0, 1.0, next_time))
        return AdvancementState(time, gap.size, n, where(touching | clear, 0.0, 1.0), s.steps + 1.0)

    def not_finished(s: AdvancementState) -> Scalar:
        return (s.running > 0.5) & (s.steps < MAX_STEPS)

    end = loop(not_finished, step, AdvancementState(0.0, FAR, UP, 1.0, 0.0))
    return AdvancementResult(Hit(where(end.gap <= tolerance, end.time, FAR), end.normal), end.time, end.gap)


def bounding_radius(shape: Any) -> Scalar:
    """Return the radius of a ball around the origin of a shape's frame that contains the shape [m]."""
    bounding_ball = ball(shape, IDENTITY_TRANSFORM)
    return bounding_ball.centre.length() + bounding_ball.radius
