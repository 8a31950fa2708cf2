"""How a tree is put together in few rounds: which links make one piece, and which pieces are joined when.

From each link a path goes on to the child that carries most links; the other children are branches, put together
before. A path is halved, and its halves again, each by the number of links with their branches: so on the way from a
link to the whole figure every other round at least doubles what is together, on any tree. [Sleator and Tarjan 1983]
"""

from dataclasses import dataclass
from typing import TypeAlias

from gambol.figure import WORLD, Figure, PlacedLink


@dataclass(frozen=True, slots=True)
class Piece:
    """A body with the joint that ties it to the one before.

    links: massless ones, whose joints act with the body's as one joint, and last the body. branches: what else hangs
    on each of these. weight: number of links, branches included.
    """

    links: tuple[PlacedLink, ...]
    branches: tuple[tuple["Assembly", ...], ...]
    weight: int

    @property
    def depth(self) -> int:
        """Rounds until it is there: branches are put together, then added up in pairs."""
        return 1 + max((there.depth + _rounds(len(every)) for every in self.branches for there in every), default=0)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two assemblies joined into one: the second hangs on the last body of the first."""

    first: "Assembly"
    second: "Assembly"

    @property
    def depth(self) -> int:
        """Rounds until both are there and joined."""
        return 1 + max(self.first.depth, self.second.depth)


Assembly: TypeAlias = Piece | Pair


def assembly(figure: Figure) -> Assembly:
    """The plan by which a figure is put together; its depth grows with the logarithm of the number of links."""
    children: dict[int, list[PlacedLink]] = {number: [] for number in range(len(figure.links) + 1)}
    carried = dict.fromkeys(children, 0)
    for link in figure.inward():
        children[link.parent_index].insert(0, link)
        carried[link.index] += 1
        carried[link.parent_index] += carried[link.index]
    (root,) = children[WORLD]
    return _path(figure, root, children, carried)


def _path(figure: Figure, link: PlacedLink, children: dict[int, list[PlacedLink]], carried: dict[int, int]) -> Assembly:
    """The assembly of a link and all that it carries."""
    pieces: list[Piece] = []
    held: list[tuple[PlacedLink, tuple[Assembly, ...]]] = []
    on: PlacedLink | None = link
    while on is not None:
        heir = max(children[on.index], key=lambda child: carried[child.index], default=None)
        others = [child for child in children[on.index] if child is not heir]
        held.append((on, tuple(_path(figure, other, children, carried) for other in others)))
        mass = on.mass_properties.mass + sum(figure.distal_mass(other.index) for other in others)
        if heir is None or mass:
            links, branches = zip(*held, strict=True)
            weight = carried[links[0].index] - (carried[heir.index] if heir else 0)
            pieces.append(Piece(tuple(links), tuple(branches), weight))
            held = []
        on = heir
    return _halved(pieces)


def _halved(pieces: list[Piece]) -> Assembly:
    """Consecutive pieces joined so that the heavier ones take part in fewer rounds."""
    if len(pieces) == 1:
        return pieces[0]
    total, before = sum(piece.weight for piece in pieces), 0
    uneven: list[int] = []
    for piece in pieces[:-1]:
        before += piece.weight
        uneven.append(abs(total - 2 * before))
    cut = 1 + uneven.index(min(uneven))
    return Pair(_halved(pieces[:cut]), _halved(pieces[cut:]))


def _rounds(count: int) -> int:
    """How often numbers can be added up in pairs until one is left, with one more to add them to."""
    return count.bit_length()
