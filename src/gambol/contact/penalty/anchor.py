"""Anchors of feet: a memory of each contact point that is not integrated but updated after every step.

While a point touches, its anchor is the root of its bristle, dragged along when friction gives way. A sticky foot's
anchor stays where it is until it breaks, and lifts off with the foot only when the leg steps.
"""

from dataclasses import dataclass

from gambol.collide import Surface
from gambol.contact.penalty.law import TINY, ContactParameters, StickyFoot
from gambol.lanes import Scalar, logical_not, minimum, sqrt, where
from gambol.spatial import Vector


@dataclass(frozen=True, slots=True)
class Anchor:
    """A point of the ground in world coordinates [m], and whether a foot holds it (1) or not (0)."""

    x: Scalar = 0.0
    y: Scalar = 0.0
    z: Scalar = 0.0
    held: Scalar = 0.0

    @property
    def position(self) -> Vector:
        """Its position [m]."""
        return Vector(self.x, self.y, self.z)

    def stretch(self, point: Vector) -> Vector:
        """Return the vector from the anchor to the point [m]; zero where it is not held."""
        return (point - self.position) * self.held


def in_plane(surface: Surface, vector: Vector) -> Vector:
    """Return the part of a vector that lies in the plane of a surface."""
    return vector - surface.normal * surface.normal.dot(vector)


def updated_bristle(
    parameters: ContactParameters, surface: Surface, anchor: Anchor, point: Vector, push: Scalar
) -> tuple[Anchor, Scalar]:
    """Return the anchor of a bristle after a step, and the energy that it released [J].

    parameters: of the contact; surface, point: ground and contact point [m]; push: normal force [N]. Where the bristle
    is bent further than the friction of the push holds, its root follows.
    """
    bend = in_plane(surface, anchor.stretch(point))
    length = sqrt(bend.dot(bend) + TINY)
    most = parameters.friction * push / parameters.bristle_stiffness
    kept = minimum(most / length, 1.0)
    touching = surface.depth(point.z) > 0.0
    root = point - bend * kept
    energy = 0.5 * parameters.bristle_stiffness * bend.dot(bend)
    left = where(touching, kept * kept, 0.0)
    return Anchor(root.x, root.y, root.z, where(touching, 1.0, 0.0)), energy * (1.0 - left)


def updated_hold(
    foot: StickyFoot, surface: Surface, anchor: Anchor, point: Vector, stance: Scalar
) -> tuple[Anchor, Scalar]:
    """Return the anchor of a sticky foot after a step, and whether its hold ended (1) or not (0).

    foot: its parameters; stance: 1 while the leg stands. It takes hold where the point touches in stance, breaks beyond
    its reach, and lets go when the leg steps.
    """
    stretch = anchor.stretch(point)
    whole = stretch.dot(stretch) <= foot.reach * foot.reach
    stays = (anchor.held > 0.5) & whole & (stance > 0.5)
    takes = (surface.depth(point.z) > 0.0) & (stance > 0.5)
    place = Vector.of([where(stays, a, p) for a, p in zip(anchor.position, point, strict=True)])
    held = where(stays | takes, 1.0, 0.0)
    return Anchor(place.x, place.y, place.z, held), where((anchor.held > 0.5) & logical_not(stays), 1.0, 0.0)
