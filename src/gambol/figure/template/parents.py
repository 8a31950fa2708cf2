"""Parents as data: the parent of each link may differ between the worlds of a program.

    i is in the subtree of k   if k <= i <= reach_k        parent of i: the last such k < i

Links are numbered depth first, so the links of a subtree follow its root; the reach of a link is the number of the last
link of its subtree. Recursions get and add values at parents by these functions, so the same code works for fixed
and variable topologies.
"""

from collections.abc import MutableMapping, MutableSequence, Sequence
from typing import Protocol, Self, TypeVar

from gambol.figure.figure import WORLD, Figure
from gambol.figure.link import PlacedLink
from gambol.lanes import Scalar, leaves, unflatten, where

T = TypeVar("T")


class Summable(Protocol):
    """Values that can be added and scaled, such as forces."""

    def __add__(self, other: Self, /) -> Self: ...
    def __mul__(self, scale: Scalar, /) -> Self: ...


S = TypeVar("S", bound=Summable)


def has_variable_topology(figure: Figure) -> bool:
    """Return True if a figure's topology is data: then every link except the root has a reach."""
    return any(link.joint.reach is not None for link in figure.links)


def carries(figure: Figure, carrier: int, link: int) -> Scalar:
    """Return 1 if a link is in the subtree of a carrier or is the carrier, else 0; carrier, link: numbers from 1."""
    reach = figure.links[carrier - 1].joint.reach
    if reach is None and has_variable_topology(figure):  # the root
        return 1.0
    if reach is None:
        return 1.0 if any(other.index == carrier for other in figure.path_to_root(link)) else 0.0
    return 1.0 if carrier == link else where(reach >= float(link), 1.0, 0.0) if carrier < link else 0.0


def parents(figure: Figure, link: PlacedLink) -> list[tuple[int, Scalar]]:
    """Return (number, weight) of all candidates for a link's parent; the weight is 1 for the parent, else 0."""
    if link.joint.reach is None:
        return [(link.parent_index, 1.0)]
    remaining: Scalar = 1.0
    candidates: list[tuple[int, Scalar]] = []
    for k in reversed(range(2, link.index)):
        is_parent = remaining * carries(figure, k, link.index)
        candidates.append((k, is_parent))
        remaining = remaining - is_parent
    return [*candidates, (figure.root.index, remaining)]


def at_parent(figure: Figure, link: PlacedLink, values: Sequence[T]) -> T:
    """Return the value at a link's parent.

    values: for each link, by number, a pytree of scalars; the world has number 0.
    """
    if link.joint.reach is None:
        return values[link.parent_index]
    sums: list[Scalar] = [0.0] * len(leaves(values[WORLD]))
    for k, is_parent in parents(figure, link):
        sums = [total + is_parent * x for total, x in zip(sums, leaves(values[k]), strict=True)]
    return unflatten(values[figure.root.index], iter(sums))


def add_to_parent(
    figure: Figure, link: PlacedLink, values: MutableSequence[S] | MutableMapping[int, S], increment: S
) -> None:
    """Add an increment to the value at a link's parent; values: values of all links, by number."""
    for k, is_parent in parents(figure, link):
        values[k] = values[k] + increment * is_parent
