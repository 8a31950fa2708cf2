"""When two convex bodies that move and turn first touch, by conservative advancement. [Mirtich 1996, section 2.3.2]

While the gap between two bodies is d along n, no points of theirs can meet before they have come d closer along n, and
none does so faster than

    s = -n . (v_a - v_b) + r_a |w_a x n| + r_b |w_b x n|

with r the radius of a ball about the origin of each body's frame. So the time d / s passes without a touch, and the
search goes on from there. It never steps over a touch, and comes near one mostly in 10 to 20 steps; a graze takes more.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from gambol.collide.broad.balls import ball
from gambol.collide.continuous.hit import Hit
from gambol.collide.convex.direction import unit_or
from gambol.collide.gap import FAR, UP, Gap
from gambol.lanes import Scalar, cos, loop, negated, sin, where
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.transform import SAME

MOST_STEPS = 100.0

Between: TypeAlias = Callable[[Transform, Transform], Gap]


@dataclass(frozen=True, slots=True)
class Course:
    """A motion at constant velocity: the pose it begins in, and how far it slides [m] and turns [rad] until time 1.

    slide: of the origin of the frame; turn: a rotation vector; both in world axes.
    """

    pose: Transform
    slide: Vector
    turn: Vector

    def at(self, time: Scalar) -> Transform:
        """The pose at a time between 0 and 1."""
        axis, angle = unit_or(self.turn, UP)
        turned = Rotation.about(axis, sin(angle * time), cos(angle * time))
        return Transform(turned @ self.pose.rotation, self.pose.position + self.slide * time)


@dataclass(frozen=True, slots=True)
class Advance:
    """What conservative advancement found.

    hit: the first touch, early by up to the tolerance. until: the time up to which the bodies surely do not touch; gap:
    the space between them then [m]. Where the steps ran out before either was clear, hit says FAR, `until` is below 1
    and the gap above the tolerance: see `unfinished`.
    """

    hit: Hit
    until: Scalar
    gap: Scalar

    @property
    def unfinished(self) -> Scalar:
        """Whether the search ended for want of steps, or of numbers that are finite: until then nothing touches."""
        return (self.hit.time > 1.0) & negated((self.until >= 1.0) & (self.gap > 0.0))


@dataclass(frozen=True, slots=True)
class Advancing:
    """How far a search has come: time, gap, normal, whether it goes on (1, else 0), and its steps."""

    time: Scalar
    gap: Scalar
    normal: Vector
    going: Scalar
    steps: Scalar


def advance(
    a: Course, b: Course, reaches: tuple[Scalar, Scalar], between: Between, tolerance: Scalar = 1e-6
) -> Advance:
    """The first time at which two convex bodies are nearer than a tolerance [m].

    reaches: of each body, the radius of a ball about its frame's origin that holds it [m], as `reach_about` gives.
    between: the gap between the bodies in two poses; its size may be too small, never too large.
    """

    def step(s: Advancing) -> Advancing:
        gap = between(a.at(s.time), b.at(s.time))
        n = gap.normal
        speed = (b.slide - a.slide).dot(n)
        speed = speed + reaches[0] * a.turn.cross(n).length() + reaches[1] * b.turn.cross(n).length()
        nears = speed > 0.0
        after = where(nears, s.time + gap.size / where(nears, speed, 1.0), 1.0)
        touching = gap.size <= tolerance
        clear = (after >= 1.0) & (s.time >= 1.0)
        time = where(touching, s.time, where(after >= 1.0, 1.0, after))
        return Advancing(time, gap.size, n, where(touching | clear, 0.0, 1.0), s.steps + 1.0)

    def goes_on(s: Advancing) -> Scalar:
        return (s.going > 0.5) & (s.steps < MOST_STEPS)

    end = loop(goes_on, step, Advancing(0.0, FAR, UP, 1.0, 0.0))
    return Advance(Hit(where(end.gap <= tolerance, end.time, FAR), end.normal), end.time, end.gap)


def reach_about(shape: Any) -> Scalar:
    """The radius of a ball about the origin of a shape's frame that holds the shape [m]."""
    own = ball(shape, SAME)
    return own.centre.length() + own.radius
