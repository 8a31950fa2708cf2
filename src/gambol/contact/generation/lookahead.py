"""The lookahead of contact generation: only contacts that may close within a step are computed.

A contact counts if its gap would close within two steps at the current speed, which allows for changes of speed in the
step. A contact that an impact closes faster is detected in the next step, when it penetrates.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gambol.collide.broad import Ball
from gambol.collide.gap import FAR
from gambol.contact.stepping.contact import Candidate
from gambol.contact.stepping.rows import Axis
from gambol.dynamics import Kinematics
from gambol.lanes import Scalar, minimum, where
from gambol.spatial import Vector

MIN_CONTACT_GAP = 2e-3
"""Gap below which a contact counts at any speed, divided by the size of the world."""

LOOKAHEAD_STEPS = 2.0
"""The number of steps within which a gap must close for its contact to count."""


@dataclass(frozen=True, slots=True)
class BallMotion:
    """Motion of a ball.

    velocity: velocity of its centre, in world axes; spin: bound on speeds relative to the centre [m/s].
    """

    velocity: Vector
    spin: Scalar

    def relative_to(self, other: "BallMotion") -> "BallMotion":
        """Return the motion relative to another ball."""
        return BallMotion(self.velocity - other.velocity, self.spin + other.spin)


def ball_motion(motion: Axis, ball: Ball) -> BallMotion:
    """Return the motion of a ball that moves with a link. motion: see link_motion(); ball: in world coordinates."""
    return BallMotion(motion.point_velocity(ball.centre), sum((abs(x) for x in motion.w), 0.0) * ball.radius)


def contact_distance(size: Scalar, ball: BallMotion, h: Scalar) -> Scalar:
    """Return the largest gap [m] at which a contact counts in a step.

    size: size of the scene [m]. ball: motion of the bounding ball relative to the other body. h: length of the step
    [s].
    """
    return sum((abs(x) for x in ball.velocity), ball.spin) * (LOOKAHEAD_STEPS * h) + MIN_CONTACT_GAP * size


def link_motion(state: Kinematics, link: int) -> Axis:
    """Return the velocity of a link, in world axes, about its origin."""
    pose, velocity = state.poses[link], state.velocities[link]
    return Axis(pose.rotation @ velocity.w, pose.rotation @ velocity.v, pose.position)


def within_lookahead(candidate: Candidate, motions: Sequence[Axis], size: Scalar, h: Scalar) -> Candidate:
    """Return a contact candidate, with its gap set to FAR if it does not count in a step of h [s].

    motions: motions of its link, and of the other link if there is one. size: size of the scene [m].
    """
    assert candidate.normal is not None
    velocity, *other_velocities = (motion.point_velocity(candidate.point) for motion in motions)
    speed = sum((-other_velocity for other_velocity in other_velocities), velocity).dot(candidate.normal)
    counts = candidate.gap + minimum(speed, 0.0) * (LOOKAHEAD_STEPS * h) < MIN_CONTACT_GAP * size
    return replace(candidate, gap=where(counts, candidate.gap, FAR))
