"""Forces of compliant ground on links: corners of feet grip, round parts roll on bristles, all else slides."""

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
from gambol.spatial.rotation import exactly
from gambol.world.contact_generation.ground_points import (
    GroundPoint,
    corner_points,
    in_groups,
    near_ground,
    non_rolling_points,
    rolling_parts,
)
from gambol.world.contact_generation.sources import part_pose
from gambol.world.context import Memory, StepContext


def gripping_or_near(
    context: StepContext, pose: Transform, places: Sequence[GroundPoint], anchors: Sequence[Anchor]
) -> Scalar:
    """True where some points of a foot are near the ground, or one of them holds it."""
    condition = near_ground(context, pose, places)
    for anchor in anchors:
        condition = condition | (anchor.held > 0.5)
    return condition


def normal_forces_on(
    context: StepContext, state: Kinematics, memory: Memory, links: Sequence[int]
) -> dict[int, Scalar]:
    """Return the normal force of compliant ground on some links, by number [N]."""
    reactions = ground_reactions(context, state, memory, [context.world.figure.links[index - 1] for index in links])
    return {index: f.normal_force for index, f in reactions.items()}


def ground_reactions(
    context: StepContext, state: Kinematics, memory: Memory, links: Sequence[PlacedLink]
) -> dict[int, ContactForce]:
    """Return the ground's reaction on each of some links that can touch it; links in the air cost only a test."""
    reactions: dict[int, ContactForce] = {}
    has_ground = not isinstance(context.world.ground, NoGround)
    feet = dict(zip(context.world.feet, memory.anchors, strict=True))
    bristles = dict(zip(context.world.feet, memory.bristles, strict=False))
    for link in [link for link in links if has_ground and context.world.figure.can_move(link.index)]:
        places, pose, velocity = non_rolling_points(link), state.poses[link.index], state.velocities[link.index]
        of_parts: list[ContactForce] = []
        if link.name in feet and context.world.has_bristles:
            of_parts += _foot_reactions(context, link, pose, velocity, feet[link.name])
        elif places:
            of_parts.append(when(near_ground(context, pose, places), context.point_force, pose, velocity, places))
        if rolling_parts(link):
            of_parts.append(_rolling_reaction(context, state, link, bristles.get(link.name, [])))
        if of_parts:
            reactions[link.index] = total_contact_force(of_parts)
    return reactions


def _rolling_reaction(
    context: StepContext, state: Kinematics, link: PlacedLink, bristles: Sequence[Bristle]
) -> ContactForce:
    """Return the ground's reaction on the round parts of a link; bristles: of a foot, else none."""

    def reaction() -> ContactForce:
        pose, velocity = state.poses[link.index], state.velocities[link.index]
        return context.ground_contact.rolling_force(pose, velocity, _rolling_gaps(context, state, link), bristles)

    near = _rolling_near(context, state, link)
    for bristle in bristles:
        near = near | (bristle.held > 0.5)
    return when(near, Subprogram(reaction))


def _rolling_near(context: StepContext, state: Kinematics, link: PlacedLink) -> Scalar:
    """True where round parts of a link may touch the ground."""
    points = [point for part in rolling_parts(link) for point in part.contact_points()]
    return near_ground(context, state.poses[link.index], [(Vector(*point.position), point.radius) for point in points])


def _rolling_gaps(context: StepContext, state: Kinematics, link: PlacedLink) -> list[Gap]:
    """Return the gaps between the round parts of a link and the ground; see rolling_gaps()."""
    at = context.ground_contact
    each = ((part.shape, part_pose(state, link, part)) for part in rolling_parts(link))
    return [gap for shape, pose in each for gap in rolling_gaps(shape, pose, at.ground, at.numbers, at.table)]


def _foot_reactions(
    context: StepContext, link: PlacedLink, pose: Transform, velocity: Motion, anchors: Sequence[Anchor]
) -> list[ContactForce]:
    """Return the ground's reactions on the corners of a foot, group by group, and on its balls, which slide."""
    reactions: list[ContactForce] = []
    for group, held in zip(in_groups(corner_points(link)), in_groups(anchors), strict=True):
        near = gripping_or_near(context, pose, group, held)
        reactions.append(when(near, context.foot_force, pose, velocity, group, held))
    if balls := [(place, radius) for place, radius in non_rolling_points(link) if not exactly(radius, 0.0)]:
        reactions.append(when(near_ground(context, pose, balls), context.point_force, pose, velocity, balls))
    return reactions


def updated_feet(context: StepContext, state: Kinematics, memory: Memory) -> tuple[Memory, Scalar]:
    """Return memory with the anchors and bristles of all feet after a step, and the energy released [J]."""
    anchors: list[list[Anchor]] = []
    released: Scalar = 0.0
    if not context.world.has_bristles:
        return memory, released
    for name, old in zip(context.world.feet, memory.anchors, strict=True):
        link, stance = context.world.figure.link(name), context.stance_of(memory, name)
        pose, velocity = state.poses[link.index], state.velocities[link.index]
        anchors.append([])
        for places, held in zip(in_groups(corner_points(link)), in_groups(old), strict=True):
            near = gripping_or_near(context, pose, places, held)
            new, energy = when(near, context.update_anchors, pose, velocity, places, held, stance)
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
    touch = context.ground_contact.parameters
    assert isinstance(touch, ContactParameters)

    def updated() -> tuple[list[Bristle], Scalar]:
        pose, velocity = state.poses[link.index], state.velocities[link.index]
        return updated_bristles(touch, pose, velocity, _rolling_gaps(context, state, link), bristles)

    near = _rolling_near(context, state, link)
    for bristle in bristles:
        near = near | (bristle.held > 0.5)
    return when(near, Subprogram(updated))
