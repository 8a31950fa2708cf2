"""Forward dynamics of figures with closed loops, by any method, with Baumgarte stabilisation.

    J v' + J' v = -2 w phi' - w^2 phi        [Baumgarte 1972]

Errors of position and velocity then decay like e^(-w t), critically damped. The drift stays at about the error of the
integrator. Projection (projection.py) removes the drift and needs no w.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.forward.methods import METHODS, Method
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.loops.multipliers import solve_by_multipliers
from gambol.dynamics.loops.problem import ClosedSolution, Problem
from gambol.dynamics.loops.propagation import solve_by_propagation
from gambol.dynamics.loops.relations.constraints import rows
from gambol.dynamics.loops.semidefinite import default_threshold
from gambol.errors import GambolError, did_you_mean
from gambol.lanes import Scalar
from gambol.spatial.motion import Force

STEPS_PER_DECAY = 10.0
"""Number of steps in which an error falls to 1/e. w h = 0.1 keeps every integrator stable (the stability
limits for a double root are 0.8 for semi-implicit Euler, 2 for explicit Euler, 2.8 for RK4), and keeps w^2 times the
rounding of phi small."""


def stabilisation_rate(h: Scalar) -> Scalar:
    """Return the stabilisation rate w for a time step h [s]: 0.1 / h [1/s]."""
    return 1.0 / (STEPS_PER_DECAY * h)


@dataclass(frozen=True, slots=True)
class LoopOptions:
    """Options of closed-loop dynamics.

    method: "propagation", or the name of a method for trees, with multipliers. stabilisation: w [1/s]; 0: none.
    dependence_threshold: t of semidefinite.py; None: the default of the working precision.
    """

    method: str = "propagation"
    stabilisation: Scalar = 0.0
    dependence_threshold: float | None = None

    @property
    def resolved_threshold(self) -> float:
        """The threshold for dependent rows in the working precision."""
        return default_threshold() if self.dependence_threshold is None else self.dependence_threshold


BY_PROPAGATION = LoopOptions()
"""The default options: constraint propagation, without stabilisation."""


def closed_dynamics(
    state: Kinematics,
    tau: Sequence[Scalar],
    options: LoopOptions = BY_PROPAGATION,
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
    prescribed: Mapping[int, Sequence[Scalar]] = NOTHING,
) -> ClosedSolution:
    """Return joint accelerations of a figure under its constraints, and the multiplier of each row.

    state, tau, f_ext, gravity, prescribed: as for aba(). options: method and stabilisation. Rows are in the order of
    the figure's constraints, rotations before translations. Raises GambolError for an unknown method, and for
    prescribed joints with a method other than "propagation".
    """
    w, constraints = options.stabilisation, rows(state)
    required = [-(w * (row.speed + row.speed + w * row.gap)) for row in constraints]
    return solve(
        Problem(state, tau, constraints, required, f_ext, gravity, prescribed, options.resolved_threshold),
        options.method,
    )


def solve(problem: Problem, method: str = "propagation") -> ClosedSolution:
    """Return the solution of a closed-loop problem; method: its name. Raises GambolError as closed_dynamics() does."""
    if method == "propagation":
        return solve_by_propagation(problem)
    if method not in TREES:
        known = ["propagation", *TREES]
        raise GambolError(f'there is no method for closed loops "{method}"; {did_you_mean(method, known)}')
    if problem.prescribed:
        raise GambolError(f'the method "{method}" does not support prescribed joints; use "propagation"')
    return solve_by_multipliers(problem, TREES[method])


TREES: dict[str, Method] = {name: METHODS[name] for name in ("aba", "crba", "divide_and_conquer")}
"""Methods for trees by name."""
