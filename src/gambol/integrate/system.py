"""The interface of a mechanical system to integrators, and the chart in which they take a step.

    q' = N(q) v,  v' = a(t, q, v),  w' = l(t, q, v)        q = q0 (+) x(t):  x' = U(x) v,  x(0) = 0

q may contain quaternions. x (nv) are coordinates of a chart around q0 at the start of a step; q0 (+) x is q0 displaced
by x. A method for ordinary differential equations keeps its order in a chart, and quaternions keep their unit length.
[Munthe-Kaas 1998; Hairer, Lubich and Wanner 2006, section IV.8]
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from gambol.lanes import Scalar, jvp
from gambol.spatial.dense import Numbers

Coordinates: TypeAlias = Sequence[Scalar]


def euclidean_integrate(q: Coordinates, x: Coordinates) -> Numbers:
    """Return q (+) x where the coordinates are a vector space."""
    return [a + b for a, b in zip(q, x, strict=True)]


def euclidean_tangent_rate(q: Coordinates, x: Coordinates, v: Coordinates) -> Numbers:
    """Return x' where the coordinates are a vector space: v."""
    return list(v)


@dataclass(frozen=True, slots=True)
class System:
    """A mechanical system: nq coordinates, nv velocities, and any number of accumulated quantities w, such as work.

    derivatives: takes t [s], q and v, returns v' (nv) and w'. integrate: returns q (+) x. tangent_rate: takes q, x and
    v, returns x' = U(x) v; U is orthogonal at x = 0. momentum: takes q and v, returns M(q) v. force: like derivatives,
    but with the generalised force M a + C v in place of v'. Only the variational method needs momentum and force.
    """

    derivatives: Callable[[Scalar, Numbers, Numbers], tuple[Numbers, Numbers]]
    integrate: Callable[[Coordinates, Coordinates], Numbers] = euclidean_integrate
    tangent_rate: Callable[[Coordinates, Coordinates, Coordinates], Numbers] = euclidean_tangent_rate
    momentum: Callable[[Numbers, Numbers], Numbers] | None = None
    force: Callable[[Scalar, Numbers, Numbers], tuple[Numbers, Numbers]] | None = None

    def chart_velocity(self, q: Coordinates, v: Coordinates) -> Numbers:
        """Return x' at x = 0 for velocity v at q."""
        return self.tangent_rate(q, [0.0] * len(v), v)

    def velocity(self, q: Coordinates, u: Coordinates) -> Numbers:
        """Return the velocity v at q with chart velocity u; U is orthogonal at x = 0: its transpose is its inverse."""
        if self.tangent_rate is euclidean_tangent_rate:
            return list(u)
        columns = [self.chart_velocity(q, unit) for unit in unit_vectors(len(u))]
        return [sum((c * s for c, s in zip(column, u, strict=True)), 0.0) for column in columns]

    def chart_acceleration(self, q: Coordinates, v: Coordinates, a: Coordinates) -> Numbers:
        """Return x'' at x = 0 for velocity v and acceleration a at q."""
        if self.tangent_rate is euclidean_tangent_rate:
            return list(a)
        n, u = len(v), self.chart_velocity(q, v)
        return jvp(lambda y: self.tangent_rate(q, y[:n], y[n:]), [*([0.0] * n), *v], [*u, *a])[1]


def unit_vectors(n: int) -> list[list[float]]:
    """Return the n unit vectors of length n."""
    return [[1.0 if i == j else 0.0 for i in range(n)] for j in range(n)]


@dataclass(frozen=True, slots=True)
class MotionState:
    """The state of a system: q, v, accumulated quantities w, and the integrator's state from earlier steps.

    The integrator's state is initially zero. It consists of differences and a step length only, so q and v may be set
    at any time.
    """

    q: Numbers
    v: Numbers
    w: Numbers = field(default_factory=list[Scalar])
    integrator_state: Numbers = field(default_factory=list[Scalar])


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of a step: the new state, the increment x (nv) in the chart, and estimated errors of x and v, or [].

    residual: 0, or the residual of an implicit step if its iteration did not converge [rad/s or m/s].
    """

    state: MotionState
    increment: Numbers
    error: Numbers
    residual: Scalar = 0.0


@dataclass(frozen=True, slots=True)
class Chart:
    """Coordinates y = (x, v, w) around a state, in which the system is an ordinary differential equation."""

    system: System
    origin: MotionState

    @property
    def start(self) -> Numbers:
        """The coordinates y of the origin."""
        return [*([0.0] * len(self.origin.v)), *self.origin.v, *self.origin.w]

    def split(self, y: Coordinates) -> tuple[Numbers, Numbers, Numbers]:
        """Return x, v and w of y."""
        n = len(self.origin.v)
        return list(y[:n]), list(y[n : 2 * n]), list(y[2 * n :])

    def derivatives(self, t: Scalar, y: Coordinates) -> Numbers:
        """Return dy/dt."""
        x, v, _ = self.split(y)
        return [*self.system.tangent_rate(self.origin.q, x, v), *self.system_derivatives(t, y)]

    def system_derivatives(self, t: Scalar, y: Coordinates) -> Numbers:
        """Return dv/dt and dw/dt, which are independent of the chart."""
        x, v, _ = self.split(y)
        a, w = self.system.derivatives(t, self.system.integrate(self.origin.q, x), v)
        return [*a, *w]

    def state(self, y: Coordinates) -> MotionState:
        """Return the state at y, with the integrator's state of the origin."""
        x, v, w = self.split(y)
        return MotionState(self.system.integrate(self.origin.q, x), v, w, self.origin.integrator_state)

    def step_result(self, y: Coordinates, error: Coordinates) -> StepResult:
        """Return the result of a step to y.

        error: error of y, or empty; errors of accumulated quantities are dropped.
        """
        n = len(self.origin.v)
        return StepResult(self.state(y), list(y[:n]), list(error[: 2 * n]))
