"""The few contacts of a step among the many that may be: those with the smallest gaps.

A step has room for so many contacts, for work and memory must not depend on what happens. A figure with more places to
touch with fills them anew in every step with those that are deepest or nearest, of equals the earlier. What finds no
room is deeper in the next step and found then; its impulse goes with it from place to place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.contact.stepping.meeting import Meeting
from gambol.figure import Figure
from gambol.lanes import Scalar, where
from gambol.spatial import Vector

NONE = -1.0
"""The number of the contact of a place that has none."""

FAR = 1e3
"""The gap of what has been chosen already, or is not there [m]: as collide.gap.FAR."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A contact that may be, between a link of this number and another or the world, 0; the rest as of a Meeting."""

    link: int
    other: int
    point: Vector
    normal: Vector
    gap: Scalar
    friction: Scalar
    restitution: Scalar = 0.0
    held: Scalar | None = None


def nearest(figure: Figure, candidates: Sequence[Candidate], room: int) -> tuple[list[Meeting], list[Scalar]]:
    """The contacts with the smallest gaps, as many as there is room for, and their numbers among the candidates."""
    order, last = numbered_depth_first(figure)
    gaps = [one.gap for one in candidates]
    meetings: list[Meeting] = []
    numbers: list[Scalar] = []
    for _ in range(room):
        number, least = _smallest(gaps)
        picks = [number == float(i) for i in range(len(gaps))]
        gaps = [where(pick, FAR, gap) for pick, gap in zip(picks, gaps, strict=True)]
        meetings.append(_picked(figure, candidates, picks, least, order, last))
        numbers.append(number)
    return meetings, numbers


def _smallest(gaps: Sequence[Scalar]) -> tuple[Scalar, Scalar]:
    """Number and size of the smallest gap, of equals the first."""
    number, least = 0.0, gaps[0]
    for i, gap in enumerate(gaps[1:], start=1):
        less = gap < least
        number, least = where(less, float(i), number), where(less, gap, least)
    return number, least


def _picked(
    figure: Figure,
    candidates: Sequence[Candidate],
    picks: Sequence[Scalar],
    gap: Scalar,
    order: Mapping[int, int],
    last: Mapping[int, int],
) -> Meeting:
    """The meeting of the candidate that is picked."""

    def of(values: Sequence[Scalar]) -> Scalar:
        kept = values[0]
        for pick, value in zip(picks[1:], values[1:], strict=True):
            kept = where(pick, value, kept) if value is not values[0] else kept
        return kept

    def vector(values: Sequence[Vector]) -> Vector:
        return Vector.of([of(part) for part in zip(*values, strict=True)])

    here, there = (of([float(order[getattr(c, side)]) for c in candidates]) for side in ("link", "other"))
    both_move = any(c.other for c in candidates)
    carried: dict[int, Scalar] = {}
    for link in figure.links:
        first, final = float(order[link.index]), float(last[link.index])
        sign = where((here >= first) & (here <= final), 1.0, 0.0)
        carried[link.index] = sign - where((there >= first) & (there <= final), 1.0, 0.0) if both_move else sign
    held = None if candidates[0].held is None else of([0.0 if c.held is None else c.held for c in candidates])
    return Meeting(
        carried,
        vector([c.point for c in candidates]),
        vector([c.normal for c in candidates]),
        gap,
        of([c.friction for c in candidates]),
        of([c.restitution for c in candidates]),
        held,
    )


def numbered_depth_first(figure: Figure) -> tuple[dict[int, int], dict[int, int]]:
    """New numbers of all links in which whatever a link carries follows it, and the last of what each carries.

    The world keeps 0, which no link carries.
    """
    order, last = {0: 0}, dict[int, int]()
    waiting = [link.index for link in figure.links if not link.parent_index]
    while waiting:
        index = waiting.pop()
        order[index] = len(order)
        waiting += [link.index for link in figure.inward() if link.parent_index == index]
    for link in figure.inward():
        own = max(last.get(link.index, 0), order[link.index])
        last[link.index] = own
        last[link.parent_index] = max(last.get(link.parent_index, 0), own)
    return order, last


def followed(
    numbers: Sequence[Scalar], before: Sequence[Scalar], impulses: Sequence[Sequence[Scalar]]
) -> list[list[Scalar]]:
    """Impulses of the step before for contacts of these numbers, whose numbers were others then; 0 for new ones."""
    found: list[list[Scalar]] = []
    for number in numbers:
        mine: list[Scalar] = [0.0] * 3
        for old, impulse in zip(before, impulses, strict=True):
            same = number == old
            mine = [where(same, x, y) for x, y in zip(impulse, mine, strict=True)]
        found.append(mine)
    return found
