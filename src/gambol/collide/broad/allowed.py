"""Which parts of a figure may touch each other: decided once, from the figure, before anything moves."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from gambol.collide.broad.adjacent import bodies_of
from gambol.collide.broad.apart import never_meet
from gambol.collide.broad.balls import ball
from gambol.collide.broad.near import near
from gambol.collide.pairs import gaps
from gambol.figure import JOINTS, Figure, Part, Springs, may_touch
from gambol.figure.joint import transform
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.transform import SAME

SLIGHT = 1e-6  # of a ball about the smaller part: what is built to touch at rest may overlap by rounding


@dataclass(frozen=True, slots=True, order=True)
class Pair:
    """Two parts that may touch: each by the index of its link, from 1, and its place among the link's parts, from 0.

    link < other always.
    """

    link: int
    part: int
    other: int
    other_part: int

    def title(self, figure: Figure) -> str:
        """The pair in words, for messages."""
        one, two = figure.links[self.link - 1], figure.links[self.other - 1]
        kinds = one.parts[self.part].shape.kind, two.parts[self.other_part].shape.kind
        return f'"{one.name}" ({kinds[0]} {self.part + 1}) and "{two.name}" ({kinds[1]} {self.other_part + 1})'


class RestOverlapWarning(UserWarning):
    """Parts of a figure that may touch lie in each other where all joints are at rest; such pairs are left out."""


Ends: TypeAlias = tuple[int, int]
Overlap: TypeAlias = Callable[[Part, Transform, Part, Transform], bool]


def overlapping(one: Part, pose: Transform, other: Part, other_pose: Transform) -> bool:
    """Whether two parts lie in each other by more than a millionth of the smaller one's size."""
    least = min(ball(one.shape, pose).radius, ball(other.shape, other_pose).radius)
    return min(gap.size for gap in gaps(one.shape, pose, other.shape, other_pose)) < -SLIGHT * least


def allowed_pairs(
    figure: Figure,
    *,
    exclude: Iterable[tuple[str, str]] = (),
    springs: Mapping[str, Springs] | None = None,
    overlap: Overlap | None = overlapping,
) -> tuple[Pair, ...]:
    """The pairs of parts of a figure, or of a forest, that may touch, in the order of their links and parts.

    Left out are parts that do not collide; links that are one body, are tied by a joint or a closure, also through
    massless links, or are both fixed to the world; links that the figure holds apart or that `exclude` names; parts
    whose groups and masks forbid it; parts that can never meet within the limits of the springs; and, with a
    RestOverlapWarning that names them, parts that overlap at rest, unless a free joint is between them. Links that the
    figure pairs are only asked whether their parts collide. overlap: tells whether two parts whose boxes meet do
    overlap; None keeps those that do, and is quicker. Naming pairs in `exclude` silences the warning.
    Raises FigureError for links that are not there.
    """
    held = {_ends(figure, names) for names in (*figure.apart, *exclude)}
    paired = {_ends(figure, names) for names in figure.paired}
    found: list[Pair] = []
    for pair in _of_bodies(figure, held, paired):
        ends = (
            (pair.link, _part(figure, pair.link, pair.part)),
            (pair.other, _part(figure, pair.other, pair.other_part)),
        )
        if (pair.link, pair.other) in paired or not never_meet(figure, ends, springs or {}):
            found.append(pair)
    return tuple(found) if overlap is None else _without_overlaps(figure, found, paired, overlap)


def rest_poses(figure: Figure) -> tuple[Transform, ...]:
    """The pose of the world and of every link where all joints are at rest."""
    poses = [SAME]
    for link in figure.outward():
        poses.append(poses[link.parent_index] @ transform(link.joint, JOINTS[link.joint.kind].rest))
    return tuple(poses)


def overlaps_at_rest(figure: Figure, pairs: Iterable[Pair], overlap: Overlap) -> tuple[Pair, ...]:
    """Those of the pairs that lie in each other where all joints are at rest."""
    poses = rest_poses(figure)
    found: list[Pair] = []
    for pair in pairs:
        one, two = _part(figure, pair.link, pair.part), _part(figure, pair.other, pair.other_part)
        at, other_at = _placed(poses[pair.link], one), _placed(poses[pair.other], two)
        if near(one.shape, at, two.shape, other_at) and overlap(one, at, two, other_at):
            found.append(pair)
    return tuple(found)


def _of_bodies(figure: Figure, held: set[Ends], paired: set[Ends]) -> Iterator[Pair]:
    """All pairs of parts of links that are not held apart, and are far enough from each other or paired."""
    bodies = bodies_of(figure)
    for one, two in combinations(figure.links, 2):
        ends = (one.index, two.index)
        if ends in held or not (ends in paired or bodies.apart(*ends)):
            continue
        for i, part in enumerate(one.parts):
            for j, other in enumerate(two.parts):
                if (part.colliding and other.colliding) if ends in paired else may_touch(part, other):
                    yield Pair(one.index, i, two.index, j)


def _without_overlaps(figure: Figure, pairs: list[Pair], paired: set[Ends], overlap: Overlap) -> tuple[Pair, ...]:
    asked = (pair for pair in pairs if (pair.link, pair.other) not in paired and _at_home(figure, pair))
    inside = set(overlaps_at_rest(figure, asked, overlap))
    if inside:
        titles = "; ".join(pair.title(figure) for pair in sorted(inside))
        warnings.warn(
            f'figure "{figure.name}": {len(inside)} pairs of parts overlap at rest and will not touch: {titles}',
            RestOverlapWarning,
            stacklevel=3,
        )
    return tuple(pair for pair in pairs if pair not in inside)


def _at_home(figure: Figure, pair: Pair) -> bool:
    """Whether two links lie at rest as they were built: no free joint, which may start anywhere, is between them."""
    one, two = ({link.index: link for link in figure.carriers(end)} for end in (pair.link, pair.other))
    return all({**one, **two}[index].joint.kind != "free" for index in one.keys() ^ two.keys())


def _ends(figure: Figure, names: tuple[str, str]) -> Ends:
    """The links of these names by index, the lesser first."""
    one, two = sorted(figure.link(name).index for name in names)
    return one, two


def _part(figure: Figure, link: int, part: int) -> Part:
    return figure.links[link - 1].parts[part]


def _placed(pose: Transform, part: Part) -> Transform:
    return pose @ Transform(Rotation(part.rotation), Vector(*part.position))
