"""The lookahead of contact generation: only contacts that may close within a step are computed.

A gap counts if it would close within twice the step at current speeds, which leaves room for changes of speed in the
step. A contact that closes faster because of an impact is detected in the next step, when it penetrates.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gambol.collide.broad import Ball
from gambol.collide.gap import FAR
from gambol.contact.stepping import Axis, Candidate
from gambol.dynamics import Kinematics
from gambol.lanes import Scalar, minimum, where
from gambol.spatial import Vector

NEAR = 2e-3
"""Gap below which a contact counts at any speed, as a fraction of the world's size."""

STEPS_AHEAD = 2.0
"""Number of steps looked ahead."""


@dataclass(frozen=True, slots=True)
class BallMotion:
    """Motion of a ball: velocity of its centre in world axes; spin: bound on speeds of points about it [m/s]."""

    velocity: Vector
    spin: Scalar

    def relative_to(self, other: "BallMotion") -> "BallMotion":
        """Return the motion relative to another ball."""
        return BallMotion(self.velocity - other.velocity, self.spin + other.spin)


def ball_motion(state: Kinematics, link: int, ball: Ball) -> BallMotion:
    """Return the motion of a ball that a link carries; ball: in world axes."""
    axis = link_motion(state, link)
    return BallMotion(axis.at(ball.centre), sum((abs(x) for x in axis.w), 0.0) * ball.radius)


def contact_distance(size: Scalar, ball: BallMotion, h: Scalar) -> Scalar:
    """Return the largest gap to a body at rest that counts in a step of h [s]; size: of the world [m]."""
    return sum((abs(x) for x in ball.velocity), ball.spin) * (STEPS_AHEAD * h) + NEAR * size


def link_motion(state: Kinematics, link: int) -> Axis:
    """Return the velocity of a link in world axes."""
    pose, velocity = state.poses[link], state.velocities[link]
    return Axis(pose.rotation @ velocity.w, pose.rotation @ velocity.v, pose.position)


def within_lookahead(candidate: Candidate, sides: Sequence[Axis], size: Scalar, h: Scalar) -> Candidate:
    """Return a contact candidate, with the gap FAR where it does not count in a step of h [s].

    sides: motions of its link and, if there is one, of the other. size: of the world [m].
    """
    assert candidate.normal is not None
    velocity, *others = (side.at(candidate.point) for side in sides)
    speed = sum((-other for other in others), velocity).dot(candidate.normal)
    near = candidate.gap + minimum(speed, 0.0) * (STEPS_AHEAD * h) < NEAR * size
    return replace(candidate, gap=where(near, candidate.gap, FAR))
