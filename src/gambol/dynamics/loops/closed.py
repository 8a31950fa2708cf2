"""Forward dynamics of figures with closed loops, by any method, with Baumgarte's stabilisation.

    J v' + J' v = -2 w phi' - w^2 phi        [Baumgarte 1972]

Errors of position and velocity then die out like e^(-w t), critically damped. By itself that holds drift at about the
integrator's own error; projection.py removes it and needs no w.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.forward.methods import METHODS, Method
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.loops.multipliers import by_multipliers
from gambol.dynamics.loops.problem import Closed, Problem
from gambol.dynamics.loops.propagation import by_propagation
from gambol.dynamics.loops.relations.ties import rows
from gambol.dynamics.loops.semidefinite import threshold
from gambol.errors import GambolError, did_you_mean
from gambol.lanes import Scalar
from gambol.spatial.motion import Force

STEPS_TO_FORGET = 10.0
"""In how many steps an error falls to 1/e. w h = 0.1 leaves every integrator stable (its limits for a double root: 0.8
for semi-implicit Euler, 2 for explicit Euler, 2.8 for RK4) and w^2 times the rounding of phi small."""


def stabilising_rate(h: Scalar) -> Scalar:
    """The w that suits a time step [s]: 0.1 / h [1/s]."""
    return 1.0 / (STEPS_TO_FORGET * h)


@dataclass(frozen=True, slots=True)
class Closing:
    """How loops are kept closed.

    method: "propagation", or the name of a method for trees over which multipliers are found. stabilisation: w [1/s],
    0 for none. dependent: threshold for rows that depend on others (semidefinite.py); None takes that of the precision.
    """

    method: str = "propagation"
    stabilisation: Scalar = 0.0
    dependent: float | None = None

    @property
    def threshold(self) -> float:
        """The threshold for dependent rows in the precision in which they are being worked out."""
        return threshold() if self.dependent is None else self.dependent


BY_PROPAGATION = Closing()


def closed_dynamics(
    state: Kinematics,
    tau: Sequence[Scalar],
    how: Closing = BY_PROPAGATION,
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
    prescribed: Mapping[int, Sequence[Scalar]] = NOTHING,
) -> Closed:
    """Joint accelerations of a figure whose constraints hold, and the strength of every row of these.

    tau, f_ext, gravity, prescribed: as for aba(). Rows are in the order of the figure's constraints, turns before
    slides. Raises GambolError for an unknown method, and for prescribed joints with another one than "propagation".
    """
    w, tied = how.stabilisation, rows(state)
    demands = [-(w * (row.speed + row.speed + w * row.gap)) for row in tied]
    return solve(Problem(state, tau, tied, demands, f_ext, gravity, prescribed, how.threshold), how.method)


def solve(problem: Problem, method: str = "propagation") -> Closed:
    """The accelerations that meet a problem's demands, by the method of a name; errors as for closed_dynamics()."""
    if method == "propagation":
        return by_propagation(problem)
    if method not in TREES:
        known = ["propagation", *TREES]
        raise GambolError(f'a method for closed loops is not called "{method}"; {did_you_mean(method, known)}')
    if problem.prescribed:
        raise GambolError(f'the method "{method}" has no prescribed joints; take "propagation"')
    return by_multipliers(problem, TREES[method])


TREES: dict[str, Method] = {name: METHODS[name] for name in ("aba", "crba", "divide_and_conquer")}
"""Methods for trees by name."""
