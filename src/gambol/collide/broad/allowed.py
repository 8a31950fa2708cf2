"""Which parts of a figure may touch each other, and why others may not: decided once, before anything moves."""

import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import Final, TypeAlias

from gambol.collide.broad.adjacent import Bodies, bodies_of
from gambol.collide.broad.apart import never_meet
from gambol.collide.broad.at_rest import (
    Overlap,
    Pair,
    never_open,
    overlapping,
    overlaps_at,
    poses_at,
    rest_poses,
    slides_between,
    touching_at,
)
from gambol.figure import Figure, PlacedLink, Springs, may_touch

ONE_BODY: Final = "they are one body"
STILL: Final = "both are fixed to the world"
HELD_APART: Final = "the figure holds them apart"
EXCLUDED: Final = "they are excluded"
MASKED: Final = "their groups and masks forbid it"
NEVER: Final = "they can never meet"
NEIGHBOURS: Final = "neighbours, which are not asked whether they overlap"
JOINED: Final = "neighbours that overlap at rest"
OVERLAP: Final = "they overlap at rest"

Ends: TypeAlias = tuple[int, int]


class RestOverlapWarning(UserWarning):
    """Parts of a figure that may touch lie in each other where all joints are at rest; such pairs are left out."""


def allowed_pairs(
    figure: Figure,
    *,
    exclude: Iterable[tuple[str, str]] = (),
    springs: Mapping[str, Springs] | None = None,
    overlap: Overlap | None = overlapping,
    start: Sequence[float] = (),
) -> tuple[Pair, ...]:
    """The pairs of parts of a figure, or of a forest, that may touch, in the order of their links and parts.

    Left out are parts that do not collide, and the pairs that pair_reasons() gives a reason for, with the same
    arguments. Of parts that overlap at rest a RestOverlapWarning tells, unless they are neighbours; naming their links
    in `exclude` silences it. Raises FigureError for links that are not there.
    """
    return meeting(figure, pair_reasons(figure, exclude=exclude, springs=springs, overlap=overlap, start=start))


def meeting(figure: Figure, reasons: Mapping[Pair, str]) -> tuple[Pair, ...]:
    """The pairs without a reason, as of pair_reasons(); with the RestOverlapWarning of allowed_pairs()."""
    inside = [pair for pair, why in reasons.items() if why == OVERLAP]
    if inside:
        titles = "; ".join(pair.title(figure) for pair in inside)
        warnings.warn(
            f'figure "{figure.name}": {len(inside)} pairs of parts overlap at rest and will not touch: {titles}',
            RestOverlapWarning,
            stacklevel=3,
        )
    return tuple(pair for pair, why in reasons.items() if not why)


def pair_reasons(
    figure: Figure,
    *,
    exclude: Iterable[tuple[str, str]] = (),
    springs: Mapping[str, Springs] | None = None,
    overlap: Overlap | None = overlapping,
    start: Sequence[float] = (),
    refuse: Callable[[Pair], str] = lambda pair: "",
) -> dict[Pair, str]:
    """Every pair of colliding parts of different links, with the reason why they may not touch, or "" if they may.

    The reasons: the links are one body, or both are fixed to the world; the figure holds them apart, or `exclude` names
    them; groups and masks of the parts forbid it; they can never meet within the limits of the springs; what `refuse`
    says; they overlap at rest. Neighbours, links that a joint or a closure ties together, also through massless links,
    overlap as well if they touch at rest and no joint between them opens a gap, or if a closure ties them and they
    touch at `start` (nq), where the figure begins (empty: at rest). Where joints let two links slide off each other in
    two directions, parts must overlap at the start as well; with a free joint between they are not asked. Links that
    the figure pairs are only asked whether it holds them apart.
    overlap: tells whether two parts whose bounding boxes meet do overlap. None: no parts are asked, and all neighbours
    are left out, which is quicker. Raises FigureError for links that are not there.
    """
    apart = {_ends(figure, names): HELD_APART for names in figure.apart}
    apart |= {_ends(figure, names): EXCLUDED for names in exclude}
    paired, bodies = {_ends(figure, names) for names in figure.paired}, bodies_of(figure)
    reasons: dict[Pair, str] = {}
    for one, two in combinations(figure.links, 2):
        ends = (one.index, two.index)
        of_links = apart.get(ends) or ("" if ends in paired else _of_bodies(bodies, ends, overlap is None))
        for pair in _colliding(one, two):
            named = of_links or ends in paired
            reasons[pair] = of_links if named else _of_parts(figure, pair, springs or {}) or refuse(pair)
    if overlap is not None:
        asked = [pair for pair, why in reasons.items() if not why and (pair.link, pair.other) not in paired]
        reasons |= _of_overlaps(figure, bodies, asked, overlap, start)
    return reasons


def _colliding(one: PlacedLink, two: PlacedLink) -> Iterable[Pair]:
    """The pairs of parts of two links that both collide with something."""
    for (i, part), (j, other) in product(enumerate(one.parts), enumerate(two.parts)):
        if part.colliding and other.colliding:
            yield Pair(one.index, i, two.index, j)


def _of_bodies(bodies: Bodies, ends: Ends, quick: bool) -> str:
    """Why two links may not touch, whatever their parts; quick: no neighbours do."""
    if bodies.one(*ends):
        return ONE_BODY
    if bodies.still.issuperset(ends):
        return STILL
    return NEIGHBOURS if quick and bodies.tied(*ends) else ""


def _of_parts(figure: Figure, pair: Pair, springs: Mapping[str, Springs]) -> str:
    """Why two parts may not touch, whatever their links."""
    one, two = pair.parts(figure)
    if not may_touch(one, two):
        return MASKED
    return NEVER if never_meet(figure, ((pair.link, one), (pair.other, two)), springs) else ""


def _of_overlaps(
    figure: Figure, bodies: Bodies, pairs: Sequence[Pair], overlap: Overlap, start: Sequence[float]
) -> dict[Pair, str]:
    """Those of the pairs that may not touch because they overlap where the figure is built, or where it begins."""
    rest = rest_poses(figure)
    begun = poses_at(figure, {link.index: start[link.q] for link in figure.links}) if start else rest
    slides = {pair: slides_between(figure, pair) for pair in pairs}
    held, sliding = ([pair for pair in pairs if low <= slides[pair] < high] for low, high in ((0, 2), (2, math.inf)))
    inside = set(overlaps_at(figure, held, overlap, rest))
    inside |= set(overlaps_at(figure, overlaps_at(figure, sliding, overlap, rest), overlap, begun))
    inside |= set(never_open(figure, [pair for pair in held if bodies.tied(pair.link, pair.other)]))
    inside |= set(touching_at(figure, [pair for pair in pairs if bodies.closed(pair.link, pair.other)], begun))
    tied = {pair for pair in inside if bodies.tied(pair.link, pair.other)}
    return {pair: JOINED if pair in tied else OVERLAP for pair in pairs if pair in inside}


def _ends(figure: Figure, names: tuple[str, str]) -> Ends:
    """The links of these names by index, the lesser first."""
    one, two = sorted(figure.link(name).index for name in names)
    return one, two
