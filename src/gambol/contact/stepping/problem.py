"""The contact problem of a step on velocities, and its solution by sweeps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gambol.contact.stepping.blocks import Block, Impulses
from gambol.contact.stepping.bounce import Arrival, limit_rebounds
from gambol.contact.stepping.corrections import BIAS_SHARE
from gambol.contact.stepping.softness import Softness
from gambol.contact.stepping.solve import limit_energy, solve_to_tolerance
from gambol.contact.stepping.sweep import ImpulseSolution
from gambol.lanes import Scalar, Subprogram
from gambol.spatial.rotation import is_constant

ITERATIONS = 8
"""Gauss-Seidel sweeps of a step (docs/decisions/013)."""

TOLERANCE = 1e-3
"""Permitted violation of the contact laws after the sweeps [m/s or rad/s]."""


@dataclass(frozen=True, slots=True)
class ImpulseProblem:
    """The contact problem of a step.

    blocks: blocks of all constraints. arrivals: arrivals of contacts and limits, the first blocks. restitution: e of
    each of these. u_before: velocities u (nv) before the step; u_free: velocities after it without impulses.
    warm_start: initial impulses. iterations: sweeps of iterative solvers; tolerance: permitted violation of the laws
    after them [m/s or rad/s]. stores_energy: True if impulses may raise the energy, as those of springs do.
    accelerated: True to accelerate further sweeps, see solve_to_tolerance().
    """

    blocks: Sequence[Block]
    arrivals: Sequence[Arrival]
    restitution: Sequence[Scalar]
    u_before: list[Scalar]
    u_free: list[Scalar]
    warm_start: Impulses
    iterations: int
    tolerance: Scalar
    stores_energy: bool = False
    accelerated: bool = False


ImpulseSolver: TypeAlias = Callable[[ImpulseProblem], ImpulseSolution]
"""A function that computes the impulses of a step."""


def sweep_impulses(problem: ImpulseProblem) -> ImpulseSolution:
    """Return the impulses of a step by block Gauss-Seidel, with rebounds reduced so that they add no energy."""
    targets = [x.rebound_speed for x in problem.arrivals] + [0.0] * (len(problem.blocks) - len(problem.arrivals))

    def solve_from(targets: list[Scalar], start: Impulses) -> ImpulseSolution:
        options = problem.iterations, problem.tolerance, problem.accelerated
        return solve_to_tolerance(problem.blocks, targets, problem.u_free, start, *options)

    if problem.stores_energy:
        return solve_from(targets, problem.warm_start)
    if all(is_constant(x.bounces, 0.0) for x in problem.arrivals):
        return limit_energy(problem.u_free, solve_from(targets, problem.warm_start), 0.0)
    solve = Subprogram(solve_from)
    elastic, u_free = solve(targets, problem.warm_start), problem.u_free
    return limit_energy(u_free, limit_rebounds(problem.blocks, problem.arrivals, u_free, elastic, solve), 0.0)


@dataclass(frozen=True, slots=True)
class SolverOptions:
    """Options of the contact solver.

    iterations, tolerance, accelerated: see ImpulseProblem. solver: computes the impulses. softness: softness of
    contacts and limits; None: they are rigid. bias_share: see velocity_bias().
    """

    iterations: int = ITERATIONS
    tolerance: Scalar = TOLERANCE
    solver: ImpulseSolver = sweep_impulses
    softness: Softness | None = None
    accelerated: bool = False
    bias_share: Scalar = BIAS_SHARE
