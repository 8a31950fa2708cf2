"""The contact law of a block as a projection onto its admissible impulses.

    p = P(p - k (w - target))        k > 0; w_n meets target - mu |w_t|, so that sliding does not lift      (contact)

P projects a contact's impulse onto its cone |p_t| <= mu p_n, and a bounded one into its bounds. [De Saxce and Feng
1998]
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.stepping.blocks import TINY, Block, BoundedBlock, ContactBlock
from gambol.lanes import Scalar, clamp, maximum, sqrt, where

ScaledDirection = tuple[Sequence[Scalar], Scalar]
"""A direction in the space of a block's rows, and the slope of a projection along it, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Projection:
    """The projected impulses, and the Jacobian of the projection as a sum of slope times dyad of a direction."""

    impulses: list[Scalar]
    jacobian: list[ScaledDirection]


def project(block: Block, p: Sequence[Scalar]) -> Projection:
    """Return the admissible impulses of a block that are nearest to p [N s or N m s], with the Jacobian."""
    if isinstance(block, BoundedBlock):
        inside = (p[0] > block.lower) & (p[0] < block.upper)
        return Projection([clamp(p[0], block.lower, block.upper)], [([1.0], where(inside, 1.0, 0.0))])
    return _in_cone(block, p)


def _in_cone(grip: ContactBlock, p: Sequence[Scalar]) -> Projection:
    """Return the nearest point of the friction cone: p itself inside, 0 in the polar cone, else on the surface."""
    (n, x, y), mu = p, grip.friction
    size = sqrt(x * x + y * y + TINY)
    inside, over = size <= mu * n, n + mu * size
    if grip.held is not None:
        inside = inside | (grip.held > 0.5)
    steep = 1.0 / (1.0 + mu * mu)
    push, zero = maximum(over, 0.0) * steep, over <= 0.0
    ex, ey, norm = x / size, y / size, sqrt(steep)
    on_surface = (push, mu * push * ex, mu * push * ey)
    impulses = [where(inside, was, new) for was, new in zip(p, on_surface, strict=True)]
    along = [
        where(inside, one, other)
        for one, other in zip((1.0, 0.0, 0.0), (norm, mu * norm * ex, mu * norm * ey), strict=True)
    ]
    across = [0.0, where(inside, 1.0, -ey), where(inside, 0.0, ex)]
    rim_slope = where(zero, 0.0, mu * push / size)
    return Projection(
        impulses,
        [
            (along, where(inside, 1.0, where(zero, 0.0, 1.0))),
            (across, where(inside, 1.0, rim_slope)),
            ([0.0, 0.0, 1.0], where(inside, 1.0, 0.0)),
        ],
    )


def total_inverse_mass(block: Block) -> Scalar:
    """Return the sum of the inverse effective masses of a block's rows [1/kg or 1/(kg m2)]."""
    return sum((row.inverse_mass for row in block.rows), 0.0)


def slip_term(block: Block, w: Sequence[Scalar]) -> Scalar:
    """Return mu |w_t|, by which friction lowers the target speed of a block's first row at speeds w [m/s]."""
    if isinstance(block, BoundedBlock):
        return 0.0
    _, x, y = block.slip_speeds(w)
    size = block.friction * sqrt(x * x + y * y)
    return size if block.held is None else where(block.held > 0.5, 0.0, size)
