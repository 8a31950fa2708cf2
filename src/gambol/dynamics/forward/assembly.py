"""The assembly tree of divide and conquer: the links of each piece, and the order in which pieces are joined in pairs.

The tree is decomposed into heavy paths: a path continues to the child with the most descendants, the heavy child. The
other children are branches, assembled first. A path is halved recursively by the number of its links and branches. So
the depth of the assembly tree is logarithmic in the number of links, for any figure. [Sleator and Tarjan 1983]
"""

from dataclasses import dataclass
from typing import TypeAlias

from gambol.figure import WORLD, Figure, PlacedLink


@dataclass(frozen=True, slots=True)
class Piece:
    """A body with the compound joint between it and the previous body of its path.

    links: the massless links of the compound joint, then the body. branches: for each of these links, the assemblies of
    its children that are not on the path. weight: number of links, branches included.
    """

    links: tuple[PlacedLink, ...]
    branches: tuple[tuple["Assembly", ...], ...]
    weight: int

    @property
    def depth(self) -> int:
        """Number of dependent rounds: branches are assembled, then summed in pairs."""
        return 1 + max(
            (branch.depth + _sum_rounds(len(group)) for group in self.branches for branch in group), default=0
        )


@dataclass(frozen=True, slots=True)
class Pair:
    """Two joined assemblies; the parent of the second assembly is the last body of the first."""

    first: "Assembly"
    second: "Assembly"

    @property
    def depth(self) -> int:
        """Number of dependent rounds until both are assembled and joined."""
        return 1 + max(self.first.depth, self.second.depth)


Assembly: TypeAlias = Piece | Pair


def assembly_tree(figure: Figure) -> Assembly:
    """Return the assembly tree of a figure; its depth is logarithmic in the number of links."""
    children: dict[int, list[PlacedLink]] = {index: [] for index in range(len(figure.links) + 1)}
    sizes = dict.fromkeys(children, 0)
    for link in figure.inward():
        children[link.parent_index].insert(0, link)
        sizes[link.index] += 1
        sizes[link.parent_index] += sizes[link.index]
    (root,) = children[WORLD]
    return _path(figure, root, children, sizes)


def _path(figure: Figure, link: PlacedLink, children: dict[int, list[PlacedLink]], sizes: dict[int, int]) -> Assembly:
    """Return the assembly of a link and its subtree.

    children, sizes: children of each link, and sizes of their subtrees.
    """
    pieces: list[Piece] = []
    pending: list[tuple[PlacedLink, tuple[Assembly, ...]]] = []
    current: PlacedLink | None = link
    while current is not None:
        heavy_child = max(children[current.index], key=lambda child: sizes[child.index], default=None)
        light_children = [child for child in children[current.index] if child is not heavy_child]
        pending.append((current, tuple(_path(figure, child, children, sizes) for child in light_children)))
        mass = current.mass_properties.mass + sum(figure.distal_mass(child.index) for child in light_children)
        if heavy_child is None or mass:
            links, branches = zip(*pending, strict=True)
            weight = sizes[links[0].index] - (sizes[heavy_child.index] if heavy_child else 0)
            pieces.append(Piece(tuple(links), tuple(branches), weight))
            pending = []
        current = heavy_child
    return _halved(pieces)


def _halved(pieces: list[Piece]) -> Assembly:
    """Return consecutive pieces joined in pairs; pieces with more links are joined in later rounds."""
    if len(pieces) == 1:
        return pieces[0]
    total, weight_before = sum(piece.weight for piece in pieces), 0
    imbalances: list[int] = []
    for piece in pieces[:-1]:
        weight_before += piece.weight
        imbalances.append(abs(total - 2 * weight_before))
    split = 1 + imbalances.index(min(imbalances))
    return Pair(_halved(pieces[:split]), _halved(pieces[split:]))


def _sum_rounds(count: int) -> int:
    """Return the number of rounds to sum count + 1 terms in pairs."""
    return count.bit_length()
