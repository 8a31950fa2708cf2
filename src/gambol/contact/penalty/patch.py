"""The contact points of one link on the ground: their sum as one spatial force, and its power."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

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
from gambol.lanes import Scalar, Subprogram, where
from gambol.spatial import Force, Motion, Transform, Vector


@dataclass(frozen=True, slots=True)
class ContactForce:
    """The force of the ground on a link.

    force: in link coordinates. normal_force: the sum of normal forces [N]. energy: energy stored in ground, bristles
    and sticky feet [J]. normal_loss: power loss by the normal force [W]; sliding_loss: power loss by friction or sticky
    feet [W].
    """

    force: Force
    normal_force: Scalar
    energy: Scalar
    normal_loss: Scalar
    sliding_loss: Scalar


@dataclass(frozen=True, slots=True)
class PointForce:
    """The force at one contact point, in world axes.

    point: contact point [m]. normal: unit vector out of the ground, or out of the other part. gap: distance along the
    normal, negative in penetration [m]. force: normal force and friction on the link [N].
    """

    point: Vector
    normal: Vector
    gap: Scalar
    force: Vector


@dataclass(frozen=True, slots=True)
class PointState:
    """One contact point: position, velocity, ground, depth, separation speed and slip velocity, in world axes."""

    point: Vector
    velocity: Vector
    surface: Surface
    depth: Scalar
    separation_speed: Scalar
    slip: Vector

    def with_force(self, force: Vector) -> PointForce:
        """Return the point with a force on it, in world axes [N]."""
        return PointForce(self.point, self.surface.normal, -self.depth, force)


PointForces: TypeAlias = list[tuple[PointForce, ContactForce]]
"""Forces at contact points, in world axes, each with its contribution to the force on the link."""


@dataclass(frozen=True)
class GroundContact:
    """The contact law on one ground, with its numbers as traced scalars.

    numbers, table: numbers and table of the ground; parameters: parameters of the contact; sticky_foot: None for
    sliding feet.
    """

    ground: Ground
    numbers: dict[str, Scalar]
    table: Any
    parameters: ContactParameters | HuntCrossley
    sticky_foot: StickyFoot | None

    def contact_point(self, pose: Transform, velocity: Motion, position: Vector, radius: Scalar) -> PointState:
        """Return a contact point: the lowest point of a ball.

        pose, velocity: pose and velocity of the link, the velocity in link coordinates; position, radius: position and
        radius of the ball, in link coordinates [m].
        """
        centre = pose @ position
        centre_velocity = pose.rotation @ velocity.v.plus_cross(velocity.w, position)
        surface = self.ground.surface(self.numbers, self.table, centre.x, centre.y)
        point, spin_velocity = (
            centre - surface.normal * radius,
            (pose.rotation @ velocity.w).cross(surface.normal) * -radius,
        )
        v = centre_velocity + spin_velocity
        separation_speed = v.dot(surface.normal)
        return PointState(
            point, v, surface, surface.depth(centre.z) + radius, separation_speed, v - surface.normal * separation_speed
        )

    def link_force(self, pose: Transform, velocity: Motion, points: Sequence[tuple[Vector, Scalar]]) -> ContactForce:
        """Return the force of the ground on a link at points without anchors.

        pose, velocity: pose and velocity of the link, the velocity in link coordinates; points: balls, by position in
        the link and radius [m].
        """
        return _total(self.link_points(pose, velocity, points))

    def link_points(self, pose: Transform, velocity: Motion, points: Sequence[tuple[Vector, Scalar]]) -> PointForces:
        """Return the forces whose sum is link_force(), each also at its point; arguments as for link_force()."""
        forces: PointForces = []
        for position, radius in points:
            contact = self.contact_point(pose, velocity, position, radius)
            normal, friction, loss = point_contact(
                self.parameters, contact.depth, contact.separation_speed, contact.slip
            )
            force = contact.surface.normal * normal.force + friction
            wrench = _link_wrench(pose, contact, force)
            total = ContactForce(wrench, normal.force, normal.energy, normal.loss, loss)
            forces.append((contact.with_force(force), total))
        return forces

    def rolling_force(
        self, pose: Transform, velocity: Motion, gaps: Sequence[Gap], bristles: Sequence[Bristle]
    ) -> ContactForce:
        """Return the force of the ground on a link at the points where its round parts are nearest to the ground.

        pose, velocity: pose and velocity of the link, the velocity in link coordinates. gaps: gaps of the round parts.
        bristles: one for each gap; or none, for regularised friction. Forces act on the material of the part at the
        contact.
        """
        return _total(self.rolling_points(pose, velocity, gaps, bristles))

    def rolling_points(
        self, pose: Transform, velocity: Motion, gaps: Sequence[Gap], bristles: Sequence[Bristle]
    ) -> PointForces:
        """Return the forces whose sum is rolling_force(), each also at its point; arguments as for rolling_force()."""
        forces: PointForces = []
        for k, gap in enumerate(gaps):
            v = material_velocity(pose, velocity, gap.point_a)
            separation_speed = v.dot(gap.normal)
            slip = v - gap.normal * separation_speed
            if bristles:
                assert isinstance(self.parameters, ContactParameters)
                bend = bristles[k].bend(pose, gap.normal)
                normal = spring_damper_force(self.parameters, -gap.size, separation_speed)
                friction, loss = bristle_friction(self.parameters, normal.force, bend, slip)
                energy = normal.energy + 0.5 * self.parameters.bristle_stiffness * bend.dot(bend)
            else:
                normal, friction, loss = point_contact(self.parameters, -gap.size, separation_speed, slip)
                energy = normal.energy
            force = gap.normal * normal.force + friction
            f = pose.rotation.transpose @ force
            wrench = Force((pose.inverse @ gap.point_a).cross(f), f)
            total = ContactForce(wrench, normal.force, energy, normal.loss, loss)
            forces.append((PointForce(gap.point_a, gap.normal, gap.size, force), total))
        return forces

    def foot_force(
        self,
        pose: Transform,
        velocity: Motion,
        points: Sequence[tuple[Vector, Scalar]],
        anchors: Sequence[Anchor],
    ) -> ContactForce:
        """Return the force of the ground on a foot, whose points have anchors.

        anchors: one for each point; other arguments as for link_force().
        """
        return _total(self.foot_points(pose, velocity, points, anchors))

    def foot_points(
        self, pose: Transform, velocity: Motion, points: Sequence[tuple[Vector, Scalar]], anchors: Sequence[Anchor]
    ) -> PointForces:
        """Return the forces whose sum is foot_force(), each also at its point; arguments as for foot_force()."""
        assert isinstance(self.parameters, ContactParameters)
        forces: PointForces = []
        for (position, radius), anchor in zip(points, anchors, strict=True):
            contact = self.contact_point(pose, velocity, position, radius)
            normal = spring_damper_force(self.parameters, contact.depth, contact.separation_speed)
            friction, energy, loss = self._foot_friction(contact, anchor, normal.force)
            force = contact.surface.normal * normal.force + friction
            wrench = _link_wrench(pose, contact, force)
            total = ContactForce(wrench, normal.force, normal.energy + energy, normal.loss, loss)
            forces.append((contact.with_force(force), total))
        return forces

    def _foot_friction(
        self, contact: PointState, anchor: Anchor, normal_force: Scalar
    ) -> tuple[Vector, Scalar, Scalar]:
        """Return friction, energy and power loss of the bristle or the sticky spring of a foot point."""
        assert isinstance(self.parameters, ContactParameters)
        stretch = anchor.stretch(contact.point)
        if self.sticky_foot is not None:
            force, energy, loss = sticky_force(self.sticky_foot, stretch, contact.velocity)
            sliding, sliding_loss = regularised_friction(self.parameters, normal_force, contact.slip)
            holds = anchor.held > 0.5
            tangential = Vector.of([where(holds, a, b) for a, b in zip(force, sliding, strict=True)])
            return tangential, where(holds, energy, 0.0), where(holds, loss, sliding_loss)
        bend = in_plane(contact.surface, stretch)
        friction, loss = bristle_friction(self.parameters, normal_force, bend, contact.slip)
        return friction, 0.5 * self.parameters.bristle_stiffness * bend.dot(bend), loss

    def update_anchors(
        self,
        pose: Transform,
        velocity: Motion,
        points: Sequence[tuple[Vector, Scalar]],
        anchors: Sequence[Anchor],
        stance: Scalar,
    ) -> tuple[list[Anchor], Scalar]:
        """Return the anchors of one foot after a step, and the energy that they released [J].

        pose, velocity, points: as for link_force(); anchors: one for each point; stance: 1 while the leg stands, else
        0.
        """
        assert isinstance(self.parameters, ContactParameters)
        result: list[Anchor] = []
        released: Scalar = 0.0
        for (position, radius), anchor in zip(points, anchors, strict=True):
            contact = self.contact_point(pose, velocity, position, radius)
            if self.sticky_foot is None:
                normal = spring_damper_force(self.parameters, contact.depth, contact.separation_speed).force
                new, energy = updated_bristle(self.parameters, contact.surface, anchor, contact.point, normal)
            else:
                new, ended = updated_hold(self.sticky_foot, contact.surface, anchor, contact.point, stance)
                energy = ended * sticky_force(self.sticky_foot, anchor.stretch(contact.point), contact.velocity)[1]
            result.append(new)
            released = released + energy
        return result, released


@dataclass(frozen=True, slots=True)
class GroundPrograms:
    """Methods of a GroundContact, each traced once.

    grip_force, update_grips: foot_force and update_anchors for links that are not feet, which never stick under pull.
    """

    link_force: Subprogram
    foot_force: Subprogram
    update_anchors: Subprogram
    grip_force: Subprogram
    update_grips: Subprogram


def point_contact(
    parameters: ContactParameters | HuntCrossley,
    depth: Scalar,
    separation_speed: Scalar,
    slip: Vector,
    friction: Scalar | None = None,
) -> tuple[NormalForce, Vector, Scalar]:
    """Return the normal force, the friction, and its power loss [W] at a point without an anchor.

    parameters: parameters of the contact; depth [m]; separation_speed: speed out of the ground [m/s]; slip: velocity
    along the ground [m/s]. friction: coefficient of friction; None: the coefficient in the parameters.
    """
    parameters = parameters if friction is None else replace(parameters, friction=friction)
    if isinstance(parameters, HuntCrossley):
        normal = hertz_force(parameters, depth, separation_speed)
        return normal, *smooth_friction(parameters, normal.force, slip)
    normal = spring_damper_force(parameters, depth, separation_speed)
    return normal, *regularised_friction(parameters, normal.force, slip)


def _link_wrench(pose: Transform, contact: PointState, force: Vector) -> Force:
    """Return a force at a contact point, in world axes, as a spatial force on the link in link coordinates."""
    to_link = pose.rotation.transpose
    f = to_link @ force
    return Force((to_link @ (contact.point - pose.position)).cross(f), f)


def _total(forces: PointForces) -> ContactForce:
    """Return the sum of the forces on one link."""
    return total_contact_force([force for _, force in forces])


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
