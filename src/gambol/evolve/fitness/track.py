"""The track of many lives: what is seen of them at a steady rate, as arrays over time and individuals."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ENTRIES = ("motors", "outside", "damping", "impact", "sliding", "stabilisation")
"""Of the energy ledger, in its order."""

SIGNS = (1.0, 1.0, -1.0, -1.0, -1.0, 0.0)
"""What each brings in: motors and pushes do, losses take out, and to move bodies apart is the simulator's own doing."""


@dataclass(frozen=True)
class Track:
    """Samples of W lives at T times, world axes.

    In memory the times of a life lie side by side: then a mean over them has the same bits whatever lies beside it.
    time (T,) [s]. root, centre (T, W, 3): origin of the trunk, and centre of mass [m]; forward, up (T, W, 3): the
    trunk's own x and z. tangled (T, W): how deep limbs lie in each other, of the radius of the
    thinner. pushes (T, W, feet): the ground's normal force on each foot, elsewhere (T, W): on all else [N].
    energy (T, W): kinetic, potential and stored [J]. ledger (T, W, entries): see ENTRIES [J]. frozen (W,): whether a
    world stopped. Of the bodies: length [m], stand: height of the root at rest [m], mass [kg] (W,). friction (W,): of
    its ground.
    """

    time: Array
    root: Array
    centre: Array
    forward: Array
    up: Array
    tangled: Array
    pushes: Array
    elsewhere: Array
    energy: Array
    ledger: Array
    frozen: NDArray[np.bool_]
    length: Array
    stand: Array
    mass: Array
    friction: Array

    @property
    def duration(self) -> float:
        """Time from the first sample to the last [s]."""
        return float(self.time[-1] - self.time[0])

    @cached_property
    def way(self) -> Array:
        """Where centres of mass went in the plane since the first sample, in body lengths (T, W, 2)."""
        return (self.centre[..., :2] - self.centre[:1, :, :2]) / self.length[:, None]

    def spent(self, entry: str) -> Array:
        """What an entry of the ledger gained over the track (W,) [J]."""
        k = ENTRIES.index(entry)
        return self.ledger[-1, :, k] - self.ledger[0, :, k]

    @property
    def unaccounted(self) -> Array:
        """Energy since the first sample from no motor, push or loss (T, W) [J]: errors, and bodies moved apart."""
        rest = self.energy - sum(sign * self.ledger[..., k] for k, sign in enumerate(SIGNS) if sign)
        return rest - rest[:1]


def joined(tracks: Sequence[Track]) -> Track:
    """Several tracks of the same times as one, their lives one after the other."""
    if len(tracks) == 1:
        return tracks[0]
    feet = max(track.pushes.shape[2] for track in tracks)
    tracks = [replace(t, pushes=np.pad(t.pushes, ((0, 0), (0, 0), (0, feet - t.pushes.shape[2])))) for t in tracks]
    parts: dict[str, Any] = {"time": tracks[0].time}
    for name in ("root", "centre", "forward", "up", "tangled", "pushes", "elsewhere", "energy", "ledger"):
        parts[name] = np.concatenate([getattr(track, name).T for track in tracks], axis=-2).T
    for name in ("frozen", "length", "stand", "mass", "friction"):
        parts[name] = np.concatenate([getattr(track, name) for track in tracks])
    return Track(**parts)
