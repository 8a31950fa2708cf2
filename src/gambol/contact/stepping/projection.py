"""The contact law of a block as a projection onto its admissible impulses.

    p = P(p - k (w - target))        k > 0; the target of w_n of a contact is lowered by mu |w_t|

The lower target keeps sliding contacts from separating. P projects a contact's impulse onto its cone |p_t| <= mu p_n,
and a bounded impulse into its bounds. [De Saxce and Feng 1998] Where friction depends on the direction, the cone is
that of anisotropy.py, and the targets are changed so that w - target is w'.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gambol.contact.stepping.blocks import TINY, Block, BoundedBlock, ContactBlock
from gambol.contact.stepping.elliptic_cone import ScaledDirection, nearest_on_elliptic_cone
from gambol.lanes import Scalar, clamp, maximum, sqrt, where


@dataclass(frozen=True, slots=True)
class Projection:
    """The projected impulses, and the Jacobian of the projection as a sum of dyads d d^T times their derivatives."""

    impulses: list[Scalar]
    jacobian: list[ScaledDirection]


def project(block: Block, p: Sequence[Scalar]) -> Projection:
    """Return the admissible impulses of a block that are nearest to p [N s or N m s], with the Jacobian."""
    if isinstance(block, BoundedBlock):
        inside = (p[0] > block.lower) & (p[0] < block.upper)
        return Projection([clamp(p[0], block.lower, block.upper)], [([1.0], where(inside, 1.0, 0.0))])
    if block.anisotropy is not None:
        return Projection(*nearest_on_elliptic_cone(p, block.friction, block.anisotropy, block.held))
    return _project_on_cone(block, p)


def _project_on_cone(block: ContactBlock, p: Sequence[Scalar]) -> Projection:
    """Return the nearest point of the friction cone: p itself inside, 0 in the polar cone, else on the surface."""
    (n, x, y), mu = p, block.friction
    size = sqrt(x * x + y * y + TINY)
    inside, polar_distance = size <= mu * n, n + mu * size
    if block.held is not None:
        inside = inside | (block.held > 0.5)
    cos_squared = 1.0 / (1.0 + mu * mu)
    normal, in_polar_cone = maximum(polar_distance, 0.0) * cos_squared, polar_distance <= 0.0
    ex, ey, cosine = x / size, y / size, sqrt(cos_squared)
    on_surface = (normal, mu * normal * ex, mu * normal * ey)
    impulses = [where(inside, old, new) for old, new in zip(p, on_surface, strict=True)]
    along = [
        where(inside, a, b) for a, b in zip((1.0, 0.0, 0.0), (cosine, mu * cosine * ex, mu * cosine * ey), strict=True)
    ]
    across = [0.0, where(inside, 1.0, -ey), where(inside, 0.0, ex)]
    rim_slope = where(in_polar_cone, 0.0, mu * normal / size)
    return Projection(
        impulses,
        [
            (along, where(inside, 1.0, where(in_polar_cone, 0.0, 1.0))),
            (across, where(inside, 1.0, rim_slope)),
            ([0.0, 0.0, 1.0], where(inside, 1.0, 0.0)),
        ],
    )


def total_inverse_mass(block: Block) -> Scalar:
    """Return the sum of the inverse effective masses of a block's rows [1/kg or 1/(kg m2)]."""
    return sum((row.inverse_mass for row in block.rows), 0.0)


def slip_terms(block: Block, w: Sequence[Scalar]) -> list[Scalar]:
    """Return the amounts by which friction lowers the target speeds of a block's rows at speeds w [m/s].

    For the normal row of a contact it is mu |w_t|; for tangents it is 0 unless friction depends on the direction of
    slip.
    """
    if isinstance(block, BoundedBlock):
        return [0.0]
    _, x, y = block.slip_speeds(w)
    if block.anisotropy is None:
        terms = [block.friction * sqrt(x * x + y * y)]
    else:
        terms = block.anisotropy.slip_terms(block.friction, (x, y))
    return terms if block.held is None else [where(block.held > 0.5, 0.0, term) for term in terms]


def no_slip_terms(block: Block, *items: Any) -> list[Scalar]:
    """Return slip terms of 0."""
    anisotropic = isinstance(block, ContactBlock) and block.anisotropy is not None
    return [0.0] * (3 if anisotropic else 1)


def unprojected(
    block: Block, w: Sequence[Scalar], p: Sequence[Scalar], target: Scalar, slip: Sequence[Scalar], softness: Scalar
) -> list[Scalar]:
    """Return p - k (w - target + slip), with k = 1 / (softness D); slip: see slip_terms()."""
    k = 1.0 / (softness * total_inverse_mass(block))
    bias = block.tangent_bias if isinstance(block, ContactBlock) else ()
    targets = [target - slip[0], *(x - s for x, s in zip(bias, slip[1:] or (0.0, 0.0), strict=False))]
    return [x - k * (y - z) for x, y, z in zip(p, w, targets, strict=True)]
