"""Where a foot holds the ground: a memory of each contact point that is not integrated but settled after every step.

While a point touches, its anchor is the root of its bristle, dragged along when friction gives way. A sticky foot's
anchor stays where it is until its hold breaks, and lifts off with the foot only when the leg steps.
"""

from dataclasses import dataclass

from gambol.collide import Surface
from gambol.contact.penalty.law import TINY, Stick, Touch
from gambol.lanes import Scalar, minimum, negated, sqrt, where
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
        """Where it is [m]."""
        return Vector(self.x, self.y, self.z)

    def stretch(self, point: Vector) -> Vector:
        """From the anchor to the point [m]; nothing where none is held."""
        return (point - self.position) * self.held


def in_plane(surface: Surface, vector: Vector) -> Vector:
    """The part of a vector that lies in the plane of a surface."""
    return vector - surface.normal * surface.normal.dot(vector)


def settled_bristle(
    touch: Touch, surface: Surface, anchor: Anchor, point: Vector, push: Scalar
) -> tuple[Anchor, Scalar]:
    """The anchor of a bristle after a step, and the energy that it let go [J].

    Where the bristle is bent further than the friction of a push [N] holds, its root follows.
    """
    bend = in_plane(surface, anchor.stretch(point))
    length = sqrt(bend.dot(bend) + TINY)
    most = touch.friction * push / touch.bristle_stiffness
    kept = minimum(most / length, 1.0)
    touching = surface.depth(point.z) > 0.0
    root = point - bend * kept
    energy = 0.5 * touch.bristle_stiffness * bend.dot(bend)
    left = where(touching, kept * kept, 0.0)
    return Anchor(root.x, root.y, root.z, where(touching, 1.0, 0.0)), energy * (1.0 - left)


def settled_hold(
    stick: Stick, surface: Surface, anchor: Anchor, point: Vector, stance: Scalar
) -> tuple[Anchor, Scalar]:
    """The anchor of a sticky foot after a step, and whether its hold ended (1) or not (0).

    It takes hold where the point touches in stance, breaks beyond its reach, and lets go when the leg steps.
    """
    stretch = anchor.stretch(point)
    whole = stretch.dot(stretch) <= stick.reach * stick.reach
    stays = (anchor.held > 0.5) & whole & (stance > 0.5)
    takes = (surface.depth(point.z) > 0.0) & (stance > 0.5)
    place = Vector.of([where(stays, a, p) for a, p in zip(anchor.position, point, strict=True)])
    held = where(stays | takes, 1.0, 0.0)
    return Anchor(place.x, place.y, place.z, held), where((anchor.held > 0.5) & negated(stays), 1.0, 0.0)
