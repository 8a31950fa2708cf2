"""The pairs of parts of a figure that may touch, and the reasons why others may not.

They are found once, before the simulation.
"""

import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import Final, TypeAlias

from gambol.collide.broad.adjacent import Bodies, bodies_of
from gambol.collide.broad.at_rest import (
    Overlap,
    Pair,
    never_separable,
    overlapping,
    overlaps_at,
    poses_at,
    rest_poses,
    slides_between,
    touching_at,
)
from gambol.collide.broad.disjoint import always_disjoint
from gambol.figure import Figure, PlacedLink, Springs, may_touch

ONE_BODY: Final = "they are one body"
BOTH_FIXED: Final = "both are fixed to the world"
HELD_APART: Final = "the figure holds them apart"
EXCLUDED: Final = "they are excluded"
MASKED: Final = "their groups and masks forbid it"
ALWAYS_DISJOINT: Final = "they can never meet"
UNTESTED_NEIGHBOURS: Final = "neighbours, whose overlap is not tested"
OVERLAPPING_NEIGHBOURS: Final = "neighbours that overlap at rest"
OVERLAP_AT_REST: Final = "they overlap at rest"

LinkPair: TypeAlias = tuple[int, int]


class RestOverlapWarning(UserWarning):
    """Parts of a figure that may touch overlap where all joints are at rest; such pairs are left out."""


def allowed_pairs(
    figure: Figure,
    *,
    exclude: Iterable[tuple[str, str]] = (),
    springs: Mapping[str, Springs] | None = None,
    overlap: Overlap | None = overlapping,
    start: Sequence[float] = (),
) -> tuple[Pair, ...]:
    """Return the pairs of parts of a figure, or of a forest, that may touch, in the order of links and parts.

    Parts that do not collide are left out, and pairs for which exclusion_reasons() gives a reason. Arguments: see
    exclusion_reasons(). A RestOverlapWarning names the parts that overlap at rest, unless they are neighbours; naming
    their links in `exclude` silences it. Raises FigureError for unknown links.
    """
    return unexcluded_pairs(
        figure, exclusion_reasons(figure, exclude=exclude, springs=springs, overlap=overlap, start=start)
    )


def unexcluded_pairs(figure: Figure, reasons: Mapping[Pair, str]) -> tuple[Pair, ...]:
    """Return the pairs that no reason excludes, and warn of overlaps at rest.

    figure: the figure of the pairs. reasons: the result of exclusion_reasons(). Issues the RestOverlapWarning of
    allowed_pairs().
    """
    overlaps = [pair for pair, reason in reasons.items() if reason == OVERLAP_AT_REST]
    if overlaps:
        titles = "; ".join(pair.title(figure) for pair in overlaps)
        warnings.warn(
            f'figure "{figure.name}": {len(overlaps)} pairs of parts overlap at rest and will not touch: {titles}',
            RestOverlapWarning,
            stacklevel=3,
        )
    return tuple(pair for pair, reason in reasons.items() if not reason)


