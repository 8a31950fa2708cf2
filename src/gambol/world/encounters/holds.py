"""Sticky feet in large steps: contacts of feet that hold whatever pulls at them, as true constraints.

A contact of a foot takes hold where it touches while its leg stands, from the next step on. It lets go when the leg
steps, and breaks when the foot is pulled at harder than the spring of the thesis bears at its reach:
F = alpha (e^(beta reach) - 1). [McKenna 1990, sections 4.4 and 5.3]
"""

from collections.abc import Sequence
from dataclasses import replace

from gambol.contact.stepping import Meeting
from gambol.lanes import Scalar, exp, where
from gambol.world.encounters.encounter import encounters
from gambol.world.laws import Laws, Memory
from gambol.world.world import World


def holding(world: World) -> bool:
    """Whether contacts of a world may hold."""
    return world.stick is not None and world.contact != "penalty"


def stances(laws: Laws, memory: Memory, numbers: Sequence[Scalar]) -> list[Scalar]:
    """For contacts of these numbers 1 where they belong to a foot whose leg stands, else 0."""
    found: list[Scalar] = [0.0] * len(numbers)
    for one in encounters(laws.world):
        name = laws.world.figure.links[one.link - 1].name
        if one.other or name not in laws.world.feet:
            continue
        stance, low, high = laws.stance_of(memory, name), float(one.first), float(one.first + one.count - 1)
        found = [where((n >= low) & (n <= high), stance, s) for n, s in zip(numbers, found, strict=True)]
    return found


def held(meetings: Sequence[Meeting], stance: Sequence[Scalar], before: Sequence[Scalar]) -> list[Meeting]:
    """The contacts, of which those hold that held before and whose legs stand."""
    each = zip(meetings, stance, before, strict=True)
    return [replace(one, held=where((s > 0.5) & (b > 0.5), 1.0, 0.0)) for one, s, b in each]


def holds_on(
    laws: Laws,
    stance: Sequence[Scalar],
    gaps: Sequence[Scalar],
    impulses: Sequence[Sequence[Scalar]],
    h: Scalar,
    near: Scalar,
) -> list[Scalar]:
    """Which contacts hold in the next step: feet of standing legs that touch and were not pulled off.

    gaps: after a step of h [s]; what is below `near` touches [m]. impulses: of the step.
    """
    stick = laws.numbers["stick"]
    strength = stick.alpha * (exp(stick.beta * stick.reach) - 1.0)
    each = zip(stance, gaps, impulses, strict=False)
    return [where((s > 0.5) & (gap <= near) & (p[0] >= -strength * h), 1.0, 0.0) for s, gap, p in each]
