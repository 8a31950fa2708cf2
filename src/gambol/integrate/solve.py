"""Roots of systems of equations over generic scalars, by damped Newton iteration.

x - s J(x)^-1 f(x), with s halved where |f| does not decrease       [Deuflhard 2004, section 3.1]
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.integrate.columns import value_and_jacobian
from gambol.integrate.elimination import factorise
from gambol.lanes import Precision, Scalar, is_finite, loop, where, working_precision
from gambol.spatial.dense import Numbers, max_abs

MAX_ITERATIONS = 12
"""Maximum number of Newton iterations: two to four suffice after a good guess, but not near a kink of a force."""

RELATIVE_TOLERANCE = 1e-6
"""Fraction of the first residual. A smaller residual that no longer decreases is rounding error. A larger ratio
indicates a kink, and the iteration continues with a shorter step.
"""

ABSOLUTE_TOLERANCE: dict[Precision, float] = {"float64": 1e-9, "float32": 1e-3}
"""Residual, divided by 1 plus the largest unknown, below which an iteration counts as converged: if the guess is
already the root, the residual cannot decrease. The limit is far above rounding, because stiff forces amplify it."""


class ConvergenceWarning(UserWarning):
    """An iteration did not converge; the simulation continued from its best approximation."""


@dataclass(frozen=True, slots=True)
class Root:
    """An approximate root x of a system of equations.

    residual: the largest residual there if Newton's method did not converge, 0 if it did.
    """

    x: Numbers
    residual: Scalar


@dataclass(frozen=True, slots=True)
class NewtonState:
    """The state of a Newton iteration.

    x: the best x so far; step: the step to subtract next; size: residual norm at x; first: residual norm at the guess;
    iterations: number of iterations; active: 1 until the iteration ends, then 0.
    """

    x: Numbers
    step: Numbers
    size: Scalar
    first: Scalar
    iterations: Scalar
    active: Scalar


def newton_root(function: Callable[[Numbers], Numbers], guess: Sequence[Scalar]) -> Root:
    """Return a root of a system of equations near a guess, by Newton's method with exact derivatives.

    function: returns as many residuals as unknowns, in their units; guess: initial values of the unknowns.
    Each lane iterates until its residual is as small as rounding, at most 12 times. Returns the best x.
    """

    def iterate(state: NewtonState) -> NewtonState:
        x = [a - b for a, b in zip(state.x, state.step, strict=True)]
        f, J = value_and_jacobian(function, x)
        size = residual_norm(f)
        better = size < state.size
        step = factorise(J).solve(f)
        first = where(state.iterations < 0.5, size, state.first)
        best = where(better, size, state.size)
        not_converged = (better & (size > 0.0)) | (best > RELATIVE_TOLERANCE * first)
        return NewtonState(
            [where(better, a, b) for a, b in zip(x, state.x, strict=True)],
            [where(better, a, 0.5 * b) for a, b in zip(step, state.step, strict=True)],
            best,
            first,
            state.iterations + 1.0,
            # the count does not include this iteration yet
            where(not_converged & (state.iterations < MAX_ITERATIONS - 1.5), 1.0, 0.0),
        )

    start = NewtonState(list(guess), [0.0] * len(guess), float("inf"), 0.0, 0.0, 1.0)
    end = loop(lambda state: state.active > 0.5, iterate, start)
    converged = (end.size < float("inf")) & (end.size <= RELATIVE_TOLERANCE * end.first)
    return Root(end.x, where(converged, 0.0, residual_above_rounding(end.size, end.x)))


def residual_norm(residuals: Sequence[Scalar]) -> Scalar:
    """Return the largest absolute residual; infinite where a residual is not finite."""
    return where(is_finite(sum(residuals, 0.0)), max_abs(residuals), float("inf"))


def residual_above_rounding(residual: Scalar, unknowns: Sequence[Scalar]) -> Scalar:
    """Return a residual if it is above rounding, else 0; infinite where it is not finite.

    residual: the largest of a system of equations; unknowns: its solution; its size is the scale of rounding.
    """
    negligible = ABSOLUTE_TOLERANCE[working_precision()] * (1.0 + max_abs(unknowns))
    return where(residual <= negligible, 0.0, where(residual < float("inf"), residual, float("inf")))


def warn_not_converged(method: str, residual: float | NDArray[Any]) -> None:
    """Issue a ConvergenceWarning if implicit steps of some world did not converge; do nothing for traced values.

    method: name of the integrator; residual: the largest residual of each world [rad/s or m/s], as in StepResult.
    """
    if not isinstance(residual, (float, np.ndarray)):
        return
    worst, worlds = float(np.max(residual, initial=0.0)), int(np.count_nonzero(residual))
    if worlds:
        warnings.warn(
            f'steps of "{method}" did not converge in {worlds} of {np.size(residual)} worlds: the residual of their '
            f"equations is up to {worst:.3g} rad/s or m/s; take shorter steps, or a method that is not implicit",
            ConvergenceWarning,
            stacklevel=3,
        )
