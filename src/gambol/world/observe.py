"""What can be seen of a world at one moment: where its links are, what its feet bear, and its energies."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from gambol.collide.pairs import rolling_gaps
from gambol.dynamics import Kinematics, centre_of_mass, kinematics, kinetic_energy, potential_energy
from gambol.lanes import Scalar, minimum, sqrt, where
from gambol.spatial import Rotation, Vector
from gambol.world.encounters.encounter import posed
from gambol.world.encounters.places import contact_places, rolling_parts, steady_places
from gambol.world.encounters.touchable import pressed_on_ground
from gambol.world.forces import acting
from gambol.world.laws import Laws
from gambol.world.step import Living
from gambol.world.world import World

FAR = 1e3
"""A clearance that says there was nothing to measure [m]."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a world shows at one moment, in world axes.

    positions [m] and quaternions (w, x, y, z) of all links, one after the other; centre of mass [m]. pushes: the
    ground's normal force on each foot, elsewhere: on all other links together [N]; feet: place of each foot's lowest
    point [m]; upper: angle of each leg's first joint [rad]; load: torque of its second joint's springs [N m]; kinetic,
    potential, stored: energies [J], stored being that of springs, ground and bristles; clearance: of the lowest point
    of all links but the legs' [m].
    """

    positions: list[Scalar]
    quaternions: list[Scalar]
    centre: list[Scalar]
    pushes: list[Scalar]
    elsewhere: Scalar
    feet: list[Scalar]
    upper: list[Scalar]
    load: list[Scalar]
    kinetic: Scalar
    potential: Scalar
    stored: Scalar
    clearance: Scalar


def observe(world: World, living: Living, numbers: Mapping[str, Any], table: Any) -> Seen:
    """What is seen of a world in a state."""
    laws = Laws.of(world, numbers, table)
    figure, q, v = laws.world.figure, living.q, living.v
    state = kinematics(figure, q, v)
    clock = living.clock
    act = acting(laws, state, q, v, living.memory, clock.moment(world.timing.frame))
    poses = [state.poses[link.index] for link in figure.links]
    legs = world.gait.legs if world.gait else ()
    gravity = numbers["gravity"]
    pushes = act.pushes if living.memory.pressed is None else pressed_on_ground(laws, living.memory.pressed)
    feet = [figure.link(name).index for name in world.feet]
    return Seen(
        [x for pose in poses for x in pose.position],
        [x for pose in poses for x in quaternion_of(pose.rotation)],
        list(centre_of_mass(state)),
        [pushes.get(index, 0.0) for index in feet],
        sum((push for index, push in pushes.items() if index not in feet), 0.0),
        [x for name in world.feet for x in _tip(laws.world, state, name)],
        [q[figure.link(leg.links[0]).q.start] for leg in legs],
        [act.torques[leg.links[1]] for leg in legs],
        kinetic_energy(state),
        potential_energy(state, gravity),
        act.energy,
        _clearance(laws, state),
    )


def rows_of(kind: type, several: Mapping[str, int]) -> dict[str, slice | int]:
    """The rows in which each field of a nest comes, if it is a number or, as some are, a list of several."""
    places, first = dict[str, slice | int](), 0
    for name in (of.name for of in fields(kind)):
        count = several.get(name)
        places[name] = first if count is None else slice(first, first + count)
        first += 1 if count is None else count
    return places


def rows_seen(world: World) -> dict[str, slice | int]:
    """The rows of each field of what is seen of a world."""
    links, feet = len(world.figure.links), len(world.feet)
    legs = len(world.gait.legs) if world.gait else 0
    several = {"positions": 3 * links, "quaternions": 4 * links, "centre": 3, "pushes": feet, "feet": 3 * feet}
    return rows_of(Seen, several | {"upper": legs, "load": legs})


def quaternion_of(rotation: Rotation) -> list[Scalar]:
    """The unit quaternion (w, x, y, z) of a rotation, from its largest component. [Shepperd 1978]"""
    (a, b, c), (d, e, f), (g, h, i) = rotation.rows
    squares = (1.0 + a + e + i, 1.0 + a - e - i, 1.0 - a + e - i, 1.0 - a - e + i)
    candidates = (
        (squares[0], h - f, c - g, d - b),
        (h - f, squares[1], b + d, c + g),
        (c - g, b + d, squares[2], f + h),
        (d - b, c + g, f + h, squares[3]),
    )
    best, chosen = squares[0], list(candidates[0])
    for square, candidate in zip(squares[1:], candidates[1:], strict=True):
        larger = square > best
        chosen = [where(larger, new, old) for new, old in zip(candidate, chosen, strict=True)]
        best = where(larger, square, best)
    scale = 0.5 / sqrt(best)
    return [x * scale for x in chosen]


def _tip(world: World, state: Kinematics, name: str) -> Vector:
    """The lowest contact point of a foot."""
    link = world.figure.link(name)
    points = [state.poses[link.index] @ place - Vector(0.0, 0.0, radius) for place, radius in contact_places(link)]
    lowest = points[0]
    for p in points[1:]:
        lower = p.z < lowest.z
        lowest = Vector.of([where(lower, new, old) for new, old in zip(p, lowest, strict=True)])
    return lowest


def _clearance(laws: Laws, state: Kinematics) -> Scalar:
    """How far above the ground the lowest contact point of the trunk is."""
    gait, touching = laws.world.gait, laws.touching
    limbs = {name for leg in gait.legs for name in leg.links} if gait else set(laws.world.feet)
    lowest: Scalar = FAR
    for link in laws.world.figure.links:
        if link.name in limbs or not laws.world.figure.moves(link.index):
            continue
        for place, radius in contact_places(link):
            p = state.poses[link.index] @ place
            surface = touching.ground.surface(touching.numbers, touching.table, p.x, p.y)
            lowest = minimum(-surface.depth(p.z) - radius, lowest)
    return lowest


def depth_of(world: World, q: Sequence[float]) -> float:
    """How deep the lowest contact point of a figure at q (nq) lies in the ground [m]; negative above it.

    Links that cannot move do not count. Minus infinity for a figure with nothing to touch with.
    """
    ground, numbers, table = world.ground, world.ground.numbers(), world.ground.table()
    state = kinematics(world.figure, [float(x) for x in q], [0.0] * world.figure.nv)
    depths = [-math.inf]
    for link in world.figure.links:
        if not world.figure.moves(link.index):
            continue
        for place, radius in steady_places(link):
            point = state.point_position(link.index, place)
            surface = ground.surface(numbers, table, point.x, point.y)
            depths.append(float(surface.height - point.z + radius / surface.normal.z))
        for part in rolling_parts(link):
            gaps = rolling_gaps(part.shape, posed(state, link, part), ground, numbers, table)
            depths += [-float(gap.size / gap.normal.z) for gap in gaps]
    return max(depths)
