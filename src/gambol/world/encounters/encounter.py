"""What may touch what in a world: parts the ground, and parts each other. One encounter has a few contacts.

A part touches the ground at the lowest points of its shape, over the plane beneath it; two parts touch where the pair
of their shapes says. Friction and restitution are the part's own where it has some, else the world's; of two parts the
larger count.
"""

from collections.abc import Callable
from dataclasses import dataclass

from gambol.collide.broad import Pair, ball, near
from gambol.collide.convex import Form, form_of
from gambol.collide.pairs import gaps, ground_gaps, slots
from gambol.contact.stepping import Candidate, carried_by, depth_first
from gambol.dynamics import Kinematics
from gambol.figure import Figure, Part, PlacedLink
from gambol.lanes import Scalar, maximum
from gambol.spatial import Rotation, Transform, Vector
from gambol.world.encounters.closing import moving, reached
from gambol.world.encounters.places import near_ground
from gambol.world.laws import Laws
from gambol.world.world import World


@dataclass(frozen=True)
class Encounter:
    """A part and the ground, or two parts.

    link, other: numbers of the links, 0 for the ground. first: number of the first contact; count: of contacts. near:
    whether any may close within a time [s], and more; contacts: all of them.
    """

    link: int
    other: int
    first: int
    count: int
    near: Callable[[Laws, Kinematics, Scalar], Scalar]
    contacts: Callable[[Laws, Kinematics], list[Candidate]]

    def carried(self, figure: Figure) -> dict[int, float]:
        """Meeting.carried of its contacts."""
        return carried_by(figure, self.link, self.other)


def encounters(world: World) -> list[Encounter]:
    """All that may touch in a world: first with the ground, then pair after pair; but for what cannot move."""
    found: list[Encounter] = []
    first = 0
    for link in world.figure.links:
        for part in link.parts:
            if world.solid and part.contact_points() and world.figure.moves(link.index):
                found.append(_with_ground(link, part, first))
                first += found[-1].count
    for pair in world.pairs:
        if not world.figure.moves(pair.link, pair.other):
            continue
        found.append(_with_other(world.figure, pair, first))
        first += found[-1].count
    return found


def described(world: World) -> str:
    """The size of a world in words: its links, and the contacts that its parts may have with each other."""
    kinds = [[world.figure.links[k - 1].parts[part].shape.kind for k, part in _ends(pair)] for pair in world.pairs]
    contacts = sum(slots(*pair) for pair in kinds)
    between = f", {len(kinds):,} pairs of parts that may touch, with {contacts:,} contacts" if kinds else ""
    return f"{len(world.figure.links):,} links{between}"


def _ends(pair: Pair) -> tuple[tuple[int, int], tuple[int, int]]:
    return (pair.link, pair.part), (pair.other, pair.other_part)


def _with_ground(link: PlacedLink, part: Part, first: int) -> Encounter:
    places = [(Vector(*point.position), point.radius) for point in part.contact_points()]

    def close(laws: Laws, state: Kinematics, h: Scalar) -> Scalar:
        own = moving(state, link.index, ball(part.shape, posed(state, link, part)))
        return near_ground(laws, state.poses[link.index], places, reached(laws.world.size, own, h))

    def contacts(laws: Laws, state: Kinematics) -> list[Candidate]:
        return _on_ground(laws, state, link, part, first)

    return Encounter(link.index, 0, first, slots(part.shape.kind, "plane"), close, contacts)


def _on_ground(laws: Laws, state: Kinematics, link: PlacedLink, part: Part, first: int) -> list[Candidate]:
    """The contacts of a part with the ground, numbered from the first on."""
    at, order = laws.touching, float(depth_first(laws.world.figure)[0][link.index])
    pose = posed(state, link, part)
    mu, e = surface_of(laws, part)
    gaps_below = ground_gaps(_outermost(part), pose, at.ground, at.numbers, at.table)
    return [Candidate(float(first + k), order, g.size, g.here, g.normal, mu, e) for k, g in enumerate(gaps_below)]


def _with_other(figure: Figure, pair: Pair, first: int) -> Encounter:
    link, other = figure.links[pair.link - 1], figure.links[pair.other - 1]
    part, facing = link.parts[pair.part], other.parts[pair.other_part]

    def close(laws: Laws, state: Kinematics, h: Scalar) -> Scalar:
        here, there = posed(state, link, part), posed(state, other, facing)
        one = moving(state, link.index, ball(part.shape, here))
        two = moving(state, other.index, ball(facing.shape, there))
        return near(part.shape, here, facing.shape, there, reached(laws.world.size, one.beside(two), h))

    def contacts(laws: Laws, state: Kinematics) -> list[Candidate]:
        order = depth_first(figure)[0]
        here, there = float(order[link.index]), float(order[other.index])
        of, by = surface_of(laws, part), surface_of(laws, facing)
        mu, e = (x if x is y else maximum(x, y) for x, y in zip(of, by, strict=True))
        found = gaps(part.shape, posed(state, link, part), facing.shape, posed(state, other, facing))
        return [
            Candidate(float(first + k), here, gap.size, (gap.here + gap.there) * 0.5, gap.normal, mu, e, there)
            for k, gap in enumerate(found)
        ]

    count = slots(part.shape.kind, facing.shape.kind)
    return Encounter(link.index, other.index, first, count, close, contacts)


def _outermost(part: Part) -> Form:
    """What of a part meets the ground: of a hull the few vertices that are its contact points."""
    if part.shape.kind != "hull":
        return form_of(part.shape)
    return Form("hull", (), tuple(point.position for point in part.shape.contact_points()))


def surface_of(laws: Laws, part: Part) -> tuple[Scalar, Scalar]:
    """Friction and restitution of a part."""
    world, touch = laws.world, laws.touching.touch
    given = touch.restitution if world.touch.restitution else 0.0
    return (
        touch.friction if part.friction is None else part.friction,
        given if part.restitution is None else part.restitution,
    )


def posed(state: Kinematics, link: PlacedLink, part: Part) -> Transform:
    """Where a part of a link is in the world."""
    return state.poses[link.index] @ Transform(Rotation(part.rotation), Vector(*part.position))
