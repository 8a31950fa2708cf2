"""The terms of fitness that measure progress along a path in the plane."""

from collections.abc import Sequence

import numpy as np

from gambol.evolve.fitness.trajectory import Array, Trajectory


def along(trajectory: Trajectory, *, points: tuple[tuple[float, float], ...]) -> Array:
    """Return the progress along a path in the plane, minus the mean distance from it [body lengths].

    points: corners of the path after the start, relative to the start [body lengths]. The progress is the arc length of
    the path's nearest point at the last sample.
    """
    progress, deviation = _progress_and_distance(trajectory.path, points)
    return progress[-1] - _mean_over_time(deviation)


def along_path(trajectory: Trajectory, *, points: tuple[tuple[float, float], ...], speed: float | None = None) -> Array:
    """Return the progress along a path on the ground, minus the mean distance from it [m].

    points: corners of the path after the start, in metres, in axes with x along the heading at the start. speed:
    desired speed along the path [m/s], None for as fast as possible. The progress is the arc length between the nearest
    points of the first and the last sample. With a desired speed, it is replaced by d - 2 mean |s(t) - s_desired(t)|,
    where d is the desired progress: this is d if the speed always is the desired speed, and 0 for standing still.
    """
    s, deviation = _progress_and_distance(trajectory.centre[..., :2], points)
    if speed is None:
        return s[-1] - s[0] - _mean_over_time(deviation)
    length = np.linalg.norm(np.diff(np.array([(0.0, 0.0), *points]), axis=0), axis=1).sum()
    elapsed = (trajectory.time - trajectory.time[0])[:, None]
    desired = np.minimum(s[0] + speed * elapsed, length)
    return desired[-1] - s[0] - 2.0 * _mean_over_time(np.abs(s - desired)) - _mean_over_time(deviation)


def _progress_and_distance(positions: Array, points: Sequence[tuple[float, float]]) -> tuple[Array, Array]:
    """Return the arc length of the path's point nearest to each position, and the distance from it (T, W).

    positions: positions (T, W, 2). points: corners of the path after the origin, in the same unit.
    """
    corners = np.array([(0.0, 0.0), *points])
    edges = np.diff(corners, axis=0)
    edge_lengths = np.linalg.norm(edges, axis=1)
    edge_starts = np.concatenate([[0.0], np.cumsum(edge_lengths)])[:-1]
    from_corner = positions[:, :, None, :] - corners[:-1]
    fraction = np.clip((from_corner * edges).sum(axis=-1) / edge_lengths**2, 0.0, 1.0)
    distances = np.linalg.norm(from_corner - fraction[..., None] * edges, axis=-1)
    nearest = distances.argmin(axis=-1)[..., None]
    progress = np.take_along_axis(edge_starts + fraction * edge_lengths, nearest, axis=-1)[..., 0]
    return progress, np.take_along_axis(distances, nearest, axis=-1)[..., 0]


def _mean_over_time(values: Array) -> Array:
    """Return the mean over times of values (T, W); times are made contiguous: same bits for any number of rollouts."""
    return np.ascontiguousarray(values.T).mean(axis=1)
