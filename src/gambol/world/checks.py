"""What is wrong with a world, found before anything moves: names that are not there, and methods that cannot be."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields
from typing import TYPE_CHECKING

from gambol.collide.pairs import ROLLING_SLOTS
from gambol.contact.complementarity import solver
from gambol.contact.impulse.hypothesis import hypothesis_named
from gambol.control import Senses
from gambol.errors import WorldError, did_you_mean
from gambol.figure.anybody import told
from gambol.figure.measures import measures
from gambol.integrate import ALIASES, INTEGRATORS, Integrator

if TYPE_CHECKING:
    from gambol.world.world import Timing, World


SENSED = tuple(of.name for of in fields(Senses) if of.name != "time")
"""What a controller may want to feel."""


COPIES = 4
"""Copies of a state that moving and filming it takes, at least."""


def check_worlds(worlds: int, size: int) -> None:
    """Raise WorldError for more worlds, whose states have a size [bytes] each, than memory holds while they move."""
    check_memory(f"{worlds:.10g} worlds", COPIES * float(size) * worlds, "give fewer")


def check_memory(what: str, size: float, cure: str) -> None:
    """Raise WorldError for something of a size [bytes] that is larger than the machine's memory."""
    if size > (there := memory()):
        raise WorldError(f"{what} take {gigabytes(size)}, and this machine has {gigabytes(there)}; {cure}")


def memory() -> float:
    """The machine's memory [bytes], or infinity where it does not tell."""
    with suppress(AttributeError, ValueError, OSError):
        return float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")
    return float("inf")


def gigabytes(size: float) -> str:
    """A size [bytes] to read."""
    return f"{size / 1e9:.0f} GB" if 1e10 <= size < 1e15 else f"{size / 1e9:.3g} GB"


def check_names(world: World) -> None:
    """Every foot, leg and attachment is a link of the figure, and every joint that is driven or felt has a spring."""
    figure = world.figure
    legs = world.gait.legs if world.gait else ()
    felt = world.controller.feet if world.controller else ()
    for name in (*world.feet, *felt, *(name for leg in legs for name in leg.links)):
        figure.link(name)
    for name in world.controller.wants if world.controller else ():
        if name not in SENSED:
            raise WorldError(f'the controller wants a sense "{name}", which there is not; {did_you_mean(name, SENSED)}')
    for name in world.actuators:
        link = figure.link(name)
        if link.v.stop - link.v.start != 1:
            kind = link.joint.kind
            raise WorldError(f'an actuator needs a joint with one degree of freedom at "{name}", not a {kind} one')
    for attachment in world.attachments:
        for name in (attachment.link, attachment.other):
            if name is not None:
                figure.link(name)
    for name in (*world.driven, *(leg.links[1] for leg in legs)):
        if figure.link(name) and name not in world.resolved:
            cure = did_you_mean(name, world.resolved)
            raise WorldError(f'the gait needs a spring at the joint of "{name}", which has none; {cure}')
        if len(world.resolved[name]) > 1 or figure.link(name).q.stop - figure.link(name).q.start > 1:
            kind = figure.link(name).joint.kind
            raise WorldError(f'the gait needs a joint with one degree of freedom at "{name}", not a {kind} one')
    for leg in legs:
        upper = figure.link(leg.links[0])
        if upper.v.stop - upper.v.start != 1:
            raise WorldError(
                f'the step reflex of leg "{leg.name}" reads the angle of "{upper.name}", a "{upper.joint.kind}" joint'
            )
    for foot in world.feet:
        parts = [part for part in figure.link(foot).parts if part.contact_points()]
        if not parts:
            raise WorldError(f'the foot "{foot}" has nothing to touch with; give it a part that collides')
        round_kinds = ("sphere", "capsule", *(ROLLING_SLOTS if world.contact == "penalty" else ()))
        if world.stick is not None and all(part.shape.kind in round_kinds for part in parts):
            raise WorldError(f'the sticky foot "{foot}" has no corner to hold with; give it a part that is not round')
    if repeated := [name for k, name in enumerate(world.feet) if name in world.feet[:k]]:
        raise WorldError(f'the foot "{repeated[0]}" is named twice')


