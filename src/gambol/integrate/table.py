"""The table of integrators, by name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from gambol.errors import GambolError, did_you_mean
from gambol.integrate.dense_output import DenseOutput, hermite
from gambol.integrate.explicit.dormand_prince import DORMAND_PRINCE, dormand_prince_dense_output
from gambol.integrate.explicit.euler import EULER
from gambol.integrate.explicit.heun import HEUN
from gambol.integrate.explicit.midpoint import MIDPOINT
from gambol.integrate.explicit.rk4 import RK4
from gambol.integrate.explicit.rkf45 import RKF45
from gambol.integrate.implicit.implicit_euler import implicit_euler
from gambol.integrate.implicit.implicit_midpoint import implicit_midpoint
from gambol.integrate.implicit.rosenbrock import rosenbrock
from gambol.integrate.symplectic.corpus_euler import corpus_euler
from gambol.integrate.symplectic.leapfrog import leapfrog
from gambol.integrate.symplectic.semi_implicit_euler import semi_implicit_euler
from gambol.integrate.symplectic.variational import variational
from gambol.integrate.symplectic.velocity_verlet import velocity_verlet
from gambol.integrate.symplectic.verlet import verlet
from gambol.integrate.system import MotionState, StepResult, System
from gambol.lanes import Scalar

Step: TypeAlias = Callable[[System, Scalar, MotionState, Scalar], StepResult]


@dataclass(frozen=True, slots=True)
class Integrator:
    """An integration method.

    step: takes a system, t [s], a state and h [s], returns the result at t + h. order: the global error falls as
    h^order. adaptive: True if it estimates its error. implicit: True if it needs derivatives of forces. stateful: True
    if it stores data of earlier steps in MotionState.integrator_state. special_dense_output: its dense output, if
    that is better than Hermite's cubic.
    """

    step: Step
    order: int
    adaptive: bool = False
    implicit: bool = False
    stateful: bool = False
    special_dense_output: Callable[[System, Scalar, MotionState, Scalar], DenseOutput] | None = None

    @property
    def name(self) -> str:
        """The name in the table, or "" for a method that is not in it."""
        return next((name for name, row in INTEGRATORS.items() if row is self), "")

    def initial_state(self, velocities: int, accumulated: int) -> list[Scalar]:
        """Return the integrator's state before the first step: zeros, or an empty list.

        velocities, accumulated: numbers of velocities and of accumulated quantities.
        """
        return [0.0] * (velocities + accumulated + 1) if self.stateful else []

    def dense_output(
        self, system: System, t: Scalar, state: MotionState, h: Scalar, step_result: StepResult
    ) -> DenseOutput:
        """Return the dense output of a step.

        system: the system; t: start of the step [s]; state: at t; h: length of the step [s]; step_result: its result.
        """
        if self.special_dense_output is None:
            return hermite(system, t, state, h, step_result)
        return self.special_dense_output(system, t, state, h)


INTEGRATORS: dict[str, Integrator] = {
    "explicit euler": Integrator(EULER.step, 1),
    "semi-implicit euler": Integrator(semi_implicit_euler, 1),
    "corpus euler": Integrator(corpus_euler, 1),
    "implicit euler": Integrator(implicit_euler, 1, implicit=True),
    "midpoint": Integrator(MIDPOINT.step, 2),
    "implicit midpoint": Integrator(implicit_midpoint, 2, implicit=True),
    "heun": Integrator(HEUN.step, 2, adaptive=True),
    "verlet": Integrator(verlet, 2, stateful=True),
    "velocity verlet": Integrator(velocity_verlet, 2),
    "leapfrog": Integrator(leapfrog, 2, stateful=True),
    "rk4": Integrator(RK4.step, 4),
    "rkf45": Integrator(RKF45.step, 5, adaptive=True),
    "dormand-prince": Integrator(
        DORMAND_PRINCE.step, 5, adaptive=True, special_dense_output=dormand_prince_dense_output
    ),
    "rosenbrock": Integrator(rosenbrock, 3, adaptive=True, implicit=True),
    "variational": Integrator(variational, 2),
}
"""The integrators by name."""

ALIASES = {"rkf": "rkf45", "euler": "corpus euler"}
"""Short names. Euler's method in the thesis is the Euler method of corpus."""


def integrator(name: str) -> Integrator:
    """Return the integrator with a name or alias. Raises GambolError for unknown names."""
    full_name = ALIASES.get(name, name)
    if full_name not in INTEGRATORS:
        raise GambolError(f'integration method "{name}" is unknown; {did_you_mean(name, [*INTEGRATORS, *ALIASES])}')
    return INTEGRATORS[full_name]
