"""The mass matrix's root: factors in whose coordinates an impulse reads a speed and changes it by the same numbers.

    A = L^T D L = R^T R         R = D^(1/2) L         u = R v         z = R^-T J^T         w = z . u         du = z p

So half as many numbers are held and read in every round of a step.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gambol.dynamics.forward import Factors
from gambol.lanes import Scalar, sqrt

Numbers: TypeAlias = Sequence[Scalar]


@dataclass(frozen=True, slots=True)
class Root:
    """R of a matrix that is positive definite, by its factors and the roots of D's inverses."""

    factors: Factors
    scale: tuple[Scalar, ...]

    @staticmethod
    def of(factors: Factors) -> "Root":
        """The root of a matrix with these factors."""
        return Root(factors, tuple(sqrt(x) for x in factors.D_inverse))

    @property
    def D_inverse(self) -> tuple[Scalar, ...]:
        """Ones: nothing is left between R and its transpose."""
        return (1.0,) * len(self.scale)

    def inward(self, b: Numbers) -> list[Scalar]:
        """y of R^T y = b."""
        return [y * s for y, s in zip(self.factors.inward(b), self.scale, strict=True)]

    def outward(self, z: Numbers) -> list[Scalar]:
        """x of R x = z."""
        return self.factors.outward([y * s for y, s in zip(z, self.scale, strict=True)])

    def undone(self, x: Numbers) -> list[Scalar]:
        """R x: what outward() takes to give x."""
        return [y / s for y, s in zip(self.factors.undone(x), self.scale, strict=True)]


Split: TypeAlias = Factors | Root
"""A matrix as factors of either kind."""
