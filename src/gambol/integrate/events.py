"""When something happens within a step: a root, kept between two places at which a function differs in sign.

    x = x_f + s d  where d reaches less far than the middle x_m, else x_m;  then held within r of x_m
    x_f: regula falsi,  s = sign(x_m - x_f),  d = 0.2 (b - a)^2 / w,  r = w 2^-j - (b - a) / 2

w is the width at first and j counts the tries. At most one try more than halving takes, and mostly far fewer.
[Oliveira and Takahashi 2021, with k1 = 0.2 / w, k2 = 2, n0 = 1]
"""

from collections.abc import Callable
from dataclasses import dataclass

from gambol.lanes import Scalar, clamp, loop, maximum, minimum, where

MOST_TRIES = 54
"""Halving 53 times takes a whole step down to the spacing of float64."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """Two places a < b where a function has values of two signs, and the reach that is left of the bound."""

    a: Scalar
    b: Scalar
    at_a: Scalar
    at_b: Scalar
    reach: Scalar
    tries: Scalar


def crossed(before: Scalar, after: Scalar) -> Scalar:
    """Whether a function changed its sign; one that begins at 0 has done so already."""
    return ((before > 0.0) & (after <= 0.0)) | ((before < 0.0) & (after >= 0.0))


def root_between(function: Callable[[Scalar], Scalar], ends: tuple[Scalar, Scalar], within: Scalar) -> Scalar:
    """Where a function vanishes between two places a < b at which its signs differ, to within the width given.

    Returns the end of the last bracket at which the function has already changed its sign. Where the signs do not
    differ (see crossed) the answer means nothing.
    """

    def tried(now: Bracket) -> Bracket:
        width, middle = now.b - now.a, 0.5 * (now.a + now.b)
        rise = now.at_b - now.at_a
        falsi = (now.a * now.at_b - now.b * now.at_a) / where(rise == 0.0, 1.0, rise)
        step = minimum(0.2 * width * width / (ends[1] - ends[0]), abs(middle - falsi))
        x = falsi + where(middle < falsi, -step, step)
        r = maximum(now.reach - 0.5 * width, 0.0)
        x = clamp(x, middle - r, middle + r)
        y = function(x)
        here = crossed(now.at_a, y)
        return Bracket(
            where(here, now.a, x),
            where(here, x, now.b),
            where(here, now.at_a, y),
            where(here, y, now.at_b),
            0.5 * now.reach,
            now.tries + 1.0,
        )

    start = Bracket(*ends, function(ends[0]), function(ends[1]), ends[1] - ends[0], 0.0)
    return loop(lambda now: (now.b - now.a > within) & (now.tries < MOST_TRIES), tried, start).b
