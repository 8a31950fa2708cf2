"""Parts of a figure that overlap at rest: most neighbours do, about the joint between them.

For neighbours that only touch at rest, a further test finds whether the joints between them can open a gap. Boxes end
to end with a hinge in the middle of the faces penetrate whichever way the hinge turns, so they count as overlapping; a
door and its frame, or a block that rests on a table and can be lifted off along a slide, do not.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from gambol.collide.broad.disjoint import part_ball, path
from gambol.collide.broad.near import near
from gambol.collide.pairs import gaps
from gambol.figure import JOINTS, Figure, Part, PlacedLink
from gambol.figure.joint import transform
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.motion import IDENTITY_TRANSFORM

OVERLAP_TOLERANCE = 1e-6  # fraction of the smaller part's radius: parts built to touch may overlap by rounding
TOUCHING_TOLERANCE = 1e-4  # fraction of the same radius: a smaller gap at rest counts as touching
PERTURBATION = 0.05
"""Motion of a degree of freedom to test neighbours that touch [rad, or fraction of the smaller part's radius].

It suffices for equal balls with a hinge where they touch: turned by 0.05 rad they overlap by 0.06 % of the radius.
"""

Overlap: TypeAlias = Callable[[Part, Transform, Part, Transform], bool]
"""Test whether two parts, each with its pose, overlap; called only if their bounding boxes overlap."""


@dataclass(frozen=True, slots=True, order=True)
class Pair:
    """Two parts that may touch: each by the index of its link, from 1, and its index among the link's parts, from 0.

    Always link < other.
    """

    link: int
    part: int
    other: int
    other_part: int

    def parts(self, figure: Figure) -> tuple[Part, Part]:
        """Return the two parts."""
        return figure.links[self.link - 1].parts[self.part], figure.links[self.other - 1].parts[self.other_part]

    def title(self, figure: Figure) -> str:
        """Return the pair in words, for messages."""
        link, other = figure.links[self.link - 1], figure.links[self.other - 1]
        kinds = [part.shape.kind for part in self.parts(figure)]
        return f'"{link.name}" ({kinds[0]} {self.part + 1}) and "{other.name}" ({kinds[1]} {self.other_part + 1})'


def overlapping(part: Part, pose: Transform, other: Part, other_pose: Transform) -> bool:
    """Return True if two parts penetrate by more than a millionth of the smaller one's radius."""
    return _gap(part, pose, other, other_pose) < -OVERLAP_TOLERANCE


def rest_poses(figure: Figure) -> tuple[Transform, ...]:
    """Return the poses of the world and of every link with all joints at rest."""
    return poses_at(figure, {})


def poses_at(figure: Figure, q: Mapping[int, Sequence[float]]) -> tuple[Transform, ...]:
    """Return the poses of the world and of every link. q: coordinates by link index; other joints are at rest."""
    poses = [IDENTITY_TRANSFORM]
    for link in figure.outward():
        joint = transform(link.joint, q.get(link.index, JOINTS[link.joint.kind].rest))
        poses.append(poses[link.parent_index] @ joint)
    return tuple(poses)


def overlaps_at(
    figure: Figure, pairs: Iterable[Pair], overlap: Overlap, poses: Sequence[Transform]
) -> tuple[Pair, ...]:
    """Return the pairs that overlap in a posture. overlap: the test. poses: poses of the world and of every link."""
    result: list[Pair] = []
    for pair in pairs:
        (part, pose), (other, other_pose) = _placed(figure, pair, poses)
        if near(part.shape, pose, other.shape, other_pose) and overlap(part, pose, other, other_pose):
            result.append(pair)
    return tuple(result)


def overlaps_at_rest(figure: Figure, pairs: Iterable[Pair], overlap: Overlap) -> tuple[Pair, ...]:
    """Return the pairs that overlap where all joints are at rest."""
    return overlaps_at(figure, pairs, overlap, rest_poses(figure))


def touching_at(figure: Figure, pairs: Iterable[Pair], poses: Sequence[Transform]) -> tuple[Pair, ...]:
    """Return the pairs that touch or overlap in a posture; poses: poses of the world and of every link."""
    result: list[Pair] = []
    for pair in pairs:
        (part, pose), (other, other_pose) = _placed(figure, pair, poses)
        if near(part.shape, pose, other.shape, other_pose, TOUCHING_TOLERANCE * _smaller_radius(part, other)):
            result += [pair] if _gap(part, pose, other, other_pose) <= TOUCHING_TOLERANCE else []
    return tuple(result)


def never_separable(figure: Figure, pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    """Return the pairs that touch at rest, penetrate in both directions of some freedom, and separate along none."""
    result: list[Pair] = []
    for pair in touching_at(figure, pairs, rest_poses(figure)):
        gap_pairs = [[_gap_at(figure, pair, q) for q in postures] for postures in _perturbed(figure, pair)]
        penetrates = any(max(gap_pair) < -TOUCHING_TOLERANCE for gap_pair in gap_pairs)
        if penetrates and max(gap for gap_pair in gap_pairs for gap in gap_pair) <= TOUCHING_TOLERANCE:
            result.append(pair)
    return tuple(result)


def slides_between(figure: Figure, pair: Pair) -> float:
    """Return the number of directions in which joints let the links of a pair slide; infinity with a free joint.

    With two or more the links may slide off each other: parts that overlap at rest may be apart in the initial posture.
    """
    slides = 0.0
    for link in joints_between(figure, pair):
        kind = JOINTS[link.joint.kind]
        slides += math.inf if kind.is_free else kind.slides
    return slides


def joints_between(figure: Figure, pair: Pair) -> list[PlacedLink]:
    """Return the links whose joints lie on the path between the links of a pair."""
    return [figure.links[max(a, b) - 1] for a, b in pairwise(path(figure, pair.link, pair.other))]


def _perturbed(figure: Figure, pair: Pair) -> Iterator[list[Mapping[int, Sequence[float]]]]:
    """Yield pairs of postures near rest: a freedom of a joint between two links is moved slightly both ways."""
    size = _smaller_radius(*pair.parts(figure))
    for link in joints_between(figure, pair):
        kind = JOINTS[link.joint.kind]
        for freedom, unit in enumerate(kind.v_units):
            x = [0.0] * kind.nv
            x[freedom] = PERTURBATION * (size if unit == "m/s" else 1.0)
            yield [{link.index: kind.integrate(kind.rest, increment)} for increment in (x, [-c for c in x])]


def _gap_at(figure: Figure, pair: Pair, q: Mapping[int, Sequence[float]]) -> float:
    """Return the gap between the parts of a pair in a posture, divided by the smaller one's radius."""
    (part, pose), (other, other_pose) = _placed(figure, pair, poses_at(figure, q))
    return _gap(part, pose, other, other_pose)


def _gap(part: Part, pose: Transform, other: Part, other_pose: Transform) -> float:
    """Return the least gap between two parts divided by the radius of the smaller one; negative if they overlap."""
    return min(gap.size for gap in gaps(part.shape, pose, other.shape, other_pose)) / _smaller_radius(part, other)


def _smaller_radius(part: Part, other: Part) -> float:
    """Return the radius of the bounding ball of the smaller one of two parts [m]."""
    return min(part_ball(part).radius, part_ball(other).radius)


def _placed(
    figure: Figure, pair: Pair, poses: Sequence[Transform]
) -> tuple[tuple[Part, Transform], tuple[Part, Transform]]:
    """Return the parts of a pair, each with its pose in the world."""
    part, other = pair.parts(figure)
    return (part, _part_pose(poses[pair.link], part)), (other, _part_pose(poses[pair.other], other))


def _part_pose(pose: Transform, part: Part) -> Transform:
    return pose @ Transform(Rotation(part.rotation), Vector(*part.position))
