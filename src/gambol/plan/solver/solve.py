"""Solution of non-linear programs by a backend: "casadi" or "lanes"."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import numpy as np

from gambol.errors import PlanError, did_you_mean
from gambol.plan.program import NonlinearProgram, ProgramSolution
from gambol.plan.solver.casadi_backend import CasadiSolver, is_small
from gambol.plan.solver.checks import check_program
from gambol.plan.solver.evaluation import constraint_values, cost_of, violation_of
from gambol.plan.solver.iterates import Iterates, Progress
from gambol.plan.solver.lanes import LanesSolver
from gambol.plan.solver.lanes.ipopt_library import one_blas_thread
from gambol.plan.solver.options import SolverOptions


class ProgramSolver(Protocol):
    """A program built for a backend; build_seconds: wall time of building."""

    build_seconds: float

    def solve(self, program: NonlinearProgram, iterates: Iterates, warm: ProgramSolution | None) -> ProgramSolution:
        """Return the solution of a program with the same elements as the built program."""
        ...


BACKENDS: dict[str, Callable[[NonlinearProgram, SolverOptions], ProgramSolver]] = {
    "casadi": CasadiSolver,
    "lanes": LanesSolver,
}
"""The backends by name."""

DEFAULTS = SolverOptions()


def solve_program(
    program: NonlinearProgram,
    backend: str = "auto",
    warm: ProgramSolution | None = None,
    progress: Progress | None = None,
    options: SolverOptions = DEFAULTS,
) -> ProgramSolution:
    """Return the solution of a non-linear program: unknowns of least cost near the first guess.

    backend: method of differentiation: "casadi"; "lanes", whose compiled functions are cached on disk; "auto" uses
    "casadi" for small programs, such as a cart-pole's, and "lanes" for others. warm: a solution to start from, with its
    multipliers. progress: called at each iteration with (iteration, cost, violation, unknowns); False stops. Ctrl-C
    stops too. A stopped solution has interrupted=True. Like every unsolved solution, it is the best iterate so far: the
    feasible iterate of least cost, else the iterate of least violation; before the first iteration, the first guess.
    Its seconds include building the program.

    Raises PlanError for a program that cannot be solved, for an unknown backend and if CasADi is missing; raises the
    exception of progress.
    """
    check_program(program)
    chosen = chosen_backend(program, backend)
    _check_warm(program, warm)
    start = time.perf_counter()
    try:
        solver = BACKENDS[chosen](program, options)
        with one_blas_thread():
            solution = solver.solve(program, Iterates(progress, options.tolerance), warm)
    except KeyboardInterrupt:
        solution = _first_guess(program, warm)
    return replace(solution, seconds=time.perf_counter() - start)


def _first_guess(program: NonlinearProgram, warm: ProgramSolution | None) -> ProgramSolution:
    """Return the first guess, or the solution to start from, as an interrupted solution."""
    unknowns = program.initial if warm is None else warm.unknowns
    return ProgramSolution(
        unknowns=unknowns,
        cost=cost_of(program, unknowns),
        violation=violation_of(program, unknowns, constraint_values(program, unknowns)),
        iterations=0,
        seconds=0.0,
        solved=False,
        interrupted=True,
        status="interrupted while derivatives were compiled",
        multipliers=tuple(np.zeros_like(e.lower) for e in program.constraints),
        bound_multipliers=np.zeros_like(program.initial),
    )


def chosen_backend(program: NonlinearProgram, backend: str) -> str:
    """Return the name of the backend for a program: "auto" is the fastest. Raises PlanError for an unknown name."""
    if backend == "auto":
        return "casadi" if is_small(program) else "lanes"
    if backend not in BACKENDS:
        raise PlanError(f'backend "{backend}" is unknown; {did_you_mean(backend, (*BACKENDS, "auto"))}')
    return backend


def _check_warm(program: NonlinearProgram, warm: ProgramSolution | None) -> None:
    """Raise PlanError for a warm start with arrays that do not fit the program."""
    if warm is None:
        return
    shapes = [e.lower.shape for e in program.constraints]
    warm_shapes = [m.shape for m in warm.multipliers]
    if warm.unknowns.shape != program.initial.shape or warm_shapes != shapes:
        raise PlanError(
            f"the solution to start from has {warm.unknowns.size} unknowns and multipliers of shapes {warm_shapes}; "
            f"the program has {program.initial.size} and {shapes}"
        )
