"""Inclined ground for creatures by name."""

import math

from gambol.collide import Ground, Plane
from gambol.collide.height_grid import inclined_plane
from gambol.errors import WorldError

MAX_SLOPE = 0.25 * math.pi
"""The steepest slope [rad]: friction holds no creature on more than 45 degrees."""

HALF_LENGTH = 1000.0
"""Half the length of a slope [m]: a walk of ten minutes."""


def check_slope(slope: float, ground: Ground | None, steepest: float = MAX_SLOPE) -> None:
    """Raise WorldError for a slope [rad] that is steeper than the steepest, and for a slope of a given ground."""
    if not abs(slope) <= steepest:
        given, most = (f"{x:.3g} rad ({math.degrees(x):.3g} degrees)" for x in (slope, steepest))
        raise WorldError(f"a slope of {given} is impossible; give at most {most}, up or down")
    if slope and ground is not None:
        raise WorldError("give a ground or a slope, not both")


def ground_of(ground: Ground | None, slope: float) -> Ground:
    """Return the ground of a creature: the given ground, or a plane of a slope [rad]. Errors: see check_slope()."""
    check_slope(slope, ground)
    return ground or (inclined_plane(slope, HALF_LENGTH) if slope else Plane())
