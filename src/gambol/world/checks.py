"""Checks of a world when it is created: unknown names, methods that cannot be combined, sizes.

`world` is a World, whose module imports this one.
"""

import math
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields
from typing import Any

from gambol.collide.pairs import ROLLING_SLOTS
from gambol.contact.complementarity import solver
from gambol.contact.impulse.hypothesis import hypothesis_named
from gambol.control import Senses
from gambol.errors import WorldError, did_you_mean
from gambol.figure.parameters import parameters
from gambol.figure.template import has_variable_topology
from gambol.integrate import INTEGRATORS, Integrator

SENSE_NAMES = tuple(sense.name for sense in fields(Senses) if sense.name != "time")
"""Names of all senses that a controller may request."""


STATE_COPIES = 4
"""Minimum number of copies of a state in memory during a run, for the estimate of its size."""


def check_worlds(worlds: int, size: int) -> None:
    """Raise WorldError if memory cannot hold this number of worlds; size: of one world's state [bytes]."""
    check_memory(f"{worlds:.10g} worlds", STATE_COPIES * float(size) * worlds, "give fewer")


def check_memory(subject: str, size: float, advice: str) -> None:
    """Raise WorldError if an object is larger than the memory of the machine.

    subject, advice: of the message; size: of the object [bytes].
    """
    if size > (available := memory()):
        raise WorldError(f"{subject} take {gigabytes(size)}, and this machine has {gigabytes(available)}; {advice}")


def memory() -> float:
    """Return the size of the machine's memory [bytes], or infinity if it is unknown."""
    with suppress(AttributeError, ValueError, OSError):
        return float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")
    return float("inf")


def gigabytes(size: float) -> str:
    """Return a size [bytes] as text in GB."""
    return f"{size / 1e9:.0f} GB" if 1e10 <= size < 1e15 else f"{size / 1e9:.3g} GB"


def check_names(world: Any) -> None:
    """Raise WorldError or FigureError for links, joints and senses that the world names but its figure lacks."""
    figure = world.figure
    legs = world.gait.legs if world.gait else ()
    sensed = world.controller.feet if world.controller else ()
    for name in (*world.feet, *world.wrenches, *sensed, *(name for leg in legs for name in leg.links)):
        figure.link(name)
    for name in world.controller.required_senses if world.controller else ():
        if name not in SENSE_NAMES:
            raise WorldError(f'the controller requests an unknown sense "{name}"; {did_you_mean(name, SENSE_NAMES)}')
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
        if figure.link(name) and name not in world.resolved_springs:
            advice = did_you_mean(name, world.resolved_springs)
            raise WorldError(f'the gait needs a spring at the joint of "{name}", which has none; {advice}')
        if len(world.resolved_springs[name]) > 1 or figure.link(name).q.stop - figure.link(name).q.start > 1:
            kind = figure.link(name).joint.kind
            raise WorldError(f'the gait needs a joint with one degree of freedom at "{name}", not a {kind} one')
    for leg in legs:
        upper = figure.link(leg.links[0])
        if upper.v.stop - upper.v.start != 1:
            kind, name = upper.joint.kind, upper.name
            raise WorldError(f'the step reflex of "{leg.name}" needs one degree of freedom at "{name}", not "{kind}"')
    for foot in world.feet:
        parts = [part for part in figure.link(foot).parts if part.contact_points()]
        if not parts:
            raise WorldError(f'the foot "{foot}" has no part that collides; give it one')
        round_kinds = ("sphere", "capsule", *(ROLLING_SLOTS if world.contact == "penalty" else ()))
        if world.stick is not None and all(part.shape.kind in round_kinds for part in parts):
            raise WorldError(f'the sticky foot "{foot}" has only round parts; give it a part with corners')
    if repeated := [name for k, name in enumerate(world.feet) if name in world.feet[:k]]:
        raise WorldError(f'the foot "{repeated[0]}" is named twice')


