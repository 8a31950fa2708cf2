"""The legs of a film: their order on the body, their steps, and a stride."""

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.view.scene.look import link_looks
from gambol.view.scene.pose import rotation
from gambol.world.film import Film

Array = NDArray[np.float64]
MAX_TILT = np.radians(45.0)  # of a root in a walk, from its attitude in the middle of the film
MIN_COVERAGE = 0.5  # of a walk: smallest fraction of the film's time that its strides take
STEPPING = "stepping"  # the signal (F, W, legs) that is 1 while a leg steps


def stepping_of(film: Film, world: int = 0) -> Array:
    """Return the stepping signal of a world, (F, legs) of 0 and 1. Raises GambolError for a film without it."""
    signal = film.signals.get(STEPPING)
    if signal is None or np.shape(signal)[2:] != (len(film.limb_names),) or not film.limb_names:
        raise GambolError(
            f'film "{film.name}" has no signal "{STEPPING}" of shape (frames, worlds, {len(film.limb_names)} legs); '
            f"its signals are: {', '.join(film.signals) or 'none'}"
        )
    return film.of_worlds([world]).signals[STEPPING][:, 0]


def legs_by_side(film: Film) -> list[int]:
    """Return the indices of the legs from left to right and, on each side, from front to back.

    The legs are sorted by their positions in the first frame, in the axes of the root link (x ahead, y left). If a leg
    has no links, the order is that of limb_names.
    """
    looks, p, R = link_looks(film), film.position[0, 0], rotation(film.quaternion[0, 0, 0])
    links = [[i for i, look in enumerate(looks) if look.leg == leg] for leg in range(len(film.limb_names))]
    if not all(links):
        return list(range(len(film.limb_names)))
    positions = [(p[leg_links].mean(axis=0) - p[0]) @ R for leg_links in links]
    return sorted(range(len(positions)), key=lambda leg: (positions[leg][1] < 0.0, -positions[leg][0]))


def stance_spans(time: Array, steps: Array) -> list[tuple[float, float]]:
    """Return (start, length) of each stance of a leg [s]. time (F,) [s]; steps (F,): 1 while the leg steps."""
    if not len(time):
        return []
    is_stance = np.concatenate([[False], steps < 0.5, [False]])
    edges = np.flatnonzero(is_stance[1:] != is_stance[:-1])
    edge_times = np.append(time, time[-1])
    return [(float(edge_times[a]), float(edge_times[b] - edge_times[a])) for a, b in edges.reshape(-1, 2)]


def middle_stride(film: Film, world: int = 0) -> tuple[float, float]:
    """Return the start and the end of one stride [s]: the stride nearest the middle of the film.

    A stride lasts from one lift-off of a leg to the next; the leg with the most steps is used. Returns the start and
    the end of the film if the motion is not a steady walk: if there is no stepping signal, if no leg steps twice, if
    the strides take less than MIN_COVERAGE of the time, or if a root tilts by more than MAX_TILT.
    """
    film_span = (float(film.time[0]), float(film.time[-1]))
    try:
        steps = stepping_of(film, world) > 0.5
    except GambolError:
        return film_span
    lift_offs = [film.time[1:][steps[1:, leg] & ~steps[:-1, leg]] for leg in range(steps.shape[1])]
    leg_lift_offs = max(lift_offs, key=len)
    if (
        len(leg_lift_offs) < 2
        or leg_lift_offs[-1] - leg_lift_offs[0] < MIN_COVERAGE * film.duration
        or _tilt(film, world) > MAX_TILT
    ):
        return film_span
    nearest = int(np.argmin(np.abs((leg_lift_offs[1:] + leg_lift_offs[:-1]) / 2.0 - sum(film_span) / 2.0)))
    return float(leg_lift_offs[nearest]), float(leg_lift_offs[nearest + 1])


def _tilt(film: Film, world: int) -> float:
    """Return the largest tilt of a root in any frame, from its attitude in the middle frame [rad]."""
    quaternion = film.quaternion[:, world, _roots(film, world)]
    up = rotation(np.moveaxis(quaternion, -1, 0))[2]  # (3, F, roots): the vertical in body axes
    return float(np.arccos(np.clip((up * up[:, len(film.time) // 2, None]).sum(axis=0).min(), -1.0, 1.0)))


def _roots(film: Film, world: int) -> list[int]:
    """Return the first link and, if that does not move, as in scenes of several figures, its children."""
    if np.ptp(film.position[:, world, 0], axis=0).any() or np.ptp(film.quaternion[:, world, 0], axis=0).any():
        return [0]
    return [0, *(link for link, parent in enumerate(film.parents) if parent == 0)]
