"""The options of the solver of non-linear programs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True)
class SolverOptions:
    """The options of IPOPT. [Waechter & Biegler 2006]

    tolerance: tolerance of the optimality conditions, scaled by the solver. max_iterations: number after which the best
    iterate is returned unsolved. ipopt: further options of IPOPT by name; they override all others.
    """

    tolerance: float = 1e-8
    max_iterations: int = 1000
    ipopt: Mapping[str, str | float | int] = field(default_factory=lambda: MappingProxyType({}))

    def for_ipopt(self, warm: bool) -> dict[str, str | float | int]:
        """Return IPOPT's options by name. warm: True if multipliers of an earlier solution are given."""
        chosen = {**QUIET, "tol": self.tolerance, "max_iter": self.max_iterations, **(WARM if warm else {})}
        return {**chosen, **self.ipopt}


SOLVED = frozenset({"Solve_Succeeded", "Solved_To_Acceptable_Level"})
"""Status texts of IPOPT for a solution."""

QUIET: dict[str, str | float | int] = {"print_level": 0, "sb": "yes", "linear_solver": "mumps"}

WARM: dict[str, str | float | int] = {
    "warm_start_init_point": "yes",
    # Small distances: the defaults of 1e-3 push a solution away from bounds that it has reached.
    "warm_start_bound_push": 1e-9,
    "warm_start_bound_frac": 1e-9,
    "warm_start_slack_bound_push": 1e-9,
    "warm_start_slack_bound_frac": 1e-9,
    "warm_start_mult_bound_push": 1e-9,
    "mu_init": 1e-6,
}
