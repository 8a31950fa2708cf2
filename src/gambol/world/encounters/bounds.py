"""Limits and dry friction of joints, and ties that hold loops closed, as what impulses act on in a step."""

import math
from collections.abc import Mapping, Sequence

from gambol.collide.gap import FAR
from gambol.contact.stepping import Drag, Stop
from gambol.dynamics import Kinematics, kinematics
from gambol.dynamics.loops import jacobian_row, rows
from gambol.figure import JOINTS, Figure, JointSpring, PlacedLink, spring_places
from gambol.lanes import Scalar, minimum, where
from gambol.spatial.rotation import exactly
from gambol.world.encounters.closing import AHEAD
from gambol.world.laws import Laws
from gambol.world.world import World

NEAR = 0.02
"""How near a limit must be to count, whatever the joint's speed [rad or m]: closing.py has the same for places."""

Bounded = tuple[PlacedLink, int, int]
"""A link, the place of its joint among its springs, and the number of the freedom there."""


def limited(world: World) -> list[Bounded]:
    """Joints with limits that have no stiffness."""
    return [
        (link, place, freedom)
        for link, place, freedom, spring in _springs(world)
        if not (spring.limit_stiffness or spring.limit_damping)
        and (math.isfinite(spring.lower) or math.isfinite(spring.upper))
    ]


def rubbed(world: World) -> list[Bounded]:
    """Joints with dry friction."""
    return [(link, place, freedom) for link, place, freedom, spring in _springs(world) if spring.friction]


def _springs(world: World) -> list[tuple[PlacedLink, int, int, JointSpring]]:
    """Springs at places with one freedom."""
    found: list[tuple[PlacedLink, int, int, JointSpring]] = []
    for link in world.sprung:
        freedom = link.v.start
        for k, place in enumerate(spring_places(link.joint.kind)):
            one = place.stop - place.start == 1
            if one:
                found.append((link, k, freedom, world.resolved[link.name][k]))
            freedom += 1 if one else 3
    return found


def stops(laws: Laws, q: Sequence[Scalar], v: Sequence[Scalar], h: Scalar) -> list[Stop]:
    """The limits that joints are nearer to; of one that does not count in a step of h [s] the gap is FAR."""
    found: list[Stop] = []
    for link, k, freedom in limited(laws.world):
        x = q[link.q][spring_places(link.joint.kind)[k].start]
        lower, upper = laws.numbers["limits"][link.name][k]
        below, above = x - lower, upper - x
        sign, gap = where(below < above, 1.0, -1.0), minimum(below, above)
        soon = gap + minimum(sign * v[freedom], 0.0) * (AHEAD * h) < NEAR
        found.append(Stop({freedom: sign}, where(soon, gap, FAR)))
    return found


def drags(laws: Laws) -> list[Drag]:
    """The dry frictions."""
    springs = laws.numbers["springs"]
    return [Drag(freedom, springs[link.name][k]["friction"]) for link, k, freedom in rubbed(laws.world)]


def ties(state: Kinematics) -> list[Mapping[int, Scalar]]:
    """J of every relation that closes a loop, by number of freedom."""
    each = (jacobian_row(state, row) for row in rows(state)) if state.figure.constraints else ()
    return [{k: c for k, c in enumerate(J) if not exactly(c, 0.0)} for J in each]


def resting_state(figure: Figure) -> Kinematics:
    """A figure with all its joints at rest."""
    rest = [x for link in figure.links for x in JOINTS[link.joint.kind].rest]
    return kinematics(figure, rest, [0.0] * figure.nv)
