"""The gaits of rollouts: the whole strides of each, from the samples of a trajectory."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import STANDARD_GRAVITY
from gambol.errors import EvolveError, GambolError
from gambol.gait.natural import SteadyGait, WalkMotion, whole_strides

if TYPE_CHECKING:
    from gambol.evolve.fitness.trajectory import Trajectory

Array = NDArray[np.float64]

MIN_DISTANCE = 0.5
"""Least distance covered by a creature whose strides are measured [body lengths]: others mostly shuffle or fall."""


def sampled_gaits(trajectory: "Trajectory") -> list[SteadyGait | None]:
    """Return the whole strides of each rollout; None for fewer than two, and for a creature that hardly moves.

    The power of a gait is the positive part of the power of all motors together. Raises EvolveError for a trajectory
    without positions of feet.
    """
    if trajectory.feet is None:
        raise EvolveError("the positions of feet were not sampled; terms about animals need a task that has them")
    return [_gait(trajectory, trajectory.feet, world) for world in range(len(trajectory.length))]


def _gait(trajectory: "Trajectory", feet: Array, world: int) -> SteadyGait | None:
    if not abs(trajectory.path[-1, world, 0]) >= MIN_DISTANCE:
        return None
    places = feet[:, world]
    own = np.isfinite(places[0, :, 0])  # other creatures of the trajectory may have more feet
    forward, up = (np.ascontiguousarray(x[:, world]) for x in (trajectory.forward, trajectory.up))
    trunk = np.stack([forward, np.cross(up, forward), up], axis=-1)
    motors = np.ascontiguousarray(trajectory.ledger_of("motors")[:, world])
    motion = WalkMotion(
        name="rollout",
        time=trajectory.time,
        root=np.ascontiguousarray(trajectory.root[:, world]),
        centre=np.ascontiguousarray(trajectory.centre[:, world]),
        trunk=trunk,
        links={},
        feet=tuple(f"foot {k}" for k in np.flatnonzero(own)),
        places=np.ascontiguousarray(places[:, own]),
        load=np.ascontiguousarray(trajectory.pushes[:, world, : len(own)][:, own]),
        weight=float(trajectory.mass[world]) * STANDARD_GRAVITY,
        power=np.maximum(np.gradient(motors, trajectory.time), 0.0),
    )
    try:
        return whole_strides(motion)
    except GambolError:
        return None
