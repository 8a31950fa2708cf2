"""What may touch in a world, and what touches of it in one step: contacts, limits and dry frictions of joints."""

import math
from collections.abc import Sequence

from gambol.contact.stepping import Candidate, Drag, Meeting, Stop, Touching, carried_by, followed, nearest
from gambol.dynamics import Kinematics
from gambol.figure import JointSpring, PlacedLink, spring_places
from gambol.lanes import Scalar, minimum, where
from gambol.world.forces import contact_places
from gambol.world.laws import Laws, Memory, Pressed
from gambol.world.world import World


def places_of(world: World) -> int:
    """How many contacts a step of a world has room for."""
    return min(_count(world), world.room)


def _count(world: World) -> int:
    return sum(len(contact_places(link)) for link in world.figure.links)


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


def touching(laws: Laws, state: Kinematics, q: Sequence[Scalar], memory: Memory) -> tuple[Touching, list[Scalar]]:
    """All that impulses act on in a step, and the numbers of its contacts where there is no room for all."""
    candidates = ground_candidates(laws, state)
    numbers: list[Scalar] = []
    if len(candidates) <= laws.world.room:
        meetings = [_meeting(state, one) for one in candidates]
    else:
        meetings, numbers = nearest(laws.world.figure, candidates, laws.world.room)
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


def ground_candidates(laws: Laws, state: Kinematics) -> list[Candidate]:
    """Every place of a figure that may touch the ground."""
    at, found = laws.touching, list[Candidate]()
    for link in laws.world.figure.links:
        for place, radius in contact_places(link):
            centre = state.point_position(link.index, place)
            surface = at.ground.surface(at.numbers, at.table, centre.x, centre.y)
            gap = -surface.depth(centre.z) - radius
            point = centre - surface.normal * radius
            e = at.touch.restitution if laws.world.touch.restitution else 0.0
            found.append(Candidate(link.index, 0, point, surface.normal, gap, at.touch.friction, e))
    return found


def _meeting(state: Kinematics, one: Candidate) -> Meeting:
    carried = carried_by(state.figure, one.link, one.other)
    return Meeting(carried, one.point, one.normal, one.gap, one.friction, one.restitution, one.held)


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


def pressed_on_ground(laws: Laws, state: Kinematics, pressed: Pressed) -> dict[int, Scalar]:
    """The ground's mean normal force on links in the last step, by number [N]."""
    rate = where(pressed.lasted > 0.0, 1.0 / where(pressed.lasted > 0.0, pressed.lasted, 1.0), 0.0)
    found: dict[int, Scalar] = {}
    for i, one in enumerate(ground_candidates(laws, state)):
        if pressed.numbers:
            mine = zip(pressed.numbers, pressed.impulses, strict=False)
            push = sum((where(number == float(i), p[0], 0.0) for number, p in mine), 0.0)
        else:
            push = pressed.impulses[i][0]
        found[one.link] = found.get(one.link, 0.0) + push * rate
    return found
