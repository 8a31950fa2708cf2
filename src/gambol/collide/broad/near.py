"""Tests of bounding volumes, cheap enough for every pair in every step."""

from typing import Any

from gambol.collide.broad.balls import Ball, ball, balls_meet
from gambol.collide.broad.oriented import oriented_box, oriented_boxes_meet
from gambol.collide.broad.support_extent import support_extent
from gambol.collide.ground import Ground
from gambol.lanes import Scalar
from gambol.spatial import Transform, Vector

ROUND = ("sphere", "capsule")  # the exact test of such a pair costs no more than a test of boxes


def near(shape: Any, pose: Transform, other: Any, other_pose: Transform, margin: Scalar = 0.0) -> Scalar:
    """Return True where two shapes may be nearer than a margin [m], by bounding balls and boxes.

    shape, pose, other, other_pose: the two shapes in the world. margin: distance [m]. The test never misses a pair. Use
    it as the condition of `when`: then the exact test runs only if some lane needs it. Pairs of two round shapes are
    not tested by boxes.
    """
    meeting = balls_meet(ball(shape, pose), ball(other, other_pose), margin)
    if shape.kind in ROUND and other.kind in ROUND:
        return meeting
    return oriented_boxes_meet(oriented_box(shape, pose), oriented_box(other, other_pose), margin) & meeting


def near_plane(shape: Any, pose: Transform, normal: Vector, height: Scalar, margin: Scalar = 0.0) -> Scalar:
    """Return True where a shape is less than a margin [m] above the plane normal . x = height; the test is exact.

    shape, pose: the shape and its pose in the world. normal: unit, in world axes, out of the solid side. height: height
    of the plane, along the normal [m].
    """
    return -support_extent(shape, pose, -normal) <= height + margin


def near_ground(ground: Ground, numbers: dict[str, Scalar], table: Any, bound: Ball, margin: Scalar = 0.0) -> Scalar:
    """Return True where a ball may be less than a margin [m] above the ground.

    ground: the ground of the world. numbers, table: inputs of its program. bound: the ball. margin: distance [m]. The
    lowest point of the ball is compared with the highest ground within the ball's radius plus the margin.
    """
    radius = bound.radius + margin
    top = ground.highest(numbers, table, bound.centre.x, bound.centre.y, radius)
    return bound.centre.z - radius <= top
