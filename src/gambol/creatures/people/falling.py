"""No torques at hips and back of a person who falls.

A control law of walking is not valid for a person on the ground: its torques would accelerate the limbs without bound.
Servos of knees, ankles and arms stay active.
"""

import math
from collections.abc import Sequence

from gambol.lanes import Scalar, where

MAX_LEAN = 1.2
"""Lean of the pelvis above which a person counts as falling [rad]: twice the lean in the strongest survived pushes."""


def relaxed_if_falling(torques: Sequence[Scalar], upward: Scalar) -> list[Scalar]:
    """Return the torques, or 0 for a person who falls. upward: cosine of the lean of the pelvis."""
    stands = upward > math.cos(MAX_LEAN)
    return [where(stands, torque, 0.0) for torque in torques]
