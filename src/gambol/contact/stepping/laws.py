"""The law of a block as a projection: impulses are those that it asks for, drawn to the nearest that it may have.

    p = P(p - k (w - target))        k > 0; w_n meets target - mu |w_t|, by which sliding does not lift     (contact)

P draws a contact's impulses to its cone |p_t| <= mu p_n, and a bound's between its bounds. [De Saxce and Feng 1998]
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.stepping.blocks import TINY, Block, Bound, Grip
from gambol.lanes import Scalar, clamp, maximum, sqrt, where

Combination = tuple[Sequence[Scalar], Scalar]
"""A direction in the space of a block's rows, and the slope of a projection along it, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """A projection: the nearest impulses, and its Jacobian, as a sum of slopes times a direction by itself."""

    impulses: list[Scalar]
    slopes: list[Combination]


def nearest(block: Block, asked: Sequence[Scalar]) -> Nearest:
    """The impulses of a block that are nearest to what it asks for [N s or N m s]."""
    if isinstance(block, Bound):
        inside = (asked[0] > block.lower) & (asked[0] < block.upper)
        return Nearest([clamp(asked[0], block.lower, block.upper)], [([1.0], where(inside, 1.0, 0.0))])
    return _in_cone(block, asked)


def _in_cone(grip: Grip, asked: Sequence[Scalar]) -> Nearest:
    """The point of the cone that is nearest: the same inside, 0 below it, else along the cone's surface."""
    (n, x, y), mu = asked, grip.friction
    size = sqrt(x * x + y * y + TINY)
    inside, over = size <= mu * n, n + mu * size
    if grip.held is not None:
        inside = inside | (grip.held > 0.5)
    steep = 1.0 / (1.0 + mu * mu)
    push, open_ = maximum(over, 0.0) * steep, over <= 0.0
    ex, ey, norm = x / size, y / size, sqrt(steep)
    drawn = (push, mu * push * ex, mu * push * ey)
    impulses = [where(inside, was, new) for was, new in zip(asked, drawn, strict=True)]
    along = [
        where(inside, one, other)
        for one, other in zip((1.0, 0.0, 0.0), (norm, mu * norm * ex, mu * norm * ey), strict=True)
    ]
    across = [0.0, where(inside, 1.0, -ey), where(inside, 0.0, ex)]
    turns = where(open_, 0.0, mu * push / size)
    return Nearest(
        impulses,
        [
            (along, where(inside, 1.0, where(open_, 0.0, 1.0))),
            (across, where(inside, 1.0, turns)),
            ([0.0, 0.0, 1.0], where(inside, 1.0, 0.0)),
        ],
    )


def give(block: Block) -> Scalar:
    """How much a block gives way in all its rows together [1/kg or 1/(kg m2)]."""
    return sum((row.gives for row in block.rows), 0.0)


def slip(block: Block, w: Sequence[Scalar]) -> Scalar:
    """By how much friction lowers the target of a block's first row at speeds w: mu |w_t| [m/s]."""
    if isinstance(block, Bound):
        return 0.0
    _, x, y = block.slipping(w)
    size = block.friction * sqrt(x * x + y * y)
    return size if block.held is None else where(block.held > 0.5, 0.0, size)
