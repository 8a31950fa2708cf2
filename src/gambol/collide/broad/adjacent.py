"""Which links of a figure are one body, or neighbours: these touch by design where a joint holds them together."""

from collections.abc import Iterator
from dataclasses import dataclass

from gambol.figure import WORLD, Closure, Figure, PlacedLink


@dataclass(frozen=True, slots=True)
class Bodies:
    """The links of a figure as bodies: those that fixed joints or welds tie together are one.

    body: of each link, the world first, the least index of the links of its body. neighbours: pairs of bodies, the
    lesser first, that a joint or a closure ties together, also through massless links without parts. still: the links
    that are fixed to the world, and the world. What is fixed to the world in different places is not one body: a robot
    may meet the table that stands beside it.
    """

    body: tuple[int, ...]
    neighbours: frozenset[tuple[int, int]]
    still: frozenset[int]

    def apart(self, link: int, other: int) -> bool:
        """Whether two links, by index, can move against each other and are no neighbours."""
        one, two = sorted((self.body[link], self.body[other]))
        moving = link not in self.still or other not in self.still
        return one != two and moving and (one, two) not in self.neighbours


def bodies_of(figure: Figure) -> Bodies:
    """The bodies of a figure and which of them are neighbours."""
    still = {WORLD}
    for link in figure.outward():
        if link.joint.kind == "fixed" and link.parent_index in still:
            still.add(link.index)
    solid = {link.index for link in figure.links if link.parts or link.mass_properties.mass > 0.0}
    ground = still - solid
    body = _merged(figure, ground)
    neighbours = {tuple(sorted(pair)) for pair in _tied(figure, body, {body[k] for k in solid}, ground)}
    return Bodies(tuple(body), frozenset((one, two) for one, two in neighbours), frozenset(still))


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


def _tied(figure: Figure, body: list[int], solid: set[int], ground: set[int]) -> Iterator[tuple[int, int]]:
    """The pairs of solid bodies that are neighbours: a joint that moves freely ties nothing."""
    carriers = {body[link.index]: link for link in figure.inward()}  # of each body, the link that carries it
    ties = [(link.index, link.parent_index) for link in figure.links if link.joint.kind != "free"]
    ties += [ends for _, ends in _closed(figure)]
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
