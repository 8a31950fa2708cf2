"""The assembly tree of divide and conquer: which links form pieces, and in which order pieces are joined in pairs.

From each link a path goes on to the child with the most descendants; the other children are branches, assembled first.
A path is halved recursively by the number of links with their branches, so on the way from a link to the whole figure
at least every second round doubles the assembly, for any tree. [Sleator and Tarjan 1983]
"""

from dataclasses import dataclass
from typing import TypeAlias

from gambol.figure import WORLD, Figure, PlacedLink


@dataclass(frozen=True, slots=True)
class Piece:
    """A body with the joint to the body before it.

    links: massless ones, whose joints act with the body's as one joint, and last the body. branches: the other
    assemblies on each of these links. weight: number of links, branches included.
    """

    links: tuple[PlacedLink, ...]
    branches: tuple[tuple["Assembly", ...], ...]
    weight: int

    @property
    def depth(self) -> int:
        """Number of dependent rounds: branches are assembled, then added up in pairs."""
        return 1 + max((branch.depth + _rounds(len(group)) for group in self.branches for branch in group), default=0)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two assemblies joined: the second hangs on the last body of the first."""

    first: "Assembly"
    second: "Assembly"

    @property
    def depth(self) -> int:
        """Number of dependent rounds until both are assembled and joined."""
        return 1 + max(self.first.depth, self.second.depth)


Assembly: TypeAlias = Piece | Pair


def assembly(figure: Figure) -> Assembly:
    """Return the assembly tree of a figure; its depth is logarithmic in the number of links."""
    children: dict[int, list[PlacedLink]] = {number: [] for number in range(len(figure.links) + 1)}
    sizes = dict.fromkeys(children, 0)
    for link in figure.inward():
        children[link.parent_index].insert(0, link)
        sizes[link.index] += 1
        sizes[link.parent_index] += sizes[link.index]
    (root,) = children[WORLD]
    return _path(figure, root, children, sizes)


def _path(figure: Figure, link: PlacedLink, children: dict[int, list[PlacedLink]], sizes: dict[int, int]) -> Assembly:
    """Return the assembly of a link and its subtree."""
    pieces: list[Piece] = []
    waiting: list[tuple[PlacedLink, tuple[Assembly, ...]]] = []
    on: PlacedLink | None = link
    while on is not None:
        heavy = max(children[on.index], key=lambda child: sizes[child.index], default=None)
        others = [child for child in children[on.index] if child is not heavy]
        waiting.append((on, tuple(_path(figure, other, children, sizes) for other in others)))
        mass = on.mass_properties.mass + sum(figure.distal_mass(other.index) for other in others)
        if heavy is None or mass:
            links, branches = zip(*waiting, strict=True)
            weight = sizes[links[0].index] - (sizes[heavy.index] if heavy else 0)
            pieces.append(Piece(tuple(links), tuple(branches), weight))
            waiting = []
        on = heavy
    return _halved(pieces)


def _halved(pieces: list[Piece]) -> Assembly:
    """Return consecutive pieces joined in pairs so that heavier ones take part in fewer rounds."""
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
    """Return the number of rounds to add up `count` terms and one more in pairs."""
    return count.bit_length()
