"""What may touch in a world, and what touches of it in one step: contacts, limits and dry frictions of joints."""

import math
from collections.abc import Sequence
from typing import Any

from gambol.collide import Plane
from gambol.contact.stepping import (
    Candidate,
    Drag,
    Meeting,
    Stop,
    Touching,
    carried_by,
    depth_first,
    empty,
    entered,
    followed,
    met,
)
from gambol.dynamics import Kinematics
from gambol.figure import JointSpring, Part, PlacedLink, spring_places
from gambol.lanes import Scalar, Subprogram, minimum, when, where
from gambol.spatial import Rotation, Transform, Vector
from gambol.world.forces import near_ground
from gambol.world.laws import Laws, Pressed
from gambol.world.step.grounded import ground_gaps, ground_parts, ground_slots, part_places
from gambol.world.world import World

NEAR = 2e-3
"""How near a part must be to be looked at closely, whatever its speed: of the figure's size."""


def places_of(world: World) -> int:
    """How many contacts a step of a world has room for."""
    return min(_count(world), world.room)


def _count(world: World) -> int:
    return sum(ground_slots(part) for _, part in ground_parts(world.figure))


def unpressed(world: World) -> Pressed:
    """What a world remembers of contact that nothing has touched yet."""
    contacts = places_of(world)
    bounds = len(limited(world)) + len(rubbed(world))
    numbers = [-1.0] * contacts if _count(world) > contacts else []
    return Pressed([[0.0] * 3] * contacts + [[0.0]] * bounds, list(numbers))


def limited(world: World) -> list[tuple[PlacedLink, int, JointSpring]]:
    """Links whose joints have limits without stiffness, with the number of the freedom."""
    return [
        (link, k, spring)
        for link, k, spring in _springs(world)
        if not (spring.limit_stiffness or spring.limit_damping)
        and (math.isfinite(spring.lower) or math.isfinite(spring.upper))
    ]


def rubbed(world: World) -> list[tuple[PlacedLink, int, JointSpring]]:
    """Links whose joints have dry friction, with the number of the freedom."""
    return [(link, k, spring) for link, k, spring in _springs(world) if spring.friction]


def _springs(world: World) -> list[tuple[PlacedLink, int, JointSpring]]:
    """Springs at places with one freedom."""
    found: list[tuple[PlacedLink, int, JointSpring]] = []
    for link in world.sprung:
        places = spring_places(link.joint.kind)
        for place, spring in zip(places, world.resolved[link.name], strict=True):
            if place.stop - place.start == 1:
                turned = 1 if places[0].stop - places[0].start > 1 else 0
                found.append((link, link.v.start + place.start - turned, spring))
    return found


def touching(laws: Laws, state: Kinematics, q: Sequence[Scalar], h: Scalar) -> tuple[Touching, list[Scalar]]:
    """All that impulses act on in a step of h [s], and the numbers of its contacts where there is no room for all."""
    numbers: list[Scalar] = []
    if _count(laws.world) <= laws.world.room:
        meetings = [_meeting(state, link, one) for link, one in ground_contacts(laws, state)]
    else:
        meetings, numbers = nearest(laws, state, h)
    stops = [_stop(laws, link, k, q) for link, k, _ in limited(laws.world)]
    springs = laws.numbers["springs"]
    drags = [Drag(k, springs[link.name][_which(link, k)]["friction"]) for link, k, _ in rubbed(laws.world)]
    return Touching(meetings, stops, drags), numbers


def warm(pressed: Pressed, numbers: Sequence[Scalar]) -> list[list[Scalar]]:
    """Impulses to start from: those of the step before, wherever the same contacts have their places now."""
    if not numbers:
        return pressed.impulses
    contacts = len(numbers)
    return followed(numbers, pressed.numbers, pressed.impulses[:contacts]) + pressed.impulses[contacts:]


def ground_contacts(laws: Laws, state: Kinematics) -> list[tuple[PlacedLink, Candidate]]:
    """Every contact that may be with the ground, with its link."""
    found: list[tuple[PlacedLink, Candidate]] = []
    for link, part in ground_parts(laws.world.figure):
        found += [(link, one) for one in on_ground(laws, state, link, part, float(len(found)))]
    return found


