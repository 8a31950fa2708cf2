"""Forces of compliant ground on links: corners of feet grip, round parts roll on bristles, other points slide."""

from collections.abc import Sequence
from dataclasses import replace

from gambol.collide import NoGround
from gambol.collide.gap import Gap
from gambol.collide.pairs import rolling_gaps
from gambol.contact import Anchor, Bristle, ContactForce, ContactParameters, total_contact_force
from gambol.contact.penalty.bristle import updated_bristles
from gambol.dynamics import Kinematics
from gambol.figure import PlacedLink
from gambol.lanes import Scalar, Subprogram, when
from gambol.spatial import Motion, Transform, Vector
from gambol.spatial.rotation import is_constant
from gambol.world.contact_generation.ground_points import (
    GroundPoint,
    corner_points,
    near_ground,
    non_rolling_points,
    rolling_parts,
    split_into_groups,
)
from gambol.world.contact_generation.sources import part_pose
from gambol.world.context import Memory, StepContext


def gripping_or_near(
    context: StepContext, pose: Transform, points: Sequence[GroundPoint], anchors: Sequence[Anchor]
) -> Scalar:
    """Return True if a point of a foot is near the ground, or one of its anchors holds.

    pose: of the link; points, anchors: of the foot.
    """
    result = near_ground(context, pose, points)
    for anchor in anchors:
        result = result | (anchor.held > 0.5)
    return result


def normal_forces_on(
    context: StepContext, state: Kinematics, memory: Memory, links: Sequence[int]
) -> dict[int, Scalar]:
    """Return the normal force of compliant ground on links [N], by index. links: their indices."""
    reactions = ground_reactions(context, state, memory, [context.world.figure.links[index - 1] for index in links])
    return {index: f.normal_force for index, f in reactions.items()}


def ground_reactions(
    context: StepContext, state: Kinematics, memory: Memory, links: Sequence[PlacedLink]
) -> dict[int, ContactForce]:
    """Return the ground's reaction on each link that can touch it, by index. Links in the air cost only a test."""
    reactions: dict[int, ContactForce] = {}
    has_ground = not isinstance(context.world.ground, NoGround)
    anchors_by_foot = dict(zip(context.world.feet, memory.anchors, strict=True))
    bristles_by_foot = dict(zip(context.world.feet, memory.bristles, strict=False))
    for link in [link for link in links if has_ground and context.world.figure.can_move(link.index)]:
        points, pose, velocity = non_rolling_points(link), state.poses[link.index], state.velocities[link.index]
        link_reactions: list[ContactForce] = []
        if link.name in anchors_by_foot and context.world.has_bristles:
            link_reactions += _foot_reactions(context, link, pose, velocity, anchors_by_foot[link.name])
        elif points:
            link_reactions.append(when(near_ground(context, pose, points), context.link_force, pose, velocity, points))
        if rolling_parts(link):
            link_reactions.append(_rolling_reaction(context, state, link, bristles_by_foot.get(link.name, [])))
        if link_reactions:
            reactions[link.index] = total_contact_force(link_reactions)
    return reactions


def _rolling_reaction(
    context: StepContext, state: Kinematics, link: PlacedLink, bristles: Sequence[Bristle]
) -> ContactForce:
    """Return the ground's reaction on the round parts of a link; bristles: of the parts of a foot, else empty."""

    def reaction() -> ContactForce:
        pose, velocity = state.poses[link.index], state.velocities[link.index]
        return context.ground_contact.rolling_force(pose, velocity, rolling_ground_gaps(context, state, link), bristles)

    near = _rolling_near(context, state, link)
    for bristle in bristles:
        near = near | (bristle.held > 0.5)
    return when(near, Subprogram(reaction))


def _rolling_near(context: StepContext, state: Kinematics, link: PlacedLink) -> Scalar:
    """Return True if round parts of a link may touch the ground."""
    points = [point for part in rolling_parts(link) for point in part.contact_points()]
    return near_ground(context, state.poses[link.index], [(Vector(*point.position), point.radius) for point in points])


def rolling_ground_gaps(context: StepContext, state: Kinematics, link: PlacedLink) -> list[Gap]:
    """Return the gaps between the round parts of a link and the ground; see rolling_gaps()."""
    contact = context.ground_contact
    placed_shapes = ((part.shape, part_pose(state, link, part)) for part in rolling_parts(link))
    return [
        gap
        for shape, pose in placed_shapes
        for gap in rolling_gaps(shape, pose, contact.ground, contact.numbers, contact.table)
    ]


def _foot_reactions(
    context: StepContext, link: PlacedLink, pose: Transform, velocity: Motion, anchors: Sequence[Anchor]
) -> list[ContactForce]:
    """Return the ground's reactions on each group of corners of a foot, and on its balls, which slide."""
    reactions: list[ContactForce] = []
    for corners, corner_anchors in zip(split_into_groups(corner_points(link)), split_into_groups(anchors), strict=True):
        near = gripping_or_near(context, pose, corners, corner_anchors)
        reactions.append(when(near, context.foot_force, pose, velocity, corners, corner_anchors))
    if balls := [(point, radius) for point, radius in non_rolling_points(link) if not is_constant(radius, 0.0)]:
        reactions.append(when(near_ground(context, pose, balls), context.link_force, pose, velocity, balls))
    return reactions


def updated_feet(context: StepContext, state: Kinematics, memory: Memory) -> tuple[Memory, Scalar]:
    """Return the memory with anchors and bristles of all feet after a step, and the energy released [J]."""
    anchors: list[list[Anchor]] = []
    released: Scalar = 0.0
    if not context.world.has_bristles:
        return memory, released
    for name, old in zip(context.world.feet, memory.anchors, strict=True):
        link, stance = context.world.figure.link(name), context.stance_of(memory, name)
        pose, velocity = state.poses[link.index], state.velocities[link.index]
        anchors.append([])
        for corners, corner_anchors in zip(split_into_groups(corner_points(link)), split_into_groups(old), strict=True):
            near = gripping_or_near(context, pose, corners, corner_anchors)
            new, energy = when(near, context.update_anchors, pose, velocity, corners, corner_anchors, stance)
            anchors[-1] += new
            released = released + energy
    bristles: list[list[Bristle]] = []
    for name, old in zip(context.world.feet, memory.bristles, strict=False):
        new, energy = _updated_bristles(context, state, context.world.figure.link(name), old) if old else (old, 0.0)
        bristles.append(new)
        released = released + energy
    return replace(memory, anchors=anchors, bristles=bristles), released


def _updated_bristles(
    context: StepContext, state: Kinematics, link: PlacedLink, bristles: Sequence[Bristle]
) -> tuple[list[Bristle], Scalar]:
    """Return the bristles of a foot's round parts after a step, and the energy released [J]."""
    parameters = context.ground_contact.parameters
    assert isinstance(parameters, ContactParameters)

    def updated() -> tuple[list[Bristle], Scalar]:
        pose, velocity = state.poses[link.index], state.velocities[link.index]
        return updated_bristles(parameters, pose, velocity, rolling_ground_gaps(context, state, link), bristles)

    near = _rolling_near(context, state, link)
    for bristle in bristles:
        near = near | (bristle.held > 0.5)
    return when(near, Subprogram(updated))
