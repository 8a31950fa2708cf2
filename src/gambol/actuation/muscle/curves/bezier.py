"""Quintic Bezier curves y(x), and piecewise polynomials that approximate them.

A segment leads from a point with a slope to another such point. The tangents at both points meet at a corner: two
control points lie on each line at a fraction c of the way to the corner, so that the curvature is 0 at both ends.
[Millard et al. 2013, appendix; parametrisation as in OpenSim's curves]

A curve is split into pieces of equal length in x within each segment. On each, a polynomial of degree 5 has the curve's
values, slopes and curvatures at both ends: it differs from the curve by about 1e-10.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import NDArray

from gambol.lanes import Scalar, clamp, floor, gather, where

Array: TypeAlias = NDArray[np.float64]
Knot: TypeAlias = tuple[float, float, float]
"""A point of a curve with its slope: x, y, dy/dx."""

PIECES = 256
"""Number of polynomials for each segment; the error falls with its sixth power."""


def corner(start: Knot, end: Knot, curviness: float) -> Array:
    """Return the control points (6, 2) of a segment. curviness: from 0 (almost straight) to 1 (a sharp corner)."""
    c = 0.1 + 0.8 * curviness
    (x0, y0, s0), (x1, y1, s1) = start, end
    x = (y1 - y0 - x1 * s1 + x0 * s0) / (s0 - s1)
    first, last, meeting = np.array([x0, y0]), np.array([x1, y1]), np.array([x, y0 + s0 * (x - x0)])
    early, late = first + c * (meeting - first), last + c * (meeting - last)
    return np.array([first, early, early, late, late, last])


def bezier(points: Array, u: Array) -> tuple[Array, Array, Array]:
    """Return positions of a segment at u (n,) from 0 to 1, with first and second derivatives by u: (n, 2) each."""
    polynomial = [_bernstein(points[:, k]) for k in range(2)]
    first, second = [p.deriv() for p in polynomial], [p.deriv(2) for p in polynomial]
    columns = [np.stack([np.asarray(p(u)) for p in group], axis=-1) for group in (polynomial, first, second)]
    return columns[0], columns[1], columns[2]


def _bernstein(weights: Array) -> Polynomial:
    """Return sum of C(5, k) u^k (1 - u)^(5 - k) w_k as a polynomial of u."""
    u, v = Polynomial([0.0, 1.0]), Polynomial([1.0, -1.0])
    scaled = np.array([1.0, 5.0, 10.0, 10.0, 5.0, 1.0]) * weights
    terms = [float(w) * u**k * v ** (5 - k) for k, w in enumerate(scaled)]
    return sum(terms[1:], terms[0])


def at(points: Array, x: Array) -> tuple[Array, Array, Array]:
    """Return y, dy/dx and d2y/dx2 of a segment at x (n,), within its range."""
    u, low, high = np.full(x.shape, 0.5), np.zeros(x.shape), np.ones(x.shape)
    for _ in range(60):
        p, d, _ = bezier(points, u)
        low, high = np.where(p[:, 0] < x, u, low), np.where(p[:, 0] < x, high, u)
        target = u - (p[:, 0] - x) / d[:, 0]
        u = np.where((target >= low) & (target <= high), target, 0.5 * (low + high))
    p, d, dd = bezier(points, u)
    return p[:, 1], d[:, 1] / d[:, 0], (d[:, 0] * dd[:, 1] - d[:, 1] * dd[:, 0]) / d[:, 0] ** 3


HERMITE = np.linalg.inv(
    np.array(
        [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 2, 0, 0, 0], [1] * 6, [0, 1, 2, 3, 4, 5], [0, 0, 2, 6, 12, 20]]
    )
)
"""Takes values, slopes and curvatures at 0 and at 1 to the coefficients of a polynomial of degree 5."""


@dataclass(frozen=True, slots=True)
class TabledCurve:
    """A curve y(x) of polynomial pieces, continued by straight lines at both ends.

    starts, scales: least x of each segment, and number of pieces per length. coefficients: 6 tables, one for each power
    of the position within a piece, with an entry for each piece. integrals: integral of y from the first knot to the
    start of each piece. ends: the first and the last knot.
    """

    starts: Sequence[float]
    scales: Sequence[float]
    coefficients: Sequence[Any]
    integrals: Any
    ends: tuple[Knot, Knot]

    @staticmethod
    def of(knots: Sequence[Knot], curviness: Sequence[float]) -> "TabledCurve":
        """Return the curve through knots; curviness: curviness of each segment between two of them."""
        starts, scales, rows = list[float](), list[float](), list[Array]()
        for (start, end), c in zip(pairwise(knots), curviness, strict=True):
            x = np.linspace(start[0], end[0], PIECES + 1)
            h = (end[0] - start[0]) / PIECES
            y, slope, curvature = at(corner(start, end, c), x)
            ends = np.stack([y, h * slope, h * h * curvature])
            rows.append((HERMITE @ np.concatenate([ends[:, :-1], ends[:, 1:]])).T)
            starts.append(start[0])
            scales.append(1.0 / h)
        table = np.concatenate(rows)
        widths = np.repeat([1.0 / s for s in scales], PIECES)
        areas = widths * (table / np.arange(1.0, 7.0)).sum(axis=1)
        integrals = np.concatenate([[0.0], np.cumsum(areas)[:-1]])
        return TabledCurve(starts, scales, [table[:, k].copy() for k in range(6)], integrals, (knots[0], knots[-1]))

    def value(self, x: Scalar) -> Scalar:
        """Return y(x)."""
        (x0, _, s0), (x1, _, s1) = self.ends
        index, t, _ = self._place(clamp(x, x0, x1))
        y: Scalar = 0.0
        for table in reversed(self.coefficients):
            y = y * t + gather(table, index)
        return y + s0 * (where(x < x0, x - x0, 0.0)) + s1 * where(x > x1, x - x1, 0.0)

    def integral(self, x: Scalar) -> Scalar:
        """Return the integral of y from the first knot to x, 0 below it."""
        (x0, _, _), (x1, y1, s1) = self.ends
        index, t, width = self._place(clamp(x, x0, x1))
        area: Scalar = 0.0
        for k in reversed(range(6)):
            area = (area + gather(self.coefficients[k], index) * (1.0 / (k + 1))) * t
        beyond = where(x > x1, x - x1, 0.0)
        return gather(self.integrals, index) + area * width + beyond * (y1 + 0.5 * s1 * beyond)

    def _place(self, x: Scalar) -> tuple[Scalar, Scalar, Scalar]:
        """Return the index of the piece at x, the position in it from 0 to 1, and its width.

        x must be within the curve.
        """
        start: Scalar = self.starts[0]
        scale: Scalar = self.scales[0]
        first: Scalar = 0.0
        for k in range(1, len(self.starts)):
            later = x >= self.starts[k]
            start, scale = where(later, self.starts[k], start), where(later, self.scales[k], scale)
            first = where(later, float(k * PIECES), first)
        place = (x - start) * scale
        number = clamp(floor(place), 0.0, PIECES - 1.0)
        return first + number, place - number, 1.0 / scale
