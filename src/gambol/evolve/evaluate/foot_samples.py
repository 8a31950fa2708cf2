"""Signals of the feet of creatures from samples: loads, positions, forces, sliding, and rotations of head and tail.

The feet of a world are the ends of all limbs, those of heads and tails included; a creature stands on some of them.
Samples are arrays (numbers, W, T) of W worlds at T times; the results are fields of a Trajectory, with times first.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.evolve.evaluate.batch_world import BatchInputs, LimbEnds
from gambol.evolve.fitness.sampling import FEET, FORCES, POSES, SIGNALS
from gambol.spatial.rotation import Quaternion

Array = NDArray[Any]


def split_pushes(feet: Sequence[Sequence[int]], pushes: Array) -> tuple[Array, Array]:
    """Return the loads on each creature's feet (feet, W, T), and the sum of the loads on all other links (W, T).

    feet: for each creature the indices of its feet among the world's feet. pushes: loads on the world's feet, W worlds
    at T times (feet, W, T) [N].
    """
    count, worlds, times = pushes.shape
    if all(foot_indices == tuple(range(count)) for foot_indices in set(map(tuple, feet))):
        return pushes, np.zeros((worlds, times))
    others = np.ones((count, worlds, 1))
    for world, creature_feet in enumerate(feet):
        others[list(creature_feet), world] = 0.0
    padded = np.concatenate([pushes, np.zeros((1, worlds, times))])
    return np.take_along_axis(padded, _foot_indices(feet, count)[:, :, None], axis=0), (pushes * others).sum(axis=0)


def foot_signals(inputs: BatchInputs, samples: dict[str, Array]) -> dict[str, Array]:
    """Return the optional fields of a Trajectory from the signals of the world's feet.

    samples: signals by the names in SIGNALS, each (numbers x feet, W, T). Values of feet that a creature lacks are NaN.
    """
    by_foot = {
        name: values.reshape(-1, SIGNALS[name], *values.shape[1:]).astype(float) for name, values in samples.items()
    }
    result = {name: _of_creatures(inputs.feet, by_foot[name]) for name in (FEET, FORCES) if name in by_foot}
    if POSES in by_foot:
        positions, R = by_foot[POSES][:, :3], _matrices(by_foot[POSES][:, 3:])
        slid = material_motion(positions, R, by_foot[FEET])
        result["slid"] = _of_creatures(inputs.feet, slid[:, None])[..., 0]
        result |= {name: _rotations(ends, R) for name, ends in inputs.ends.items()}
    return result


def material_motion(positions: Array, R: Array, lowest: Array) -> Array:
    """Return the distance that the material of each foot moved along the ground since the sample before (n, W, T) [m].

    It is the motion of the material point that was the lowest, so rolling does not count; it is 0 at the first sample.
    positions: of the feet's links (n, 3, W, T) [m]; R: their rotations (n, 3, 3, W, T); lowest: their lowest points (n,
    3, W, T) [m].
    """
    now, later = np.s_[..., :-1], np.s_[..., 1:]
    local = np.einsum("njiwt,njwt->niwt", R[now], (lowest - positions)[now])
    moved = positions[later] + np.einsum("nijwt,njwt->niwt", R[later], local) - lowest[now]
    return np.pad(np.hypot(moved[:, 0], moved[:, 1]), ((0, 0), (0, 0), (1, 0)))


def _matrices(quaternions: Array) -> Array:
    """Return the rotations (n, 3, 3, W, T) of quaternions (n, 4, W, T)."""
    rows = Quaternion(*np.moveaxis(quaternions, 1, 0)).rotation().rows
    return np.moveaxis(np.array([list(row) for row in rows]), 2, 0)


def _rotations(ends: LimbEnds, R: Array) -> Array:
    """Return the rotations of the ends of a limb (T, W, 3, 3), in the axes of grown figures; NaN without the limb.

    R: rotations of the world's feet (feet, 3, 3, W, T).
    """
    padded = np.concatenate([R, np.full((1, *R.shape[1:]), np.nan)])
    own = padded[list(ends.feet), :, :, np.arange(len(ends.feet))]  # (W, 3, 3, T)
    return np.moveaxis(np.einsum("wijt,wkj->wikt", own, ends.axes), 3, 0)


def _foot_indices(feet: Sequence[Sequence[int]], count: int) -> NDArray[np.intp]:
    """Return the index of each creature's feet among the world's feet (feet, W), `count` for a foot that it lacks."""
    indices = np.full((max(map(len, feet)), len(feet)), count)
    for world, creature_feet in enumerate(feet):
        indices[: len(creature_feet), world] = creature_feet
    return indices


def _of_creatures(feet: Sequence[Sequence[int]], values: Array) -> Array:
    """Return vectors of each creature's feet (T, W, feet, numbers), NaN for a foot that it lacks.

    feet: for each creature the indices of its feet among the world's feet. values: vectors of the world's feet (feet,
    numbers, W, T).
    """
    count, numbers, worlds, times = values.shape
    padded = np.concatenate([values, np.full((1, numbers, worlds, times), np.nan)])
    chosen = np.take_along_axis(padded, _foot_indices(feet, count)[:, None, :, None], axis=0)
    return np.moveaxis(chosen, (3, 2, 0, 1), (0, 1, 2, 3))
