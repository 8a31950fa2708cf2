"""Forces of compliant ground on links: corners of feet grip, round parts roll on bristles, other points slide."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from gambol.collide import NoGround
from gambol.collide.gap import Gap
from gambol.collide.pairs import ROLLING_SLOTS, rolling_gaps
from gambol.contact.generation.ground_points import (
    GroundPoint,
    corner_points,
    isotropic,
    near_ground,
    non_rolling_points,
    rolling_parts,
    split_into_groups,
)
from gambol.contact.generation.scene import ConstraintScene, StepScene
from gambol.contact.generation.sources import ContactSource, contact_sources, part_pose
from gambol.contact.memory import ContactMemory
from gambol.contact.penalty.anchor import Anchor
from gambol.contact.penalty.bristle import Bristle, updated_bristles
from gambol.contact.penalty.law import ContactParameters
from gambol.contact.penalty.patch import ContactForce, total_contact_force
from gambol.dynamics import Kinematics
from gambol.figure import PlacedLink
from gambol.lanes import Scalar, Subprogram, when
from gambol.spatial import Motion, Transform, Vector
from gambol.spatial.rotation import is_constant


def initial_bristles(scene: ConstraintScene) -> ContactMemory:
    """Return the initial anchors of the corners of all gripping links, and the bristles of their round parts."""
    links = [isotropic(scene.figure.link(name)) for name in scene.gripping]
    corners = [[Anchor() for _ in corner_points(link)] for link in links]
    slots = [sum(ROLLING_SLOTS[part.shape.kind] for part in rolling_parts(link)) for link in links]
    return ContactMemory(corners, [[Bristle() for _ in range(count)] for count in slots] if any(slots) else [])


def gripping_or_near(
    scene: StepScene,
    link: PlacedLink,
    pose: Transform,
    points: Sequence[GroundPoint],
    anchors: Sequence[Anchor | Bristle],
) -> Scalar:
    """Return True if a point of a link is near the ground, or one of its anchors holds, unless the link is cut off.

    pose: pose of the link; points: its contact points; anchors: anchors of some of them.
    """
    result = near_ground(scene.inputs.ground_contact, pose, points)
    for anchor in anchors:
        result = result | (anchor.held > 0.5)
    return scene.if_attached(result, link.index)


def ground_reactions_on(
    scene: StepScene, state: Kinematics, memory: ContactMemory, links: Sequence[int]
) -> dict[int, ContactForce]:
    """Return the reaction of compliant ground on links, by index, without the reaction on anisotropic parts.

    links: indices of the links.
    """
    return ground_reactions(scene, state, memory, [scene.figure.links[index - 1] for index in links])


def sources_without_memory(scene: ConstraintScene) -> list[ContactSource]:
    """Return the sources of contacts without anchors and bristles: pairs of parts, and anisotropic parts."""
    return [source for source in contact_sources(scene) if source.other or source.anisotropic]


def ground_reactions(
    scene: StepScene, state: Kinematics, memory: ContactMemory, links: Sequence[PlacedLink]
) -> dict[int, ContactForce]:
    """Return the ground's reaction on each link that can touch it, by index. Links in the air cost only a test."""
    reactions: dict[int, ContactForce] = {}
    has_ground = not isinstance(scene.ground, NoGround)
    anchors_by_link = dict(zip(scene.gripping, memory.anchors, strict=True))
    bristles_by_link = dict(zip(scene.gripping, memory.bristles, strict=False))
    for link in [isotropic(link) for link in links if has_ground and scene.figure.can_move(link.index)]:
        points, pose, velocity = non_rolling_points(link), state.poses[link.index], state.velocities[link.index]
        link_reactions: list[ContactForce] = []
        if link.name in anchors_by_link:
            link_reactions += _gripping_reactions(scene, link, pose, velocity, anchors_by_link[link.name])
        elif points:
            link_reactions.append(
                when(
                    gripping_or_near(scene, link, pose, points, ()),
                    scene.inputs.programs.link_force,
                    pose,
                    velocity,
                    points,
                )
            )
        if rolling_parts(link):
            link_reactions.append(_rolling_reaction(scene, state, link, bristles_by_link.get(link.name, [])))
        if link_reactions:
            reactions[link.index] = total_contact_force(link_reactions)
    return reactions


def _rolling_reaction(
    scene: StepScene, state: Kinematics, link: PlacedLink, bristles: Sequence[Bristle]
) -> ContactForce:
    """Return the ground's reaction on the round parts of a link.

    bristles: bristles of the parts of a foot, else empty.
    """

    def reaction() -> ContactForce:
        pose, velocity = state.poses[link.index], state.velocities[link.index]
        gaps = rolling_ground_gaps(scene, state, link)
        return scene.inputs.ground_contact.rolling_force(pose, velocity, gaps, bristles)

    return when(_rolling_near(scene, state, link, bristles), Subprogram(reaction))