def check_contact(world: World, methods: Sequence[str]) -> None:
    """A known method, which can do what the world asks of it."""
    if world.contact not in methods:
        raise WorldError(f'there is no contact method "{world.contact}"; {did_you_mean(world.contact, methods)}')
    if world.room is not None and world.room < 1:
        raise WorldError(f"there is room for {world.room} contacts; give 1 or more")
    if world.rounds < 1:
        raise WorldError(f"contacts are gone round {world.rounds} times; give 1 or more")
    hypothesis_named(world.hypothesis)
    solver(world.solver, contacts=math.inf)  # they come and go
    _check_pairs(world)
    _check_tree(world)
    if world.contact == "penalty":
        return
    if world.figure.prescribed:
        raise WorldError(f'the contact method "{world.contact}" has no prescribed base; take "penalty"')
    if world.contact == "constraint" and not _takes_constraints(world.timing.integrator):
        able = ", ".join(f'"{name}"' for name, row in INTEGRATORS.items() if _takes_constraints(row))
        raise WorldError(
            f'the contact method "constraint" cannot move by "{world.timing.integrator.name}"; take one of {able}'
        )
    if world.touch.restitution > 1.0:
        raise WorldError(
            f"the ground's restitution is {world.touch.restitution}; above 1 every bounce would add energy, give 0 to 1"
        )


VARYING = ("penalty", "stepping")
"""Contact methods whose worlds may have figures of other measures in one program."""


def check_varied(world: World) -> None:
    """What varies between worlds of one program are measures of the figure, and the contact method lets them."""
    if not world.varied:
        return
    if world.contact not in VARYING:
        raise WorldError(
            f'the contact method "{world.contact}" has every measure of a figure compiled in, so none can vary; '
            'take "stepping" or "penalty", or varied = ()'
        )
    known = measures(world.figure)
    if odd := [name for name in world.varied if name not in known]:
        raise WorldError(f'"{world.figure.name}" has no measure "{odd[0]}"; {did_you_mean(odd[0], known)}')


def _check_tree(world: World) -> None:
    """A figure whose tree is data moves by what asks for no more than masses and forces of its links."""
    smooth = world.contact == "penalty" and world.dynamics == "crba" and _takes_constraints(world.timing.integrator)
    if told(world.figure) and not smooth and world.contact != "stepping":
        raise WorldError(
            f'the tree of "{world.figure.name}" is data, so its world takes the contact method "stepping", or '
            f'"penalty" with the dynamics "crba" and an explicit integrator, not "{world.contact}" with '
            f'"{world.dynamics}" and "{world.timing.integrator.name}"'
        )


def _check_pairs(world: World) -> None:
    """Parts that may touch each other are parts of this figure."""
    figure = world.figure
    for pair in world.pairs:
        for link, part in ((pair.link, pair.part), (pair.other, pair.other_part)):
            if not 1 <= link <= len(figure.links) or not 0 <= part < len(figure.links[link - 1].parts):
                raise WorldError(
                    f'"{figure.name}" has no part {part} of link {link}, which may touch; pairs are those of its own '
                    "allowed_pairs()"
                )


def _takes_constraints(row: Integrator) -> bool:
    """Whether a method only asks for accelerations, of the step at hand."""
    return not (row.implicit or row.remembers or row is INTEGRATORS["variational"])


def check_timing(timing: Timing) -> None:
    """A known integrator, and times that can be."""
    if timing.method not in (*INTEGRATORS, *ALIASES):
        cure = did_you_mean(timing.method, [*INTEGRATORS, *ALIASES])
        raise WorldError(f'integration method "{timing.method}" is unknown; {cure}')
    for name in ("frame", "step", "tolerance", "smallest"):
        value = getattr(timing, name)
        if not 0.0 < value < math.inf:
            raise WorldError(f"the timing's {name} is {value}; it must be more than 0, and finite")
