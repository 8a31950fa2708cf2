"""What may touch what in a world: parts the ground, and parts each other. One encounter has a few contacts.

A part touches the ground at the lowest points of its shape, over the plane beneath it; two parts touch where the pair
of their shapes says. Friction and restitution are the part's own where it has some, else the world's; of two parts the
larger count.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

from gambol.collide.broad import Pair, near
from gambol.collide.convex import Form, form_of
from gambol.collide.pairs import gaps, ground_gaps, slots
from gambol.contact.stepping import Candidate, carried_by, depth_first
from gambol.dynamics import Kinematics
from gambol.figure import ContactPoint, Figure, Part, PlacedLink
from gambol.lanes import Scalar, maximum
from gambol.spatial import Rotation, Transform, Vector
from gambol.world.encounters.places import near_ground
from gambol.world.laws import Laws
from gambol.world.world import World

NEAR = 2e-3
"""How near bodies must be to be looked at closely, whatever their speed: of the figure's size."""


@dataclass(frozen=True)
class Encounter:
    """A part and the ground, or two parts.

    link, other: numbers of the links, 0 for the ground. first: number of the first contact; count: of contacts. reach:
    how large a gap may close within a time [s], and more [m]; near: whether any has so small a gap. contacts: all of
    them.
    """

    link: int
    other: int
    first: int
    count: int
    reach: Callable[[Laws, Kinematics, Scalar], Scalar]
    near: Callable[[Laws, Kinematics, Scalar], Scalar]
    contacts: Callable[[Laws, Kinematics], list[Candidate]]

    def carried(self, figure: Figure) -> dict[int, float]:
        """Meeting.carried of its contacts."""
        return carried_by(figure, self.link, self.other)


def encounters(world: World) -> list[Encounter]:
    """All that may touch in a world: first with the ground, then pair after pair."""
    found: list[Encounter] = []
    first = 0
    for link in world.figure.links:
        for part in link.parts:
            if world.solid and part.contact_points():
                found.append(_with_ground(link, part, first))
                first += found[-1].count
    for pair in world.pairs:
        found.append(_with_other(world.figure, pair, first))
        first += found[-1].count
    return found


def _with_ground(link: PlacedLink, part: Part, first: int) -> Encounter:
    places = [(Vector(*point.position), point.radius) for point in part.contact_points()]
    far = _farthest(part.contact_points())

    def reach(laws: Laws, state: Kinematics, h: Scalar) -> Scalar:
        return _reach(laws, state, link.index, far, h)

    def close(laws: Laws, state: Kinematics, h: Scalar) -> Scalar:
        return near_ground(laws, state.poses[link.index], places, reach(laws, state, h))

    def contacts(laws: Laws, state: Kinematics) -> list[Candidate]:
        return _on_ground(laws, state, link, part, first)

    return Encounter(link.index, 0, first, slots(part.shape.kind, "plane"), reach, close, contacts)


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
    far = [_farthest(one.outline()) for one in (part, facing)]

    def reach(laws: Laws, state: Kinematics, h: Scalar) -> Scalar:
        return _reach(laws, state, link.index, far[0], h) + _reach(laws, state, other.index, far[1], h)

    def close(laws: Laws, state: Kinematics, h: Scalar) -> Scalar:
        poses = posed(state, link, part), posed(state, other, facing)
        return near(part.shape, poses[0], facing.shape, poses[1], reach(laws, state, h))

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
    return Encounter(link.index, other.index, first, count, reach, close, contacts)


def _farthest(points: Sequence[ContactPoint]) -> Scalar:
    """How far points with balls about them reach from their link's origin [m]."""
    return reduce(maximum, (Vector(*point.position).length() + point.radius for point in points))


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


def _reach(laws: Laws, state: Kinematics, link: int, far: Scalar, h: Scalar) -> Scalar:
    """How far points of a link within a distance of its origin may move in a time, twice, and a little more [m]."""
    velocity = state.velocities[link]
    moving = sum((abs(x) for x in velocity.v), sum((abs(x) for x in velocity.w), 0.0) * far)
    return moving * (2.0 * h) + NEAR * laws.world.size
