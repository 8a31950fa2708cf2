"""A person who falls lets go: beyond a lean from which nobody comes back, hips and back have no torque.

Their motors would otherwise turn the limbs of a person who lies on the ground faster and faster, since no law of
walking fits there. Servos of knees, ankles and arms still hold.
"""

import math
from collections.abc import Sequence

from gambol.lanes import Scalar, where

LEAN = 1.2
"""Lean of the pelvis from which a person lets go [rad]: twice that of the strongest pushes that were survived."""


def relaxed_if_falling(torques: Sequence[Scalar], upward: Scalar) -> list[Scalar]:
    """Return the torques, or 0 for a person who falls. upward: cosine of the pelvis' lean."""
    stands = upward > math.cos(LEAN)
    return [where(stands, torque, 0.0) for torque in torques]
