"""Checks of a world when it is created: names that its figure lacks, and sizes."""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from gambol.actuation import check_actuator
from gambol.collide.broad import Pair
from gambol.contact import ContactMethod, SurfaceProperties
from gambol.control import Controller
from gambol.control.controller import SENSE_NAMES
from gambol.errors import WorldError, did_you_mean
from gambol.figure import Figure
from gambol.figure.parameters import parameters

JOINT_SENSES = ("spring_torques", "joint_angles")
"""Senses of the joints that a gait's signals name."""

MIN_STATE_COPIES = 4
"""Minimum number of copies of a state in memory during a run, for the estimate of its size."""


def check_worlds(worlds: int, size: int) -> None:
    """Raise WorldError if there is not enough memory for these worlds; size: size of one world's state [bytes]."""
    check_size(f"{worlds:.10g} worlds", MIN_STATE_COPIES * float(size) * worlds, memory(), "give fewer")


def check_size(subject: str, size: float, available: float, advice: str) -> None:
    """Raise WorldError if an object is larger than what is available.

    subject, advice: subject and advice of the message; size: size of the object [bytes]. available: memory, or space on
    the disk [bytes].
    """
    if size > available:
        raise WorldError(f"{subject} take {gigabytes(size)}, and this machine has {gigabytes(available)}; {advice}")


def memory() -> float:
    """Return the size of the machine's memory [bytes], or infinity if it is unknown."""
    with suppress(AttributeError, ValueError, OSError):
        return float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")
    return float("inf")


def gigabytes(size: float) -> str:
    """Return a size [bytes] as text in GB."""
    return f"{size / 1e9:.0f} GB" if 1e10 <= size < 1e15 else f"{size / 1e9:.3g} GB"


def check_controller(
    figure: Figure, controller: Controller, spring_counts: Mapping[str, int], sensors: Iterable[str] = ()
) -> None:
    """Raise WorldError or FigureError for links, joints and senses that a controller names but its figure lacks.

    spring_counts: number of springs of each joint that has some, by link name. sensors: names of the world's sensors.
    """
    legs = controller.gait.legs if controller.gait else ()
    for name in (*controller.feet, *(name for leg in legs for name in leg.links)):
        figure.link(name)
    for name in controller.required_senses:
        if name not in (known := (*SENSE_NAMES, *sensors)):
            raise WorldError(f'the controller requests an unknown sense "{name}"; {did_you_mean(name, known)}')
    for name, actuator in controller.actuators.items():
        check_actuator(name, actuator, figure)
    actuated = {joint for name, actuator in controller.actuators.items() for joint in actuator.joint_names(name)}
    driven = tuple(name for name in controller.joints if name not in actuated)
    signals = controller.gait.signals.values() if controller.gait else ()
    torques, angles = ([name for s in signals if s.sense == sense for name in s.joints] for sense in JOINT_SENSES)
    for name in (*driven, *torques):
        if figure.link(name) and name not in spring_counts:
            advice = did_you_mean(name, spring_counts)
            raise WorldError(f'the gait needs a spring at the joint of "{name}", which has none; {advice}')
        if spring_counts[name] > 1 or figure.link(name).q.stop - figure.link(name).q.start > 1:
            kind = figure.link(name).joint.kind
            raise WorldError(f'the gait needs a joint with one degree of freedom at "{name}", not a {kind} one')
    for name in angles:
        link = figure.link(name)
        if link.v.stop - link.v.start != 1:
            kind = link.joint.kind
            raise WorldError(f'the gait senses the angle at "{name}", which needs one degree of freedom, not "{kind}"')


def check_parameters(figure: Figure, names: Sequence[str]) -> None:
    """Raise WorldError for names of parameters that a figure does not have."""
    known = parameters(figure) if names else {}
    if unknown := [name for name in names if name not in known]:
        raise WorldError(f'"{figure.name}" has no parameter "{unknown[0]}"; {did_you_mean(unknown[0], known)}')


def check_pairs(figure: Figure, pairs: Sequence[Pair], method: ContactMethod, surface: SurfaceProperties) -> None:
    """Raise WorldError for pairs of parts that a figure does not have, or that would not touch.

    method: contact method of the world. surface: its surfaces.
    """
    for pair in pairs:
        for link, part in ((pair.link, pair.part), (pair.other, pair.other_part)):
            if not 1 <= link <= len(figure.links) or not 0 <= part < len(figure.links[link - 1].parts):
                raise WorldError(
                    f'World.pairs has part {part} of link {link}, which "{figure.name}" lacks; take allowed_pairs() '
                    "of the same figure"
                )
    if pairs:
        method.check_pairs(len(pairs), surface)
