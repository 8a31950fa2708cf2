"""The judge: lives that score nothing, and why. A creature that gains energy from the simulator is cheating."""

from typing import Any

import numpy as np

from gambol.dynamics import STANDARD_GRAVITY
from gambol.evolve.fitness.track import Array, Track

GAIN = 0.05
"""Of what its motors did: energy from nowhere that may be an error of the step, and above which it is a gift."""

FLOOR = 0.02
"""Of weight times length: energy that is never looked at, for a body at rest has rounding too."""

FROZE, GAINED, LOST = "froze", "gained energy", "is not a number"


def marks(track: Track) -> list[str]:
    """For each life why it scores nothing, or "" where it is clean."""
    unfit: list[tuple[str, Any]] = [
        (FROZE, track.frozen),
        (LOST, ~np.isfinite(track.centre).all(axis=(0, 2))),
        (GAINED, gained(track) > 1.0),
    ]
    found = [""] * len(track.frozen)
    for word, bad in reversed(unfit):
        for k in np.flatnonzero(bad):
            found[k] = word
    return found


def gained(track: Track) -> Array:
    """The most energy that a life ever had from nowhere, of what it is allowed (W,)."""
    with np.errstate(invalid="ignore", over="ignore"):
        least = FLOOR * track.mass * STANDARD_GRAVITY * track.length
        allowed = least + GAIN * np.abs(track.ledger[..., 0] - track.ledger[:1, :, 0]).max(axis=0)
        worst = track.unaccounted.max(axis=0) / allowed
    return np.where(np.isfinite(worst), worst, np.inf)
