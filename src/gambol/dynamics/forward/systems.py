"""Symmetric linear systems over generic scalars, with the sparsity of a tree.

    A = L^T D L      for k = n .. 1:   L_ki = A_ki / D_k      A_ij -= L_ki A_kj      for all i, j < k in row k
    A x = b          L^T y = b         z = y / D              L x = z

[Featherstone 2008, tables 6.3-6.5]. Elimination from the last row to the first eliminates children before parents, so
fill-in occurs only at ancestors; in a mass matrix there is none. There is no pivoting, so D may be negative but not 0.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from gambol.lanes import Scalar, sqrt
from gambol.spatial.dense import Rows
from gambol.spatial.rotation import is_constant

SparseRows: TypeAlias = Sequence[Mapping[int, Scalar]]
"""The lower triangle of a symmetric matrix: for each row the entries that may differ from 0, by column."""


class Factorisation(Protocol):
    """Factors of a symmetric matrix A of n rows: A = L^T D L, or A = R^T R with R in place of L, and D = 1."""

    @property
    def D_inverse(self) -> tuple[Scalar, ...]:
        """The inverses of D (n)."""
        ...

    def inward(self, b: Sequence[Scalar]) -> list[Scalar]:
        """Return y of L^T y = b; only ancestors of nonzero entries of b become nonzero."""
        ...

    def outward(self, z: Sequence[Scalar]) -> list[Scalar]:
        """Return x of L x = z."""
        ...

    def multiply(self, x: Sequence[Scalar]) -> list[Scalar]:
        """Return L x: the inverse of outward()."""
        ...


@dataclass(frozen=True, slots=True)
class Factors:
    """A symmetric matrix as L^T D L: L without its diagonal of ones, by sparse rows, and the inverses of D."""

    L: tuple[dict[int, Scalar], ...]
    D_inverse: tuple[Scalar, ...]

    def solve(self, b: Sequence[Scalar]) -> list[Scalar]:
        """Return x of A x = b."""
        y = self.inward(b)
        return self.outward([value * inverse for value, inverse in zip(y, self.D_inverse, strict=True)])

    def inward(self, b: Sequence[Scalar]) -> list[Scalar]:
        """Return y of L^T y = b; only ancestors of nonzero entries of b become nonzero."""
        y = list(b)
        for k in reversed(range(len(y))):
            for i, l in self.L[k].items():
                y[i] = y[i] - l * y[k]
        return y

    def outward(self, z: Sequence[Scalar]) -> list[Scalar]:
        """Return x of L x = z."""
        x = list(z)
        for k, row in enumerate(self.L):
            for i, l in row.items():
                x[k] = x[k] - l * x[i]
        return x

    def multiply(self, x: Sequence[Scalar]) -> list[Scalar]:
        """Return L x: the inverse of outward()."""
        return [sum((l * x[i] for i, l in row.items()), value) for value, row in zip(x, self.L, strict=True)]


@dataclass(frozen=True, slots=True)
class RootFactors:
    """The factor R = D^(1/2) L of a positive definite matrix A = R^T R, as L and the square roots of D's inverses.

    In the coordinates R x, one row of numbers both computes the speed of a constraint and applies its impulse.
    """

    factors: Factors
    scale: tuple[Scalar, ...]

    @staticmethod
    def of(factors: Factors) -> "RootFactors":
        """Return the root factors of a matrix with these factors."""
        return RootFactors(factors, tuple(sqrt(x) for x in factors.D_inverse))

    @property
    def D_inverse(self) -> tuple[Scalar, ...]:
        """Ones, since A = R^T R has no D."""
        return (1.0,) * len(self.scale)

    def inward(self, b: Sequence[Scalar]) -> list[Scalar]:
        """Return y of R^T y = b."""
        return [y * s for y, s in zip(self.factors.inward(b), self.scale, strict=True)]

    def outward(self, z: Sequence[Scalar]) -> list[Scalar]:
        """Return x of R x = z."""
        return self.factors.outward([y * s for y, s in zip(z, self.scale, strict=True)])

    def multiply(self, x: Sequence[Scalar]) -> list[Scalar]:
        """Return R x: the inverse of outward()."""
        return [y / s for y, s in zip(self.factors.multiply(x), self.scale, strict=True)]


def factorised(rows: SparseRows) -> Factors:
    """Return the factors of a symmetric matrix."""
    remaining = [dict(row) for row in rows]
    L: list[dict[int, Scalar]] = [{} for _ in rows]
    inverses: list[Scalar] = [1.0 for _ in rows]
    for k in reversed(range(len(remaining))):
        row = remaining[k]
        inverses[k] = 1.0 / row.pop(k)
        L[k] = {i: x * inverses[k] for i, x in row.items()}
        for i, l in L[k].items():
            for j, x in row.items():
                if j <= i:
                    remaining[i][j] = remaining[i].get(j, 0.0) - l * x
    return Factors(tuple(L), tuple(inverses))


def lower(A: Sequence[Sequence[Scalar]]) -> SparseRows:
    """Return the lower triangle of a symmetric matrix by sparse rows, without entries known to be 0."""
    return [{j: x for j, x in enumerate(row[: k + 1]) if j == k or not is_constant(x, 0.0)} for k, row in enumerate(A)]


def symmetric(rows: SparseRows) -> Rows:
    """Return the full symmetric matrix, with exact zeros where its rows have no entry."""
    n = len(rows)
    return [[rows[max(i, j)].get(min(i, j), 0.0) for j in range(n)] for i in range(n)]
