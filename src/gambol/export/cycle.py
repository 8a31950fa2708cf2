"""A walk cycle: one stride cut out of a film so that it loops.

A stride does not end exactly in the pose in which it starts. The poses x(t), in the axes of the root, are corrected by
a growing fraction of this gap, x(t) - (t / T) (x(T) - x(0)), so no frame changes by more than the gap. Of all strides
of a film, the one with the smallest gap is used.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError, did_you_mean
from gambol.export.clip import conjugate, product, rotated, steady
from gambol.world.film import Film
from gambol.world.film.quantities import with_stepping

Array = NDArray[np.float64]


@dataclass(frozen=True)
class WalkCycle:
    """A stride that loops.

    film: frames of the stride. The last frame is the first one displaced by the travel; in an in-place cycle, both are
    equal and the root is above the origin. period: duration [s]. travel: horizontal travel (x, y) of the root in a
    stride [m]. turn: change of the root's heading in a stride [rad]. gap, gap_angle: the largest correction of a link's
    position [m] and orientation [rad], in the root's axes, that closes the loop. start: start of the stride in the film
    [s].
    """

    film: Film
    period: float
    travel: tuple[float, float]
    turn: float
    gap: float
    gap_angle: float
    start: float


def walk_cycle(
    film: Film, *, limb: str | None = None, in_place: bool = False, frames: int = 60, after: float = 0.0
) -> WalkCycle:
    """Return the stride with the smallest gap in the first world of a film.

    film: a film with the signal "stepping" or "standing" of its limbs, or "push" of its feet, which then are its limbs.
    limb: the limb whose touchdowns start the strides; None: the first. in_place: True to remove the travel, for games
    that move the creature themselves. frames: number of frames of the cycle without the last one. after: strides start
    at least this long after the start of the film [s]. Raises GambolError without two touchdowns, for an unknown limb,
    and for fewer than 2 frames.
    """
    if frames < 2:
        raise GambolError(f"a cycle of {frames} frames is impossible; give 2 or more")
    filmed = film.of_worlds([0])
    filmed = filmed if "standing" in filmed.signals else with_stepping(filmed)
    touchdowns = [t for t in _touchdowns(filmed, limb) if t >= film.time[0] + after]
    if len(touchdowns) < 2:
        raise GambolError(
            f'film "{film.name}" has {len(touchdowns)} touchdowns after {after:g} s; a cycle needs two, so '
            "give a longer film"
        )
    cycles = [_cycle(filmed, a, b, frames, in_place) for a, b in pairwise(touchdowns)]
    return min(cycles, key=lambda cycle: cycle.gap)


def _touchdowns(film: Film, limb: str | None) -> list[float]:
    """Return the times at which a limb touches down [s]."""
    name = "stepping" if "stepping" in film.signals else "standing"
    if name not in film.signals or not film.limb_names:
        reason = 'no signal "stepping" of limbs or "push" of feet, which says when a stride begins'
        raise GambolError(f'film "{film.name}" has {reason}; run a creature with feet')
    if limb is not None and limb not in film.limb_names:
        raise GambolError(f'film "{film.name}" has no limb "{limb}"; {did_you_mean(limb, film.limb_names)}')
    k = 0 if limb is None else film.limb_names.index(limb)
    standing = (film.signals[name][:, 0, k] > 0.5) == (name == "standing")
    return film.time[1:][standing[1:] & ~standing[:-1]].tolist()


def _cycle(film: Film, start: float, end: float, frames: int, in_place: bool) -> WalkCycle:
    """Return the stride between two times as a cycle."""
    cut = film.at_times(np.linspace(start, end, frames + 1))
    fraction = np.linspace(0.0, 1.0, frames + 1)[:, None]
    root, heading = cut.position[:, 0, 0], _heading(cut.quaternion[:, 0, 0])
    turn = float(heading[-1])
    travel = root[-1, :2] - root[0, :2]
    carrier = np.concatenate([root[:1, :2] + fraction * travel, np.zeros((frames + 1, 1))], axis=1)
    yaw = _about_z(fraction[:, 0] * turn)
    inverse_yaw = conjugate(yaw)[:, None]
    p = rotated(inverse_yaw, cut.position[:, 0] - carrier[:, None])
    q = steady(product(np.broadcast_to(inverse_yaw, cut.quaternion[:, 0].shape), cut.quaternion[:, 0]))
    gap, twist = p[-1] - p[0], _rotation_vector(product(conjugate(q[0]), q[-1]))
    p = p - fraction[..., None] * gap
    q = product(q, _rotation(-fraction[..., None] * twist))
    if not in_place:
        p = rotated(np.broadcast_to(yaw[:, None], q.shape), p) + carrier[:, None]
        q = product(np.broadcast_to(yaw[:, None], q.shape), q)
    moved = replace(cut, time=cut.time - start, position=p[:, None], quaternion=q[:, None])
    angle = float(np.linalg.norm(twist, axis=-1).max())
    distance = float(np.linalg.norm(gap, axis=-1).max())
    return WalkCycle(moved, end - start, (float(travel[0]), float(travel[1])), turn, distance, angle, start)


def _heading(q: Array) -> Array:
    """Return the change of heading about z since the first frame [rad]."""
    change = product(q, np.broadcast_to(conjugate(q[0]), q.shape))
    return np.unwrap(2.0 * np.arctan2(change[:, 3], change[:, 0]))


def _about_z(angle: Array) -> Array:
    half, zero = 0.5 * angle, np.zeros_like(angle)
    return np.stack([np.cos(half), zero, zero, np.sin(half)], axis=-1)


def _rotation_vector(q: Array) -> Array:
    """Return the rotation vectors (..., 3) [rad] of unit quaternions, of at most half a turn."""
    q = np.where(q[..., :1] < 0.0, -q, q)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, q[..., :1])
    return q[..., 1:] * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-12), 2.0)


def _rotation(vector: Array) -> Array:
    """Return the unit quaternions of rotation vectors (..., 3) [rad]."""
    angle = np.linalg.norm(vector, axis=-1, keepdims=True)
    return np.concatenate([np.cos(0.5 * angle), 0.5 * np.sinc(0.5 * angle / np.pi) * vector], axis=-1)