def check_contact(world: Any, methods: Sequence[str]) -> None:
    """Raise WorldError for an unknown contact method, or options that it does not support. methods: the known ones."""
    if world.contact not in methods:
        raise WorldError(f'there is no contact method "{world.contact}"; {did_you_mean(world.contact, methods)}')
    if world.max_contacts is not None and world.max_contacts < 1:
        raise WorldError(f"max_contacts is {world.max_contacts}; give 1 or more")
    if world.iterations < 1:
        raise WorldError(f"iterations is {world.iterations}; give 1 or more")
    hypothesis_named(world.hypothesis)
    solver(world.solver, contacts=math.inf)  # the number of contacts varies
    _check_pairs(world)
    _check_topology(world)
    if world.contact == "penalty":
        return
    if world.figure.prescribed:
        raise WorldError(f'the contact method "{world.contact}" does not support a prescribed base; take "penalty"')
    if world.contact == "constraint" and not _is_explicit(world.timing.integrator):
        supported = ", ".join(f'"{name}"' for name, row in INTEGRATORS.items() if _is_explicit(row))
        raise WorldError(
            f'the contact method "constraint" does not support the integrator "{world.timing.integrator.name}"; '
            f"take one of {supported}"
        )
    if world.touch.restitution > 1.0:
        raise WorldError(
            f"the ground's restitution is {world.touch.restitution}; give 0 to 1: above 1 each bounce would add energy"
        )


PARAMETRIC_METHODS = ("penalty", "stepping")
"""Contact methods whose programs can take figure parameters as inputs."""


def check_parameters(world: Any) -> None:
    """Raise WorldError for unknown figure parameters, or a contact method that cannot take any as inputs."""
    if not world.parameters:
        return
    if world.contact not in PARAMETRIC_METHODS:
        raise WorldError(
            f'the contact method "{world.contact}" takes no figure parameters as inputs of its program; '
            'take "stepping" or "penalty", or parameters = ()'
        )
    known = parameters(world.figure)
    if unknown := [name for name in world.parameters if name not in known]:
        raise WorldError(f'"{world.figure.name}" has no parameter "{unknown[0]}"; {did_you_mean(unknown[0], known)}')


def _check_topology(world: Any) -> None:
    """Raise WorldError for a figure of variable topology with methods that need a fixed topology."""
    explicit_penalty = world.contact == "penalty" and world.dynamics == "crba" and _is_explicit(world.timing.integrator)
    if has_variable_topology(world.figure) and not explicit_penalty and world.contact != "stepping":
        raise WorldError(
            f'the topology of "{world.figure.name}" is variable, so its world needs the contact method "stepping", or '
            f'"penalty" with the dynamics "crba" and an explicit integrator, not "{world.contact}" with '
            f'"{world.dynamics}" and "{world.timing.integrator.name}"'
        )


def _check_pairs(world: Any) -> None:
    """Raise WorldError for pairs of parts that this figure does not have."""
    figure = world.figure
    for pair in world.pairs:
        for link, part in ((pair.link, pair.part), (pair.other, pair.other_part)):
            if not 1 <= link <= len(figure.links) or not 0 <= part < len(figure.links[link - 1].parts):
                raise WorldError(
                    f'World.pairs has part {part} of link {link}, which "{figure.name}" lacks; take allowed_pairs() '
                    "of the same figure"
                )


def _is_explicit(method: Integrator) -> bool:
    """Return True for explicit one-step integrators: they need accelerations, but no derivatives or earlier steps."""
    return not (method.implicit or method.stateful or method is INTEGRATORS["variational"])


def check_initial_state(world: Any) -> None:
    """Raise WorldError for an initial state of another length than the figure's, or one that is not finite."""
    figure = world.figure
    for name, values, count in (("q", world.initial_q, figure.nq), ("v", world.initial_v, figure.nv)):
        if len(values) not in (0, count) or not all(map(math.isfinite, values)):
            raise WorldError(f"initial_{name} has {len(values)} numbers; give {count} finite numbers, or none")
