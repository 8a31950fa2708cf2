"""All possible contacts of a world in one state: points, normals and gaps, and the forces of compliant contact."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from gambol.collide.gap import FAR
from gambol.collide.pairs import ROLLING_SLOTS
from gambol.contact.generation.ground_points import (
    corner_points,
    isotropic,
    non_rolling_points,
    rolling_parts,
    split_into_groups,
)
from gambol.contact.generation.sources import ContactSource, contact_sources
from gambol.contact.penalty import PointForce
from gambol.contact.penalty.ground_forces import rolling_ground_gaps, sources_without_memory
from gambol.contact.penalty.method import Penalty, law_of_source, link_scales
from gambol.contact.penalty.point_forces import part_force
from gambol.contact.stepping import Candidate
from gambol.contact.stepping.anisotropy import contact_frame
from gambol.dynamics import Kinematics, kinematics
from gambol.figure import PlacedLink
from gambol.lanes import Scalar, Subprogram, when, where
from gambol.spatial.rotation import is_constant
from gambol.spatial.vector import ZERO
from gambol.world.context import Memory, StepContext, StepState
from gambol.world.world import World

NUMBERS_PER_CONTACT = 10
"""Numbers of a contact: point (3), normal (3), gap, force (3)."""


def possible_contacts(world: World) -> list[tuple[int, int]]:
    """Return the indices of both links of each possible contact, in the order of contact_points(); 0 is the ground."""
    sources = contact_sources(world.scene)
    if not isinstance(world.method, Penalty):
        return [(source.link, source.other) for source in sources for _ in range(source.count)]
    on_ground = [(link.index, 0) for link in _links_on_ground(world) for _ in range(_ground_point_count(link))]
    others = sources_without_memory(world.scene)
    return on_ground + [(source.link, source.other) for source in others for _ in range(source.count)]


def contact_points(world: World, step_state: StepState, numbers: Mapping[str, Any], table: Any) -> list[list[Scalar]]:
    """Return NUMBERS_PER_CONTACT numbers of each possible contact, for distant ones zeros and the gap FAR.

    The force is computed by the contact method "penalty". Other methods store impulses in their contact cache; for
    these methods the first tangent of the contact is in place of the force, so that the directions of the impulses are
    known. numbers: inputs of the world; table: heights of its ground.
    """
    context = StepContext.of(world, numbers, table)
    state = kinematics(context.world.figure, step_state.q, step_state.v)
    forces = point_forces(context, state, step_state.memory)
    return [[*f.point, *f.normal, f.gap, *f.force] for f in forces]


def point_forces(context: StepContext, state: Kinematics, memory: Memory) -> list[PointForce]:
    """Return all possible contacts, in the order of possible_contacts(); force: as for contact_points()."""
    sources = contact_sources(context.scene)
    if not isinstance(context.world.method, Penalty):
        return [x for source in sources for x in _near(context, state, memory, source)]
    scales, links = link_scales(context.scene), _links_on_ground(context.world)
    forces = [
        replace(x, force=x.force * scales.get(link.name, 1.0))
        for link in links
        for x in _attached(context, link, _on_ground(context, state, memory, link))
    ]
    others = sources_without_memory(context.scene)
    return forces + [x for source in others for x in _near(context, state, memory, source)]


def _links_on_ground(world: World) -> list[PlacedLink]:
    """Return the links that compliant ground can touch."""
    links = [isotropic(link) for link in world.figure.links] if world.has_ground else []
    return [link for link in links if world.figure.can_move(link.index) and _ground_point_count(link)]


def _ground_point_count(link: PlacedLink) -> int:
    return len(non_rolling_points(link)) + sum(ROLLING_SLOTS[part.shape.kind] for part in rolling_parts(link))


def _attached(context: StepContext, link: PlacedLink, forces: Iterator[PointForce]) -> Iterator[PointForce]:
    """Yield the forces at points of a link; if the link is cut off, they are 0, and the gap is FAR."""
    if link.index not in context.fractions:
        yield from forces
        return
    attached = context.scene.if_attached(True, link.index)
    for x in forces:
        yield replace(x, force=x.force * where(attached, 1.0, 0.0), gap=where(attached, x.gap, FAR))


def _on_ground(context: StepContext, state: Kinematics, memory: Memory, link: PlacedLink) -> Iterator[PointForce]:
    """Yield the forces of compliant ground at all points of a link."""
    contact, pose, velocity = context.ground_contact, state.poses[link.index], state.velocities[link.index]
    gripping, points = context.scene.gripping, non_rolling_points(link)
    grip_index = gripping.index(link.name) if link.name in gripping else None
    if grip_index is not None:
        holding = contact if link.name in context.scene.feet else replace(contact, sticky_foot=None)
        corners = corner_points(link)
        points = [(point, radius) for point, radius in points if not is_constant(radius, 0.0)]
        for group, anchors in zip(
            split_into_groups(corners), split_into_groups(memory.anchors[grip_index]), strict=True
        ):
            yield from (f for f, _ in holding.foot_points(pose, velocity, group, anchors))
    yield from (f for f, _ in contact.link_points(pose, velocity, points))
    if rolling_parts(link):
        bristles = memory.bristles[grip_index] if grip_index is not None and memory.bristles else []
        gaps = rolling_ground_gaps(context.scene, state, link)
        yield from (f for f, _ in contact.rolling_points(pose, velocity, gaps, bristles))


def _near(context: StepContext, state: Kinematics, memory: Memory, source: ContactSource) -> list[PointForce]:
    """Return the contacts of a source that may have closed in the last step, with the forces of compliant parts."""
    cache = memory.contact_cache
    h: Scalar = 0.0 if cache is None else cache.step_size

    def at_points() -> list[PointForce]:
        return [_point_force(context, state, source, c) for c in source.contacts(context.scene, state)]

    absent = [PointForce(ZERO, ZERO, FAR, ZERO)] * source.count
    return when(source.may_close(context.scene, state, h), Subprogram(at_points), otherwise=absent)


def _point_force(context: StepContext, state: Kinematics, source: ContactSource, contact: Candidate) -> PointForce:
    """Return a contact with its force, or with its first tangent if the method is not "penalty"."""
    if isinstance(context.world.method, Penalty):
        return part_force(state, law_of_source(context.scene, source), source, contact)[0]
    assert contact.normal is not None
    tangent = contact_frame(contact.normal, contact.anisotropy)[1]
    return PointForce(contact.point, contact.normal, contact.gap, tangent)
