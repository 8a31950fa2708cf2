"""The backend "lanes": values, Jacobians and Hessians by our own compiled derivatives, solution by IPOPT."""

import logging
import time

import numpy as np
from numpy.typing import NDArray

from gambol.plan.program import NonlinearProgram, ProgramSolution
from gambol.plan.solver.evaluation import constraint_bounds, violation_of
from gambol.plan.solver.iterates import Iterate, Iterates
from gambol.plan.solver.lanes.compiled_program import CompiledProgram
from gambol.plan.solver.lanes.ipopt_library import IpoptProblem, load_ipopt
from gambol.plan.solver.options import SOLVED, SolverOptions

Array = NDArray[np.float64]
LOG = logging.getLogger("gambol.plan")


class LanesSolver:
    """A program built of compiled elements.

    program: elements with constant functions and indices; solve() uses the bounds, constants and first guess of the
    program that it gets. build_seconds: wall time of building. Raises PlanError if IPOPT's library is missing.
    """

    def __init__(self, program: NonlinearProgram, options: SolverOptions) -> None:
        start = time.perf_counter()
        load_ipopt()
        self.options = options
        self.compiled = CompiledProgram(program)
        self.build_seconds = time.perf_counter() - start
        LOG.info("built in lanes in %.2f s", self.build_seconds)

    def solve(self, program: NonlinearProgram, iterates: Iterates, warm: ProgramSolution | None) -> ProgramSolution:
        """Return the solution of a program of the same elements.

        iterates: called with the iterates. warm: a solution to start from, with its multipliers.
        """
        start = time.perf_counter()
        compiled = self.compiled
        compiled.set_constants(program)
        x, multipliers, lower, upper = _start(program, warm)

        def iterate(number: int) -> bool:
            current = problem.current()
            return (
                not iterates.interrupted if current is None else iterates.add(number, self._iterate(program, *current))
            )

        bounds = program.lower, program.upper
        with IpoptProblem(compiled, bounds, constraint_bounds(program), iterate, iterates.stop) as problem:
            problem.set_options(self.options.for_ipopt(warm is not None))
            with iterates:
                status = problem.solve(x, multipliers, lower, upper)
        last = self._iterate(program, x, multipliers, lower, upper)
        return iterates.solution(program, last, status, status in SOLVED, time.perf_counter() - start)

    def _iterate(self, program: NonlinearProgram, x: Array, multipliers: Array, lower: Array, upper: Array) -> Iterate:
        compiled = self.compiled
        violation = violation_of(program, x, compiled.constraints(x))
        return Iterate(x, compiled.cost(x), violation, multipliers, upper - lower)


def _start(program: NonlinearProgram, warm: ProgramSolution | None) -> tuple[Array, Array, Array, Array]:
    """Return the initial unknowns for IPOPT, and multipliers of constraints, lower and upper bounds."""
    n, m = program.initial.size, sum(e.lower.size for e in program.constraints)
    if warm is None:
        return program.initial.astype(float).copy(), np.zeros(m), np.zeros(n), np.zeros(n)
    multipliers = np.concatenate([*(a.ravel() for a in warm.multipliers), np.zeros(0)])
    of_bounds = warm.bound_multipliers
    return warm.unknowns.copy(), multipliers, np.maximum(-of_bounds, 0.0), np.maximum(of_bounds, 0.0)
