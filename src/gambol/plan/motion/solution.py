"""Solution of a plan: transcription, solver, mesh refinement, and windows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gambol.plan.motion.checks.plan_checks import check_plan
from gambol.plan.motion.guesses.film_motion import trajectory_of_film, with_inverse_dynamics
from gambol.plan.motion.guesses.from_poses import first_guess
from gambol.plan.motion.guesses.start_motion import guess_from
from gambol.plan.motion.mesh_refinement.fractions import first_knots, nodes_of
from gambol.plan.motion.mesh_refinement.refinement import collocation_errors, refined, resampled
from gambol.plan.motion.outcome import plan_cost, trajectory_of, worst_violation
from gambol.plan.motion.result import PlanResult, Refinement
from gambol.plan.motion.spec.plan import Plan
from gambol.plan.motion.transcription.complementarity import RELAXATIONS, relaxed
from gambol.plan.motion.transcription.layout import Layout, PhaseGuess
from gambol.plan.motion.transcription.program import Transcription, transcribe
from gambol.plan.motion.transcription.schemes import SCHEMES
from gambol.plan.motion.window import Window, check_window, in_window, knots_with_goals
from gambol.plan.program import NonlinearProgram, ProgramSolution
from gambol.plan.solver import SolverOptions, solve_program
from gambol.plan.solver.solve import chosen_backend
from gambol.plan.trajectory import Trajectory
from gambol.world import Film

Progress = Callable[[int, float, float, NDArray[np.float64]], bool]
"""Called with (iteration, cost, violation, unknowns); False stops."""

DEFAULTS = SolverOptions()


@dataclass(frozen=True)
class _Solver:
    """Options and callbacks with which programs are solved."""

    backend: str
    progress: Progress | None
    options: SolverOptions

    def __call__(self, program: NonlinearProgram, cost_size: float, *, near: bool) -> ProgramSolution:
        """Return the solution of a program.

        cost_size: the unit of its cost. near: True if its first guess solves a similar program.
        """
        options = replace(self.options, ipopt={**REFINEMENT_OPTIONS, **self.options.ipopt}) if near else self.options
        shown = self.progress

        def in_units(iteration: int, cost: float, violation: float, unknowns: NDArray[np.float64]) -> bool:
            return shown is None or shown(iteration, cost * cost_size, violation, unknowns)

        progress = None if shown is None else in_units
        return solve_program(program, backend=self.backend, progress=progress, options=options)


REFINEMENT_OPTIONS: dict[str, str | float | int] = {"mu_init": 1e-5, "bound_push": 1e-6, "bound_frac": 1e-6}
"""Options of IPOPT near a solution: with its default barrier, 0.1, a refined motion would move to another minimum."""


def solve(
    plan: Plan,
    *,
    start_from: "PlanResult | Trajectory | Film | None" = None,
    window: Window | None = None,
    backend: str = "auto",
    progress: Progress | None = None,
    options: SolverOptions = DEFAULTS,
) -> PlanResult:
    """Return the motion that a plan describes, with least cost near the first guess.

    start_from: an earlier result of a plan with the same phases, a motion of the figure, or a film of it (its first
    world), instead of the plan's first guess. window: the part of `start_from`, which must be a result, that may
    change; all else keeps its values. backend, progress, options: see solve_program(); progress gets the cost in the
    units of the plan, and violation and unknowns in natural units. Raises PlanError for an impossible plan. For an
    infeasible plan the result has solved=False, the best motion so far, and a message.
    """
    check_plan(plan)
    if window is not None:
        check_window(window, plan.figure, start_from.durations if isinstance(start_from, PlanResult) else None)
    scheme, solver = SCHEMES[plan.mesh.method], _Solver(backend, progress, options)
    knots = first_knots(plan)
    if isinstance(start_from, PlanResult) and window is not None:
        knots = knots_with_goals(plan, window, start_from.durations, start_from.fractions)
    guesses = _first_values(plan, start_from, [nodes_of(scheme, fractions) for fractions in knots])
    steps, coarser = list[Refinement](), None
    while True:
        near = bool(steps) or isinstance(start_from, PlanResult)
        try:
            solved, transcription = _solved(plan, guesses, window if near else None, solver, near=near)
        except KeyboardInterrupt:  # in formulas that are not solved yet
            if coarser is None:
                raise
            return replace(coarser, interrupted=True)
        if coarser is not None and solved.interrupted:
            return replace(coarser, interrupted=True)
        values = transcription.values(solved.unknowns)
        errors, interrupted = _errors(transcription, values, knots, backend)
        solved = replace(solved, interrupted=solved.interrupted or interrupted)
        largest, cost = max(float(e.max()) for e in errors), plan_cost(transcription, solved)
        intervals = sum(len(k) - 1 for k in knots)
        steps.append(Refinement(intervals, cost, largest, solved.iterations, solved.seconds))
        result = _result(transcription, solved, values, knots, steps)
        done = largest <= plan.mesh.tolerance or len(steps) > plan.mesh.refinements
        if done or window is not None or solved.interrupted or not solved.solved:
            return result
        coarser = result
        knots = [refined(k, e, plan.mesh.tolerance, scheme.order) for k, e in zip(knots, errors, strict=True)]
        guesses = resampled(transcription.layout, values, [nodes_of(scheme, k) for k in knots])


def _errors(
    transcription: Transcription,
    values: Sequence[PhaseGuess],
    knots: Sequence[NDArray[np.float64]],
    backend: str,
) -> tuple[list[NDArray[np.float64]], bool]:
    """Return collocation_errors(), infinite after Ctrl-C, and True after Ctrl-C."""
    compiled = chosen_backend(transcription.program, backend) == "lanes"
    try:
        return collocation_errors(transcription.layout, values, compiled=compiled), False
    except KeyboardInterrupt:
        return [np.full(len(k) - 1, np.inf) for k in knots], True


def _first_values(
    plan: Plan, start_from: "PlanResult | Trajectory | Film | None", nodes: Sequence[NDArray[np.float64]]
) -> list[PhaseGuess]:
    if start_from is None:
        return first_guess(plan, nodes)
    if isinstance(start_from, Film):
        return with_inverse_dynamics(plan, guess_from(plan, trajectory_of_film(plan.figure, start_from), nodes))
    return guess_from(plan, start_from, nodes)


def _solved(
    plan: Plan, guesses: Sequence[PhaseGuess], window: Window | None, solver: _Solver, *, near: bool
) -> tuple[ProgramSolution, Transcription]:
    """Return the solution on one mesh; conditions of contacts that are to be found are tightened step by step.

    near: True if the guesses are a solution on another mesh, or of a similar plan.
    """
    transcription = transcribe(plan, guesses)
    if window is not None:
        transcription = in_window(transcription, window)
    solution = solver(transcription.program, transcription.cost_size, near=near)
    if not any(phase.may_touch for phase in plan.phases):
        return solution, transcription
    iterations, seconds = solution.iterations, solution.seconds
    for relaxation in RELAXATIONS[1:]:
        if solution.interrupted:
            break
        transcription = replace(transcription, program=relaxed(transcription.program, relaxation, solution.unknowns))
        solution = solver(transcription.program, transcription.cost_size, near=False)
        iterations, seconds = iterations + solution.iterations, seconds + solution.seconds
    return replace(solution, iterations=iterations, seconds=seconds), transcription


def _result(
    transcription: Transcription,
    solved: ProgramSolution,
    values: Sequence[PhaseGuess],
    knots: Sequence[NDArray[np.float64]],
    steps: Sequence[Refinement],
) -> PlanResult:
    layout: Layout = transcription.layout
    message = "" if solved.solved else worst_violation(transcription, solved) or solved.status
    return PlanResult(
        plan=layout.plan,
        trajectory=trajectory_of(transcription, values),
        cost=steps[-1].cost,
        violation=solved.violation,
        error=steps[-1].error,
        iterations=sum(step.iterations for step in steps),
        seconds=sum(step.seconds for step in steps),
        solved=solved.solved,
        interrupted=solved.interrupted,
        message=message,
        durations=tuple(layout.durations(transcription.physical(solved.unknowns))),
        fractions=tuple(tuple(float(x) for x in k) for k in knots),
        refinements=tuple(steps),
        program=transcription.program,
        solution=solved,
    )
