"""Which links of a figure are one body, or neighbours: most of these overlap by design about the joint between them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gambol.figure import WORLD, Closure, Figure, PlacedLink


@dataclass(frozen=True, slots=True)
class Bodies:
    """The links of a figure as bodies: those that fixed joints or welds tie together are one.

    body: of each link, the world first, the least index of the links of its body. neighbours: pairs of bodies, the
    lesser first, that a joint or a closure ties together, also through massless links without parts. still: the links
    that are fixed to the world, and the world. What is fixed to the world in different places is not one body: a robot
    may meet the table that stands beside it. loops: those neighbours that a closure ties together.
    """

    body: tuple[int, ...]
    neighbours: frozenset[tuple[int, int]]
    still: frozenset[int]
    loops: frozenset[tuple[int, int]]

    def one(self, link: int, other: int) -> bool:
        """Whether two links, by index, are one body."""
        return self.body[link] == self.body[other]

    def tied(self, link: int, other: int) -> bool:
        """Whether two links, by index, are neighbours."""
        return self._ends(link, other) in self.neighbours

    def closed(self, link: int, other: int) -> bool:
        """Whether a closure ties two links, by index, together."""
        return self._ends(link, other) in self.loops

    def _ends(self, link: int, other: int) -> tuple[int, int]:
        one, two = sorted((self.body[link], self.body[other]))
        return one, two

    def apart(self, link: int, other: int) -> bool:
        """Whether two links, by index, can move against each other and are no neighbours."""
        moving = link not in self.still or other not in self.still
        return moving and not self.one(link, other) and not self.tied(link, other)


def bodies_of(figure: Figure) -> Bodies:
    """The bodies of a figure and which of them are neighbours."""
    still = {WORLD}
    for link in figure.outward():
        if link.joint.kind == "fixed" and link.parent_index in still:
            still.add(link.index)
    solid = {link.index for link in figure.links if link.parts or link.mass_properties.mass > 0.0}
    ground = still - solid
    body = _merged(figure, ground)
    joints = [(link.index, link.parent_index) for link in figure.links if link.joint.kind != "free"]
    loops = [ends for _, ends in _closed(figure)]
    neighbours, closed = (
        frozenset((min(pair), max(pair)) for pair in _tied(figure, body, {body[k] for k in solid}, ground, ties))
        for ties in ([*joints, *loops], loops)
    )
    return Bodies(tuple(body), neighbours, frozenset(still), closed)


def _merged(figure: Figure, ground: set[int]) -> list[int]:
    """For every link the least index of those it is fixed to, not counting the ground."""
    body = list(range(len(figure.links) + 1))
    ties = [(link.index, link.parent_index) for link in figure.links if link.joint.kind == "fixed"]
    ties += [ends for closure, ends in _closed(figure) if closure.kind == "weld"]
    for link, other in ties:
        if link not in ground and other not in ground:
            low, high = sorted((body[link], body[other]))
            body = [low if of == high else of for of in body]
    return body


def _tied(
    figure: Figure, body: list[int], solid: set[int], ground: set[int], ties: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """The pairs of solid bodies that ties between links make neighbours; a joint that moves freely ties nothing."""
    carriers = {body[link.index]: link for link in figure.inward()}  # of each body, the link that carries it
    for ends in ties:
        one, two = (_solid_body(end, body, solid, carriers) for end in ends)
        if one not in ground and two not in ground and one != two:
            yield one, two


def _closed(figure: Figure) -> Iterator[tuple[Closure, tuple[int, int]]]:
    for closure in figure.constraints:
        if isinstance(closure, Closure):
            other = WORLD if closure.other is None else figure.link(closure.other).index
            yield closure, (figure.link(closure.link).index, other)


def _solid_body(link: int, body: list[int], solid: set[int], carriers: dict[int, PlacedLink]) -> int:
    """The body of a link if it is one to touch, else the next one inward that is, or the world."""
    while link != WORLD and body[link] not in solid:
        carrier = carriers[body[link]]
        if carrier.joint.kind == "free":
            return WORLD
        link = carrier.parent_index
    return body[link]
