"""The validity check: rollouts that score nothing, and why.

A creature that gains energy from the simulator is cheating.
"""

from typing import Any

import numpy as np

from gambol.dynamics import STANDARD_GRAVITY
from gambol.evolve.fitness.trajectory import Array, Trajectory

GAIN = 0.05
"""Energy from nowhere above which a rollout is invalid, as a fraction of the motors' work; below, it may be an error of
the time step.
"""

FLOOR = 0.02
"""Energy that is never looked at, as a fraction of weight times length: a body at rest has rounding errors, too."""

FROZE, GAINED, LOST = "froze", "gained energy", "is not a number"


def invalid_reasons(trajectory: Trajectory) -> list[str]:
    """Return for each rollout (W) why it scores nothing, or "" where it is valid."""
    checks: list[tuple[str, Any]] = [
        (FROZE, trajectory.frozen),
        (LOST, ~np.isfinite(trajectory.centre).all(axis=(0, 2))),
        (GAINED, energy_gain(trajectory) > 1.0),
    ]
    reasons = [""] * len(trajectory.frozen)
    for reason, bad in reversed(checks):
        for k in np.flatnonzero(bad):
            reasons[k] = reason
    return reasons


def energy_gain(trajectory: Trajectory) -> Array:
    """Return the largest energy that each rollout had from nowhere, relative to what it is allowed (W,)."""
    with np.errstate(invalid="ignore", over="ignore"):
        floor = FLOOR * trajectory.mass * STANDARD_GRAVITY * trajectory.length
        allowed = floor + GAIN * np.abs(trajectory.ledger[..., 0] - trajectory.ledger[:1, :, 0]).max(axis=0)
        worst = trajectory.unaccounted.max(axis=0) / allowed
    return np.where(np.isfinite(worst), worst, np.inf)
