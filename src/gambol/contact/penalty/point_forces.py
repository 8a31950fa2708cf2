"""Forces at the contact points of shapes, without memory: functions of depth and velocity at each point.

Penalty contact has such forces between parts. With the ground, it has bristles besides (see ground_forces.py).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from gambol.contact.generation.families import PairFamily, PairItem
from gambol.contact.generation.scene import StepScene
from gambol.contact.generation.sources import ContactSource, source_families
from gambol.contact.penalty.law import NormalForce
from gambol.contact.penalty.patch import PointForce
from gambol.contact.stepping.contact import Candidate
from gambol.dynamics import Kinematics
from gambol.lanes import Scalar, Subprogram, scan, when
from gambol.spatial import Force, Vector
from gambol.spatial.vector import ZERO

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
    unrolled = list[ContactSource]()
    for family, members in source_families(sources):
        if len(members) > 1 and isinstance(family, PairFamily) and _have_one_law(members, law_of):
            total = _forces_in_loop(scene, state, law_of(members[0]), (family, members), total)
        else:
            unrolled += members
    for source in unrolled:
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


def _have_one_law(sources: Sequence[ContactSource], law_of: Callable[[ContactSource], PointLaw]) -> bool:
    """Return True if the laws of sources are one function with the same arguments."""
    laws: list[Any] = [law_of(source) for source in sources]
    return all(isinstance(law, partial) for law in laws) and all(_parts(law) == _parts(laws[0]) for law in laws)


def _parts(law: Any) -> tuple[Any, ...]:
    return law.func, [*map(id, law.args)], law.keywords


def _forces_in_loop(
    scene: StepScene,
    state: Kinematics,
    law: PointLaw,
    of_family: tuple[PairFamily, Sequence[ContactSource]],
    total: PointForces,
) -> PointForces:
    """Return a sum of forces with those of a family's sources, which are computed in a loop."""
    family, members = of_family

    def step(sums: Any, item: PairItem) -> Any:
        near = family.may_close(scene, item, 0.0)
        found, powers = when(near, lambda: _forces_of_item(family.contacts(scene, item), item, law))
        return [x + y for x, y in zip(sums, powers, strict=True)], found

    items = [source.item(scene, state) for source in members]
    sums, found = scan(step, [total.energy, total.normal_loss, total.sliding_loss], items)
    in_world = dict[int, tuple[Vector, Vector]]()
    for source, (force, moment, other_moment) in zip(members, found, strict=True):
        for link, moved, turned in ((source.link, force, moment), (source.other, -force, other_moment)):
            f, n = in_world.get(link, (ZERO, ZERO))
            in_world[link] = f + moved, n + turned
    for link, (f, n) in in_world.items():
        R = state.poses[link].rotation.transpose
        force = Force(R @ n, R @ f)
        total.forces[link] = total.forces[link] + force if link in total.forces else force
    energy, normal_loss, sliding_loss = sums
    return PointForces(total.forces, energy, normal_loss, sliding_loss, total.normal_forces)


def _forces_of_item(contacts: Sequence[Candidate], item: PairItem, law: PointLaw) -> tuple[Any, list[Scalar]]:
    """Return force and moments of contacts between two parts, in world axes; energy, normal loss and sliding loss.

    The force acts on the first link; the moments act on both, about their origins.
    """
    a, b = item.motions
    force, moments, powers = ZERO, [ZERO, ZERO], [0.0, 0.0, 0.0]
    for contact in contacts:
        assert contact.normal is not None
        velocity = a.point_velocity(contact.point) - b.point_velocity(contact.point)
        separation_speed = velocity.dot(contact.normal)
        slip = velocity - contact.normal * separation_speed
        push, friction, loss = _by_law(law, contact, separation_speed, slip)
        f = contact.normal * push.force + friction
        arms = [contact.point - motion.origin for motion in (a, b)]
        force, moments = force + f, [moments[0] + arms[0].cross(f), moments[1] - arms[1].cross(f)]
        powers = [x + y for x, y in zip(powers, (push.energy, push.loss, loss), strict=True)]
    return (force, *moments), powers


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
