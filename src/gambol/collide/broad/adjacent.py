"""Links of a figure that form one body, and adjacent bodies. Most adjacent bodies overlap by design at their joint."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gambol.figure import JOINTS, WORLD, Closure, Figure, PlacedLink


@dataclass(frozen=True, slots=True)
class Bodies:
    """The links of a figure grouped into bodies: links connected by fixed joints or welds are one body.

    body: index of the body of each link, the world first; the index of a body is the least index of its links.
    neighbours: pairs of bodies, the lesser index first, that a joint or a closure connects, also through massless links
    without parts. fixed: the links that are fixed to the world, and the world. Links fixed to the world in different
    places are not one body: a robot may touch the table beside it. loop_neighbours: the neighbours that a closure
    connects.
    """

    body: tuple[int, ...]
    neighbours: frozenset[tuple[int, int]]
    fixed: frozenset[int]
    loop_neighbours: frozenset[tuple[int, int]]

    def same_body(self, link: int, other: int) -> bool:
        """Return True if two links, by index, are one body."""
        return self.body[link] == self.body[other]

    def adjacent(self, link: int, other: int) -> bool:
        """Return True if two links, by index, are neighbours."""
        return self._body_pair(link, other) in self.neighbours

    def loop_adjacent(self, link: int, other: int) -> bool:
        """Return True if a closure connects the bodies of two links, by index."""
        return self._body_pair(link, other) in self.loop_neighbours

    def _body_pair(self, link: int, other: int) -> tuple[int, int]:
        low, high = sorted((self.body[link], self.body[other]))
        return low, high

    def may_collide(self, link: int, other: int) -> bool:
        """Return True if two links, by index, can move relative to each other and are not neighbours."""
        moving = link not in self.fixed or other not in self.fixed
        return moving and not self.same_body(link, other) and not self.adjacent(link, other)


def bodies_of(figure: Figure) -> Bodies:
    """Return the bodies of a figure, and the pairs of neighbours among them."""
    fixed = {WORLD}
    for link in figure.outward():
        if link.is_fixed and link.parent_index in fixed:
            fixed.add(link.index)
    solid = {link.index for link in figure.links if link.parts or link.mass_properties.mass > 0.0}
    ground = fixed - solid
    body = _body_indices(figure, ground)
    joints = [(link.index, link.parent_index) for link in figure.links if not JOINTS[link.joint.kind].is_free]
    closures = [ends for _, ends in _closures(figure)]
    neighbours, loop_neighbours = (
        frozenset(
            (min(pair), max(pair)) for pair in _adjacent(figure, body, {body[k] for k in solid}, ground, connections)
        )
        for connections in ([*joints, *closures], closures)
    )
    return Bodies(tuple(body), neighbours, frozenset(fixed), loop_neighbours)


def _body_indices(figure: Figure, ground: set[int]) -> list[int]:
    """Return the body of every link: the least index of the links that it is fixed to, other than the ground."""
    body = list(range(len(figure.links) + 1))
    connections = [(link.index, link.parent_index) for link in figure.links if link.is_fixed]
    connections += [ends for closure, ends in _closures(figure) if closure.kind == "weld"]
    for link, other in connections:
        if link not in ground and other not in ground:
            low, high = sorted((body[link], body[other]))
            body = [low if index == high else index for index in body]
    return body


def _adjacent(
    figure: Figure, body: list[int], solid: set[int], ground: set[int], connections: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield the pairs of connected solid bodies, those with mass or parts.

    connections: pairs of links that a joint, but not a free one, or a closure connects.
    """
    carriers = {body[link.index]: link for link in figure.inward()}  # by body: its innermost link
    for ends in connections:
        first, second = (_solid_body(end, body, solid, carriers) for end in ends)
        if first not in ground and second not in ground and first != second:
            yield first, second


def _closures(figure: Figure) -> Iterator[tuple[Closure, tuple[int, int]]]:
    for closure in figure.constraints:
        if isinstance(closure, Closure):
            other = WORLD if closure.other is None else figure.link(closure.other).index
            yield closure, (figure.link(closure.link).index, other)


def _solid_body(link: int, body: list[int], solid: set[int], carriers: dict[int, PlacedLink]) -> int:
    """Return the body of a link if it has mass or parts, else the next such body inward, or the world."""
    while link != WORLD and body[link] not in solid:
        carrier = carriers[body[link]]
        if JOINTS[carrier.joint.kind].is_free:
            return WORLD
        link = carrier.parent_index
    return body[link]
