"""Which parts of a figure overlap where it is built, at rest: most neighbours do, about the joint between them.

Neighbours that only touch at rest are asked one thing more: whether the joints between them can open a gap. Boxes end
to end with a hinge in the middle of the faces dig into each other whichever way the hinge turns, so they count as
overlapping; a door and its frame, or a block that rests on a table and can be lifted off along a slide, do not.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from gambol.collide.broad.apart import SLIDES, part_ball, path
from gambol.collide.broad.near import near
from gambol.collide.pairs import gaps
from gambol.figure import JOINTS, Figure, Part, PlacedLink
from gambol.figure.joint import transform
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.transform import SAME

SLIGHT = 1e-6  # of a ball about the smaller part: what is built to touch at rest may overlap by rounding
TOUCHING = 1e-4  # of the same: a gap at rest below this counts as touching
NUDGE = 0.05  # rad, or of the same ball: turning about the point where two balls touch overlaps them by 0.03 %

Overlap: TypeAlias = Callable[[Part, Transform, Part, Transform], bool]
"""Whether two parts whose bounding boxes meet overlap, each in a pose."""


@dataclass(frozen=True, slots=True, order=True)
class Pair:
    """Two parts that may touch: each by the index of its link, from 1, and its place among the link's parts, from 0.

    link < other always.
    """

    link: int
    part: int
    other: int
    other_part: int

    def parts(self, figure: Figure) -> tuple[Part, Part]:
        """The two parts."""
        return figure.links[self.link - 1].parts[self.part], figure.links[self.other - 1].parts[self.other_part]

    def title(self, figure: Figure) -> str:
        """The pair in words, for messages."""
        one, two = figure.links[self.link - 1], figure.links[self.other - 1]
        kinds = [part.shape.kind for part in self.parts(figure)]
        return f'"{one.name}" ({kinds[0]} {self.part + 1}) and "{two.name}" ({kinds[1]} {self.other_part + 1})'


def overlapping(one: Part, pose: Transform, other: Part, other_pose: Transform) -> bool:
    """Whether two parts lie in each other by more than a millionth of the smaller one's size."""
    return _gap(one, pose, other, other_pose) < -SLIGHT


def rest_poses(figure: Figure) -> tuple[Transform, ...]:
    """The pose of the world and of every link where all joints are at rest."""
    return poses_at(figure, {})


def poses_at(figure: Figure, q: Mapping[int, Sequence[float]]) -> tuple[Transform, ...]:
    """The pose of the world and of every link; q: of joints by index of link, the other joints are at rest."""
    poses = [SAME]
    for link in figure.outward():
        joint = transform(link.joint, q.get(link.index, JOINTS[link.joint.kind].rest))
        poses.append(poses[link.parent_index] @ joint)
    return tuple(poses)


def overlaps_at(
    figure: Figure, pairs: Iterable[Pair], overlap: Overlap, poses: Sequence[Transform]
) -> tuple[Pair, ...]:
    """Those of the pairs that overlap in a posture; poses: of the world and of every link."""
    found: list[Pair] = []
    for pair in pairs:
        (one, at), (two, other_at) = _placed(figure, pair, poses)
        if near(one.shape, at, two.shape, other_at) and overlap(one, at, two, other_at):
            found.append(pair)
    return tuple(found)


def overlaps_at_rest(figure: Figure, pairs: Iterable[Pair], overlap: Overlap) -> tuple[Pair, ...]:
    """Those of the pairs that overlap where all joints are at rest."""
    return overlaps_at(figure, pairs, overlap, rest_poses(figure))


def touching_at(figure: Figure, pairs: Iterable[Pair], poses: Sequence[Transform]) -> tuple[Pair, ...]:
    """Those of the pairs that touch or overlap in a posture; poses: of the world and of every link."""
    found: list[Pair] = []
    for pair in pairs:
        (one, at), (two, other_at) = _placed(figure, pair, poses)
        if near(one.shape, at, two.shape, other_at, TOUCHING * _least(one, two)):
            found += [pair] if _gap(one, at, two, other_at) <= TOUCHING else []
    return tuple(found)


def never_open(figure: Figure, pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    """Those of the pairs that touch at rest, overlap whichever way some joint between them moves, and never part."""
    found: list[Pair] = []
    for pair in touching_at(figure, pairs, rest_poses(figure)):
        ways = [[_gap_at(figure, pair, q) for q in both] for both in _nudged(figure, pair)]
        stuck = any(max(both) < -TOUCHING for both in ways)
        if stuck and max(gap for both in ways for gap in both) <= TOUCHING:
            found.append(pair)
    return tuple(found)


def slides_between(figure: Figure, pair: Pair) -> float:
    """In how many directions joints let the two links of a pair slide along each other; infinity with a free joint.

    Where it is two or more, they may slide off each other, and where they lie at rest says little of where they begin.
    """
    slides = 0.0
    for link in joints_between(figure, pair):
        kind = link.joint.kind
        slides += math.inf if kind == "free" else len(SLIDES.get(kind, ()))
    return slides


def joints_between(figure: Figure, pair: Pair) -> list[PlacedLink]:
    """The links whose joints lie on the way from one link of a pair to the other."""
    return [figure.links[max(a, b) - 1] for a, b in pairwise(path(figure, pair.link, pair.other))]


def _nudged(figure: Figure, pair: Pair) -> Iterator[list[Mapping[int, Sequence[float]]]]:
    """Postures near rest: for each freedom of the joints between two links one where it moved a little, either way."""
    size = _least(*pair.parts(figure))
    for link in joints_between(figure, pair):
        kind = JOINTS[link.joint.kind]
        for freedom, unit in enumerate(kind.v_units):
            x = [0.0] * kind.nv
            x[freedom] = NUDGE * (size if unit == "m/s" else 1.0)
            yield [{link.index: kind.displaced(kind.rest, way)} for way in (x, [-c for c in x])]


def _gap_at(figure: Figure, pair: Pair, q: Mapping[int, Sequence[float]]) -> float:
    """The gap between the parts of a pair in a posture, over the smaller one's size."""
    (one, at), (two, other_at) = _placed(figure, pair, poses_at(figure, q))
    return _gap(one, at, two, other_at)


def _gap(one: Part, pose: Transform, other: Part, other_pose: Transform) -> float:
    """The least gap between two parts over the radius of the ball about the smaller one; negative in an overlap."""
    return min(gap.size for gap in gaps(one.shape, pose, other.shape, other_pose)) / _least(one, other)


def _least(one: Part, other: Part) -> float:
    """The radius of the ball about the smaller one of two parts [m]."""
    return min(part_ball(one).radius, part_ball(other).radius)


def _placed(
    figure: Figure, pair: Pair, poses: Sequence[Transform]
) -> tuple[tuple[Part, Transform], tuple[Part, Transform]]:
    """The parts of a pair, each with its pose in the world."""
    one, two = pair.parts(figure)
    return (one, _part_pose(poses[pair.link], one)), (two, _part_pose(poses[pair.other], two))


def _part_pose(pose: Transform, part: Part) -> Transform:
    return pose @ Transform(Rotation(part.rotation), Vector(*part.position))
