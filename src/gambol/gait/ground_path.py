"""Paths on the ground: smooth curves by arc length, and the rate of turn that follows a path.

    s := s + t . (p - c(s))     e = n . (p - c(s))     w = v k(s) + (heading of t - atan2(e, L) - heading) / tau

c(s), t, n, k: point, tangent, left normal and curvature at arc length s; p: position; e: distance to the left of the
path; v: speed; w: rate of turn; L: distance in which an error of position should vanish; tau: time in which an error of
heading should vanish.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.errors import WorldError
from gambol.lanes import Scalar, atan2, clamp, cos, maximum, sin, total

Array = NDArray[np.float64]

SAMPLES = 65
"""Number of samples of a path: a curve of ten body lengths has seven for each length."""

FINE = 20
"""Number of points for each sample at which the length of a curve is measured: the error of lengths is 1e-4."""


@dataclass(frozen=True)
class GroundPath:
    """A curve on the ground, sampled at equal distances along it.

    x, y [m]; heading: direction of the tangent, without jumps [rad]; curvature, positive to the left [1/m]; speed:
    desired speed, as a fraction of that of the fastest gait, above 0 and at most 1. length [m]. stops: True if the
    creature stops at the end; otherwise it walks straight on.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    heading: tuple[float, ...]
    curvature: tuple[float, ...]
    speed: tuple[float, ...]
    length: float
    stops: bool = True

    @staticmethod
    def through(points: ArrayLike, samples: int = SAMPLES, *, stops: bool = True) -> "GroundPath":
        """Return the smooth curve through some points: a cubic spline over the distances between them.

        points: x, y [m] and, if given, speed (n, 2) or (n, 3). If the last point is the first one, the curve is closed
        and smooth there, too. samples: number of samples. stops: True if the creature stops at the end. Raises
        WorldError for points that do not define a path.
        """
        given = _checked(points)
        chords = np.hypot(*np.diff(given[:, :2], axis=0).T)
        along = _sums(chords)
        closed = len(given) > 3 and bool(np.all(given[0, :2] == given[-1, :2]))
        curve = _spline(along, given[:, :2], "periodic" if closed else "natural")
        u = float(along[-1]) / (FINE * samples) * np.arange(FINE * samples + 1.0)
        lengths = _sums(np.hypot(*np.diff(curve(u, 0), axis=0).T))
        at = np.interp(float(lengths[-1]) / (samples - 1) * np.arange(float(samples)), lengths, u)
        position, (dx, dy), (ddx, ddy) = curve(at, 0), curve(at, 1).T, curve(at, 2).T
        curvature = (dx * ddy - dy * ddx) / np.hypot(dx, dy) ** 3
        speed = np.interp(at, along, given[:, 2])
        heading = np.unwrap(np.arctan2(dy, dx))
        columns: list[Array] = [position[:, 0], position[:, 1], heading, curvature, speed]
        x, y, headings, curvatures, speeds = (tuple(float(value) for value in column) for column in columns)
        return GroundPath(x, y, headings, curvatures, speeds, float(lengths[-1]), stops)

    def moved_to(self, x: float, y: float, heading: float) -> "GroundPath":
        """Return the same curve from another start: x, y [m] and heading [rad] of its first point."""
        turn = heading - self.heading[0]
        c, s = math.cos(turn), math.sin(turn)
        ways = [(a - self.x[0], b - self.y[0]) for a, b in zip(self.x, self.y, strict=True)]
        return replace(
            self,
            x=tuple(x + c * a - s * b for a, b in ways),
            y=tuple(y + s * a + c * b for a, b in ways),
            heading=tuple(angle + turn for angle in self.heading),
        )

    def numbers(self) -> dict[str, Any]:
        """Return its samples and its length, as inputs of a program."""
        names = ("x", "y", "heading", "curvature", "speed")
        return {name: list(getattr(self, name)) for name in names} | {"length": self.length}

    def points(self) -> Array:
        """Return the samples (n, 2) [m]."""
        return np.column_stack([self.x, self.y])


