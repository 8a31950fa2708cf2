"""What can close within a step, by how it moves now: so little work goes to places that do not meet.

A gap counts if it would close within twice the step at the speed of now: that leaves room for what the step does to
speeds. What a blow makes faster than that meets in the next step, as deep as it came in.
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
"""How near bodies must be to be looked at closely, whatever their speed: of the figure's size."""

AHEAD = 2.0
"""Steps looked ahead."""


@dataclass(frozen=True, slots=True)
class Moving:
    """How a ball moves: the velocity of its centre in world axes, and how fast points go round it at most [m/s]."""

    velocity: Vector
    spin: Scalar

    def beside(self, other: "Moving") -> "Moving":
        """How it moves as another ball sees it."""
        return Moving(self.velocity - other.velocity, self.spin + other.spin)


def moving(state: Kinematics, link: int, ball: Ball) -> Moving:
    """How a ball moves that a link carries; ball: in world axes."""
    axis = motion(state, link)
    return Moving(axis.at(ball.centre), sum((abs(x) for x in axis.w), 0.0) * ball.radius)


def reached(size: Scalar, ball: Moving, h: Scalar) -> Scalar:
    """How large a gap may count in a step of h [s] beside something that rests, in a world of a size [m]."""
    return sum((abs(x) for x in ball.velocity), ball.spin) * (AHEAD * h) + NEAR * size


def motion(state: Kinematics, link: int) -> Axis:
    """The velocity of a link in world axes."""
    pose, velocity = state.poses[link], state.velocities[link]
    return Axis(pose.rotation @ velocity.w, pose.rotation @ velocity.v, pose.position)


def closing(found: Candidate, sides: Sequence[Axis], size: Scalar, h: Scalar) -> Candidate:
    """A contact, with the gap FAR where it does not count in a step of h [s].

    sides: the motions of its link and, if there is one, of the other. size: of the world [m].
    """
    assert found.normal is not None
    here, *there = (side.at(found.point) for side in sides)
    speed = sum((-other for other in there), here).dot(found.normal)
    soon = found.gap + minimum(speed, 0.0) * (AHEAD * h) < NEAR * size
    return replace(found, gap=where(soon, found.gap, FAR))
