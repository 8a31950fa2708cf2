"""Sticky feet in large steps: their contacts hold under any pull, as bilateral constraints.

A contact of a foot sticks where it touches while its leg stands, from the next step on. It is released when the leg
steps, and breaks when the pull exceeds that of the thesis' spring at its reach: F = alpha (e^(beta reach) - 1).
[McKenna 1990, sections 4.4 and 5.3]
"""

from collections.abc import Sequence
from dataclasses import replace

from gambol.contact.stepping import Contact
from gambol.lanes import Scalar, exp, where
from gambol.world.contact_generation.sources import contact_sources
from gambol.world.context import Memory, StepContext
from gambol.world.world import World


def has_sticking(world: World) -> bool:
    """True where contacts of a world may stick."""
    return world.stick is not None and world.contact != "penalty"


def stances(context: StepContext, memory: Memory, numbers: Sequence[Scalar]) -> list[Scalar]:
    """Return, for contacts of these numbers, 1 where they belong to a foot whose leg stands, else 0."""
    flags: list[Scalar] = [0.0] * len(numbers)
    for source in contact_sources(context.world):
        name = context.world.figure.links[source.link - 1].name
        if source.other or name not in context.world.feet:
            continue
        stance, low, high = context.stance_of(memory, name), float(source.first), float(source.first + source.count - 1)
        flags = [where((n >= low) & (n <= high), stance, s) for n, s in zip(numbers, flags, strict=True)]
    return flags


def with_sticking(contacts: Sequence[Contact], stance: Sequence[Scalar], previous: Sequence[Scalar]) -> list[Contact]:
    """Return contacts with `held` set where they stuck in the previous step and their legs stand."""
    rows = zip(contacts, stance, previous, strict=True)
    return [replace(contact, held=where((s > 0.5) & (b > 0.5), 1.0, 0.0)) for contact, s, b in rows]


def sticking_after(
    context: StepContext,
    stance: Sequence[Scalar],
    gaps: Sequence[Scalar],
    impulses: Sequence[Sequence[Scalar]],
    h: Scalar,
    near: Scalar,
) -> list[Scalar]:
    """Return 1 for contacts that stick in the next step: feet of standing legs that touch and were not pulled off.

    stance: 1 where the leg stands. gaps: after a step of h [s]; those below `near` touch [m]. impulses: of the step.
    """
    stick = context.numbers["stick"]
    strength = stick.alpha * (exp(stick.beta * stick.reach) - 1.0)
    rows = zip(stance, gaps, impulses, strict=False)
    return [where((s > 0.5) & (gap <= near) & (p[0] >= -strength * h), 1.0, 0.0) for s, gap, p in rows]
