"""The table of integrators: every method by its name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from gambol.errors import GambolError, did_you_mean
from gambol.integrate.dense import Curve, hermite
from gambol.integrate.explicit.dormand_prince import DORMAND_PRINCE, dormand_prince_curve
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
from gambol.integrate.system import Moving, Stepped, System
from gambol.lanes import Scalar

Step: TypeAlias = Callable[[System, Scalar, Moving, Scalar], Stepped]


@dataclass(frozen=True, slots=True)
class Integrator:
    """A row of the table of integrators.

    step: from a system, t [s], a state and h [s] to the state at t + h. order: its global error falls as h^order.
    adaptive: whether it knows its error. implicit: whether it asks for derivatives of forces. remembers: whether it
    has memory. own_curve: the way through a step, where it has a better one than Hermite's cubic.
    """

    step: Step
    order: int
    adaptive: bool = False
    implicit: bool = False
    remembers: bool = False
    own_curve: Callable[[System, Scalar, Moving, Scalar], Curve] | None = None

    @property
    def name(self) -> str:
        """What it is called in the table, or "" elsewhere."""
        return next((name for name, row in INTEGRATORS.items() if row is self), "")

    def memory(self, velocities: int, accumulated: int) -> list[Scalar]:
        """Memory before the first step of a system with so many velocities and accumulated quantities: zeros."""
        return [0.0] * (velocities + accumulated + 1) if self.remembers else []

    def curve(self, system: System, t: Scalar, now: Moving, h: Scalar, stepped: Stepped) -> Curve:
        """The way through the step that began at t [s] and took h [s]."""
        if self.own_curve is None:
            return hermite(system, t, now, h, stepped)
        return self.own_curve(system, t, now, h)


INTEGRATORS: dict[str, Integrator] = {
    "explicit euler": Integrator(EULER.step, 1),
    "semi-implicit euler": Integrator(semi_implicit_euler, 1),
    "corpus euler": Integrator(corpus_euler, 1),
    "implicit euler": Integrator(implicit_euler, 1, implicit=True),
    "midpoint": Integrator(MIDPOINT.step, 2),
    "implicit midpoint": Integrator(implicit_midpoint, 2, implicit=True),
    "heun": Integrator(HEUN.step, 2, adaptive=True),
    "verlet": Integrator(verlet, 2, remembers=True),
    "velocity verlet": Integrator(velocity_verlet, 2),
    "leapfrog": Integrator(leapfrog, 2, remembers=True),
    "rk4": Integrator(RK4.step, 4),
    "rkf45": Integrator(RKF45.step, 5, adaptive=True),
    "dormand-prince": Integrator(DORMAND_PRINCE.step, 5, adaptive=True, own_curve=dormand_prince_curve),
    "rosenbrock": Integrator(rosenbrock, 3, adaptive=True, implicit=True),
    "variational": Integrator(variational, 2),
}

ALIASES = {"rkf": "rkf45", "euler": "corpus euler"}
"""Short names: what the thesis calls Euler's method is the one of corpus."""


def integrator(name: str) -> Integrator:
    """The integrator of this name or alias; GambolError with the nearest name when there is none."""
    known = ALIASES.get(name, name)
    if known not in INTEGRATORS:
        raise GambolError(f'integration method "{name}" is unknown; {did_you_mean(name, [*INTEGRATORS, *ALIASES])}')
    return INTEGRATORS[known]
