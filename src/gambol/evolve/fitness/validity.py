"""The validity check: which rollouts are invalid and score nothing, with the reasons.

A rollout in which a creature gains energy from errors of the simulator is invalid.
"""

from typing import Any

import numpy as np

from gambol.dynamics import STANDARD_GRAVITY
from gambol.evolve.fitness.trajectory import Array, Trajectory

MAX_GAIN = 0.05
"""Unaccounted energy above which a rollout is invalid, as a fraction of the motors' work; less may be an error of the
time step.
"""

NEGLIGIBLE_GAIN = 0.02
"""Unaccounted energy that is always allowed, as a fraction of weight times length, since even a body at rest has
rounding errors.
"""

FROZE, GAINED, NOT_FINITE = "froze", "gained energy", "is not a number"


def invalid_reasons(trajectory: Trajectory) -> list[str]:
    """Return the reason why each rollout is invalid (W), "" where it is valid."""
    checks: list[tuple[str, Any]] = [
        (FROZE, trajectory.frozen),
        (NOT_FINITE, ~np.isfinite(trajectory.centre).all(axis=(0, 2))),
        (GAINED, energy_gain(trajectory) > 1.0),
    ]
    reasons = [""] * len(trajectory.frozen)
    for reason, is_invalid in reversed(checks):
        for k in np.flatnonzero(is_invalid):
            reasons[k] = reason
    return reasons


def energy_gain(trajectory: Trajectory) -> Array:
    """Return the largest unaccounted energy of each rollout over the allowed one (W,)."""
    with np.errstate(invalid="ignore", over="ignore"):
        negligible = NEGLIGIBLE_GAIN * trajectory.mass * STANDARD_GRAVITY * trajectory.length
        allowed = negligible + MAX_GAIN * np.abs(trajectory.ledger[..., 0] - trajectory.ledger[:1, :, 0]).max(axis=0)
        worst = trajectory.unaccounted.max(axis=0) / allowed
    return np.where(np.isfinite(worst), worst, np.inf)
