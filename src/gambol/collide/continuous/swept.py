"""The volume that a body sweeps in a straight motion: its support function, and a box, ball or capsule about it.

The volume that a convex body sweeps along d is its Minkowski sum with the segment from 0 to d [Parent ch. 4]. Its
extent along n is the extent of the body, plus n . d where that is positive.
"""

from typing import Any

from gambol.collide.broad.balls import Ball
from gambol.collide.broad.boxes import AXES, AxisBox
from gambol.collide.broad.support_extent import support_extent
from gambol.collide.continuous.round import BallMotion
from gambol.collide.convex import Geom, geom_of
from gambol.collide.convex.direction import unit_or
from gambol.collide.convex.support import margin, support
from gambol.collide.gap import UP, select
from gambol.lanes import Scalar, maximum
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.vector import ZERO, tangent_basis


def swept_extent(shape: Any, pose: Transform, motion: Vector, direction: Vector) -> Scalar:
    """Return the extent, along a direction in world axes, of the volume that a shape sweeps [m].

    shape, pose: the shape and its initial pose. motion: its displacement [m]. direction: direction of any length, by
    which the extent is multiplied.
    """
    return support_extent(shape, pose, direction) + maximum(motion.dot(direction), 0.0)


def swept_support(shape: Any, pose: Transform, motion: Vector, direction: Vector) -> Vector:
    """Return the point, furthest along a direction, of the volume that a shape sweeps [m].

    shape, pose: the shape and its initial pose. motion: its displacement [m]. direction: unit; in world axes.
    """
    geom = geom_of(shape)
    local_direction = pose.rotation.transpose @ direction
    furthest = pose @ (support(geom, local_direction) + local_direction * margin(geom))
    return furthest + select(motion.dot(direction) > 0.0, motion, ZERO)


def swept_box(shape: Any, pose: Transform, motion: Vector) -> AxisBox:
    """Return the smallest axis-aligned box about the volume that a shape sweeps.

    shape, pose: the shape and its initial pose. motion: its displacement, in world axes [m].
    """
    upper = [swept_extent(shape, pose, motion, axis) for axis in AXES]
    lower = [-swept_extent(shape, pose, motion, -axis) for axis in AXES]
    return AxisBox(Vector.of(lower), Vector.of(upper))


def swept_ball(ball: Ball, motion: Vector) -> Ball:
    """Return the smallest ball about the volume that a ball sweeps along a motion [m]."""
    return Ball(ball.centre + motion * 0.5, ball.radius + 0.5 * motion.length())


def swept_capsule(ball: BallMotion) -> tuple[Geom, Transform]:
    """Return the volume that a ball sweeps: a capsule, and its pose, with the motion along its z axis."""
    u, length = unit_or(ball.motion, UP)
    x, y = tangent_basis(u)
    axes = Rotation.of(list(zip(x, y, u, strict=True)))
    return Geom("capsule", (ball.radius, length)), Transform(axes, ball.at(0.5))
