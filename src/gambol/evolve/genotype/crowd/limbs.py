"""The links of a crowd, place by place: anatomy where structure is a number.

A place's joint lies in the frame of the link that it hangs on, as in anatomy.py. For a template whose joints act along
z it is then told in axes A of which z is its own (see figure.anybody):

    home  A_P^T R A      place  A_P^T p      mass, balls  turned by A^T
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from gambol.evolve.genotype.anatomy import axis_of, flesh_of, sine_cosine, trunk_link, turn_of
from gambol.evolve.genotype.body import Trunk
from gambol.evolve.genotype.crowd.places import Place
from gambol.evolve.genotype.servos import SLIDE, WEIGHT, rotor_of
from gambol.figure import MassProperties
from gambol.lanes import Scalar, leaves, maximum, rebuilt, total, where
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.inertia import NO_RIGID_INERTIA, RigidInertia
from gambol.spatial.rotation import IDENTITY
from gambol.spatial.transform import SAME

T = TypeVar("T")


@dataclass(frozen=True)
class Joined:
    """A place as a link. All but axes in its own given frame or that of what it hangs on.

    rooted: 1 where it hangs on the trunk. home: the joint at rest in what it hangs on; axis: unit. body: its own mass
    properties, none but where its segment ends. ball: radius of the ball at its lower end [m]; touches: 1 where there
    is one. unit: of its coordinate [rad or m]; strength [N m or N]; rotor [kg m2 or kg].
    """

    place: Place
    rooted: Scalar
    home: Transform
    axis: Vector
    body: MassProperties
    ball: Scalar
    touches: Scalar
    unit: Scalar
    strength: Scalar
    rotor: Scalar

    @property
    def axes(self) -> Rotation:
        """Axes of which z is the joint's, in the link's own."""
        return Rotation.facing(self.axis)

    @property
    def tip(self) -> Vector:
        """The lower end of its segment [m]."""
        return Vector(0.0, 0.0, -self.place.segment.length)

    def at(self, q: Scalar) -> Transform:
        """Where the joint puts its link."""
        turn, slide = q * (1.0 - self.place.slides), q * self.place.slides
        rotation = self.home.rotation @ Rotation.about(self.axis, *sine_cosine(turn))
        return Transform(rotation, self.home @ (self.axis * slide))


def joined(places: Sequence[Place], trunk: Trunk) -> tuple[list[Joined], Scalar]:
    """All places as links, and the mass of each creature [kg]."""
    bodies = [_body(place) for place in places]
    mass = total((body.mass for body in bodies), _trunk_body(trunk).mass)
    return [_joined(place, trunk, body, mass) for place, body in zip(places, bodies, strict=True)], mass


def _trunk_body(trunk: Trunk) -> MassProperties:
    return trunk_link(trunk).parts[0].mass_properties()


def _body(place: Place) -> MassProperties:
    own, flesh = place.there * place.last, flesh_of(place.segment).mass_properties()
    xx, yy, zz = (own * flesh.inertia[k][k] for k in range(3))
    return MassProperties(own * flesh.mass, flesh.com, ((xx, 0.0, 0.0), (0.0, yy, 0.0), (0.0, 0.0, zz)))


def _joined(place: Place, trunk: Trunk, body: MassProperties, mass: Scalar) -> Joined:
    unit = where(place.slides > 0.0, SLIDE * place.segment.length, 1.0)
    strength = place.freedom.strength * mass * WEIGHT * where(place.slides > 0.0, 1.0 / SLIDE, place.onward)
    return Joined(
        place,
        rooted := place.trunk * place.first,
        _home(place, trunk, rooted),
        _axis(place),
        body,
        maximum(place.segment.lower_radius, place.below),
        place.there * place.last,
        unit,
        strength,
        where(place.there > 0.0, rotor_of(strength, unit), 1.0),
    )


def _home(place: Place, trunk: Trunk, rooted: Scalar) -> Transform:
    """The joint at rest: on the trunk, at the end of the segment above, or where the first freedom is."""
    side = 1.0 - 2.0 * place.right
    signs = (1.0, side, 1.0)
    turn = [[x * signs[i] * signs[j] for j, x in enumerate(row)] for i, row in enumerate(turn_of(place.segment))]
    edges = (trunk.length, trunk.width, trunk.height)
    on_trunk = Vector(*(part * edge / 2 * sign for part, edge, sign in zip(place.at, edges, signs, strict=True)))
    hanging = chosen(rooted, on_trunk, Vector(0.0, 0.0, -place.above))
    return chosen(place.first, Transform(Rotation.of(turn), hanging), SAME)


def _axis(place: Place) -> Vector:
    """The joint's axis, of a twin as in anatomy.py: what turns about a turns in the mirror about -M a."""
    u, v, w = axis_of(place.freedom)
    turns = where(place.slides > 0.0, 1.0, -1.0)
    along, across = where(place.right > 0.0, turns, 1.0), where(place.right > 0.0, -turns, 1.0)
    return Vector(u * along, v * across, w * along)


def chosen(flag: Scalar, one: T, other: T) -> T:
    """One nest of scalars where a flag is 1, the other where it is 0."""
    pairs = zip(leaves(one), leaves(other), strict=True)
    return rebuilt(one, iter([where(flag > 0.0, x, y) for x, y in pairs]))


def carried_inertias(links: Sequence[Joined]) -> list[Scalar]:
    """The inertia that each joint carries at rest along it, its rotor's included [kg m2 or kg]."""
    found: list[Scalar] = []
    below = NO_RIGID_INERTIA
    for link in reversed(links):
        body = RigidInertia.of(link.body.mass, Vector(*link.body.com), link.body.inertia) + below
        moment = link.axis.dot(body.I.times(link.axis))
        found.append(where(link.place.slides > 0.0, body.m, moment) + link.rotor)
        above = body.rotated(link.home.rotation).shifted(link.home.position)
        below = rebuilt(above, iter([where(link.rooted > 0.0, 0.0, x) for x in leaves(above)]))
    return found[::-1]


def poses_of(links: Sequence[Joined], angles: Sequence[Scalar]) -> list[Transform]:
    """Where each link is in the trunk's frame, at some coordinates of the joints."""
    poses: list[Transform] = []
    for link, q in zip(links, angles, strict=True):
        carrier = chosen(link.rooted, SAME, poses[-1]) if poses else SAME
        poses.append(carrier @ link.at(q))
    return poses


def carrier_axes(links: Sequence[Joined]) -> list[Rotation]:
    """The axes that what each link hangs on is told in: the trunk's own, or of which z is the carrier's joint's."""
    found = [IDENTITY]
    for before, link in pairwise(links):
        found.append(chosen(link.rooted, IDENTITY, before.axes))
    return found
