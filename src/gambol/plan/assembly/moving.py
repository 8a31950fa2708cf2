"""A constraint with a moving target: a point of a link follows a curve at a pace.

    p(t) = sum c_k t^k, k = 0 .. 5: position, velocity and acceleration are exact at both ends of a frame

Within a frame of length h the target differs from the curve by O(h^6), its acceleration by O(h^4).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gambol.dynamics import Kinematics
from gambol.dynamics.loops import Row
from gambol.figure import Figure, Triple
from gambol.lanes import Scalar
from gambol.plan.path import PacedCurve
from gambol.plan.pose import PointGoal
from gambol.plan.pose.numbers import Array, length

COEFFICIENTS = 6
MOVING = 3 * COEFFICIENTS
"""Number of values of the target within a frame: coefficients of x, y and z."""


@dataclass(frozen=True, slots=True)
class PathConstraint:
    """A point of a link follows a curve at a pace, in the world.

    link: name of the link. curve: curve with its duration and pace. point: in link coordinates [m].
    """

    link: str
    curve: PacedCurve
    point: Triple = (0.0, 0.0, 0.0)
    weight: float = 1.0
    tolerance: float | None = None

    @property
    def title(self) -> str:
        """The name of the constraint in messages."""
        return f'the path of "{self.link}"'

    def structure(self) -> tuple[object, ...]:
        """Return the key of the program: the options that are compiled in."""
        return (PathConstraint, self.link)

    def numbers(self) -> Array:
        """The polynomial of the target at the beginning, at rest, the time 0, and the point."""
        return np.concatenate([self.polynomial(0.0, 0.0), [0.0], self.point])

    def polynomial(self, start: float, end: float) -> Array:
        """Return coefficients (18) of the target between two times [s]; constant if they are equal."""
        (p, q), (v, w), (a, b) = self.curve.motion([start, end])
        h = end - start
        if h <= 0.0:
            return np.stack([p, v, 0.5 * a, 0.0 * p, 0.0 * p, 0.0 * p], axis=1).ravel()
        d, e, f = (q - p - v * h - 0.5 * a * h * h) / h**3, (w - v - a * h) / h**2, (b - a) / h
        ends = np.linalg.solve([[1.0, 1.0, 1.0], [3.0, 4.0, 5.0], [6.0, 12.0, 20.0]], np.stack([d, e, f]))
        return np.stack([p, v, 0.5 * a, ends[0], ends[1] / h, ends[2] / h**2], axis=1).ravel()

    def unit(self, figure: Figure) -> str:
        """Return the unit of the residual: metres."""
        return "m"

    def rows(self, state: Kinematics, numbers: Sequence[Scalar]) -> list[Row]:
        """Return the rows of the point's offset from the moving target; numbers: polynomial, time in it [s], point."""
        t, point = numbers[MOVING], numbers[MOVING + 1 :]
        position, speed, acceleration = zip(*(_motion(numbers[k : k + 6], t) for k in (0, 6, 12)), strict=True)
        fixed = PointGoal(self.link, (0.0, 0.0, 0.0)).rows(state, [*position, *point])
        return [
            Row(row.forces, {}, row.gap, row.speed - v, row.bias - a)
            for row, v, a in zip(fixed, speed, acceleration, strict=True)
        ]

    def residual(self, gaps: Array) -> Array:
        """Return the distance between point and target [m]."""
        return length(gaps)


def _motion(c: Sequence[Scalar], t: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """Return a polynomial's value and its first two derivatives; c: coefficients, the constant first."""
    value = speed = acceleration = c[-1] * 0.0
    for x in reversed(c):
        acceleration = acceleration * t + 2.0 * speed
        speed = speed * t + value
        value = value * t + x
    return value, speed, acceleration
