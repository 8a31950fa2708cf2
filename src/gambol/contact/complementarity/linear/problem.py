"""A linear complementarity problem with bounds, and its solution.

    w = A z + b        low <= z <= high        w >= 0 where z is at low, w <= 0 where it is at high, 0 between

Bounds of 0 and infinity describe contacts [Patil 2007, resting contact response; Cottle, Pang and Stone 1992]; a row
without bounds is an equation; finite bounds on both sides describe a motor or a brake of limited force.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gambol.lanes import Precision, Scalar, clamp, is_finite, where, working_precision
from gambol.spatial.dense import Numbers, Rows, matvec, max_abs

TOLERANCE: dict[Precision, float] = {"float64": 1e-9, "float32": 1e-4}
"""Residual up to which a problem counts as solved, as a fraction of the largest |b|."""


@dataclass(frozen=True, slots=True)
class LinearProblem:
    """A linear complementarity problem: rows of relative velocity or acceleration, and the forces along them.

    A: n x n, response of each row to a unit force along each row. b: n, w without forces. low, high: n, bounds of the
    forces. Which bounds are infinite (math.inf) is structure; other numbers are generic scalars.
    """

    A: Rows
    b: Numbers
    low: Numbers
    high: Numbers

    @staticmethod
    def of_contacts(A: Sequence[Sequence[Scalar]], b: Sequence[Scalar]) -> "LinearProblem":
        """Return the standard problem: w >= 0, z >= 0, w z = 0."""
        n = len(b)
        return LinearProblem([list(row) for row in A], list(b), [0.0] * n, [math.inf] * n)

    @property
    def scales(self) -> Numbers:
        """The inverse mass of each row, 1 for a row that cannot move."""
        return [where(row[k] > 0.0, row[k], 1.0) for k, row in enumerate(self.A)]

    def speeds(self, z: Sequence[Scalar]) -> Numbers:
        """Return w under forces z."""
        return matvec(self.A, z, self.b)

    def project(self, z: Sequence[Scalar]) -> Numbers:
        """Return forces clamped to their bounds."""
        return [bounded(x, low, high) for x, low, high in zip(z, self.low, self.high, strict=True)]


def bounded(x: Scalar, low: Scalar, high: Scalar) -> Scalar:
    """Return x clamped to bounds; infinite bounds need no operations."""
    if is_infinite(low):
        return x if is_infinite(high) else where(x < high, x, high)
    return where(x > low, x, low) if is_infinite(high) else clamp(x, low, high)


def is_infinite(bound: Scalar) -> bool:
    """Return True for a bound that is infinite by structure, known while a program is traced."""
    return isinstance(bound, float) and math.isinf(bound)


@dataclass(frozen=True, slots=True)
class LinearSolution:
    """A solution of a linear problem, and its quality.

    z: forces [N or N s]; w: the velocities or accelerations under them [m/s2 or m/s]. residual: the largest change of w
    by a further update of any row alone, scaled by A_kk; 0 for a solution. converged: 1 where the residual is within
    tolerance, else 0. iterations: number of pivots or sweeps.
    """

    z: Numbers
    w: Numbers
    residual: Scalar
    converged: Scalar
    iterations: Scalar


def absolute_tolerance(b: Sequence[Scalar], tolerance: float | None) -> Scalar:
    """Return the residual up to which a problem with this b counts as solved.

    tolerance: as a fraction of the largest |b|; None: the default of the precision.
    """
    return (TOLERANCE[working_precision()] if tolerance is None else tolerance) * max_abs(b)


def linear_solution(
    problem: LinearProblem, z: Sequence[Scalar], iterations: Scalar, tolerance: float | None = None
) -> LinearSolution:
    """Return the solution of forces z: z within its bounds, its w, and the residual.

    problem: the problem; iterations: pivots or sweeps so far; tolerance: see absolute_tolerance().
    """
    z = problem.project(z)
    w, scales = problem.speeds(z), problem.scales
    updated = problem.project([x - y / s for x, y, s in zip(z, w, scales, strict=True)])
    residual = max_violation([s * (x - y) for s, x, y in zip(scales, z, updated, strict=True)], w)
    return LinearSolution(
        z, w, residual, where(residual <= absolute_tolerance(problem.b, tolerance), 1.0, 0.0), iterations
    )


def max_violation(violations: Sequence[Scalar], w: Sequence[Scalar]) -> Scalar:
    """Return the largest violation; infinite if it, or some w, is not finite."""
    return where(is_finite(sum(violations, 0.0) + sum(w, 0.0)), max_abs(violations), math.inf)
