"""Parts of a figure that can never touch: their bounding balls about the joints are disjoint, or they lie side by side.

In the frame of any link between two parts, each part stays within a ball about the joint that leads to it. The ball's
radius is the length of the path from joint to joint and on to the part. If the balls are disjoint in the frame of some
link, the parts never touch.

If all joints between two parts turn about parallel axes, each part keeps its position along the axes: parts that are
disjoint along them, such as the bars of a planar linkage that are drawn side by side, never touch.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from gambol.collide.broad.balls import Ball, ball
from gambol.collide.broad.support_extent import support_extent
from gambol.figure import WORLD, Figure, JointSpring, Part, PlacedLink, Springs, spring_slices
from gambol.figure.joint import JOINTS, transform
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.motion import IDENTITY_TRANSFORM

ROUNDING_TOLERANCE = 1e-9
"""Sine of the angle below which two axes count as parallel, and the fraction of a length that counts as rounding."""


def always_disjoint(figure: Figure, ends: Sequence[tuple[int, Part]], springs: Mapping[str, Springs]) -> bool:
    """Return True if two parts are surely disjoint in every posture within the limits of the springs.

    figure: the figure of both parts. ends: each part with the index of its link. springs: springs by link name, as for
    `resolve_springs`; only their limits on sliding are used. The test is conservative: it may return False for parts
    that never touch.
    """
    (link, part), (other, other_part) = ends
    links_between = path(figure, link, other)
    for middle in links_between:
        ball_a = _ball_from(figure, middle, link, part, springs)
        ball_b = _ball_from(figure, middle, other, other_part, springs)
        if (ball_a.centre - ball_b.centre).length() > ball_a.radius + ball_b.radius:
            return True
    return _side_by_side(figure, ends, links_between)


def _side_by_side(figure: Figure, ends: Sequence[tuple[int, Part]], links_between: Sequence[int]) -> bool:
    """Return True if all joints between two parts turn about parallel axes, along which the parts are disjoint."""
    joints = [figure.links[max(a, b) - 1] for a, b in pairwise(links_between)]
    if any(not (link.is_fixed or JOINTS[link.joint.kind].turns_only) for link in joints):
        return False
    middle = min(links_between)
    poses = [dict(_rest_poses_between(figure, middle, end)) for end, _ in ends]
    turning = [link for link in joints if not link.is_fixed]
    axes = [(poses[0] | poses[1])[link.index].rotation @ Vector(*link.joint.axis) for link in turning]
    if not axes or any(axes[0].cross(axis).length() > ROUNDING_TOLERANCE for axis in axes):
        return False
    spans: list[tuple[float, float]] = []
    for (end, part), poses_to_end in zip(ends, poses, strict=True):
        part_pose = poses_to_end[end] @ Transform(Rotation(part.rotation), Vector(*part.position))
        spans.append(
            (
                -float(support_extent(part.shape, part_pose, -axes[0])),
                float(support_extent(part.shape, part_pose, axes[0])),
            )
        )
    (low, high), (other_low, other_high) = spans
    size = max(high - low, other_high - other_low)
    return max(low - other_high, other_low - high) > ROUNDING_TOLERANCE * size


def _rest_poses_between(figure: Figure, middle: int, end: int) -> Iterator[tuple[int, Transform]]:
    """Yield the links from `middle` outward to `end`, each with its pose at rest in the frame of `middle`."""
    pose = IDENTITY_TRANSFORM
    yield middle, pose
    for link in reversed(figure.path_to_root(end)):
        if link.index > middle:
            pose = pose @ transform(link.joint, JOINTS[link.joint.kind].rest)
            yield link.index, pose


def part_ball(part: Part) -> Ball:
    """Return the bounding ball of a part, in the frame of its link."""
    return ball(part.shape, Transform(Rotation(part.rotation), Vector(*part.position)))


def path(figure: Figure, link: int, other: int) -> list[int]:
    """Return the indices of the links on the path through the tree between two links, both included."""
    up = [*(carrier.index for carrier in figure.path_to_root(link)), WORLD]
    down = [*(carrier.index for carrier in figure.path_to_root(other)), WORLD]
    ancestor = next(index for index in up if index in down)  # the nearest common one
    return [*up[: up.index(ancestor) + 1], *reversed(down[: down.index(ancestor)])]


def _ball_from(figure: Figure, middle: int, link: int, part: Part, springs: Mapping[str, Springs]) -> Ball:
    """Return a ball, in the frame of the link `middle`, that a part of another link never leaves."""
    local_ball, links_between = part_ball(part), path(figure, middle, link)
    if len(links_between) == 1:
        return local_ball
    # each: a joint, its position in the frame of the link nearer to `middle`, and in that of the farther link
    crossings = [_crossing(figure, a, b) for a, b in pairwise(links_between)]
    radius = local_ball.radius + (local_ball.centre - crossings[-1][2]).length()
    radius += sum((following[1] - previous[2]).length() for previous, following in pairwise(crossings))
    radius += sum(_slide_range(joint, springs) for joint, _, _ in crossings)
    return Ball(crossings[0][1], radius)


def _crossing(figure: Figure, near: int, far: int) -> tuple[PlacedLink, Vector, Vector]:
    """Return the joint between two neighbouring links, and its position in the frames of `near` and of `far` [m]."""
    child = figure.links[max(near, far) - 1]
    position, origin = Vector(*child.joint.position), Vector(0.0, 0.0, 0.0)
    return (child, position, origin) if child.index == far else (child, origin, position)


def _slide_range(link: PlacedLink, springs: Mapping[str, Springs]) -> float:
    """Return the largest distance by which a joint lets its link's origin slide from rest [m]."""
    link_springs, count = springs.get(link.name, ()), len(spring_slices(link.joint.kind))
    stops = (link_springs,) if isinstance(link_springs, JointSpring) else link_springs
    extents = [max(abs(stop.lower), abs(stop.upper)) for stop in stops] if len(stops) == count else [math.inf] * count
    return JOINTS[link.joint.kind].travel(link.joint, extents)
