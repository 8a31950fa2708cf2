"""Forces at the contact points of shapes, without memory: functions of depth and velocity at each point.

Penalty contact has such forces between parts. With the ground, it has bristles besides (see ground_forces.py).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from gambol.contact.generation.scene import StepScene
from gambol.contact.generation.sources import ContactSource
from gambol.contact.penalty.law import NormalForce
from gambol.contact.penalty.patch import PointForce
from gambol.contact.stepping.contact import Candidate
from gambol.dynamics import Kinematics
from gambol.lanes import Scalar, Subprogram, when
from gambol.spatial import Force, Vector

PointLaw: TypeAlias = Callable[..., tuple[NormalForce, Vector, Scalar]]
"""Returns normal force, friction [N] and the power that friction dissipates [W], from depth [m], separation speed [m/s]
and slip velocity [m/s]. The law of a method for anisotropic friction has another argument, `friction`, a coefficient.
"""


@dataclass(frozen=True, slots=True)
class PointForces:
    """Forces at contact points.

    forces: forces on links by link index, in link coordinates. energy: energy stored in overlaps [J]. normal_loss,
    sliding_loss: power that normal forces and friction dissipate [W]. normal_forces: normal forces of the ground, by
    link index [N].
    """

    forces: dict[int, Force]
    energy: Scalar = 0.0
    normal_loss: Scalar = 0.0
    sliding_loss: Scalar = 0.0
    normal_forces: dict[int, Scalar] = field(default_factory=dict[int, Scalar])


def scaled_law(law: PointLaw, factor: Scalar) -> PointLaw:
    """Return a law with the force, energy and losses of another law, times a factor."""

    def scaled(*state: Any, **options: Any) -> tuple[NormalForce, Vector, Scalar]:
        normal, friction, loss = law(*state, **options)
        scaled_normal = NormalForce(normal.force * factor, normal.energy * factor, normal.loss * factor)
        return scaled_normal, friction * factor, loss * factor

    return scaled


def point_forces(
    scene: StepScene,
    state: Kinematics,
    law_of: Callable[[ContactSource], PointLaw],
    sources: Iterable[ContactSource],
) -> PointForces:
    """Return the forces of some contact sources. Parts that are far apart are skipped.

    scene: the scene with the inputs of a step. state: kinematics of its figure. law_of: returns the law of a source.
    """
    forces: dict[int, Force] = {}
    total = PointForces(forces)
    for source in sources:
        compute = _pair_forces if source.other else _ground_forces

        def source_forces(source: ContactSource = source, compute: Any = compute) -> Any:
            return compute(scene, state, law_of(source), source)

        # the second result is the force on the other link, or the normal force of the ground
        link_force, other_or_normal_force, energy, normal_loss, sliding_loss = when(
            source.may_close(scene, state, 0.0), Subprogram(source_forces)
        )
        ends = [(source.link, link_force)]
        if source.other:
            ends.append((source.other, other_or_normal_force))
        else:
            total.normal_forces[source.link] = total.normal_forces.get(source.link, 0.0) + other_or_normal_force
        for link, force in ends:
            forces[link] = forces[link] + force if link in forces else force
        total = PointForces(
            forces,
            total.energy + energy,
            total.normal_loss + normal_loss,
            total.sliding_loss + sliding_loss,
            total.normal_forces,
        )
    return total


def _pair_forces(
    scene: StepScene, state: Kinematics, law: PointLaw, source: ContactSource
) -> tuple[Force, Force, Scalar, Scalar, Scalar]:
    """Return forces on the two links of a source, stored energy, and power lost to normal forces and to friction."""
    link_force, other_force = (
        Force(Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)),
        Force(Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)),
    )
    energy: Scalar = 0.0
    normal_loss: Scalar = 0.0
    sliding_loss: Scalar = 0.0
    for contact in source.contacts(scene, state):
        points = [state.poses[link].inverse @ contact.point for link in (source.link, source.other)]
        at_point, push, loss = part_force(state, law, source, contact)
        force = at_point.force
        link_force = link_force + state.force_on_link(source.link, points[0], force)
        other_force = other_force + state.force_on_link(source.other, points[1], -force)
        energy, normal_loss, sliding_loss = energy + push.energy, normal_loss + push.loss, sliding_loss + loss
    return link_force, other_force, energy, normal_loss, sliding_loss


def part_force(
    state: Kinematics, law: PointLaw, source: ContactSource, contact: Candidate
) -> tuple[PointForce, NormalForce, Scalar]:
    """Return the force at a contact of a source, on its first link; its normal part; and the friction loss [W]."""
    assert contact.normal is not None
    points = [state.poses[link].inverse @ contact.point for link in (source.link, source.other)]
    velocity = state.point_velocity(source.link, points[0]) - state.point_velocity(source.other, points[1])
    separation_speed = velocity.dot(contact.normal)
    slip = velocity - contact.normal * separation_speed
    push, friction, sliding_loss = _by_law(law, contact, separation_speed, slip)
    force = contact.normal * push.force + friction
    return PointForce(contact.point, contact.normal, contact.gap, force), push, sliding_loss


def _ground_forces(
    scene: StepScene, state: Kinematics, law: PointLaw, source: ContactSource
) -> tuple[Force, Scalar, Scalar, Scalar, Scalar]:
    """Return the force on the link of a source, its normal force, stored energy, power lost; see _pair_forces()."""
    total, normal_force = Force(Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)), 0.0
    energy, normal_loss, sliding_loss = 0.0, 0.0, 0.0
    for contact in source.contacts(scene, state):
        assert contact.normal is not None
        point = state.poses[source.link].inverse @ contact.point
        velocity = state.point_velocity(source.link, point)
        separation_speed = velocity.dot(contact.normal)
        slip = velocity - contact.normal * separation_speed
        push, friction, loss = _by_law(law, contact, separation_speed, slip)
        force = contact.normal * push.force + friction
        total, normal_force = total + state.force_on_link(source.link, point, force), normal_force + push.force
        energy, normal_loss, sliding_loss = energy + push.energy, normal_loss + push.loss, sliding_loss + loss
    return total, normal_force, energy, normal_loss, sliding_loss


def _by_law(
    law: PointLaw, contact: Candidate, separation_speed: Scalar, slip: Vector
) -> tuple[NormalForce, Vector, Scalar]:
    """Return the result of the law; the friction of an anisotropic contact is computed by anisotropy.py."""
    if contact.anisotropy is None:
        return law(-contact.gap, separation_speed, slip)
    assert contact.normal is not None
    push, isotropic, _ = law(-contact.gap, separation_speed, slip, friction=contact.friction)
    friction = contact.anisotropy.friction(contact.normal, isotropic, slip)
    return push, friction, -friction.dot(slip)
