"""Whether two shapes can touch at all, by what bounds them: cheap enough to ask in every step, for every pair."""

from typing import Any

from gambol.collide.broad.balls import Ball, ball, balls_meet
from gambol.collide.broad.oriented import oriented_box, oriented_boxes_meet
from gambol.collide.broad.reach import reach
from gambol.collide.ground import Ground
from gambol.lanes import Scalar
from gambol.spatial import Transform, Vector

ROUND = ("sphere", "capsule")  # a pair of these is tested itself for what a test of boxes would cost


def near(shape: Any, pose: Transform, other: Any, other_pose: Transform, margin: Scalar = 0.0) -> Scalar:
    """Whether two shapes may come nearer than a margin [m]: by their balls and, unless both are round, their boxes.

    It never misses a pair that does. Give it to `when`: then the pair's own test only runs where some lane needs it.
    """
    meeting = balls_meet(ball(shape, pose), ball(other, other_pose), margin)
    if shape.kind in ROUND and other.kind in ROUND:
        return meeting
    return oriented_boxes_meet(oriented_box(shape, pose), oriented_box(other, other_pose), margin) & meeting


def near_plane(shape: Any, pose: Transform, normal: Vector, height: Scalar, margin: Scalar = 0.0) -> Scalar:
    """Whether a shape reaches below a margin [m] above the plane normal . x = height; exact, not only a bound.

    normal: unit, in world axes, out of the solid side.
    """
    return -reach(shape, pose, -normal) <= height + margin


def near_ground(ground: Ground, numbers: dict[str, Scalar], table: Any, bound: Ball, margin: Scalar = 0.0) -> Scalar:
    """Whether a ball comes nearer than a margin [m] to the highest that the ground may get beside or under it.

    numbers, table: the ground's own, as the program has them.
    """
    reach = bound.radius + margin
    top = ground.highest(numbers, table, bound.centre.x, bound.centre.y, reach)
    return bound.centre.z - reach <= top
