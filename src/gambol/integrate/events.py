"""Times of events within a step: a root in a bracket with different signs at its ends, by the ITP method.

    x = x_f + s d  where d is smaller than the distance to the midpoint x_m, else x_m;  then clamped to within r of x_m
    x_f: regula falsi,  s = sign(x_m - x_f),  d = 0.2 (b - a)^2 / w,  r = w 2^-j - (b - a) / 2

w is the initial width and j counts the iterations: at most one more than bisection takes, and usually far fewer.
[Oliveira and Takahashi 2021, with k1 = 0.2 / w, k2 = 2, n0 = 1]
"""

from collections.abc import Callable
from dataclasses import dataclass

from gambol.lanes import Scalar, clamp, loop, maximum, minimum, where

MAX_ITERATIONS = 54
"""One more than the 53 bisections that give the precision of float64."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """Points a < b where a function has different signs, its values there, the bound w 2^-j, and iterations j."""

    a: Scalar
    b: Scalar
    at_a: Scalar
    at_b: Scalar
    bound: Scalar
    iterations: Scalar


def sign_changed(before: Scalar, after: Scalar) -> Scalar:
    """Return True where a function changed its sign between two values; from 0 it does not change."""
    return ((before > 0.0) & (after <= 0.0)) | ((before < 0.0) & (after >= 0.0))


def bracketed_root(function: Callable[[Scalar], Scalar], ends: tuple[Scalar, Scalar], tolerance: Scalar) -> Scalar:
    """Return a root of a function in a bracket.

    function: function of a scalar; ends: a < b, where its signs differ; tolerance: maximum width of the last bracket.
    Returns the right end of the last bracket, where the function has already changed its sign. The result is
    meaningless if its signs at a and b do not differ (see sign_changed).
    """

    def iterate(state: Bracket) -> Bracket:
        width, middle = state.b - state.a, 0.5 * (state.a + state.b)
        rise = state.at_b - state.at_a
        falsi = (state.a * state.at_b - state.b * state.at_a) / where(rise == 0.0, 1.0, rise)
        step = minimum(0.2 * width * width / (ends[1] - ends[0]), abs(middle - falsi))
        x = falsi + where(middle < falsi, -step, step)
        r = maximum(state.bound - 0.5 * width, 0.0)
        x = clamp(x, middle - r, middle + r)
        y = function(x)
        root_is_left = sign_changed(state.at_a, y)
        return Bracket(
            where(root_is_left, state.a, x),
            where(root_is_left, x, state.b),
            where(root_is_left, state.at_a, y),
            where(root_is_left, y, state.at_b),
            0.5 * state.bound,
            state.iterations + 1.0,
        )

    start = Bracket(*ends, function(ends[0]), function(ends[1]), ends[1] - ends[0], 0.0)
    return loop(lambda state: (state.b - state.a > tolerance) & (state.iterations < MAX_ITERATIONS), iterate, start).b
