"""What touches in one step of a world: contacts for which there is room, limits and dry frictions; and what is kept."""

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import partial

from gambol.collide import Plane
from gambol.collide.gap import FAR
from gambol.contact.impulse.hypothesis import may_add_energy
from gambol.contact.stepping import Candidate, Meeting, Touching, depth_first, empty, entered, followed, lined_up, met
from gambol.dynamics import Kinematics
from gambol.lanes import Scalar, Subprogram, maximum, when, where
from gambol.world.encounters.bounds import drags, limited, resting_state, rubbed, stops, ties
from gambol.world.encounters.closing import closing, motion
from gambol.world.encounters.encounter import Encounter, encounters
from gambol.world.encounters.holds import holding
from gambol.world.laws import Laws, Pressed
from gambol.world.world import World


def contacts_of(world: World) -> int:
    """How many contacts there may be in a world."""
    return sum(one.count for one in encounters(world))


def unpressed(world: World) -> Pressed:
    """What a world remembers of contact that nothing has touched yet."""
    contacts = min(contacts_of(world), world.most_contacts)
    bounds = len(limited(world)) + len(rubbed(world)) + len(ties(resting_state(world.figure)))
    numbers = [-1.0] * contacts if contacts_of(world) > contacts else []
    held = [0.0] * contacts if holding(world) else []
    full = [0.0] * bool(numbers)
    cut = [0.0] if world.contact == "impulse" and may_add_energy(world.hypothesis) else []
    impulses = [[0.0] * 3] * contacts + [[0.0]] * bounds
    speeds = [[0.0] * 3] * contacts if world.contact in ("stepping", "impulse") else []
    return Pressed(impulses, list(numbers), held=held, crowded=full, limited=cut, speeds=speeds)


def touching(laws: Laws, state: Kinematics, q: Sequence[Scalar], h: Scalar) -> tuple[Touching, list[Scalar]]:
    """All that impulses act on in a step of h [s], and the numbers of its contacts where there is no room for all."""
    numbers: list[Scalar] = []
    over: Scalar = 0.0
    if contacts_of(laws.world) <= laws.world.most_contacts:
        meetings = all_meetings(laws, state)
    else:
        meetings, numbers, over = nearest(laws, state, h)
    return Touching(meetings, stops(laws, q, state.v, h), drags(laws), ties(state), over), numbers


def crowded(pressed: Pressed, touched: Touching) -> list[Scalar]:
    """Pressed.crowded after a step."""
    return [steps + where(touched.over > 0.0, 1.0, 0.0) for steps in pressed.crowded]


def warm(pressed: Pressed, numbers: Sequence[Scalar]) -> list[list[Scalar]]:
    """Impulses to start from: those of the step before, wherever the same contacts have their places now."""
    if not numbers:
        return pressed.impulses
    contacts = len(numbers)
    return followed(numbers, pressed.numbers, pressed.impulses[:contacts]) + pressed.impulses[contacts:]


def speeds_before(pressed: Pressed, numbers: Sequence[Scalar]) -> list[list[Scalar]]:
    """Speeds of contacts at the end of the step before, in their places of now."""
    return followed(numbers, pressed.numbers, pressed.speeds) if numbers else pressed.speeds


def held_before(pressed: Pressed, numbers: Sequence[Scalar]) -> list[Scalar]:
    """Which contacts held in the step before, in their places of now."""
    if not numbers:
        return pressed.held
    found: list[Scalar] = []
    for number in numbers:
        each = zip(pressed.numbers, pressed.held, strict=True)
        found.append(sum((where(number == old, holds, 0.0) for old, holds in each), 0.0))
    return found


def all_meetings(laws: Laws, state: Kinematics) -> list[Meeting]:
    """Every contact that may be."""
    return [
        Meeting(one.carried(state.figure), c.point, c.normal, c.gap, c.friction, c.restitution, c.held)
        for one in encounters(laws.world)
        for c in one.contacts(laws, state)
        if c.normal is not None and c.friction is not None and c.restitution is not None
    ]


def nearest(laws: Laws, state: Kinematics, h: Scalar) -> tuple[list[Meeting], list[Scalar], Scalar]:
    """The contacts with the smallest gaps for which there is room, their numbers, and how many found no room."""
    all_of = encounters(laws.world)
    like, shared = all_of[0].contacts(laws, state)[0], _shared(laws.world)
    places = empty(like.without(shared), laws.world.most_contacts)
    blank, order = places[0].without(TOLD), depth_first(laws.world.figure)[0]
    seen: list[Candidate] = []
    for one in all_of:
        sides = float(order[one.link]), float(order[one.other])
        for k, found in enumerate(_looked_at(laws, state, h, one, blank)):
            seen.append(replace(found, number=float(one.first + k), link=sides[0], other=sides[1]).without(shared))
    few, count = lined_up(seen, places[0], laws.world.most_contacts)
    places = when(count > laws.world.most_contacts, partial(_nearest_of, seen, places), otherwise=few)
    over = maximum(count - float(laws.world.most_contacts), 0.0)
    return met(laws.world.figure, places, like), [one.number for one in places], over


def _nearest_of(seen: Sequence[Candidate], places: list[Candidate]) -> list[Candidate]:
    """The places with those of many contacts that have the smallest gaps."""
    enter = Subprogram(entered)
    for one in seen:
        places = when(one.gap < FAR, enter, places, one, otherwise=places)
    return places


def _looked_at(laws: Laws, state: Kinematics, h: Scalar, one: Encounter, blank: Candidate) -> list[Candidate]:
    """The contacts of an encounter in the form of a blank one, which they are where it is not near."""
    absent = [name for name in EVERY if getattr(blank, name) is None]
    sides = [motion(state, link) for link in (one.link, one.other) if link]
    size = laws.world.size

    def contacts() -> list[Candidate]:
        return [closing(found, sides, size, h).without(absent) for found in one.contacts(laws, state)]

    return when(one.near(laws, state, h), Subprogram(contacts), otherwise=[blank] * one.count)


TOLD = ("number", "link", "other")
"""What is known of a contact before it is looked at."""

EVERY = tuple(f.name for f in fields(Candidate))


def _shared(world: World) -> tuple[str, ...]:
    """What is the same for all contacts of a world."""
    colliding = [part for link in world.figure.links for part in link.parts if part.colliding]
    shared = ["held"]
    if not world.pairs:
        shared += ["other", "normal"] if isinstance(world.ground, Plane) else ["other"]
    for name in ("friction", "restitution"):
        if all(getattr(part, name) is None for part in colliding):
            shared.append(name)
    return tuple(shared)


def pressed_on_ground(laws: Laws, pressed: Pressed) -> dict[int, Scalar]:
    """The ground's mean normal force on links in the last step, by number [N]."""
    lasted = pressed.lasted > 0.0
    rate = where(lasted, 1.0 / where(lasted, pressed.lasted, 1.0), 0.0)
    found: dict[int, Scalar] = {}
    for one in encounters(laws.world):
        if one.other:
            continue
        low, high = float(one.first), float(one.first + one.count - 1)
        if pressed.numbers:
            mine = zip(pressed.numbers, pressed.impulses, strict=False)
            push = sum((where((n >= low) & (n <= high), p[0], 0.0) for n, p in mine), 0.0)
        else:
            push = sum((p[0] for p in pressed.impulses[one.first : one.first + one.count]), 0.0)
        found[one.link] = found.get(one.link, 0.0) + push * rate
    return found
