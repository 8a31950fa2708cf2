"""The costs that a planned motion minimises."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gambol.lanes import Scalar

CostFunction: TypeAlias = Callable[[Sequence[Scalar], Sequence[Scalar], Sequence[Scalar], Sequence[Scalar]], Scalar]
"""Returns the integrand of a cost from q (nq), v (nv), accelerations (nv) and torques (nv), over generic scalars."""


@dataclass(frozen=True)
class Cost:
    """One term of the weighted sum that a plan minimises.

    kind: a name in INTEGRANDS, "torque rate" or "duration"; "function" for a user's integrand. weight: its factor.
    joints: names of the links whose joints are counted; empty: all actuated joints or, for "acceleration" and
    "velocity", all joints. function: the integrand of the kind "function".
    """

    kind: str = "effort"
    weight: float = 1.0
    joints: tuple[str, ...] = ()
    function: CostFunction | None = None
