"""What hangs on what, where that may differ between worlds: parents as data.

    k carries i   k <= i <= reach_k           parent of i: the last k < i that carries i

Links are numbered so that whatever a link carries follows it; the reach of a link is the number of the last of them.
Where a recursion reads or adds to what is at a link's parent it asks here, and so is the same for both kinds of trees.
"""

from collections.abc import MutableMapping, MutableSequence, Sequence
from typing import Protocol, Self, TypeVar

from gambol.figure.figure import WORLD, Figure
from gambol.figure.link import PlacedLink
from gambol.lanes import Scalar, leaves, rebuilt, where

T = TypeVar("T")


class Summed(Protocol):
    """What adds up and scales, like forces."""

    def __add__(self, other: Self, /) -> Self: ...
    def __mul__(self, scale: Scalar, /) -> Self: ...


S = TypeVar("S", bound=Summed)


def told(figure: Figure) -> bool:
    """Whether a figure's tree is data: then its links but the root say how far they reach."""
    return any(link.joint.reach is not None for link in figure.links)


def carries(figure: Figure, carrier: int, link: int) -> Scalar:
    """1 where the link of the first number carries that of the second or is it, else 0; neither is the world."""
    reach = figure.links[carrier - 1].joint.reach
    if reach is None and told(figure):  # the root
        return 1.0
    if reach is None:
        return 1.0 if any(one.index == carrier for one in figure.carriers(link)) else 0.0
    return 1.0 if carrier == link else where(reach >= float(link), 1.0, 0.0) if carrier < link else 0.0


def parents(figure: Figure, link: PlacedLink) -> list[tuple[int, Scalar]]:
    """The numbers of the links that may be a link's parent, and 1 for the one that is, 0 for the others."""
    if link.joint.reach is None:
        return [(link.parent_index, 1.0)]
    left: Scalar = 1.0
    found: list[tuple[int, Scalar]] = []
    for k in reversed(range(2, link.index)):
        is_it = left * carries(figure, k, link.index)
        found.append((k, is_it))
        left = left - is_it
    return [*found, (figure.root.index, left)]


def at_parent(figure: Figure, link: PlacedLink, each: Sequence[T]) -> T:
    """What is at a link's parent, of a nest of scalars at each link by number; the world has number 0."""
    if link.joint.reach is None:
        return each[link.parent_index]
    sums: list[Scalar] = [0.0] * len(leaves(each[WORLD]))
    for k, is_it in parents(figure, link):
        sums = [total + is_it * x for total, x in zip(sums, leaves(each[k]), strict=True)]
    return rebuilt(each[figure.root.index], iter(sums))


def give_parent(figure: Figure, link: PlacedLink, each: MutableSequence[S] | MutableMapping[int, S], more: S) -> None:
    """Add to what is at a link's parent, of what is at each link by number."""
    for k, is_it in parents(figure, link):
        each[k] = each[k] + more * is_it
