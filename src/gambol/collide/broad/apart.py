"""Which parts of a figure can never meet, whatever its joints do: by balls about the joints, or side by side.

Seen from any link between two parts, each part stays within a ball about the joint that leads to it: its radius is the
way from joint to joint and on to the part. Where the balls of some link are apart, so are the parts for ever.

Where all joints between two parts turn about parallel axes, each part keeps its place along the axes: parts that are
apart along them, such as the bars of a planar linkage that are drawn side by side, never meet.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from gambol.collide.broad.balls import Ball, ball
from gambol.collide.broad.reach import reach
from gambol.figure import WORLD, Figure, JointSpring, Part, PlacedLink, Springs, spring_places
from gambol.figure.joint import JOINTS, transform
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.transform import SAME

SLIDES: dict[str, tuple[int, ...]] = {"sliding": (0,), "cylindrical": (1,), "planar": (1, 2)}
"""Which places of a joint are slides; of helical and axial joints the turn slides, and a free joint leads anywhere."""


PARALLEL = 1e-9
"""Sine of the angle between two axes that count as parallel, and the part of a length that counts as rounding."""


def never_meet(figure: Figure, ends: Sequence[tuple[int, Part]], springs: Mapping[str, Springs]) -> bool:
    """Whether two parts, each with the index of its link, are apart in every posture within the limits of the springs.

    springs: by link, as for `resolve_springs`; only their limits on slides are read. False may be said of parts that
    never meet, True is only said of such.
    """
    (link, part), (other, other_part) = ends
    way = path(figure, link, other)
    for middle in way:
        one = _ball_from(figure, middle, link, part, springs)
        two = _ball_from(figure, middle, other, other_part, springs)
        if (one.centre - two.centre).length() > one.radius + two.radius:
            return True
    return _side_by_side(figure, ends, way)


def _side_by_side(figure: Figure, ends: Sequence[tuple[int, Part]], way: Sequence[int]) -> bool:
    """Whether all joints between two parts turn about parallel axes, along which the parts are apart."""
    joints = [figure.links[max(a, b) - 1] for a, b in pairwise(way)]
    if any(link.joint.kind not in ("rotary", "fixed") for link in joints):
        return False
    middle = min(way)
    poses = [dict(_rest_below(figure, middle, end)) for end, _ in ends]
    turning = [link for link in joints if link.joint.kind == "rotary"]
    axes = [(poses[0] | poses[1])[link.index].rotation @ Vector(*link.joint.axis) for link in turning]
    if not axes or any(axes[0].cross(axis).length() > PARALLEL for axis in axes):
        return False
    spans: list[tuple[float, float]] = []
    for (end, part), known in zip(ends, poses, strict=True):
        placed = known[end] @ Transform(Rotation(part.rotation), Vector(*part.position))
        spans.append((-float(reach(part.shape, placed, -axes[0])), float(reach(part.shape, placed, axes[0]))))
    (low, high), (other_low, other_high) = spans
    size = max(high - low, other_high - other_low)
    return max(low - other_high, other_low - high) > PARALLEL * size


def _rest_below(figure: Figure, middle: int, end: int) -> Iterator[tuple[int, Transform]]:
    """The poses of the links from one to another that hangs below it, with all joints at rest, in axes of the first."""
    pose = SAME
    yield middle, pose
    for link in reversed(figure.carriers(end)):
        if link.index > middle:
            pose = pose @ transform(link.joint, JOINTS[link.joint.kind].rest)
            yield link.index, pose


def part_ball(part: Part) -> Ball:
    """The ball about a part, in its link."""
    return ball(part.shape, Transform(Rotation(part.rotation), Vector(*part.position)))


def path(figure: Figure, link: int, other: int) -> list[int]:
    """The links from one to another through the tree, both included; through the world where there is no other way."""
    up = [*(carrier.index for carrier in figure.carriers(link)), WORLD]
    down = [*(carrier.index for carrier in figure.carriers(other)), WORLD]
    meeting = next(index for index in up if index in down)
    return [*up[: up.index(meeting) + 1], *reversed(down[: down.index(meeting)])]


def _ball_from(figure: Figure, middle: int, link: int, part: Part, springs: Mapping[str, Springs]) -> Ball:
    """A ball, in the axes of one link, that a part of another never leaves."""
    own, way = part_ball(part), path(figure, middle, link)
    if len(way) == 1:
        return own
    crossed = [_crossing(figure, a, b) for a, b in pairwise(way)]
    radius = own.radius + (own.centre - crossed[-1][2]).length()
    radius += sum((after[1] - before[2]).length() for before, after in pairwise(crossed))
    radius += sum(_slack(joint, springs) for joint, _, _ in crossed)
    return Ball(crossed[0][1], radius)


def _crossing(figure: Figure, near: int, far: int) -> tuple[PlacedLink, Vector, Vector]:
    """The joint between two links and where it is in the axes of the near and of the far one."""
    child = figure.links[max(near, far) - 1]
    at, origin = Vector(*child.joint.position), Vector(0.0, 0.0, 0.0)
    return (child, at, origin) if child.index == far else (child, origin, at)


def _slack(link: PlacedLink, springs: Mapping[str, Springs]) -> float:
    """How far a joint lets its link's origin slide from where it is at rest [m]."""
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
    if places and len(stops) != len(spring_places(kind)):
        return math.inf
    return scale * math.hypot(*(max(abs(stops[k].lower), abs(stops[k].upper)) for k in places))
