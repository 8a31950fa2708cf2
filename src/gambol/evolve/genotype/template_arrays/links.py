"""The links of a template: the anatomy of bodies whose topology is data.

The joint of a link is defined in the frame of its parent, as in anatomy.py. The joints of a template act along z, so
each link is re-expressed in axes A with z along the joint's axis; A_P are the axes of its parent:

    rest rotation  A_P^T R A      position  A_P^T p      mass, balls  rotated by A^T
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from gambol.evolve.genotype.anatomy import axis_of, frustum_of, segment_rotation, sine_cosine, trunk_link
from gambol.evolve.genotype.body import Trunk
from gambol.evolve.genotype.servos import SLIDE_UNIT, WEIGHT_PER_MASS, rotor_of
from gambol.evolve.genotype.template_arrays.slots import LinkSlot
from gambol.figure import MassProperties
from gambol.lanes import Scalar, leaves, maximum, total, unflatten, where
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.inertia import NO_RIGID_INERTIA, RigidInertia
from gambol.spatial.motion import IDENTITY_TRANSFORM
from gambol.spatial.rotation import IDENTITY

T = TypeVar("T")


@dataclass(frozen=True)
class TemplateLink:
    """The link of a slot, in the frames of anatomy.py, not yet in the template's axes.

    slot: numbers of the slot. on_trunk: 1 if its parent is the trunk, else 0. rest: transform of the joint at rest.
    axis: axis of the joint, a unit vector. body: mass properties; 0 unless it is the last link of its segment. ball:
    radius of the ball at its lower end [m]. has_ball: 1 if it has a ball, else 0. unit: unit of the genes middle and
    reach [rad or m]. strength [N m or N]. rotor [kg m2 or kg].
    """

    slot: LinkSlot
    on_trunk: Scalar
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
        """The template's axes of the link in the link's frame; z is the joint's axis."""
        return Rotation.with_z_axis(self.axis)

    @property
    def tip(self) -> Vector:
        """The lower end of the link's segment [m]."""
        return Vector(0.0, 0.0, -self.slot.segment.length)

    def joint_transform(self, q: Scalar) -> Transform:
        """Return the transform of the joint at coordinate q [rad or m]."""
        angle, travel = q * (1.0 - self.slot.slides), q * self.slot.slides
        rotation = self.rest.rotation @ Rotation.about(self.axis, *sine_cosine(angle))
        return Transform(rotation, self.rest @ (self.axis * travel))


def template_links(slots: Sequence[LinkSlot], trunk: Trunk) -> tuple[list[TemplateLink], Scalar]:
    """Return the links of all slots, and the mass of each creature [kg]."""
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
    unit = where(slot.slides > 0.0, SLIDE_UNIT * slot.segment.length, 1.0)
    strength = (
        slot.freedom.strength * mass * WEIGHT_PER_MASS * where(slot.slides > 0.0, 1.0 / SLIDE_UNIT, slot.length_to_end)
    )
    return TemplateLink(
        slot,
        on_trunk := slot.trunk * slot.first,
        _rest_transform(slot, trunk, on_trunk),
        _axis(slot),
        body,
        maximum(slot.segment.lower_radius, slot.below),
        slot.present * slot.last,
        unit,
        strength,
        where(slot.present > 0.0, rotor_of(slot.freedom, strength, unit), 1.0),
    )


def _rest_transform(slot: LinkSlot, trunk: Trunk, on_trunk: Scalar) -> Transform:
    """Return the joint's transform at rest: on the trunk, or at the end of the segment above.

    It is the identity for the second freedom of a segment.
    """
    side = 1.0 - 2.0 * slot.right
    signs = (1.0, side, 1.0)
    rotation = [
        [x * signs[i] * signs[j] for j, x in enumerate(row)] for i, row in enumerate(segment_rotation(slot.segment))
    ]
    edges = (trunk.length, trunk.width, trunk.height)
    attachment = Vector(
        *(fraction * edge / 2 * sign for fraction, edge, sign in zip(slot.at, edges, signs, strict=True))
    )
    position = select(on_trunk, attachment, Vector(0.0, 0.0, -slot.above))
    return select(slot.first, Transform(Rotation.of(rotation), position), IDENTITY_TRANSFORM)


def _axis(slot: LinkSlot) -> Vector:
    """Return the joint's axis; for a twin it is mirrored: M a for a prismatic axis a, -M a for a revolute axis."""
    u, v, w = axis_of(slot.freedom)
    sign = where(slot.slides > 0.0, 1.0, -1.0)
    mirror_xz, mirror_y = where(slot.right > 0.0, sign, 1.0), where(slot.right > 0.0, -sign, 1.0)
    return Vector(u * mirror_xz, v * mirror_y, w * mirror_xz)


def select(flag: Scalar, first: T, second: T) -> T:
    """Return the pytree `first` where a flag is 1, `second` where it is 0; both have the same structure."""
    pairs = zip(leaves(first), leaves(second), strict=True)
    return unflatten(first, iter([where(flag > 0.0, x, y) for x, y in pairs]))


def carried_inertias(links: Sequence[TemplateLink]) -> list[Scalar]:
    """Return the inertia that each joint carries along its axis at rest, with its rotor [kg m2 or kg]."""
    results: list[Scalar] = []
    load = NO_RIGID_INERTIA
    for link in reversed(links):
        body = RigidInertia.of(link.body.mass, Vector(*link.body.com), link.body.inertia) + load
        moment = link.axis.dot(body.I.times(link.axis))
        results.append(where(link.slot.slides > 0.0, body.m, moment) + link.rotor)
        parent_load = body.rotated(link.rest.rotation).shifted(link.rest.position)
        load = unflatten(parent_load, iter([where(link.on_trunk > 0.0, 0.0, x) for x in leaves(parent_load)]))
    return results[::-1]


def poses_of(links: Sequence[TemplateLink], angles: Sequence[Scalar]) -> list[Transform]:
    """Return the pose of each link in the trunk's frame; angles: coordinates of the joints [rad or m]."""
    poses: list[Transform] = []
    for link, q in zip(links, angles, strict=True):
        parent_pose = select(link.on_trunk, IDENTITY_TRANSFORM, poses[-1]) if poses else IDENTITY_TRANSFORM
        poses.append(parent_pose @ link.joint_transform(q))
    return poses


def parent_axes(links: Sequence[TemplateLink]) -> list[Rotation]:
    """Return the axes in which each link's parent is expressed: those of the trunk, or TemplateLink.axes."""
    results = [IDENTITY]
    for parent, link in pairwise(links):
        results.append(select(link.on_trunk, IDENTITY, parent.axes))
    return results
