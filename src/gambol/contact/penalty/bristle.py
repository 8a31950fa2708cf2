"""Bristles of rolling bodies: springs from where a material point touched the ground to where it is now.

The point of contact moves over a rolling body, and over the ground, without any slip. So the bend of a bristle cannot
be measured at the point of contact. It is measured at the material point that was in contact at the end of the last
step: rolling lifts this point off the ground, but moves it along the ground only in third order of the angle rolled.
After each step the bristle keeps its bend, and is attached to the material point that is then in contact.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.collide.gap import Gap
from gambol.contact.penalty.law import TINY, ContactParameters, spring_damper_force
from gambol.lanes import Scalar, minimum, sqrt, where
from gambol.spatial import Motion, Transform, Vector


@dataclass(frozen=True, slots=True)
class Bristle:
    """A bristle: root x, y, z in the world and tip a, b, c in the link [m], and 1 while it holds, else 0."""

    x: Scalar = 0.0
    y: Scalar = 0.0
    z: Scalar = 0.0
    a: Scalar = 0.0
    b: Scalar = 0.0
    c: Scalar = 0.0
    held: Scalar = 0.0

    def bend(self, pose: Transform, normal: Vector) -> Vector:
        """Return the vector from the root to the tip, along a surface with a unit normal [m].

        pose: pose of the link.
        """
        stretch = (pose @ Vector(self.a, self.b, self.c) - Vector(self.x, self.y, self.z)) * self.held
        return stretch - normal * normal.dot(stretch)


def material_velocity(pose: Transform, velocity: Motion, point: Vector) -> Vector:
    """Return the velocity of a link's material at a point, both in world axes; velocity: in link coordinates."""
    return pose.rotation @ velocity.v.plus_cross(velocity.w, pose.inverse @ point)


def updated_bristles(
    parameters: ContactParameters, pose: Transform, velocity: Motion, gaps: Sequence[Gap], bristles: Sequence[Bristle]
) -> tuple[list[Bristle], Scalar]:
    """Return the bristles of a link's round parts after a step, and the energy that they released [J].

    parameters: parameters of the contact; pose, velocity: pose and velocity of the link, the velocity in link
    coordinates; gaps: gaps of its round parts; bristles: one for each gap. Where the force of the bend exceeds the
    friction limit, the root is moved until it does not.
    """
    result: list[Bristle] = []
    released: Scalar = 0.0
    for gap, old in zip(gaps, bristles, strict=True):
        bend = old.bend(pose, gap.normal)
        separation_speed = material_velocity(pose, velocity, gap.point_a).dot(gap.normal)
        max_bend = (
            parameters.friction
            * spring_damper_force(parameters, -gap.size, separation_speed).force
            / parameters.bristle_stiffness
        )
        kept_fraction = minimum(max_bend / sqrt(bend.dot(bend) + TINY), 1.0)
        touching = gap.size < 0.0
        root, tip = gap.point_a - bend * kept_fraction, pose.inverse @ gap.point_a
        held = where(touching, 1.0, 0.0)
        result.append(Bristle(root.x, root.y, root.z, tip.x, tip.y, tip.z, held))
        energy_fraction = where(touching, kept_fraction * kept_fraction, 0.0)
        released = released + 0.5 * parameters.bristle_stiffness * bend.dot(bend) * (1.0 - energy_fraction)
    return result, released
