"""The validity check: the reasons why rollouts are invalid and have no score.

A rollout is invalid if its world froze, if its motion is not finite, or if the creature gained energy from errors of
the simulator.
"""

from typing import Any

import numpy as np

from gambol.dynamics import STANDARD_GRAVITY
from gambol.evolve.fitness.trajectory import Array, Trajectory

MAX_GAIN = 0.05
"""Unaccounted energy that is allowed as an error of the time step, as a fraction of the motors' work."""

NEGLIGIBLE_GAIN = 0.02
"""Unaccounted energy that is allowed in addition, for rounding errors, as a fraction of weight times length."""

FROZE, GAINED, NOT_FINITE = "froze", "gained energy", "is not a number"


def invalid_reasons(trajectory: Trajectory) -> list[str]:
    """Return the reason why each rollout is invalid, "" if it is valid (W)."""
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
    """Return the largest unaccounted energy of each rollout as a fraction of the allowed one (W,)."""
    with np.errstate(invalid="ignore", over="ignore"):
        negligible = NEGLIGIBLE_GAIN * trajectory.mass * STANDARD_GRAVITY * trajectory.length
        motor_work = trajectory.ledger[..., 0] - trajectory.ledger[:1, :, 0]
        allowed = negligible + MAX_GAIN * np.abs(motor_work).max(axis=0)
        worst = trajectory.unaccounted.max(axis=0) / allowed
    return np.where(np.isfinite(worst), worst, np.inf)
