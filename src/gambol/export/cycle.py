"""A walk cycle: one stride cut out of a film so that it loops.

The end of a stride is not exactly its begin. In the axes of the root, the poses x(t) are corrected by a part of the gap
that grows evenly over the stride, x(t) - (t / T) (x(T) - x(0)), so that no frame changes by more than the gap, which a
note states. Of the strides of the film the one with the smallest gap is taken.
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

    film: its frames; the last frame is the first one again, displaced by the travel; if it is in place, at the same
    place, with the root above the origin. period [s]. travel: travel of the root in a stride, along the ground (x, y)
    [m]. turn: turn of the root's heading in a stride [rad]. gap [m], gap_angle [rad]: by which links were moved and
    turned at most, in the root's axes, so that it loops. start: start of the stride in the film [s].
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
    """Return the stride of the first world of a film that loops best.

    film: with the signal "stepping" (or "standing") of its limbs, or "push" of its feet, which are its limbs then.
    limb: limb with touchdowns that begin strides; None: the first. in_place: True to take out the travel, as for games
    that move the creature themselves. frames: frames of the cycle, besides the last. after: time from which strides
    count [s], past the start. Raises GambolError without two touchdowns, for an unknown limb, and for fewer than 2
    frames.
    """
    if frames < 2:
        raise GambolError(f"a cycle of {frames} frames is impossible; give 2 or more")
    one = film.of_worlds([0])
    one = one if "standing" in one.signals else with_stepping(one)
    touchdowns = [t for t in _touchdowns(one, limb) if t >= film.time[0] + after]
    if len(touchdowns) < 2:
        raise GambolError(
            f'film "{film.name}" has {len(touchdowns)} touchdowns after {after:g} s; a cycle needs two, so '
            "give a longer film"
        )
    cycles = [_cycle(one, a, b, frames, in_place) for a, b in pairwise(touchdowns)]
    return min(cycles, key=lambda cycle: cycle.gap)


def _touchdowns(film: Film, limb: str | None) -> list[float]:
    """Return the times at which a limb begins to stand [s]."""
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
    part = np.linspace(0.0, 1.0, frames + 1)[:, None]
    root, heading = cut.position[:, 0, 0], _heading(cut.quaternion[:, 0, 0])
    turn = float(heading[-1])
    travel = root[-1, :2] - root[0, :2]
    carrier = np.concatenate([root[:1, :2] + part * travel, np.zeros((frames + 1, 1))], axis=1)
    yaw = _about_z(part[:, 0] * turn)
    back = conjugate(yaw)[:, None]
    p = rotated(back, cut.position[:, 0] - carrier[:, None])
    q = steady(product(np.broadcast_to(back, cut.quaternion[:, 0].shape), cut.quaternion[:, 0]))
    gap, twist = p[-1] - p[0], _rotation_vector(product(conjugate(q[0]), q[-1]))
    p = p - part[..., None] * gap
    q = product(q, _rotation(-part[..., None] * twist))
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
