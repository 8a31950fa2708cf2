"""Trajectories of rollouts whose motion is given in closed form."""

from dataclasses import replace
from typing import Any

import numpy as np

from gambol.evolve.fitness import Trajectory
from gambol.evolve.fitness.trajectory import ENTRIES

MASS, LENGTH, STAND, FRICTION = 10.0, 0.5, 0.4, 0.8
WEIGHT = MASS * 9.81
CORNERS = np.array([(x, y, 0.0) for x in (0.2, -0.2) for y in (0.1, -0.1)])
"""Positions of the feet of a creature that stands at the origin [m]."""


def trajectory_of(seconds: float = 8.0, rate: float = 30.0, rollouts: int = 1, **changes: Any) -> Trajectory:
    """Return rollouts that stand at the origin on four feet and do nothing, with some fields changed."""
    count = round(seconds * rate) + 1
    still, x, z = np.zeros((count, rollouts, 3)), np.eye(3)[0], np.eye(3)[2]
    standing = still + STAND * z
    whole = Trajectory(
        time=np.linspace(0.0, seconds, count),
        ground=np.zeros((count, rollouts)),
        root=standing,
        centre=standing,
        forward=still + x,
        up=still + z,
        limb_overlap=np.zeros((count, rollouts)),
        pushes=np.full((count, rollouts, 4), WEIGHT / 4.0),
        elsewhere=np.zeros((count, rollouts)),
        energy=np.full((count, rollouts), WEIGHT * STAND),
        ledger=np.zeros((count, rollouts, len(ENTRIES))),
        frozen=np.zeros(rollouts, bool),
        length=np.full(rollouts, LENGTH),
        standing_height=np.full(rollouts, STAND),
        mass=np.full(rollouts, MASS),
        friction=np.full(rollouts, FRICTION),
        feet=np.broadcast_to(CORNERS, (count, rollouts, 4, 3)),
        forces=np.broadcast_to([0.0, 0.0, WEIGHT / 4.0], (count, rollouts, 4, 3)),
        slid=np.zeros((count, rollouts, 4)),
        head=np.broadcast_to(np.eye(3), (count, rollouts, 3, 3)),
        tail=np.broadcast_to(np.eye(3), (count, rollouts, 3, 3)),
    )
    return replace(whole, **changes)


def moved(trajectory: Trajectory, x: Any, y: Any = 0.0, z: Any = 0.0) -> Trajectory:
    """Return the same rollouts, moved by functions of time given as arrays (T,) or numbers [m]."""
    count = len(trajectory.time)
    way = np.stack([np.broadcast_to(np.asarray(c, float), count) for c in (x, y, z)], axis=-1)[:, None, :]
    feet = None if trajectory.feet is None else trajectory.feet + way[:, :, None]
    return replace(trajectory, root=trajectory.root + way, centre=trajectory.centre + way, feet=feet)
