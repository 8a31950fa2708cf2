"""A diagonal lower bound S of the inertia that acts at some degrees of freedom, while all others move freely.

    S_k = 1 / sum_j |(M^-1)_kj|        x^T S x <= x^T (P M^-1 P^T)^-1 x        P: onto these degrees of freedom

M is the mass matrix. The bound holds since no eigenvalue of S P M^-1 P^T exceeds its largest sum of absolute values in
a row, which is 1. [Horn and Johnson 2012, theorem 5.6.9]
"""

from collections.abc import Sequence

from gambol.dynamics.forward.systems import Factors
from gambol.lanes import Scalar, sqrt
from gambol.spatial.rotation import is_constant


def diagonal_bound(factors: Factors, freedoms: Sequence[int]) -> list[Scalar]:
    """Return the diagonal of S; factors: factors of M; freedoms: indices of the degrees of freedom."""
    n, scales = len(factors.D_inverse), [sqrt(x) for x in factors.D_inverse]
    columns = [_column(factors, scales, [1.0 if k == freedom else 0.0 for k in range(n)]) for freedom in freedoms]
    sums: list[Scalar] = [0.0] * len(freedoms)
    for i, column in enumerate(columns):
        for j, other in enumerate(columns[: i + 1]):
            entry = abs(sum((x * other[k] for k, x in column.items() if k in other), 0.0))
            sums[i] = sums[i] + entry
            if j < i:
                sums[j] = sums[j] + entry
    return [1.0 / x for x in sums]


def _column(factors: Factors, scales: Sequence[Scalar], unit: Sequence[Scalar]) -> dict[int, Scalar]:
    """Return D^(-1/2) L^-T e of a unit vector e, without zeros: their products are the entries of M^-1."""
    y = factors.inward(unit)
    return {k: x * scale for k, (x, scale) in enumerate(zip(y, scales, strict=True)) if not is_constant(x, 0.0)}
