"""Functions of joint kinds: the travel of the link's origin, checks of a joint, and the numbers of its mirror image."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from gambol.errors import FigureError
from gambol.figure.joint.joint import Joint

Travel: TypeAlias = Callable[[Joint, Sequence[float]], float]
"""The travel of a joint as a function of the joint and the extents of its coordinates, see JointKind."""


def slide(*coordinates: int) -> Travel:
    """Return the travel of a joint whose coordinates with these indices slide along perpendicular directions."""
    return lambda joint, extents: math.hypot(*(extents[k] for k in coordinates))


def screw_travel(advance: str) -> Travel:
    """Return the travel of a joint that slides as it turns; advance: name of its slide per unit of its coordinate."""

    def travel(joint: Joint, extents: Sequence[float]) -> float:
        rate = abs(getattr(joint, advance))
        return rate * extents[0] if rate else 0.0

    return travel


def rolling_travel(joint: Joint, extents: Sequence[float]) -> float:
    """Return twice the distance of the centres of a rolling joint: the link's origin goes around the parent's."""
    return 2.0 * abs(joint.radius + joint.parent_radius)


def check_radii(joint: Joint, subject: str) -> None:
    """Raise FigureError for a rolling joint without a radius, or with coincident centres."""
    if not (joint.radius and joint.radius + joint.parent_radius):
        raise FigureError(
            f"{subject} rolls with a radius of {joint.radius:g} m on one of {joint.parent_radius:g} m; its radius, and "
            "the sum of both, which is the distance of the centres, must not be 0"
        )


def mirrored_numbers(joint: Joint) -> Mapping[str, Any]:
    """Return the numbers of a mirror image. Only the pitch differs: a left-hand thread becomes a right-hand thread."""
    return {"pitch": 0.0 - joint.pitch}


def mirrored_axial(joint: Joint) -> Mapping[str, Any]:
    """Return the numbers of an axial joint's mirror image. Raises FigureError if it both turns and slides."""
    if joint.slides not in (0.0, 1.0):
        raise FigureError(
            f"an axial joint with slides = {joint.slides:g} has no mirror image; make it helical, with the pitch "
            "slides / (1 - slides)"
        )
    return mirrored_numbers(joint)
