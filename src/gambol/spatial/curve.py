"""Curves through or near points: piecewise cubics over generic scalars, with their arc length.

    c(u) = a_k + b_k t + c_k t^2 + d_k t^3,   t = K u - k,  k = floor(K u)        K segments, u from 0 to 1
    s(u) = integral of |c'|, by Gauss-Legendre quadrature; u(s) by Newton's method

[Parent 2012, section 3.2]. Catmull-Rom: the tangent at a point is half the vector between its neighbours. [Catmull and
Rom 1974]
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.errors import GambolError
from gambol.lanes import Scalar, clamp, floor, gather

Array = NDArray[np.float64]

PANELS, QUADRATURE_POINTS = 8, 16
"""Panels of each segment, and Gauss-Legendre points in each panel: in tight turns |c'| is far from a polynomial."""

MAX_NEWTON_STEPS = 40
"""Maximum number of steps for u(s). Newton's method needs five; at a cusp, where |c'| is 0, bisection is used."""


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve in space. coefficients (K, 4, 3): coefficients of 1, t, t^2 and t^3 in each of K segments [m].

    curve(u), for u from 0 to 1, is a list x, y, z over generic scalars: floats, arrays, traced values. Make one by
    polyline(), catmull_rom(), interpolating() or b_spline(). closed: True if it ends at its start. Curves with the same
    coefficients are equal.
    """

    coefficients: Array
    closed: bool = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Curve) and np.array_equal(self.coefficients, other.coefficients)

    def __hash__(self) -> int:
        return hash(self.coefficients.tobytes())

    def __call__(self, u: Scalar) -> list[Scalar]:
        """Return x, y, z [m] at parameter u; u outside of 0 to 1 is clamped to the nearer end."""
        segment, t = self._located(u)
        return [self._polynomial(segment, t, axis) for axis in range(3)]

    def _located(self, u: Scalar) -> tuple[Scalar, Scalar]:
        """Return the index of the segment, and t in it."""
        count = float(len(self.coefficients))
        x = clamp(u, 0.0, 1.0) * count
        segment = clamp(floor(x), 0.0, count - 1.0)
        return segment, x - segment

    def _polynomial(self, segment: Scalar, t: Scalar, axis: int) -> Scalar:
        a, b, c, d = (gather(self.coefficients[:, power, axis], segment) for power in range(4))
        return a + t * (b + t * (c + t * d))

    def derivatives(self, u: ArrayLike) -> tuple[Array, Array, Array]:
        """Return c, dc/du and d2c/du2 at parameters u (n): (n, 3) each."""
        x, count = np.asarray(u, float), len(self.coefficients)
        scaled = np.clip(x, 0.0, 1.0) * count
        segment = np.clip(np.floor(scaled), 0, count - 1).astype(int)
        t = (scaled - segment)[..., None]
        a, b, c, d = np.moveaxis(self.coefficients[segment], -2, 0)
        value = a + t * (b + t * (c + t * d))
        return value, (b + t * (2.0 * c + 3.0 * t * d)) * count, (2.0 * c + 6.0 * t * d) * count**2

    @cached_property
    def _lengths(self) -> Array:
        """Arc length at the ends of all panels [m]."""
        ends = np.linspace(0.0, 1.0, PANELS * len(self.coefficients) + 1)
        return np.concatenate([[0.0], np.cumsum(self._piece(ends[:-1], ends[1:]))])

    def _piece(self, start: Array, end: Array) -> Array:
        """Return arc lengths between parameters (n) in the same panel [m]."""
        nodes, weights = np.polynomial.legendre.leggauss(QUADRATURE_POINTS)
        half = 0.5 * (end - start)
        u = (start + half)[..., None] + half[..., None] * nodes
        return np.linalg.norm(self.derivatives(u)[1], axis=-1) @ weights * half

    @property
    def length(self) -> float:
        """Length of the curve [m]."""
        return float(self._lengths[-1])

    def arc_length(self, u: ArrayLike) -> Array:
        """Return the arc length from the start to parameters u (n) [m]."""
        x, count = np.clip(np.asarray(u, float), 0.0, 1.0), len(self._lengths) - 1
        panel = np.clip(np.floor(x * count), 0, count - 1).astype(int)
        return self._lengths[panel] + self._piece(panel / count, x)

    def parameter(self, s: ArrayLike) -> Array:
        """Return u at arc lengths s (n) [m], by Newton's method between the ends of a panel."""
        lengths = np.clip(np.asarray(s, float), 0.0, self.length)
        ends, count = self._lengths, len(self._lengths) - 1
        panel = np.clip(np.searchsorted(ends, lengths, side="right") - 1, 0, count - 1)
        low, high = panel / count, (panel + 1.0) / count
        span = ends[panel + 1] - ends[panel]
        u = low + (lengths - ends[panel]) / np.where(span > 0.0, span, 1.0) / count
        for _ in range(MAX_NEWTON_STEPS):
            error = self.arc_length(u) - lengths
            if (abs(error) <= 1e-14 * max(self.length, 1e-300)).all():
                break
            low, high = np.where(error < 0.0, u, low), np.where(error > 0.0, u, high)
            speed = np.linalg.norm(self.derivatives(u)[1], axis=-1)
            guess = u - error / np.where(speed > 0.0, speed, np.inf)
            u = np.where((guess > low) & (guess < high), guess, 0.5 * (low + high))
        return u

    def at(self, s: ArrayLike) -> Array:
        """Return the points at arc lengths s (n) [m]: (n, 3) [m]."""
        return self.derivatives(self.parameter(s))[0]

    def frame(self, s: ArrayLike) -> tuple[Array, Array, Array]:
        """Return position [m], unit tangent, and curvature vector [1/m] at arc lengths s (n): (n, 3) each."""
        value, first, second = self.derivatives(self.parameter(s))
        speed = np.linalg.norm(first, axis=-1, keepdims=True)
        tangent = first / np.where(speed > 0.0, speed, 1.0)
        normal = second - tangent * (second * tangent).sum(axis=-1, keepdims=True)
        return value, tangent, normal / np.where(speed > 0.0, speed, 1.0) ** 2


