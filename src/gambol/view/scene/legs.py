"""The legs of a film: their order on the body, their steps, and a stride."""

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.view.scene.look import link_looks
from gambol.view.scene.pose import rotation
from gambol.world.film import Film

Array = NDArray[np.float64]
MAX_TILT = np.radians(45.0)  # largest tilt of the root in a walk, from its attitude in the middle of the film
MIN_COVERAGE = 0.5  # smallest share of a walk's film that strides cover
STEPPING = "stepping"  # the signal (F, W, legs) that is 1 while a leg steps


def stepping_of(film: Film, world: int = 0) -> Array:
    """Return the stepping signal of a world, (F, legs) of 0 and 1. Raises GambolError for a film without it."""
    signal = film.signals.get(STEPPING)
    if signal is None or np.shape(signal)[2:] != (len(film.leg_names),) or not film.leg_names:
        raise GambolError(
            f'film "{film.name}" has no signal "{STEPPING}" of shape (frames, worlds, {len(film.leg_names)} legs); '
            f"its signals are: {', '.join(film.signals) or 'none'}"
        )
    return film.of_worlds([world]).signals[STEPPING][:, 0]


def by_side(film: Film) -> list[int]:
    """Return the indices of the legs from left to right and, on each side, from front to back, in the first frame.

    In the frame of the root link (x ahead, y left). The order is unchanged if a leg has no links.
    """
    looks, p, R = link_looks(film), film.position[0, 0], rotation(film.quaternion[0, 0, 0])
    links = [[i for i, look in enumerate(looks) if look.leg == leg] for leg in range(len(film.leg_names))]
    if not all(links):
        return list(range(len(film.leg_names)))
    at = [(p[of_leg].mean(axis=0) - p[0]) @ R for of_leg in links]
    return sorted(range(len(at)), key=lambda leg: (at[leg][1] < 0.0, -at[leg][0]))


def stance_spans(time: Array, steps: Array) -> list[tuple[float, float]]:
    """Return (start, length) [s] of each stance of a leg; steps (F,) is 1 while it steps."""
    if not len(time):
        return []
    stands = np.concatenate([[False], steps < 0.5, [False]])
    edges = np.flatnonzero(stands[1:] != stands[:-1])
    until = np.append(time, time[-1])
    return [(float(until[a]), float(until[b] - until[a])) for a, b in edges.reshape(-1, 2)]


def middle_stride(film: Film, world: int = 0) -> tuple[float, float]:
    """Return start and end [s] of the stride nearest the middle of a film, or of the film if it is no steady walk.

    A stride lasts from one lift-off of a leg to the next; the leg with the most steps is used. A film is no steady walk
    if no leg steps twice, if strides cover less than MIN_COVERAGE of it, or if its root tilts by more than MAX_TILT.
    """
    whole = (float(film.time[0]), float(film.time[-1]))
    try:
        steps = stepping_of(film, world) > 0.5
    except GambolError:
        return whole
    lifts = [film.time[1:][steps[1:, leg] & ~steps[:-1, leg]] for leg in range(steps.shape[1])]
    most = max(lifts, key=len)
    if len(most) < 2 or most[-1] - most[0] < MIN_COVERAGE * film.duration or _tilt(film, world) > MAX_TILT:
        return whole
    nearest = int(np.argmin(np.abs((most[1:] + most[:-1]) / 2.0 - sum(whole) / 2.0)))
    return float(most[nearest]), float(most[nearest + 1])


def _tilt(film: Film, world: int) -> float:
    """Return the largest angle [rad] between the vertical in the root frame in any frame and in the middle one."""
    up = rotation(np.moveaxis(film.quaternion[:, world, 0], -1, 0))[2].T  # (F, 3): the vertical in the root's axes
    return float(np.arccos(np.clip((up @ up[len(up) // 2]).min(), -1.0, 1.0)))
