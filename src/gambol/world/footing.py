"""What soft ground does to links: corners of feet grip, round parts roll on bristles of their own, the rest skids."""

from collections.abc import Sequence
from dataclasses import replace

from gambol.collide import NoGround
from gambol.collide.gap import Gap
from gambol.collide.pairs import rolling_gaps
from gambol.contact import Anchor, Bristle, Felt, Touch, total_felt
from gambol.contact.penalty.bristle import settled_bristles
from gambol.dynamics import Kinematics
from gambol.figure import PlacedLink
from gambol.lanes import Scalar, Subprogram, when
from gambol.spatial import Motion, Transform, Vector
from gambol.spatial.rotation import exactly
from gambol.world.encounters.encounter import posed
from gambol.world.encounters.places import Place, gripping, grouped, near_ground, rolling_parts, steady_places
from gambol.world.laws import Laws, Memory


def held_or_near(laws: Laws, pose: Transform, places: Sequence[Place], anchors: Sequence[Anchor]) -> Scalar:
    """Whether some points of a foot may feel the ground: they are near it, or one of them holds it."""
    condition = near_ground(laws, pose, places)
    for anchor in anchors:
        condition = condition | (anchor.held > 0.5)
    return condition


def pushes_on(laws: Laws, state: Kinematics, memory: Memory, links: Sequence[int]) -> dict[int, Scalar]:
    """The normal force of ground that gives way, on some links by number [N]."""
    felt = felt_by(laws, state, memory, [laws.world.figure.links[index - 1] for index in links])
    return {index: f.push for index, f in felt.items()}


def felt_by(laws: Laws, state: Kinematics, memory: Memory, links: Sequence[PlacedLink]) -> dict[int, Felt]:
    """What the ground does to each of some links that can touch it. One in the air costs only the test that it is."""
    felt: dict[int, Felt] = {}
    solid = not isinstance(laws.world.ground, NoGround)
    feet = dict(zip(laws.world.feet, memory.anchors, strict=True))
    bristles = dict(zip(laws.world.feet, memory.bristles, strict=False))
    for link in [link for link in links if solid and laws.world.figure.moves(link.index)]:
        places, pose, velocity = steady_places(link), state.poses[link.index], state.velocities[link.index]
        parts: list[Felt] = []
        if link.name in feet and laws.world.grips:
            parts += _under_foot(laws, link, pose, velocity, feet[link.name])
        elif places:
            parts.append(when(near_ground(laws, pose, places), laws.plain, pose, velocity, places))
        if rolling_parts(link):
            parts.append(_under_rolling(laws, state, link, bristles.get(link.name, [])))
        if parts:
            felt[link.index] = total_felt(parts)
    return felt


def _under_rolling(laws: Laws, state: Kinematics, link: PlacedLink, bristles: Sequence[Bristle]) -> Felt:
    """What the ground does to the round parts of a link; bristles: of a foot, else none."""

    def felt() -> Felt:
        pose, velocity = state.poses[link.index], state.velocities[link.index]
        return laws.touching.rolling(pose, velocity, _rolling_gaps(laws, state, link), bristles)

    near = _rolls_near(laws, state, link)
    for bristle in bristles:
        near = near | (bristle.held > 0.5)
    return when(near, Subprogram(felt))


def _rolls_near(laws: Laws, state: Kinematics, link: PlacedLink) -> Scalar:
    """Whether round parts of a link may touch the ground."""
    points = [point for part in rolling_parts(link) for point in part.contact_points()]
    return near_ground(laws, state.poses[link.index], [(Vector(*point.position), point.radius) for point in points])


def _rolling_gaps(laws: Laws, state: Kinematics, link: PlacedLink) -> list[Gap]:
    """The gaps between the round parts of a link and the ground, as of rolling_gaps()."""
    at = laws.touching
    each = ((part.shape, posed(state, link, part)) for part in rolling_parts(link))
    return [gap for shape, pose in each for gap in rolling_gaps(shape, pose, at.ground, at.numbers, at.table)]


def _under_foot(
    laws: Laws, link: PlacedLink, pose: Transform, velocity: Motion, anchors: Sequence[Anchor]
) -> list[Felt]:
    """What the ground does to the corners of a foot, group of points after group, and to its balls, which skid."""
    parts: list[Felt] = []
    for group, held in zip(grouped(gripping(link)), grouped(anchors), strict=True):
        near = held_or_near(laws, pose, group, held)
        parts.append(when(near, laws.foot, pose, velocity, group, held))
    if balls := [(place, radius) for place, radius in steady_places(link) if not exactly(radius, 0.0)]:
        parts.append(when(near_ground(laws, pose, balls), laws.plain, pose, velocity, balls))
    return parts


def settled_feet(laws: Laws, state: Kinematics, memory: Memory) -> tuple[Memory, Scalar]:
    """Memory with the anchors and bristles of all feet after a step, and the energy that they let go [J]."""
    anchors: list[list[Anchor]] = []
    released: Scalar = 0.0
    if not laws.world.grips:
        return memory, released
    for name, old in zip(laws.world.feet, memory.anchors, strict=True):
        link, stance = laws.world.figure.link(name), laws.stance_of(memory, name)
        pose, velocity = state.poses[link.index], state.velocities[link.index]
        anchors.append([])
        for places, held in zip(grouped(gripping(link)), grouped(old), strict=True):
            near = held_or_near(laws, pose, places, held)
            new, energy = when(near, laws.settle, pose, velocity, places, held, stance)
            anchors[-1] += new
            released = released + energy
    bristles: list[list[Bristle]] = []
    for name, old in zip(laws.world.feet, memory.bristles, strict=False):
        new, energy = _settled_rolling(laws, state, laws.world.figure.link(name), old) if old else (old, 0.0)
        bristles.append(new)
        released = released + energy
    return replace(memory, anchors=anchors, bristles=bristles), released


def _settled_rolling(
    laws: Laws, state: Kinematics, link: PlacedLink, bristles: Sequence[Bristle]
) -> tuple[list[Bristle], Scalar]:
    """The bristles of a foot's round parts after a step, and the energy that they let go [J]."""
    touch = laws.touching.touch
    assert isinstance(touch, Touch)

    def settled() -> tuple[list[Bristle], Scalar]:
        pose, velocity = state.poses[link.index], state.velocities[link.index]
        return settled_bristles(touch, pose, velocity, _rolling_gaps(laws, state, link), bristles)

    near = _rolls_near(laws, state, link)
    for bristle in bristles:
        near = near | (bristle.held > 0.5)
    return when(near, Subprogram(settled))
