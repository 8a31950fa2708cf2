"""Parts of a figure that can never meet: by bounding balls about the joints, or because they lie side by side.

In the frame of any link between two parts, each part stays within a ball about the joint that leads to it. The ball's
radius is the length of the path from joint to joint and on to the part. If the balls are disjoint in the frame of some
link, the parts never meet.

If all joints between two parts turn about parallel axes, each part keeps its position along the axes: parts that are
disjoint along them, such as the bars of a planar linkage that are drawn side by side, never meet.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from gambol.collide.broad.balls import Ball, ball
from gambol.collide.broad.support_extent import support_extent
from gambol.figure import WORLD, Figure, JointSpring, Part, PlacedLink, Springs, spring_slices
from gambol.figure.joint import JOINTS, transform
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.transform import IDENTITY_TRANSFORM

SLIDES: dict[str, tuple[int, ...]] = {"prismatic": (0,), "cylindrical": (1,), "planar": (1, 2)}
"""Which coordinates of a joint are slides. In helical and axial joints the rotation slides, and a free joint is
unbounded."""


PARALLEL = 1e-9
"""Sine of the angle below which two axes count as parallel, and the fraction of a length that counts as rounding."""


def always_disjoint(figure: Figure, ends: Sequence[tuple[int, Part]], springs: Mapping[str, Springs]) -> bool:
    """Return True if two parts are surely disjoint in every posture within the limits of the springs.

    figure: of both parts. ends: each part with the index of its link. springs: by link, as for `resolve_springs`; only
    their limits on slides are read. The test is conservative: it may return False for parts that never meet.
    """
    (link, part), (other, other_part) = ends
    links_between = path(figure, link, other)
    for middle in links_between:
        one = _ball_from(figure, middle, link, part, springs)
        two = _ball_from(figure, middle, other, other_part, springs)
        if (one.centre - two.centre).length() > one.radius + two.radius:
            return True
    return _side_by_side(figure, ends, links_between)


def _side_by_side(figure: Figure, ends: Sequence[tuple[int, Part]], links_between: Sequence[int]) -> bool:
    """Return True if all joints between two parts turn about parallel axes, along which the parts are disjoint."""
    joints = [figure.links[max(a, b) - 1] for a, b in pairwise(links_between)]
    if any(link.joint.kind not in ("revolute", "fixed") for link in joints):
        return False
    middle = min(links_between)
    poses = [dict(_rest_below(figure, middle, end)) for end, _ in ends]
    turning = [link for link in joints if link.joint.kind == "revolute"]
    axes = [(poses[0] | poses[1])[link.index].rotation @ Vector(*link.joint.axis) for link in turning]
    if not axes or any(axes[0].cross(axis).length() > PARALLEL for axis in axes):
        return False
    spans: list[tuple[float, float]] = []
    for (end, part), known in zip(ends, poses, strict=True):
        placed = known[end] @ Transform(Rotation(part.rotation), Vector(*part.position))
        spans.append(
            (-float(support_extent(part.shape, placed, -axes[0])), float(support_extent(part.shape, placed, axes[0])))
        )
    (low, high), (other_low, other_high) = spans
    size = max(high - low, other_high - other_low)
    return max(low - other_high, other_low - high) > PARALLEL * size


def _rest_below(figure: Figure, middle: int, end: int) -> Iterator[tuple[int, Transform]]:
    """Yield the links from one to another below it, with their poses at rest in the frame of the first."""
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
    """Return the links from one to another along the tree, both included, or through the world."""
    up = [*(carrier.index for carrier in figure.path_to_root(link)), WORLD]
    down = [*(carrier.index for carrier in figure.path_to_root(other)), WORLD]
    meeting = next(index for index in up if index in down)
    return [*up[: up.index(meeting) + 1], *reversed(down[: down.index(meeting)])]


def _ball_from(figure: Figure, middle: int, link: int, part: Part, springs: Mapping[str, Springs]) -> Ball:
    """Return a ball, in the frame of the link `middle`, that a part of another link never leaves."""
    own, links_between = part_ball(part), path(figure, middle, link)
    if len(links_between) == 1:
        return own
    crossed = [_crossing(figure, a, b) for a, b in pairwise(links_between)]
    radius = own.radius + (own.centre - crossed[-1][2]).length()
    radius += sum((after[1] - before[2]).length() for before, after in pairwise(crossed))
    radius += sum(_slide_range(joint, springs) for joint, _, _ in crossed)
    return Ball(crossed[0][1], radius)


def _crossing(figure: Figure, near: int, far: int) -> tuple[PlacedLink, Vector, Vector]:
    """Return the joint between two links, and its place in the frames of the near and of the far one."""
    child = figure.links[max(near, far) - 1]
    at, origin = Vector(*child.joint.position), Vector(0.0, 0.0, 0.0)
    return (child, at, origin) if child.index == far else (child, origin, at)


def _slide_range(link: PlacedLink, springs: Mapping[str, Springs]) -> float:
    """Return the largest distance by which a joint lets its link's origin slide from rest [m]."""
    kind, joint = link.joint.kind, link.joint
    if kind == "free":
        return math.inf
    if kind == "rolling":
        return 2.0 * abs(joint.radius + joint.parent_radius)
    given = springs.get(link.name, ())
    stops = (given,) if isinstance(given, JointSpring) else given
    slope = {"helical": joint.pitch, "axial": joint.slides}.get(kind, 0.0)
    places = SLIDES.get(kind, (0,) if slope else ())
    scale = abs(slope) or 1.0
    if places and len(stops) != len(spring_slices(kind)):
        return math.inf
    return scale * math.hypot(*(max(abs(stops[k].lower), abs(stops[k].upper)) for k in places))
