"""Sticky feet in large steps: their contacts are bilateral constraints, which can pull.

If a foot touches the ground while its leg stands, its contact sticks from the next step on. The contact is released
when the leg steps, and breaks when the pull exceeds F = alpha (e^(beta reach) - 1): the force of the thesis' spring at
its largest extension, `reach`.
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
    """Return True if contacts of a world may stick."""
    return world.stick is not None and world.contact != "penalty"


def stances(context: StepContext, memory: Memory, indices: Sequence[Scalar]) -> list[Scalar]:
    """Return 1 for each contact of a foot whose leg stands, else 0; indices: of the contacts."""
    flags: list[Scalar] = [0.0] * len(indices)
    for source in contact_sources(context.world):
        name = context.world.figure.links[source.link - 1].name
        if source.other or name not in context.world.feet:
            continue
        stance, low, high = context.stance_of(memory, name), float(source.first), float(source.first + source.count - 1)
        flags = [
            where((index >= low) & (index <= high), stance, flag) for index, flag in zip(indices, flags, strict=True)
        ]
    return flags


def with_sticking(contacts: Sequence[Contact], stance: Sequence[Scalar], previous: Sequence[Scalar]) -> list[Contact]:
    """Return the contacts with `held` = 1 if they stuck in the previous step and their legs stand, else 0.

    stance, previous: 1 for contacts whose legs stand, and for those that stuck, else 0.
    """
    rows = zip(contacts, stance, previous, strict=True)
    return [
        replace(contact, held=where((standing > 0.5) & (stuck > 0.5), 1.0, 0.0)) for contact, standing, stuck in rows
    ]


def sticking_after(
    context: StepContext,
    stance: Sequence[Scalar],
    gaps: Sequence[Scalar],
    impulses: Sequence[Sequence[Scalar]],
    h: Scalar,
    touch_distance: Scalar,
) -> list[Scalar]:
    """Return 1 for contacts that stick in the next step: feet of standing legs that touch and did not break loose.

    stance: 1 if the leg stands. gaps: after a step of h [s]; up to `touch_distance` a contact touches [m]. impulses: of
    the step [N s].
    """
    stick = context.numbers["stick"]
    strength = stick.alpha * (exp(stick.beta * stick.reach) - 1.0)
    rows = zip(stance, gaps, impulses, strict=False)
    return [
        where((standing > 0.5) & (gap <= touch_distance) & (p[0] >= -strength * h), 1.0, 0.0)
        for standing, gap, p in rows
    ]
