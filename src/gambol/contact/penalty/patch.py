"""The contact points of one link on the ground: their sum as one spatial force, and its power."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gambol.collide import Ground, Surface
from gambol.collide.gap import Gap
from gambol.contact.penalty.anchor import Anchor, in_plane, updated_bristle, updated_hold
from gambol.contact.penalty.bristle import Bristle, material_velocity
from gambol.contact.penalty.hunt_crossley import HuntCrossley, hertz_force, smooth_friction
from gambol.contact.penalty.law import (
    ContactParameters,
    NormalForce,
    StickyFoot,
    bristle_friction,
    regularised_friction,
    spring_damper_force,
    sticky_force,
)
from gambol.lanes import Scalar, where
from gambol.spatial import Force, Motion, Transform, Vector


@dataclass(frozen=True, slots=True)
class ContactForce:
    """The force of the ground on a link.

    force: in link coordinates. normal_force: the sum of normal forces [N]. energy: stored in ground, bristles and
    sticky feet [J]. normal_loss, sliding_loss: power taken out of the motion by the normal force and by friction or
    sticky feet [W].
    """

    force: Force
    normal_force: Scalar
    energy: Scalar
    normal_loss: Scalar
    sliding_loss: Scalar


@dataclass(frozen=True, slots=True)
class PointState:
    """One contact point in the world: position, velocity, the ground at it, depth, leaving speed, and slip."""

    point: Vector
    velocity: Vector
    surface: Surface
    depth: Scalar
    leaving: Scalar
    slip: Vector


@dataclass(frozen=True)
class GroundContact:
    """The contact law on one ground: structure and traced numbers together, while a step is being traced.

    sticky_foot: None for sliding feet.
    """

    ground: Ground
    numbers: dict[str, Scalar]
    table: Any
    parameters: ContactParameters | HuntCrossley
    sticky_foot: StickyFoot | None

    def contact_point(self, pose: Transform, velocity: Motion, place: Vector, radius: Scalar) -> PointState:
        """Return a contact point: the lowest point of a ball of some radius about a place in link coordinates."""
        centre = pose @ place
        moving = pose.rotation @ velocity.v.plus_cross(velocity.w, place)
        surface = self.ground.surface(self.numbers, self.table, centre.x, centre.y)
        point, spun = centre - surface.normal * radius, (pose.rotation @ velocity.w).cross(surface.normal) * -radius
        v = moving + spun
        leaving = v.dot(surface.normal)
        return PointState(point, v, surface, surface.depth(centre.z) + radius, leaving, v - surface.normal * leaving)

    def link_force(self, pose: Transform, velocity: Motion, places: Sequence[tuple[Vector, Scalar]]) -> ContactForce:
        """Return the force of the ground on a link without memory.

        pose, velocity: of the link, the latter in its coordinates; places: points in the link with radii [m].
        """
        forces: list[ContactForce] = []
        for place, radius in places:
            spot = self.contact_point(pose, velocity, place, radius)
            normal, friction, loss = point_contact(self.parameters, spot.depth, spot.leaving, spot.slip)
            force = _on_link(pose, spot, spot.surface.normal * normal.force + friction)
            forces.append(ContactForce(force, normal.force, normal.energy, normal.loss, loss))
        return total_contact_force(forces)

    def rolling_force(
        self, pose: Transform, velocity: Motion, gaps: Sequence[Gap], bristles: Sequence[Bristle]
    ) -> ContactForce:
        """Return the force of the ground on a link at the points where its round parts are nearest to the ground.

        pose, velocity: of the link, the latter in its coordinates. gaps: of the round parts. bristles: one for each
        gap, or none, for regularised friction. Forces act on the material of the part that is there.
        """
        forces: list[ContactForce] = []
        for k, gap in enumerate(gaps):
            v = material_velocity(pose, velocity, gap.point_a)
            leaving = v.dot(gap.normal)
            slip = v - gap.normal * leaving
            if bristles:
                assert isinstance(self.parameters, ContactParameters)
                bend = bristles[k].bend(pose, gap.normal)
                normal = spring_damper_force(self.parameters, -gap.size, leaving)
                friction, loss = bristle_friction(self.parameters, normal.force, bend, slip)
                energy = normal.energy + 0.5 * self.parameters.bristle_stiffness * bend.dot(bend)
            else:
                normal, friction, loss = point_contact(self.parameters, -gap.size, leaving, slip)
                energy = normal.energy
            f = pose.rotation.transpose @ (gap.normal * normal.force + friction)
            forces.append(
                ContactForce(Force((pose.inverse @ gap.point_a).cross(f), f), normal.force, energy, normal.loss, loss)
            )
        return total_contact_force(forces)

    def foot_force(
        self,
        pose: Transform,
        velocity: Motion,
        places: Sequence[tuple[Vector, Scalar]],
        anchors: Sequence[Anchor],
    ) -> ContactForce:
        """Return the force of the ground on a foot, whose points have anchors; arguments as for link_force()."""
        assert isinstance(self.parameters, ContactParameters)
        forces: list[ContactForce] = []
        for (place, radius), anchor in zip(places, anchors, strict=True):
            spot = self.contact_point(pose, velocity, place, radius)
            normal = spring_damper_force(self.parameters, spot.depth, spot.leaving)
            friction, energy, loss = self._foot_friction(spot, anchor, normal.force)
            force = _on_link(pose, spot, spot.surface.normal * normal.force + friction)
            forces.append(ContactForce(force, normal.force, normal.energy + energy, normal.loss, loss))
        return total_contact_force(forces)

    def _foot_friction(self, spot: PointState, anchor: Anchor, push: Scalar) -> tuple[Vector, Scalar, Scalar]:
        """Return force, energy and loss of the bristle or the sticky spring of a foot point."""
        assert isinstance(self.parameters, ContactParameters)
        stretch = anchor.stretch(spot.point)
        if self.sticky_foot is not None:
            force, energy, loss = sticky_force(self.sticky_foot, stretch, spot.velocity)
            slide, slide_loss = regularised_friction(self.parameters, push, spot.slip)
            holds = anchor.held > 0.5
            mixed = Vector.of([where(holds, a, b) for a, b in zip(force, slide, strict=True)])
            return mixed, where(holds, energy, 0.0), where(holds, loss, slide_loss)
        bend = in_plane(spot.surface, stretch)
        friction, loss = bristle_friction(self.parameters, push, bend, spot.slip)
        return friction, 0.5 * self.parameters.bristle_stiffness * bend.dot(bend), loss

    def update_anchors(
        self,
        pose: Transform,
        velocity: Motion,
        places: Sequence[tuple[Vector, Scalar]],
        anchors: Sequence[Anchor],
        stance: Scalar,
    ) -> tuple[list[Anchor], Scalar]:
        """Return the anchors of one foot after a step, and the energy that they released [J].

        places, anchors: of its points; stance: 1 while its leg stands.
        """
        assert isinstance(self.parameters, ContactParameters)
        result: list[Anchor] = []
        released: Scalar = 0.0
        for (place, radius), anchor in zip(places, anchors, strict=True):
            spot = self.contact_point(pose, velocity, place, radius)
            if self.sticky_foot is None:
                normal = spring_damper_force(self.parameters, spot.depth, spot.leaving).force
                new, energy = updated_bristle(self.parameters, spot.surface, anchor, spot.point, normal)
            else:
                new, ended = updated_hold(self.sticky_foot, spot.surface, anchor, spot.point, stance)
                energy = ended * sticky_force(self.sticky_foot, anchor.stretch(spot.point), spot.velocity)[1]
            result.append(new)
            released = released + energy
        return result, released


def point_contact(
    touch: ContactParameters | HuntCrossley, depth: Scalar, leaving: Scalar, slip: Vector
) -> tuple[NormalForce, Vector, Scalar]:
    """Return the normal force, friction, and its power loss [W] at a point without memory."""
    if isinstance(touch, HuntCrossley):
        normal = hertz_force(touch, depth, leaving)
        return normal, *smooth_friction(touch, normal.force, slip)
    normal = spring_damper_force(touch, depth, leaving)
    return normal, *regularised_friction(touch, normal.force, slip)


def _on_link(pose: Transform, spot: PointState, force: Vector) -> Force:
    """Return a force at a point, in world axes, as a spatial force on the link in link coordinates."""
    back = pose.rotation.transpose
    f = back @ force
    return Force((back @ (spot.point - pose.position)).cross(f), f)


def total_contact_force(forces: Sequence[ContactForce]) -> ContactForce:
    """Return the sum of the forces at several points of one link."""
    total = forces[0]
    for f in forces[1:]:
        total = ContactForce(
            total.force + f.force,
            total.normal_force + f.normal_force,
            total.energy + f.energy,
            total.normal_loss + f.normal_loss,
            total.sliding_loss + f.sliding_loss,
        )
    return total
