"""What a body covers while it moves straight on: its swept volume, by support function, box, ball or capsule.

The volume that a convex body sweeps along d is its sum with the segment from 0 to d [Parent ch. 4], so it reaches as
far along n as the body does, and n . d further where that is positive.
"""

from typing import Any

from gambol.collide.broad.balls import Ball
from gambol.collide.broad.boxes import AXES, AxisBox
from gambol.collide.broad.reach import reach
from gambol.collide.continuous.round import Way
from gambol.collide.convex import Form, form_of
from gambol.collide.convex.direction import unit_or
from gambol.collide.convex.support import margin, support
from gambol.collide.gap import UP, chosen
from gambol.lanes import Scalar, maximum
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.vector import ZERO, across


def swept_reach(shape: Any, pose: Transform, motion: Vector, direction: Vector) -> Scalar:
    """How far the volume that a shape sweeps reaches along a direction in world axes [m times its length]."""
    return reach(shape, pose, direction) + maximum(motion.dot(direction), 0.0)


def swept_support(shape: Any, pose: Transform, motion: Vector, direction: Vector) -> Vector:
    """The point of a swept volume that is furthest along a unit direction; both in world axes [m]."""
    form = form_of(shape)
    own = pose.rotation.transpose @ direction
    corner = pose @ (support(form, own) + own * margin(form))
    return corner + chosen(motion.dot(direction) > 0.0, motion, ZERO)


def swept_box(shape: Any, pose: Transform, motion: Vector) -> AxisBox:
    """The smallest axis-aligned box about the volume that a shape sweeps."""
    upper = [swept_reach(shape, pose, motion, axis) for axis in AXES]
    lower = [-swept_reach(shape, pose, motion, -axis) for axis in AXES]
    return AxisBox(Vector.of(lower), Vector.of(upper))


def swept_ball(ball: Ball, motion: Vector) -> Ball:
    """The smallest ball about the volume that a ball sweeps."""
    return Ball(ball.centre + motion * 0.5, ball.radius + 0.5 * motion.length())


def swept_capsule(way: Way) -> tuple[Form, Transform]:
    """The volume that a ball sweeps: a capsule, and its pose, with the motion along its z axis."""
    u, length = unit_or(way.motion, UP)
    x, y = across(u)
    axes = Rotation.of(list(zip(x, y, u, strict=True)))
    return Form("capsule", (way.radius, length)), Transform(axes, way.at(0.5))