def on_ground(laws: Laws, state: Kinematics, link: PlacedLink, part: Part, first: float) -> list[Candidate]:
    """The contacts of a part with the ground, numbered from the first on."""
    at, order = laws.touching, float(depth_first(laws.world.figure)[0][link.index])
    pose = state.poses[link.index] @ Transform(Rotation(part.rotation), Vector(*part.position))
    below = at.ground.surface(at.numbers, at.table, pose.position.x, pose.position.y)
    e = at.touch.restitution if laws.world.touch.restitution else 0.0
    found: list[Candidate] = []
    for k, gap in enumerate(ground_gaps(part, pose, below)):
        there = at.ground.surface(at.numbers, at.table, gap.here.x, gap.here.y)
        size = gap.size if isinstance(laws.world.ground, Plane) else -there.depth(gap.here.z)
        found.append(Candidate(first + k, order, size, gap.here, there.normal, at.touch.friction, e))
    return found


def nearest(laws: Laws, state: Kinematics, h: Scalar) -> tuple[list[Meeting], list[Scalar]]:
    """The contacts with the smallest gaps for which there is room, and their numbers."""
    world, places, first = laws.world, list[Candidate](), 0.0
    like = on_ground(laws, state, *ground_parts(world.figure)[0], 0.0)[0]
    shared = ("friction", "restitution", "other", "held", *(("normal",) if isinstance(world.ground, Plane) else ()))
    places = empty(like.without(shared), world.room)
    for link, part in ground_parts(world.figure):

        def enter(now: list[Candidate], link: PlacedLink = link, part: Part = part, first: float = first) -> Any:
            for one in on_ground(laws, state, link, part, first):
                now = entered(now, one.without(shared))
            return now

        near = near_ground(laws, state.poses[link.index], part_places(part), _reach(laws, state, link, part, h))
        places = when(near, Subprogram(enter), places, otherwise=places)
        first += ground_slots(part)
    return met(world.figure, places, like), [one.number for one in places]


def _reach(laws: Laws, state: Kinematics, link: PlacedLink, part: Part, h: Scalar) -> Scalar:
    """How far above the ground a part may be to touch it within a step [m]: twice the way it moves, and a little."""
    velocity, far = (
        state.velocities[link.index],
        max(math.hypot(*place) + radius for place, radius in part_places(part)),
    )
    sinking = sum((abs(x * y) for x, y in zip(state.poses[link.index].rotation.rows[2], velocity.v, strict=True)), 0.0)
    turning = sum((abs(x) for x in velocity.w), 0.0) * far
    return (sinking + turning) * (2.0 * h) + NEAR * laws.world.size


def _meeting(state: Kinematics, link: PlacedLink, one: Candidate) -> Meeting:
    return Meeting(
        carried_by(state.figure, link.index), one.point, one.normal, one.gap, one.friction, one.restitution, one.held
    )


def _which(link: PlacedLink, freedom: int) -> int:
    """Which of a joint's springs acts along a freedom of this number."""
    places = spring_places(link.joint.kind)
    return freedom - link.v.start - (2 if places[0].stop - places[0].start > 1 else 0)


def _stop(laws: Laws, link: PlacedLink, freedom: int, q: Sequence[Scalar]) -> Stop:
    """The limit that a joint is nearer to."""
    which = _which(link, freedom)
    place = spring_places(link.joint.kind)[which]
    x, (lower, upper) = q[link.q][place.start], laws.numbers["limits"][link.name][which]
    below, above = x - lower, upper - x
    return Stop({freedom: where(below < above, 1.0, -1.0)}, minimum(below, above))


def pressed_on_ground(laws: Laws, pressed: Pressed) -> dict[int, Scalar]:
    """The ground's mean normal force on links in the last step, by number [N]."""
    lasted = pressed.lasted > 0.0
    rate = where(lasted, 1.0 / where(lasted, pressed.lasted, 1.0), 0.0)
    found: dict[int, Scalar] = {}
    first = 0
    for link, part in ground_parts(laws.world.figure):
        numbers = range(first, first := first + ground_slots(part))
        if pressed.numbers:
            mine = zip(pressed.numbers, pressed.impulses, strict=False)
            low, high = float(numbers[0]), float(numbers[-1])
            push = sum((where((n >= low) & (n <= high), p[0], 0.0) for n, p in mine), 0.0)
        else:
            push = sum((pressed.impulses[i][0] for i in numbers), 0.0)
        found[link.index] = found.get(link.index, 0.0) + push * rate
    return found
