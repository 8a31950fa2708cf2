"""Roots of systems of equations over generic scalars, by Newton's method.

x - s J(x)^-1 f(x), with s halved where |f| does not fall       [Deuflhard 2004, section 3.1]
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.integrate.columns import slopes
from gambol.integrate.elimination import factored
from gambol.lanes import Precision, Scalar, is_finite, loop, where, working_precision
from gambol.spatial.dense import Numbers, largest

MOST_TRIES = 12
"""Bound on Newton's iterations: with a fair guess two to four reach rounding; a kink of a force takes some more."""

CONVERGED = 1e-6
"""A residual this much smaller than the first, which stops falling, has met rounding; a larger one has met a kink."""


NEGLIGIBLE: dict[Precision, float] = {"float64": 1e-9, "float32": 1e-3}
"""Part of 1 and the largest unknown below which what is left is no failure: where the guess is the root already, no
residual falls. Rounding, a hundred thousand times over for what forces make of it."""


class ConvergenceWarning(UserWarning):
    """The equations of implicit steps were not met; the motion went on from the best place that was found."""


@dataclass(frozen=True, slots=True)
class Root:
    """Where functions vanish as far as they do.

    missed: the largest residual there, where Newton's method did not converge; 0 where it did.
    """

    x: Numbers
    missed: Scalar


@dataclass(frozen=True, slots=True)
class Search:
    """A root being looked for: the best place so far, the move back to go from there, sizes of residuals, tries."""

    x: Numbers
    move: Numbers
    size: Scalar
    first: Scalar
    tries: Scalar
    going: Scalar


def root(function: Callable[[Numbers], Numbers], guess: Sequence[Scalar]) -> Root:
    """Where as many functions as there are unknowns vanish, near a guess, by Newton's method with exact derivatives.

    Each lane goes on until its residual has met rounding, at most 12 tries; the best place is taken. Residuals are in
    the units of the unknowns.
    """

    def tried(now: Search) -> Search:
        x = [a - b for a, b in zip(now.x, now.move, strict=True)]
        f, J = slopes(function, x)
        size = size_of(f)
        better = size < now.size
        step = factored(J).solve(f)
        first = where(now.tries < 0.5, size, now.first)
        best = where(better, size, now.size)
        open_still = (better & (size > 0.0)) | (best > CONVERGED * first)
        return Search(
            [where(better, a, b) for a, b in zip(x, now.x, strict=True)],
            [where(better, a, 0.5 * b) for a, b in zip(step, now.move, strict=True)],
            best,
            first,
            now.tries + 1.0,
            where(open_still & (now.tries < MOST_TRIES - 1.5), 1.0, 0.0),
        )

    start = Search(list(guess), [0.0] * len(guess), float("inf"), 0.0, 0.0, 1.0)
    end = loop(lambda now: now.going > 0.5, tried, start)
    converged = (end.size < float("inf")) & (end.size <= CONVERGED * end.first)
    return Root(end.x, where(converged, 0.0, missed(end.size, end.x)))


def size_of(residuals: Sequence[Scalar]) -> Scalar:
    """The largest of residuals, infinite where one of them is no number."""
    return where(is_finite(sum(residuals, 0.0)), largest(residuals), float("inf"))


def missed(left: Scalar, unknowns: Sequence[Scalar]) -> Scalar:
    """What is left of equations if that is no rounding, else 0; infinite where they led to no number."""
    negligible = NEGLIGIBLE[working_precision()] * (1.0 + largest(unknowns))
    return where(left <= negligible, 0.0, where(left < float("inf"), left, float("inf")))


def warn_of_missed(method: str, missed: float | NDArray[Any]) -> None:
    """Tell by a ConvergenceWarning how far some world is off the equations of an implicit method, if any is.

    missed: the most of each world [rad/s or m/s], as in Stepped; of values being traced nothing is told.
    """
    if not isinstance(missed, (float, np.ndarray)):
        return
    worst, worlds = float(np.max(missed, initial=0.0)), int(np.count_nonzero(missed))
    if worlds:
        warnings.warn(
            f'steps of "{method}" did not converge in {worlds} of {np.size(missed)} worlds: what is found misses '
            f"their equations by up to {worst:.3g} rad/s or m/s; take shorter steps, or a method that is not implicit",
            ConvergenceWarning,
            stacklevel=3,
        )
