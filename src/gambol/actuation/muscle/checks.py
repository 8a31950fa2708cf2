"""Checks of a muscle's numbers when it is made."""

import math
from collections.abc import Mapping

from gambol.errors import WorldError, did_you_mean

MAX_PENNATION = math.acos(0.1)
"""Bound of the pennation at optimal length [rad]: steeper fibres cannot shorten."""

MIN_START_LENGTH = 1e-9
"""Minimum length of a muscle at the start of a run [m]. Paths give points at one place a length of 1e-15 m."""

UNITS = {"max_force": "N", "optimal_length": "m", "slack_length": "m", "max_velocity": "optimal lengths per second"}


def check_sizes(values: Mapping[str, float], damping: float, rigid_tendon: bool) -> None:
    """Raise WorldError for impossible sizes of a muscle.

    values: max_force, optimal_length, slack_length, max_velocity, pennation. damping: damping of the fibre.
    rigid_tendon: True for a rigid tendon; its length is an offset, which may be 0 or negative, as it often is in
    MuJoCo.
    """
    for name, unit in UNITS.items():
        value, is_offset = values[name], name == "slack_length" and rigid_tendon
        if not math.isfinite(value) or not (is_offset or value > 0.0):
            bound = "" if is_offset else "more than 0, and "
            raise WorldError(f"a muscle's {name} is {value}; it must be {bound}finite [{unit}]")
    if not 0.0 <= damping < math.inf:
        raise WorldError(f"a muscle's damping is {damping}; it must be 0 or more, and finite")
    if not 0.0 <= values["pennation"] < MAX_PENNATION:
        raise WorldError(
            f"a muscle's pennation is {values['pennation']} rad; it must be 0 or more, and below {MAX_PENNATION:.3f}"
        )


def check_changes(table: str, row: str, known: Mapping[str, float], changes: Mapping[str, float]) -> None:
    """Raise WorldError for numbers that a row of a table lacks, or that are not finite."""
    for name, value in changes.items():
        if name not in known:
            raise WorldError(f'the {table} "{row}" have no number "{name}"; {did_you_mean(name, known)}')
        if not math.isfinite(value):
            raise WorldError(f'the number "{name}" of the {table} "{row}" is {value}; it must be finite')


def check_activation(activation: float | None) -> None:
    """Raise WorldError for an initial activation outside 0 to 1."""
    if activation is not None and not 0.0 <= activation <= 1.0:
        raise WorldError(f"a muscle's initial_activation is {activation}; it must be from 0 to 1")


def length_problem(length: float) -> str:
    """Return the reason why a run cannot start with a muscle of this length [m]; "" if it can."""
    if length > MIN_START_LENGTH:
        return ""
    return f"begins with the length {length:.4g} m; move its points, or give its path a length"
