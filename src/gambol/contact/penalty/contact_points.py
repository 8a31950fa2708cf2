"""All possible contacts of `penalty` in one state: points, normals, gaps, and the present forces at them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from gambol.collide.gap import FAR
from gambol.collide.pairs import ROLLING_SLOTS
from gambol.contact.generation.ground_points import (
    corner_points,
    isotropic,
    non_rolling_points,
    rolling_parts,
    split_into_groups,
)
from gambol.contact.generation.scene import ConstraintScene, StepScene
from gambol.contact.memory import ContactMemory
from gambol.contact.penalty.ground_forces import rolling_ground_gaps
from gambol.contact.penalty.patch import PointForce
from gambol.dynamics import Kinematics
from gambol.figure import PlacedLink
from gambol.lanes import Scalar, where
from gambol.spatial.rotation import is_constant


def possible_ground_contacts(scene: ConstraintScene) -> list[tuple[int, int]]:
    """Return the index of the link, and 0 for the ground, of each point at which compliant ground may touch."""
    return [(link.index, 0) for link in _links_on_ground(scene) for _ in range(_ground_point_count(link))]


def ground_point_forces(
    scene: StepScene, state: Kinematics, memory: ContactMemory, scales: Mapping[str, Scalar]
) -> list[PointForce]:
    """Return the forces of compliant ground at all points of links; scales: factors of links, by name."""
    return [
        replace(x, force=x.force * scales.get(link.name, 1.0))
        for link in _links_on_ground(scene)
        for x in _attached(scene, link, _on_ground(scene, state, memory, link))
    ]


def _links_on_ground(scene: ConstraintScene) -> list[PlacedLink]:
    """Return the links that compliant ground can touch."""
    links = [isotropic(link) for link in scene.figure.links] if scene.has_ground else []
    return [link for link in links if scene.figure.can_move(link.index) and _ground_point_count(link)]


def _ground_point_count(link: PlacedLink) -> int:
    return len(non_rolling_points(link)) + sum(ROLLING_SLOTS[part.shape.kind] for part in rolling_parts(link))


def _attached(scene: StepScene, link: PlacedLink, forces: Iterator[PointForce]) -> Iterator[PointForce]:
    """Yield the forces at points of a link; if the link is cut off, they are 0, and the gap is FAR."""
    if link.index not in scene.inputs.fractions:
        yield from forces
        return
    attached = scene.if_attached(True, link.index)
    for x in forces:
        yield replace(x, force=x.force * where(attached, 1.0, 0.0), gap=where(attached, x.gap, FAR))


def _on_ground(scene: StepScene, state: Kinematics, memory: ContactMemory, link: PlacedLink) -> Iterator[PointForce]:
    """Yield the forces of compliant ground at all points of a link."""
    contact, pose, velocity = scene.inputs.ground_contact, state.poses[link.index], state.velocities[link.index]
    points = non_rolling_points(link)
    grip_index = scene.gripping.index(link.name) if link.name in scene.gripping else None
    if grip_index is not None:
        holding = contact if link.name in scene.feet else replace(contact, sticky_foot=None)
        corners = corner_points(link)
        points = [(point, radius) for point, radius in points if not is_constant(radius, 0.0)]
        for group, anchors in zip(
            split_into_groups(corners), split_into_groups(memory.anchors[grip_index]), strict=True
        ):
            yield from (f for f, _ in holding.foot_points(pose, velocity, group, anchors))
    yield from (f for f, _ in contact.link_points(pose, velocity, points))
    if rolling_parts(link):
        bristles = memory.bristles[grip_index] if grip_index is not None and memory.bristles else []
        gaps = rolling_ground_gaps(scene, state, link)
        yield from (f for f, _ in contact.rolling_points(pose, velocity, gaps, bristles))
