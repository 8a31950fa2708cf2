"""The trajectory of many rollouts: samples at a constant rate, as arrays over times and rollouts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ENTRIES = ("motors", "outside", "damping", "impact", "sliding", "stabilisation")
"""The entries of the energy ledger, in their order."""

SIGNS = (1.0, 1.0, -1.0, -1.0, -1.0, 0.0)
"""The sign of each entry in the energy balance: motors and pushes add energy, losses remove it. Position correction has
0, so it counts as unaccounted.
"""


@dataclass(frozen=True)
class Trajectory:
    """Samples of W rollouts at T times, in world axes.

    time (T,) [s]. root, centre (T, W, 3): origin of the trunk, and centre of mass [m]. forward, up (T, W, 3): the
    trunk's x and z axes. limb_overlap (T, W): largest overlap of two limbs, as a fraction of the thinner one's radius.
    pushes (T, W, feet): the ground's normal force on each foot [N]. elsewhere (T, W): the ground's normal force on all
    other links [N]. energy (T, W): sum of kinetic, potential and stored energy [J]. ledger (T, W, entries): see ENTRIES
    [J]. frozen (W,): True if the world stopped. length, standing_height (W,): of the body, and height of its root at
    rest [m]. mass (W,) [kg]. friction (W,): of the ground.

    In memory the times of a rollout are contiguous: then a mean over time has the same bits for any W.
    """

    time: Array
    root: Array
    centre: Array
    forward: Array
    up: Array
    limb_overlap: Array
    pushes: Array
    elsewhere: Array
    energy: Array
    ledger: Array
    frozen: NDArray[np.bool_]
    length: Array
    standing_height: Array
    mass: Array
    friction: Array

    @property
    def duration(self) -> float:
        """The time from the first sample to the last [s]."""
        return float(self.time[-1] - self.time[0])

    @cached_property
    def path(self) -> Array:
        """The horizontal positions of the centres of mass, relative to the first sample [body lengths] (T, W, 2)."""
        return (self.centre[..., :2] - self.centre[:1, :, :2]) / self.length[:, None]

    def ledger_change(self, entry: str) -> Array:
        """Return the change of an entry of the ledger over the trajectory (W,) [J]."""
        k = ENTRIES.index(entry)
        return self.ledger[-1, :, k] - self.ledger[0, :, k]

    @property
    def unaccounted(self) -> Array:
        """The energy change since the first sample that no entry explains [J] (T, W): errors, position correction."""
        unexplained = self.energy - sum(sign * self.ledger[..., k] for k, sign in enumerate(SIGNS) if sign)
        return unexplained - unexplained[:1]


def concatenate(trajectories: Sequence[Trajectory]) -> Trajectory:
    """Return one trajectory with the rollouts of several, in their order; all have the same times."""
    if len(trajectories) == 1:
        return trajectories[0]
    feet = max(trajectory.pushes.shape[2] for trajectory in trajectories)
    trajectories = [
        replace(t, pushes=np.pad(t.pushes, ((0, 0), (0, 0), (0, feet - t.pushes.shape[2])))) for t in trajectories
    ]
    fields: dict[str, Any] = {"time": trajectories[0].time}
    for name in ("root", "centre", "forward", "up", "limb_overlap", "pushes", "elsewhere", "energy", "ledger"):
        fields[name] = np.concatenate([getattr(trajectory, name).T for trajectory in trajectories], axis=-2).T
    for name in ("frozen", "length", "standing_height", "mass", "friction"):
        fields[name] = np.concatenate([getattr(trajectory, name) for trajectory in trajectories])
    return Trajectory(**fields)