def exclusion_reasons(
    figure: Figure,
    *,
    exclude: Iterable[tuple[str, str]] = (),
    springs: Mapping[str, Springs] | None = None,
    overlap: Overlap | None = overlapping,
    start: Sequence[float] = (),
    extra_rule: Callable[[Pair], str] = lambda pair: "",
) -> dict[Pair, str]:
    """Return every pair of colliding parts of different links, with the reason why it is excluded, or "".

    The first of these reasons that applies is returned: `exclude` names the links, or the figure lists them in `apart`;
    they are one body, or both are fixed to the world; groups and masks of the parts forbid it; they cannot touch within
    the limits of the springs; the reason of `extra_rule`; they overlap at rest. Neighbours are links that a joint or a
    closure connects, also through massless links. They count as overlapping also if they touch at rest and no joint
    between them opens a gap, or if a closure connects them and they touch at `start`. Where joints let two links slide
    off each other in two directions, parts must overlap at `start` as well; with a free joint between them overlaps are
    not tested. For links that the figure lists in `paired`, only `apart` and `exclude` are tested.

    figure: a figure or a forest. exclude: pairs of link names. springs: springs by link name, of which only the limits
    are used. overlap: test whether two parts overlap whose bounding boxes do; None: no test, and all neighbours are
    excluded, which is faster. start: initial coordinates (nq); empty: rest. extra_rule: additional rule that returns a
    reason or "". Raises FigureError for unknown links.
    """
    apart = {_link_pair(figure, names): HELD_APART for names in figure.apart}
    apart |= {_link_pair(figure, names): EXCLUDED for names in exclude}
    paired, bodies = {_link_pair(figure, names) for names in figure.paired}, bodies_of(figure)
    reasons: dict[Pair, str] = {}
    for link, other in combinations(figure.links, 2):
        ends = (link.index, other.index)
        link_reason = apart.get(ends) or ("" if ends in paired else _link_reason(bodies, ends, overlap is None))
        for pair in _colliding(link, other):
            decided = link_reason or ends in paired
            reasons[pair] = link_reason if decided else _part_reason(figure, pair, springs or {}) or extra_rule(pair)
    if overlap is not None:
        open_pairs = [pair for pair, why in reasons.items() if not why and (pair.link, pair.other) not in paired]
        reasons |= _overlap_reasons(figure, bodies, open_pairs, overlap, start)
    return reasons


def _colliding(link: PlacedLink, other: PlacedLink) -> Iterable[Pair]:
    """Yield the pairs of colliding parts of two links."""
    for (i, part), (j, other_part) in product(enumerate(link.parts), enumerate(other.parts)):
        if part.colliding and other_part.colliding:
            yield Pair(link.index, i, other.index, j)


def _link_reason(bodies: Bodies, ends: LinkPair, exclude_neighbours: bool) -> str:
    """Return the reason why no parts of two links may touch, or ""."""
    if bodies.same_body(*ends):
        return ONE_BODY
    if bodies.fixed.issuperset(ends):
        return BOTH_FIXED
    return UNTESTED_NEIGHBOURS if exclude_neighbours and bodies.adjacent(*ends) else ""


def _part_reason(figure: Figure, pair: Pair, springs: Mapping[str, Springs]) -> str:
    """Return the reason why two parts may not touch, or ""."""
    part, other = pair.parts(figure)
    if not may_touch(part, other):
        return MASKED
    return ALWAYS_DISJOINT if always_disjoint(figure, ((pair.link, part), (pair.other, other)), springs) else ""


def _overlap_reasons(
    figure: Figure, bodies: Bodies, pairs: Sequence[Pair], overlap: Overlap, start: Sequence[float]
) -> dict[Pair, str]:
    """Return the pairs that may not touch because they overlap at rest or at the start, with the reason."""
    rest = rest_poses(figure)
    start_poses = poses_at(figure, {link.index: start[link.q] for link in figure.links}) if start else rest
    slides = {pair: slides_between(figure, pair) for pair in pairs}
    held_together, sliding = (
        [pair for pair in pairs if low <= slides[pair] < high] for low, high in ((0, 2), (2, math.inf))
    )
    overlaps = set(overlaps_at(figure, held_together, overlap, rest))
    overlaps |= set(overlaps_at(figure, overlaps_at(figure, sliding, overlap, rest), overlap, start_poses))
    overlaps |= set(never_separable(figure, [pair for pair in held_together if bodies.adjacent(pair.link, pair.other)]))
    overlaps |= set(
        touching_at(figure, [pair for pair in pairs if bodies.loop_adjacent(pair.link, pair.other)], start_poses)
    )
    adjacent = {pair for pair in overlaps if bodies.adjacent(pair.link, pair.other)}
    return {pair: OVERLAPPING_NEIGHBOURS if pair in adjacent else OVERLAP_AT_REST for pair in pairs if pair in overlaps}


def _link_pair(figure: Figure, names: tuple[str, str]) -> LinkPair:
    """Return the indices of two links by name, the lesser first."""
    low, high = sorted(figure.link(name).index for name in names)
    return low, high
