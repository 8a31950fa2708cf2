"""The discretisation of a plan."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Method: TypeAlias = Literal["hermite-simpson", "trapezoid", "finite differences", "backward euler"]
"""The transcription: collocation of order 4 or 2; the differences of Witkin and Kass; or steps of first order, for
contacts that are found by complementarity."""


@dataclass(frozen=True)
class Mesh:
    """The mesh of a plan and its refinement.

    method: see Method. intervals: number of intervals of the first mesh of the whole plan, which is divided among
    phases by duration. tolerance: tolerance of the relative collocation error in an interval, see collocation_errors().
    refinements: number of times that intervals with an error above the tolerance are divided; 0: never. dynamics:
    "inverse" requires M a + C = tau (fast to differentiate), "forward" requires a = aba(tau).
    """

    method: Method = "hermite-simpson"
    intervals: int = 20
    tolerance: float = 1e-6
    refinements: int = 0
    dynamics: Literal["inverse", "forward"] = "inverse"