def _rolling_near(scene: StepScene, state: Kinematics, link: PlacedLink, bristles: Sequence[Bristle]) -> Scalar:
    """Return True if round parts of a link may touch the ground, or one of their bristles holds."""
    points = [point for part in rolling_parts(link) for point in part.contact_points()]
    balls = [(Vector(*point.position), point.radius) for point in points]
    return gripping_or_near(scene, link, state.poses[link.index], balls, bristles)


def rolling_ground_gaps(scene: StepScene, state: Kinematics, link: PlacedLink) -> list[Gap]:
    """Return the gaps between the round parts of a link and the ground; see rolling_gaps()."""
    contact = scene.inputs.ground_contact
    placed_shapes = ((part.shape, part_pose(state, link, part)) for part in rolling_parts(link))
    return [
        gap
        for shape, pose in placed_shapes
        for gap in rolling_gaps(shape, pose, contact.ground, contact.numbers, contact.table)
    ]


def _gripping_reactions(
    scene: StepScene, link: PlacedLink, pose: Transform, velocity: Motion, anchors: Sequence[Anchor]
) -> list[ContactForce]:
    """Return the ground's reactions on each group of corners of a gripping link, and on its balls, which slide."""
    reactions: list[ContactForce] = []
    programs = scene.inputs.programs
    force = programs.foot_force if link.name in scene.feet else programs.grip_force
    for corners, corner_anchors in zip(split_into_groups(corner_points(link)), split_into_groups(anchors), strict=True):
        near = gripping_or_near(scene, link, pose, corners, corner_anchors)
        reactions.append(when(near, force, pose, velocity, corners, corner_anchors))
    if balls := [(point, radius) for point, radius in non_rolling_points(link) if not is_constant(radius, 0.0)]:
        reactions.append(
            when(
                gripping_or_near(scene, link, pose, balls, ()),
                scene.inputs.programs.link_force,
                pose,
                velocity,
                balls,
            )
        )
    return reactions


def updated_grips(
    scene: StepScene,
    state: Kinematics,
    memory: ContactMemory,
    stance_of: Callable[[str], Scalar],
    scales: Mapping[str, Scalar],
) -> tuple[ContactMemory, Scalar]:
    """Return the memory with anchors and bristles of all gripping links after a step, and the energy released [J].

    stance_of: returns 1 for a foot, given by name, whose leg stands, else 0. scales: factors of the forces on feet.
    """
    anchors: list[list[Anchor]] = []
    released: Scalar = 0.0
    programs = scene.inputs.programs
    for name, old in zip(scene.gripping, memory.anchors, strict=True):
        link, is_foot = isotropic(scene.figure.link(name)), name in scene.feet
        stance = stance_of(name) if is_foot else 1.0
        update = programs.update_anchors if is_foot else programs.update_grips
        pose, velocity = state.poses[link.index], state.velocities[link.index]
        anchors.append([])
        for corners, corner_anchors in zip(split_into_groups(corner_points(link)), split_into_groups(old), strict=True):
            near = gripping_or_near(scene, link, pose, corners, corner_anchors)
            new, energy = when(near, update, pose, velocity, corners, corner_anchors, stance)
            anchors[-1] += new
            released = released + energy * scales.get(name, 1.0)
    bristles: list[list[Bristle]] = []
    for name, old in zip(scene.gripping, memory.bristles, strict=False):
        new, energy = _updated_bristles(scene, state, scene.figure.link(name), old) if old else (old, 0.0)
        bristles.append(new)
        released = released + energy * scales.get(name, 1.0)
    return replace(memory, anchors=anchors, bristles=bristles), released


def _updated_bristles(
    scene: StepScene, state: Kinematics, link: PlacedLink, bristles: Sequence[Bristle]
) -> tuple[list[Bristle], Scalar]:
    """Return the bristles of a foot's round parts after a step, and the energy released [J]."""
    parameters = scene.inputs.ground_contact.parameters
    assert isinstance(parameters, ContactParameters)

    def updated() -> tuple[list[Bristle], Scalar]:
        pose, velocity = state.poses[link.index], state.velocities[link.index]
        return updated_bristles(parameters, pose, velocity, rolling_ground_gaps(scene, state, link), bristles)

    return when(_rolling_near(scene, state, link, bristles), Subprogram(updated))
