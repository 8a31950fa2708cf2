"""The result of a plan."""

from dataclasses import dataclass

from gambol.plan.motion.spec.plan import Plan
from gambol.plan.program import NonlinearProgram, ProgramSolution
from gambol.plan.trajectory import Trajectory


@dataclass(frozen=True)
class Refinement:
    """One solved mesh: its intervals, the cost and collocation error on it, iterations and seconds."""

    intervals: int
    cost: float
    error: float
    iterations: int
    seconds: float


@dataclass(frozen=True)
class PlanResult:
    """The best motion found for a plan, and its quality.

    cost: the minimised integral, in the plan's units. violation: largest distance of a constraint or an unknown from
    its bounds, in the scaled units of the program. error: largest relative collocation error, see collocation_errors().
    iterations, seconds: iterations and seconds of all meshes together. solved: True if the solver met its tolerance on
    the last mesh. interrupted: True if it was stopped. message: "" if solved, else a text about the most violated
    constraint. durations: durations of the phases [s]. fractions: the mesh of each phase, from 0 to 1. refinements: the
    meshes, one after the other. program, solution: program and solution of the last mesh.
    """

    plan: Plan
    trajectory: Trajectory
    cost: float
    violation: float
    error: float
    iterations: int
    seconds: float
    solved: bool
    interrupted: bool
    message: str
    durations: tuple[float, ...]
    fractions: tuple[tuple[float, ...], ...]
    refinements: tuple[Refinement, ...]
    program: NonlinearProgram
    solution: ProgramSolution