@dataclass(frozen=True, slots=True)
class PathPoint:
    """A point of a path: position [m], heading of the tangent [rad], curvature [1/m], and speed as in GroundPath."""

    x: Scalar
    y: Scalar
    heading: Scalar
    curvature: Scalar
    speed: Scalar


def path_point(numbers: Mapping[str, Any], s: Scalar) -> PathPoint:
    """Return the point of a path at arc length s [m], between 0 and its length: linear between samples."""
    count = len(numbers["x"])
    position = s * (float(count - 1) / numbers["length"])
    weights = [maximum(1.0 - abs(position - float(k)), 0.0) for k in range(count)]

    def mean(values: Sequence[Scalar]) -> Scalar:
        return total(weight * value for weight, value in zip(weights, values, strict=True))

    return PathPoint(*(mean(numbers[name]) for name in ("x", "y", "heading", "curvature", "speed")))


def arc_length_beside(numbers: Mapping[str, Any], s: Scalar, x: Scalar, y: Scalar) -> Scalar:
    """Return the arc length of the point of a path nearest to (x, y) [m], by one step from a near arc length s."""
    near = path_point(numbers, s)
    ahead = (x - near.x) * cos(near.heading) + (y - near.y) * sin(near.heading)
    return clamp(s + ahead, 0.0, numbers["length"])


def path_errors(near: PathPoint, x: Scalar, y: Scalar, heading: Scalar) -> tuple[Scalar, Scalar]:
    """Return the distance of (x, y) to the left of a path [m], and the heading minus the path's, in [-pi, pi] [rad]."""
    c, s = cos(near.heading), sin(near.heading)
    left = (y - near.y) * c - (x - near.x) * s
    return left, wrapped(heading - near.heading)


def following_turn(near: PathPoint, errors: tuple[Scalar, Scalar], gains: Mapping[str, Scalar]) -> Scalar:
    """Return the rate of turn that follows a path [rad/s].

    near: the nearest point. errors: result of path_errors(). gains: "speed" of the creature [m/s], "reach" [m], "lag"
    [s] and the largest "turn" [rad/s].
    """
    left, turned = errors
    desired = -atan2(left, gains["reach"])
    rate = gains["speed"] * near.speed * near.curvature + wrapped(desired - turned) / gains["lag"]
    return clamp(rate, -gains["turn"], gains["turn"])


def wrapped(angle: Scalar) -> Scalar:
    """Return the same angle in [-pi, pi] [rad]."""
    return atan2(sin(angle), cos(angle))


def _sums(lengths: Array) -> Array:
    """Return the sums of the first 0, 1, 2 ... lengths."""
    sums = np.zeros(len(lengths) + 1)
    sums[1:] = np.cumsum(lengths)
    return sums


def _spline(along: Array, points: Array, ends: str) -> Callable[[Array, int], Array]:
    """Return a cubic spline, a function of its parameter and of the order of a derivative.

    ends: condition at the ends.
    """
    CubicSpline: Any = import_module("scipy.interpolate").CubicSpline  # late, as most gaits follow no path
    return cast("Callable[[Array, int], Array]", CubicSpline(along, points, bc_type=ends))


def _checked(points: ArrayLike) -> Array:
    """Return points with speeds (n, 3). Raises WorldError for points that do not define a path."""
    given = np.asarray(points, float)
    if given.ndim != 2 or given.shape[1] not in (2, 3) or len(given) < 2:
        raise WorldError(f"a path has at least two points x, y or x, y, speed; these have the shape {given.shape}")
    if given.shape[1] == 2:
        given = np.column_stack([given, np.ones(len(given))])
    if not np.isfinite(given).all():
        raise WorldError(f"point {int(np.argmin(np.isfinite(given).all(axis=1)))} of the path is not finite")
    same = (np.diff(given[:, :2], axis=0) == 0.0).all(axis=1)
    if same.any():
        raise WorldError(f"points {int(np.argmax(same))} and {int(np.argmax(same)) + 1} of the path are the same")
    wrong = ~((given[:, 2] > 0.0) & (given[:, 2] <= 1.0))
    if wrong.any():
        k = int(np.argmax(wrong))
        raise WorldError(f"the speed at point {k} of the path is {given[k, 2]:g}; give more than 0 and at most 1")
    return given
