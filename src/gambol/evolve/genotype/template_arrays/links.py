"""The links of a template: anatomy where the topology is data.

The joint of a link lies in the frame of its parent, as in anatomy.py. For a template whose joints act along z it is
re-expressed in axes A of which z is its own:

    rest rotation  A_P^T R A      position  A_P^T p      mass, balls  rotated by A^T
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from gambol.evolve.genotype.anatomy import axis_of, frustum_of, segment_rotation, sine_cosine, trunk_link
from gambol.evolve.genotype.body import Trunk
from gambol.evolve.genotype.servos import SLIDE, WEIGHT, rotor_of
from gambol.evolve.genotype.template_arrays.slots import LinkSlot
from gambol.figure import MassProperties
from gambol.lanes import Scalar, leaves, maximum, total, unflatten, where
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.inertia import NO_RIGID_INERTIA, RigidInertia
from gambol.spatial.rotation import IDENTITY
from gambol.spatial.transform import IDENTITY_TRANSFORM

T = TypeVar("T")


@dataclass(frozen=True)
class TemplateLink:
    """A slot as a link. All but axes in its own given frame or that of its parent.

    slot: its numbers. rooted: 1 where its parent is the trunk. rest: the joint at rest in the parent; axis: unit. body:
    mass properties, zero but where its segment ends. ball: radius of the ball at its lower end [m]; has_ball: 1 where
    there is one. unit: of its coordinate [rad or m]; strength [N m or N]; rotor [kg m2 or kg].
    """

    slot: LinkSlot
    rooted: Scalar
    rest: Transform
    axis: Vector
    body: MassProperties
    ball: Scalar
    has_ball: Scalar
    unit: Scalar
    strength: Scalar
    rotor: Scalar

    @property
    def axes(self) -> Rotation:
        """The axes of which z is the joint's, in the link's own frame."""
        return Rotation.with_z_axis(self.axis)

    @property
    def tip(self) -> Vector:
        """The lower end of its segment [m]."""
        return Vector(0.0, 0.0, -self.slot.segment.length)

    def at(self, q: Scalar) -> Transform:
        """Return the transform of the joint at coordinate q."""
        turn, slide = q * (1.0 - self.slot.slides), q * self.slot.slides
        rotation = self.rest.rotation @ Rotation.about(self.axis, *sine_cosine(turn))
        return Transform(rotation, self.rest @ (self.axis * slide))


def template_links(slots: Sequence[LinkSlot], trunk: Trunk) -> tuple[list[TemplateLink], Scalar]:
    """Return all slots as links, and the mass of each creature [kg]."""
    bodies = [_mass_properties(slot) for slot in slots]
    mass = total((body.mass for body in bodies), _trunk_body(trunk).mass)
    return [_template_link(slot, trunk, body, mass) for slot, body in zip(slots, bodies, strict=True)], mass


def _trunk_body(trunk: Trunk) -> MassProperties:
    return trunk_link(trunk).parts[0].mass_properties()


def _mass_properties(slot: LinkSlot) -> MassProperties:
    present, frustum = slot.present * slot.last, frustum_of(slot.segment).mass_properties()
    xx, yy, zz = (present * frustum.inertia[k][k] for k in range(3))
    return MassProperties(present * frustum.mass, frustum.com, ((xx, 0.0, 0.0), (0.0, yy, 0.0), (0.0, 0.0, zz)))


def _template_link(slot: LinkSlot, trunk: Trunk, body: MassProperties, mass: Scalar) -> TemplateLink:
    unit = where(slot.slides > 0.0, SLIDE * slot.segment.length, 1.0)
    strength = slot.freedom.strength * mass * WEIGHT * where(slot.slides > 0.0, 1.0 / SLIDE, slot.length_to_end)
    return TemplateLink(
        slot,
        rooted := slot.trunk * slot.first,
        _rest(slot, trunk, rooted),
        _axis(slot),
        body,
        maximum(slot.segment.lower_radius, slot.below),
        slot.present * slot.last,
        unit,
        strength,
        where(slot.present > 0.0, rotor_of(strength, unit), 1.0),
    )


def _rest(slot: LinkSlot, trunk: Trunk, rooted: Scalar) -> Transform:
    """Return the joint at rest: on the trunk, at the end of the segment above, or at the segment's first freedom."""
    side = 1.0 - 2.0 * slot.right
    signs = (1.0, side, 1.0)
    turn = [
        [x * signs[i] * signs[j] for j, x in enumerate(row)] for i, row in enumerate(segment_rotation(slot.segment))
    ]
    edges = (trunk.length, trunk.width, trunk.height)
    on_trunk = Vector(*(part * edge / 2 * sign for part, edge, sign in zip(slot.at, edges, signs, strict=True)))
    hanging = select(rooted, on_trunk, Vector(0.0, 0.0, -slot.above))
    return select(slot.first, Transform(Rotation.of(turn), hanging), IDENTITY_TRANSFORM)


def _axis(slot: LinkSlot) -> Vector:
    """Return the joint's axis, of a twin as in anatomy.py: a rotation about a becomes in the mirror one about -M a."""
    u, v, w = axis_of(slot.freedom)
    turns = where(slot.slides > 0.0, 1.0, -1.0)
    along, across = where(slot.right > 0.0, turns, 1.0), where(slot.right > 0.0, -turns, 1.0)
    return Vector(u * along, v * across, w * along)


def select(flag: Scalar, first: T, second: T) -> T:
    """Return one pytree of scalars where a flag is 1, the other where it is 0."""
    pairs = zip(leaves(first), leaves(second), strict=True)
    return unflatten(first, iter([where(flag > 0.0, x, y) for x, y in pairs]))


def carried_inertias(links: Sequence[TemplateLink]) -> list[Scalar]:
    """Return the inertia that each joint carries at rest along it, its rotor's included [kg m2 or kg]."""
    results: list[Scalar] = []
    below = NO_RIGID_INERTIA
    for link in reversed(links):
        body = RigidInertia.of(link.body.mass, Vector(*link.body.com), link.body.inertia) + below
        moment = link.axis.dot(body.I.times(link.axis))
        results.append(where(link.slot.slides > 0.0, body.m, moment) + link.rotor)
        above = body.rotated(link.rest.rotation).shifted(link.rest.position)
        below = unflatten(above, iter([where(link.rooted > 0.0, 0.0, x) for x in leaves(above)]))
    return results[::-1]


def poses_of(links: Sequence[TemplateLink], angles: Sequence[Scalar]) -> list[Transform]:
    """Return the pose of each link in the trunk's frame, at some coordinates of the joints."""
    poses: list[Transform] = []
    for link, q in zip(links, angles, strict=True):
        carrier = select(link.rooted, IDENTITY_TRANSFORM, poses[-1]) if poses else IDENTITY_TRANSFORM
        poses.append(carrier @ link.at(q))
    return poses


def carrier_axes(links: Sequence[TemplateLink]) -> list[Rotation]:
    """Return the axes in which the parent of each link is expressed: the trunk's own, or the parent link's `axes`."""
    results = [IDENTITY]
    for before, link in pairwise(links):
        results.append(select(link.rooted, IDENTITY, before.axes))
    return results
