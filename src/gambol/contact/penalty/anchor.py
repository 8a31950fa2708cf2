"""Anchors of feet: a memory of each contact point, which is updated after every step, not integrated.

The anchor of a point in contact is the root of its bristle; it follows the point when friction reaches its limit. The
anchor of a sticky foot stays until the foot breaks loose, and is released when the leg steps.
"""

from dataclasses import dataclass

from gambol.collide import Surface
from gambol.contact.penalty.law import TINY, ContactParameters, StickyFoot
from gambol.lanes import Scalar, logical_not, minimum, sqrt, where
from gambol.spatial import Vector


@dataclass(frozen=True, slots=True)
class Anchor:
    """A point of the ground in world coordinates [m]; held: 1 if a foot holds it, else 0."""

    x: Scalar = 0.0
    y: Scalar = 0.0
    z: Scalar = 0.0
    held: Scalar = 0.0

    @property
    def position(self) -> Vector:
        """The position of the anchor [m]."""
        return Vector(self.x, self.y, self.z)

    def stretch(self, point: Vector) -> Vector:
        """Return the vector from the anchor to the point [m]; zero where it is not held."""
        return (point - self.position) * self.held


def in_plane(surface: Surface, vector: Vector) -> Vector:
    """Return the part of a vector that lies in the plane of a surface."""
    return vector - surface.normal * surface.normal.dot(vector)


def updated_bristle(
    parameters: ContactParameters, surface: Surface, anchor: Anchor, point: Vector, normal_force: Scalar
) -> tuple[Anchor, Scalar]:
    """Return the anchor of a bristle after a step, and the energy that it released [J].

    parameters: parameters of the contact; surface, point: ground and contact point [m]; normal_force [N]. If the
    bristle is bent further than friction can hold, its root follows the point.
    """
    bend = in_plane(surface, anchor.stretch(point))
    length = sqrt(bend.dot(bend) + TINY)
    max_bend = parameters.friction * normal_force / parameters.bristle_stiffness
    kept_fraction = minimum(max_bend / length, 1.0)
    touching = surface.depth(point.z) > 0.0
    root = point - bend * kept_fraction
    energy = 0.5 * parameters.bristle_stiffness * bend.dot(bend)
    energy_fraction = where(touching, kept_fraction * kept_fraction, 0.0)
    return Anchor(root.x, root.y, root.z, where(touching, 1.0, 0.0)), energy * (1.0 - energy_fraction)


def updated_hold(
    foot: StickyFoot, surface: Surface, anchor: Anchor, point: Vector, stance: Scalar
) -> tuple[Anchor, Scalar]:
    """Return the anchor of a sticky foot after a step, and 1 if its hold ended in this step, else 0.

    foot: parameters of the sticky foot; stance: 1 while the leg stands. The foot attaches where the point touches the
    ground in stance, breaks loose if stretched beyond foot.reach, and is released when the leg steps.
    """
    stretch = anchor.stretch(point)
    intact = stretch.dot(stretch) <= foot.reach * foot.reach
    stays = (anchor.held > 0.5) & intact & (stance > 0.5)
    attaches = (surface.depth(point.z) > 0.0) & (stance > 0.5)
    position = Vector.of([where(stays, a, p) for a, p in zip(anchor.position, point, strict=True)])
    held = where(stays | attaches, 1.0, 0.0)
    return Anchor(position.x, position.y, position.z, held), where((anchor.held > 0.5) & logical_not(stays), 1.0, 0.0)
