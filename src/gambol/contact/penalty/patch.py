"""The contact points of one link against the ground: their sum as one spatial force, and where its power goes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gambol.collide import Ground, Surface
from gambol.collide.gap import Gap
from gambol.contact.penalty.anchor import Anchor, in_plane, settled_bristle, settled_hold
from gambol.contact.penalty.bristle import Bristle, material_velocity
from gambol.contact.penalty.hunt_crossley import HuntCrossley, hertz_push, smooth_pull
from gambol.contact.penalty.law import (
    Push,
    Stick,
    Touch,
    friction_pull,
    normal_push,
    skid_pull,
    stick_pull,
)
from gambol.lanes import Scalar, where
from gambol.spatial import Force, Motion, Transform, Vector


@dataclass(frozen=True, slots=True)
class Felt:
    """What the ground does to a link.

    force: in link coordinates. push: the sum of normal forces [N]. energy: stored in ground, bristles and holds [J].
    normal_loss, sliding_loss: power taken out of the motion by the normal force and by friction or holds [W].
    """

    force: Force
    push: Scalar
    energy: Scalar
    normal_loss: Scalar
    sliding_loss: Scalar


@dataclass(frozen=True, slots=True)
class Spot:
    """One contact point in the world: where it is, how it moves, the ground at it, and how deep it is inside."""

    point: Vector
    velocity: Vector
    surface: Surface
    depth: Scalar
    leaving: Scalar
    slip: Vector


@dataclass(frozen=True)
class GroundTouch:
    """The law of touch on one ground: structure and traced numbers together, while a step is being traced.

    stick: None for sliding feet.
    """

    ground: Ground
    numbers: dict[str, Scalar]
    table: Any
    touch: Touch | HuntCrossley
    stick: Stick | None

    def spot(self, pose: Transform, velocity: Motion, place: Vector, radius: Scalar) -> Spot:
        """A contact point, given in link coordinates: the lowest point of a ball of some radius about a place."""
        centre = pose @ place
        moving = pose.rotation @ velocity.v.plus_cross(velocity.w, place)
        surface = self.ground.surface(self.numbers, self.table, centre.x, centre.y)
        point, spun = centre - surface.normal * radius, (pose.rotation @ velocity.w).cross(surface.normal) * -radius
        v = moving + spun
        leaving = v.dot(surface.normal)
        return Spot(point, v, surface, surface.depth(centre.z) + radius, leaving, v - surface.normal * leaving)

    def plain(self, pose: Transform, velocity: Motion, places: Sequence[tuple[Vector, Scalar]]) -> Felt:
        """What the ground does to a link that remembers nothing."""
        felt: list[Felt] = []
        for place, radius in places:
            at = self.spot(pose, velocity, place, radius)
            push, pull, loss = touched(self.touch, at.depth, at.leaving, at.slip)
            force = _on_link(pose, at, at.surface.normal * push.force + pull)
            felt.append(Felt(force, push.force, push.energy, push.loss, loss))
        return total_felt(felt)

    def rolling(self, pose: Transform, velocity: Motion, gaps: Sequence[Gap], bristles: Sequence[Bristle]) -> Felt:
        """What the ground does to a link at the points where round parts of it are nearest to the ground.

        velocity: of the link, in its coordinates. bristles: one for each gap, or none, where round parts skid. Forces
        act on the material of the part that is there.
        """
        felt: list[Felt] = []
        for k, gap in enumerate(gaps):
            v = material_velocity(pose, velocity, gap.here)
            leaving = v.dot(gap.normal)
            slip = v - gap.normal * leaving
            if bristles:
                assert isinstance(self.touch, Touch)
                bend = bristles[k].bend(pose, gap.normal)
                push = normal_push(self.touch, -gap.size, leaving)
                pull, loss = friction_pull(self.touch, push.force, bend, slip)
                energy = push.energy + 0.5 * self.touch.bristle_stiffness * bend.dot(bend)
            else:
                push, pull, loss = touched(self.touch, -gap.size, leaving, slip)
                energy = push.energy
            f = pose.rotation.transpose @ (gap.normal * push.force + pull)
            felt.append(Felt(Force((pose.inverse @ gap.here).cross(f), f), push.force, energy, push.loss, loss))
        return total_felt(felt)

    def foot(
        self,
        pose: Transform,
        velocity: Motion,
        places: Sequence[tuple[Vector, Scalar]],
        anchors: Sequence[Anchor],
    ) -> Felt:
        """What the ground does to a foot, whose points remember where they hold it."""
        assert isinstance(self.touch, Touch)
        felt: list[Felt] = []
        for (place, radius), anchor in zip(places, anchors, strict=True):
            at = self.spot(pose, velocity, place, radius)
            push = normal_push(self.touch, at.depth, at.leaving)
            pull, energy, loss = self._grip(at, anchor, push.force)
            force = _on_link(pose, at, at.surface.normal * push.force + pull)
            felt.append(Felt(force, push.force, push.energy + energy, push.loss, loss))
        return total_felt(felt)

    def _grip(self, at: Spot, anchor: Anchor, push: Scalar) -> tuple[Vector, Scalar, Scalar]:
        """Force, energy and loss of a foot point's bristle or hold."""
        assert isinstance(self.touch, Touch)
        stretch = anchor.stretch(at.point)
        if self.stick is not None:
            force, energy, loss = stick_pull(self.stick, stretch, at.velocity)
            slide, slide_loss = skid_pull(self.touch, push, at.slip)
            holds = anchor.held > 0.5
            mixed = Vector.of([where(holds, a, b) for a, b in zip(force, slide, strict=True)])
            return mixed, where(holds, energy, 0.0), where(holds, loss, slide_loss)
        bend = in_plane(at.surface, stretch)
        pull, loss = friction_pull(self.touch, push, bend, at.slip)
        return pull, 0.5 * self.touch.bristle_stiffness * bend.dot(bend), loss

    def settle(
        self,
        pose: Transform,
        velocity: Motion,
        places: Sequence[tuple[Vector, Scalar]],
        anchors: Sequence[Anchor],
        stance: Scalar,
    ) -> tuple[list[Anchor], Scalar]:
        """The anchors of one foot after a step, and the energy that its bristles or holds let go [J].

        stance: 1 while its leg stands.
        """
        assert isinstance(self.touch, Touch)
        settled: list[Anchor] = []
        released: Scalar = 0.0
        for (place, radius), anchor in zip(places, anchors, strict=True):
            at = self.spot(pose, velocity, place, radius)
            if self.stick is None:
                push = normal_push(self.touch, at.depth, at.leaving).force
                new, energy = settled_bristle(self.touch, at.surface, anchor, at.point, push)
            else:
                new, ended = settled_hold(self.stick, at.surface, anchor, at.point, stance)
                energy = ended * stick_pull(self.stick, anchor.stretch(at.point), at.velocity)[1]
            settled.append(new)
            released = released + energy
        return settled, released


def touched(touch: Touch | HuntCrossley, depth: Scalar, leaving: Scalar, slip: Vector) -> tuple[Push, Vector, Scalar]:
    """What touching does at a point without memory: the push, friction, and the power that friction takes [W]."""
    if isinstance(touch, HuntCrossley):
        push = hertz_push(touch, depth, leaving)
        return push, *smooth_pull(touch, push.force, slip)
    push = normal_push(touch, depth, leaving)
    return push, *skid_pull(touch, push.force, slip)


def _on_link(pose: Transform, at: Spot, force: Vector) -> Force:
    """A force at a spot, in world axes, as a spatial force on the link in link coordinates."""
    back = pose.rotation.transpose
    f = back @ force
    return Force((back @ (at.point - pose.position)).cross(f), f)


def total_felt(felt: Sequence[Felt]) -> Felt:
    """The sum of what was felt at several points of one link."""
    total = felt[0]
    for f in felt[1:]:
        total = Felt(
            total.force + f.force,
            total.push + f.push,
            total.energy + f.energy,
            total.normal_loss + f.normal_loss,
            total.sliding_loss + f.sliding_loss,
        )
    return total
