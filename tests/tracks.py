"""Tracks of lives whose motion is given in closed form."""

from dataclasses import replace
from typing import Any

import numpy as np

from gambol.evolve.fitness import Track

MASS, LENGTH, STAND, FRICTION = 10.0, 0.5, 0.4, 0.8
WEIGHT = MASS * 9.81


def track_of(seconds: float = 8.0, rate: float = 30.0, lives: int = 1, **changes: Any) -> Track:
    """Lives that stand at the origin on four feet and do nothing, but for what is changed."""
    count = round(seconds * rate) + 1
    still, x, z = np.zeros((count, lives, 3)), np.eye(3)[0], np.eye(3)[2]
    standing = still + STAND * z
    whole = Track(
        time=np.linspace(0.0, seconds, count),
        root=standing,
        centre=standing,
        forward=still + x,
        up=still + z,
        tangled=np.zeros((count, lives)),
        pushes=np.full((count, lives, 4), WEIGHT / 4.0),
        elsewhere=np.zeros((count, lives)),
        energy=np.full((count, lives), WEIGHT * STAND),
        ledger=np.zeros((count, lives, 6)),
        frozen=np.zeros(lives, bool),
        length=np.full(lives, LENGTH),
        stand=np.full(lives, STAND),
        mass=np.full(lives, MASS),
        friction=np.full(lives, FRICTION),
    )
    return replace(whole, **changes)


def moved(track: Track, x: Any, y: Any = 0.0, z: Any = 0.0) -> Track:
    """The same lives, moved by functions of time given as arrays (T,) or numbers [m]."""
    count = len(track.time)
    way = np.stack([np.broadcast_to(np.asarray(c, float), count) for c in (x, y, z)], axis=-1)[:, None, :]
    return replace(track, root=track.root + way, centre=track.centre + way)
