"""Sweeping until nothing moves any more, plainly or in conjugate directions.

    r = sweep(z) - z        z <- sweep(z) + beta d        d <- beta d + r        beta = |r|^2 / |r before|^2

The change that a sweep makes is taken for the steepest descent of what is to be minimised, and where it grows the
directions begin anew. [Silcowitz-Hansen, Niebe and Erleben 2010]. Lengths are measured by what rows give way. The last
sweep is not carried on, so that what is left obeys the laws as well as that sweep did.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gambol.lanes import Scalar, loop, where
from gambol.spatial.dense import Numbers, dot, largest


@dataclass(frozen=True, slots=True)
class Sweeper:
    """What is swept, and until when.

    sweep: new forces from forces. within: forces held where they may be. scales: what each row gives way, so that
    changes are told as velocities. enough: the largest change that ends it. most: sweeps. faster: in conjugate
    directions.
    """

    sweep: Callable[[Numbers], Numbers]
    within: Callable[[Sequence[Scalar]], Numbers]
    scales: Sequence[Scalar]
    enough: Scalar
    most: float
    faster: bool


@dataclass(frozen=True, slots=True)
class Swept:
    """Sweeps so far: forces, the direction that is carried on, the last change's square and size, and how many."""

    z: Numbers
    d: Numbers
    square: Scalar
    size: Scalar
    turns: Scalar


def swept(sweeper: Sweeper, start: Sequence[Scalar]) -> tuple[Numbers, Scalar]:
    """The forces at which sweeping stopped, and how many sweeps there were."""
    begin = list(start)
    zeros: Numbers = [0.0] * len(begin) if sweeper.faster else []
    state = Swept(begin, zeros, 0.0, 1.0, 0.0)

    def unfinished(now: Swept) -> Scalar:
        return (now.turns < sweeper.most) & ((now.size > sweeper.enough) | (now.turns < 1.0))

    end = loop(unfinished, lambda now: _once(sweeper, now), state)
    return end.z, end.turns


def _once(sweeper: Sweeper, now: Swept) -> Swept:
    z = sweeper.sweep(now.z)
    r = [x - y for x, y in zip(z, now.z, strict=True)]
    size = largest([s * x for s, x in zip(sweeper.scales, r, strict=True)])
    if not sweeper.faster:
        return Swept(z, [], 0.0, size, now.turns + 1.0)
    square = dot(r, [s * x for s, x in zip(sweeper.scales, r, strict=True)])
    goes_on = (square < now.square) & (now.square > 0.0)
    beta = where(goes_on, square / where(goes_on, now.square, 1.0), 0.0)
    beta = where(size > sweeper.enough, beta, 0.0)
    further = sweeper.within([x + beta * d for x, d in zip(z, now.d, strict=True)])
    return Swept(further, [beta * d + x for d, x in zip(now.d, r, strict=True)], square, size, now.turns + 1.0)
