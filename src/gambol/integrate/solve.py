"""Roots of systems of equations over generic scalars, by Newton's method.

x - s J(x)^-1 f(x), with s halved where |f| does not fall       [Deuflhard 2004, section 3.1]
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gambol.integrate.columns import slopes
from gambol.integrate.elimination import factored
from gambol.lanes import Scalar, loop, where
from gambol.spatial.dense import Numbers, largest

MOST_TRIES = 12
"""Bound on Newton's iterations: with a fair guess two to four reach rounding; a kink of a force takes some more."""

CONVERGED = 1e-6
"""A residual this much smaller than the first, which stops falling, has met rounding; a larger one has met a kink."""


@dataclass(frozen=True, slots=True)
class Search:
    """A root being looked for: the best place so far, the move back to go from there, sizes of residuals, tries."""

    x: Numbers
    move: Numbers
    size: Scalar
    first: Scalar
    tries: Scalar
    going: Scalar


def root(function: Callable[[Numbers], Numbers], guess: Sequence[Scalar]) -> Numbers:
    """Where as many functions as there are unknowns vanish, near a guess, by Newton's method with exact derivatives.

    Each lane goes on until its residual has met rounding, at most 12 tries; the best place is taken.
    """

    def tried(now: Search) -> Search:
        x = [a - b for a, b in zip(now.x, now.move, strict=True)]
        f, J = slopes(function, x)
        size = largest(f)
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
    return loop(lambda now: now.going > 0.5, tried, start).x
