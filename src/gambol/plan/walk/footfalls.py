"""Times and places of stances while a body moves along a path: a foothold is below the body's foot point at mid-stance.

    phase = t / T - offset        stance n: n <= phase < n + duty        mid-stance: t = T (n + offset + duty / 2)

[Girard and Maciejewski 1985]. In a swing a foot moves from a foothold to the next one by a cycloid, so that it begins
and ends at rest: x = p - sin(2 pi p) / (2 pi), and its height is lift (1 - cos(2 pi p)) / 2.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.plan.walk.body import BodyPath, Poses

Array = NDArray[np.float64]

MIN_FULL_STEP = 1.0
"""Minimum length of a step with the full lift, divided by the lift. Shorter steps are lower, so that feet stay on the
ground while the body rests."""


@dataclass(frozen=True)
class Footfalls:
    """The times of the steps of a walk, and their height.

    period [s]. duty: fraction of the period for which a foot stands. offsets: the time at which each foot lands
    [periods]. lift: height of a step [m]. Raises GambolError for numbers that are not positive, and a duty factor that
    is not between 0 and 1.
    """

    period: float
    duty: float
    offsets: Sequence[float]
    lift: float

    def __post_init__(self) -> None:
        if not (0.0 < self.period < np.inf and 0.0 <= self.lift < np.inf and np.isfinite(self.offsets).all()):
            raise GambolError(
                f"footfalls have a period of {self.period:g} s, a lift of {self.lift:g} m and offsets {self.offsets}; "
                "give a positive period, a lift of 0 or more, and finite offsets"
            )
        if not 0.0 < self.duty < 1.0:
            raise GambolError(f"the duty factor is {self.duty:g}; it must be between 0 and 1")

    def stance(self, times: Array, offset: float) -> tuple[Array, Array]:
        """Return the number of the present or last stance, and the fraction of the swing, 0 in a stance."""
        phase = times / self.period - offset
        number = np.floor(phase)
        return number, np.clip((phase - number - self.duty) / (1.0 - self.duty), 0.0, 1.0)

    def foothold_poses(self, body: BodyPath, number: Array, offset: float) -> Poses:
        """Return the upright poses of the body at the middle of stances, which footholds belong to."""
        return body.upright(self.period * (number + offset + 0.5 * self.duty))


@dataclass(frozen=True)
class FootMotion:
    """The motion of a foot. points (F, n, 3): its points [m]; stands (F,): True while it is held at a foothold."""

    points: Array
    stands: NDArray[np.bool_]


def foot_motion(
    footfalls: Footfalls,
    body: BodyPath,
    times: Array,
    offset: float,
    points: Array,
    height: Callable[[Array, Array], Array],
) -> FootMotion:
    """Return the motion of a foot.

    points (n, 3): points of the standing foot, in the body's frame on the ground; their z is above the ground [m].
    height: height of the ground, from x and y (F, n) [m].
    """
    number, swing = footfalls.stance(times, offset)
    start = _placed(footfalls.foothold_poses(body, number, offset), points, height)
    end = _placed(footfalls.foothold_poses(body, number + 1.0, offset), points, height)
    progress = (swing - np.sin(2.0 * np.pi * swing) / (2.0 * np.pi))[:, None, None]
    step = np.linalg.norm((end - start)[:, :, :2], axis=-1).max(axis=1)
    lift_fraction = np.minimum(step / max(MIN_FULL_STEP * footfalls.lift, 1e-12), 1.0)
    moved = start + progress * (end - start)
    moved[:, :, 2] += (0.5 * footfalls.lift * lift_fraction * (1.0 - np.cos(2.0 * np.pi * swing)))[:, None]
    return FootMotion(np.where((swing == 0.0)[:, None, None], start, moved), swing == 0.0)


def _placed(poses: Poses, points: Array, height: Callable[[Array, Array], Array]) -> Array:
    """Return points (F, n, 3) of a body's frame in the world, each as high above the ground as in its frame."""
    placed = poses.apply(points)
    placed[:, :, 2] = height(placed[:, :, 0], placed[:, :, 1]) + points[:, 2]
    return placed
