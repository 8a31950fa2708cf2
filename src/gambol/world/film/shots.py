"""Camera and light of a film over time, as signals that views may follow."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from gambol.world.film.film import Film

Key = tuple[float, Sequence[float]]
"""A time [s], and the values of a signal at this time."""


def with_keys(film: Film, name: str, keys: Sequence[Key]) -> Film:
    """Return the film with a signal that is linear between keys, and constant before the first and after the last.

    name: "camera" or "light". The values of a camera are x, y, z of its position and x, y, z of the point at which it
    looks [m]; the values of a light are a vector towards it. keys: keys in any order; of two keys with the same time
    the later one counts; no keys: the film is returned unchanged.
    """
    by_time: Mapping[float, Sequence[float]] = dict(keys)
    if not by_time:
        return film
    times = sorted(by_time)
    values = np.array([by_time[time] for time in times], np.float64)
    signal = np.empty((len(film.time), film.worlds, values.shape[1]))
    for k in range(values.shape[1]):
        signal[..., k] = np.interp(film.time, times, values[:, k])[:, None]
    return replace(film, signals=film.signals | {name: signal})