def polyline(points: ArrayLike, *, closed: bool = False) -> Curve:
    """Return the straight lines from point to point (n, 3) [m]. Each line has the same span of u."""
    p = _checked(points, 2, closed=closed)
    zero = np.zeros_like(p[1:])
    return Curve(np.stack([p[:-1], np.diff(p, axis=0), zero, zero], axis=1), closed)


def catmull_rom(points: ArrayLike, *, closed: bool = False) -> Curve:
    """Return the Catmull-Rom spline through points (n, 3) [m]: continuous tangents, and only near points matter."""
    p = _checked(points, 3, closed=closed)
    inner = 0.5 * (p[2:] - p[:-2])
    around = 0.5 * (p[1] - p[-2])
    ends = [around, around] if closed else [_end_tangent(*p[:3]), -_end_tangent(*p[:-4:-1])]
    return _hermite(p, np.concatenate([[ends[0]], inner, [ends[1]]]), closed=closed)


def interpolating(points: ArrayLike, *, closed: bool = False) -> Curve:
    """Return the cubic spline through points (n, 3) [m] with continuous curvature (natural, or periodic if closed).

    Its tangents m obey m_{k-1} + 4 m_k + m_{k+1} = 3 (p_{k+1} - p_{k-1}). [de Boor 1978, chapter 4]
    """
    p = _checked(points, 3, closed=closed)
    n = len(p) - 1 if closed else len(p)
    A, right = 4.0 * np.eye(n), np.empty((n, 3))
    for k in range(n):
        left, after = (k - 1) % n, (k + 1) % n
        A[k, left] += 1.0
        A[k, after] += 1.0
        right[k] = 3.0 * (p[after] - p[left])
    if not closed:  # no curvature at the ends
        A[[0, -1]] = 0.0
        A[0, :2], A[-1, -2:] = (2.0, 1.0), (1.0, 2.0)
        right[0], right[-1] = 3.0 * (p[1] - p[0]), 3.0 * (p[-1] - p[-2])
    tangents: Array = np.asarray(np.linalg.solve(A, right), np.float64)
    return _hermite(p, np.concatenate([tangents, tangents[:1]]) if closed else tangents, closed=closed)


def b_spline(points: ArrayLike, *, closed: bool = False) -> Curve:
    """Return the uniform cubic B-spline of control points (n, 3) [m]: within their hull, with continuous curvature.

    It begins and ends at the first and last point, unless it is closed.
    """
    given = _checked(points, 3, closed=closed)
    before, after = (given[-2], given[1]) if closed else (2.0 * given[0] - given[1], 2.0 * given[-1] - given[-2])
    p = np.concatenate([[before], given, [after]])
    basis = np.array([[1, 4, 1, 0], [-3, 0, 3, 0], [3, -6, 3, 0], [-1, 3, -3, 1]]) / 6.0
    windows = np.stack([p[k : len(p) - 3 + k] for k in range(4)], axis=1)
    return Curve(np.einsum("ij,kjx->kix", basis, windows), closed)


def _hermite(p: Array, tangents: Array, *, closed: bool) -> Curve:
    a, b, m, n = p[:-1], p[1:], tangents[:-1], tangents[1:]
    return Curve(np.stack([a, m, 3.0 * (b - a) - 2.0 * m - n, 2.0 * (a - b) + m + n], axis=1), closed)


def _end_tangent(first: Array, second: Array, third: Array) -> Array:
    """Return the tangent at an end: the tangent of the parabola through three points."""
    return 2.0 * second - 1.5 * first - 0.5 * third


def _checked(points: ArrayLike, least: int, *, closed: bool) -> Array:
    """Return points (n, 3), the first repeated at the end if closed.

    Raises GambolError for too few points, and for invalid ones.
    """
    p = np.asarray(points, float)
    if p.ndim != 2 or p.shape[1] != 3 or len(p) < least or not np.isfinite(p).all():
        raise GambolError(f"a curve takes {least} or more finite points (n, 3), not an array of shape {p.shape}")
    if (np.linalg.norm(np.diff(p, axis=0), axis=1) == 0.0).any():
        raise GambolError("a curve has the same point twice in a row; leave one of them out")
    return np.concatenate([p, p[:1]]) if closed and (p[0] != p[-1]).any() else p


def bezier_point(points: Sequence[Sequence[Scalar]], s: Scalar) -> list[Scalar]:
    """Return x, y, z [m] of the Bezier curve with control points at parameter s, 0 to 1. [de Casteljau's algorithm]"""
    row: list[list[Scalar]] = [list(point) for point in points]
    while len(row) > 1:
        row = [[x + s * (y - x) for x, y in zip(a, b, strict=True)] for a, b in pairwise(row)]
    return row[0]


def straight(start: Sequence[float], end: Sequence[float]) -> Curve:
    """Return the straight line from one point to another [m]."""
    return polyline([start, end])
