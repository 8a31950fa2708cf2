"""A linear complementarity problem with bounds, and what its solvers answer.

    w = A z + b        low <= z <= high        w >= 0 where z is at low, w <= 0 where it is at high, 0 between

Bounds of 0 and infinity are contacts [Patil 2007, resting contact response; Cottle, Pang and Stone 1992], without
bounds a row is an equation, and bounds on both sides are a motor or a brake of limited force.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gambol.lanes import Precision, Scalar, clamp, is_finite, where, working_precision
from gambol.spatial.dense import Numbers, Rows, applied, largest

TOLERANCE: dict[Precision, float] = {"float64": 1e-9, "float32": 1e-4}
"""Residual, as part of the largest of b, up to which a problem counts as solved."""


@dataclass(frozen=True, slots=True)
class LinearProblem:
    """Rows of relative velocity or acceleration that forces along them change.

    A: n x n, what a force along one row does along another. b: n, what there is without forces. low, high: n, bounds of
    the forces. Which bounds are infinite (math.inf) is structure; other numbers are generic scalars.
    """

    A: Rows
    b: Numbers
    low: Numbers
    high: Numbers

    @staticmethod
    def of_contacts(A: Sequence[Sequence[Scalar]], b: Sequence[Scalar]) -> "LinearProblem":
        """The standard problem: w >= 0, z >= 0, w z = 0."""
        n = len(b)
        return LinearProblem([list(row) for row in A], list(b), [0.0] * n, [math.inf] * n)

    @property
    def scales(self) -> Numbers:
        """What each row gives way by itself, 1 for one that does not."""
        return [where(row[k] > 0.0, row[k], 1.0) for k, row in enumerate(self.A)]

    def speeds(self, z: Sequence[Scalar]) -> Numbers:
        """The w of given forces."""
        return applied(self.A, z, self.b)

    def within(self, z: Sequence[Scalar]) -> Numbers:
        """Forces held within their bounds."""
        return [bounded(x, low, high) for x, low, high in zip(z, self.low, self.high, strict=True)]


def bounded(x: Scalar, low: Scalar, high: Scalar) -> Scalar:
    """x within bounds, of which those that are infinite cost nothing."""
    if is_infinite(low):
        return x if is_infinite(high) else where(x < high, x, high)
    return where(x > low, x, low) if is_infinite(high) else clamp(x, low, high)


def is_infinite(bound: Scalar) -> bool:
    """Whether a bound is known to be infinite while a program is being written."""
    return isinstance(bound, float) and math.isinf(bound)


@dataclass(frozen=True, slots=True)
class Solved:
    """Forces found, and how well.

    z: forces [N or N s]; w: what they leave [m/s2 or m/s]. residual: the largest change of w that taking each row by
    itself would still make, by its own A_kk; 0 for a solution. converged: 1 where residual is within tolerance, else 0.
    turns: pivots or sweeps that were made.
    """

    z: Numbers
    w: Numbers
    residual: Scalar
    converged: Scalar
    turns: Scalar


def allowed(b: Sequence[Scalar], tolerance: float | None) -> Scalar:
    """The residual up to which a problem with this b counts as solved; None takes the precision's tolerance."""
    return (TOLERANCE[working_precision()] if tolerance is None else tolerance) * largest(b)


def answer(problem: LinearProblem, z: Sequence[Scalar], turns: Scalar, tolerance: float | None = None) -> Solved:
    """The forces of a solver with what they leave, and whether they solve the problem."""
    z = problem.within(z)
    w, scales = problem.speeds(z), problem.scales
    moved = problem.within([x - y / s for x, y, s in zip(z, w, scales, strict=True)])
    residual = failure([s * (x - y) for s, x, y in zip(scales, z, moved, strict=True)], w)
    return Solved(z, w, residual, where(residual <= allowed(problem.b, tolerance), 1.0, 0.0), turns)


def failure(fails: Sequence[Scalar], w: Sequence[Scalar]) -> Scalar:
    """The largest of what fails; infinite where that, or some w, is not finite."""
    return where(is_finite(sum(fails, 0.0) + sum(w, 0.0)), largest(fails), math.inf)
