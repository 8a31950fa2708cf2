"""What an integrator must know of a mechanical system, and the coordinates in which it takes a step.

    q' = N(q) v,  v' = a(t, q, v),  w' = l(t, q, v)        q = q0 moved by x(t):  x' = U(x) v,  x(0) = 0

q may hold quaternions; x are coordinates around where a step begins, as many as there are velocities. A method for
ordinary differential equations keeps its order in them, and no quaternion leaves the unit sphere.
[Munthe-Kaas 1998; Hairer, Lubich and Wanner 2006, section IV.8]
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from gambol.lanes import Scalar, directional
from gambol.spatial.dense import Numbers

Given: TypeAlias = Sequence[Scalar]


def shifted(q: Given, x: Given) -> Numbers:
    """Plain coordinates q moved by x."""
    return [a + b for a, b in zip(q, x, strict=True)]


def plainly(q: Given, x: Given, v: Given) -> Numbers:
    """Rates of plain coordinates: their velocities."""
    return list(v)


@dataclass(frozen=True, slots=True)
class System:
    """A mechanical system: nq coordinates, nv velocities and any number of quantities that accumulate, such as work.

    slope: from t [s], q and v to the rates of v (nv) and of what accumulates. displaced: q moved by x (nv).
    unwound: dx/dt at displacement x from q for velocity v there; linear in v, and orthogonal at x = 0.
    momentum: M(q) v. force: like slope, with the generalised force M a + C v of the same slope in place of a. Only the
    variational method asks for these two.
    """

    slope: Callable[[Scalar, Numbers, Numbers], tuple[Numbers, Numbers]]
    displaced: Callable[[Given, Given], Numbers] = shifted
    unwound: Callable[[Given, Given, Given], Numbers] = plainly
    momentum: Callable[[Numbers, Numbers], Numbers] | None = None
    force: Callable[[Scalar, Numbers, Numbers], tuple[Numbers, Numbers]] | None = None

    def chart_velocity(self, q: Given, v: Given) -> Numbers:
        """x' at x = 0 for velocity v at q."""
        return self.unwound(q, [0.0] * len(v), v)

    def velocity(self, q: Given, u: Given) -> Numbers:
        """v at q of which u is the chart velocity: since U is orthogonal there, its transpose undoes it."""
        columns = [self.chart_velocity(q, unit) for unit in units(len(u))]
        return [sum((c * s for c, s in zip(column, u, strict=True)), 0.0) for column in columns]

    def chart_acceleration(self, q: Given, v: Given, a: Given) -> Numbers:
        """x'' at x = 0 for velocity v and rates a of it at q."""
        n, u = len(v), self.chart_velocity(q, v)
        return directional(lambda y: self.unwound(q, y[:n], y[n:]), [*([0.0] * n), *v], [*u, *a])[1]


def units(n: int) -> list[list[float]]:
    """The n unit vectors of n entries."""
    return [[1.0 if i == j else 0.0 for i in range(n)] for j in range(n)]


@dataclass(frozen=True, slots=True)
class Moving:
    """Where a system is: q, v, what has accumulated, and what its integrator remembers of earlier steps.

    Memory begins as zeros, and holds differences only, so that a q or v set by hand is taken as it is.
    """

    q: Numbers
    v: Numbers
    w: Numbers = field(default_factory=list[Scalar])
    memory: Numbers = field(default_factory=list[Scalar])


@dataclass(frozen=True, slots=True)
class Stepped:
    """What a step led to: the new state, the move x (nv) that led there, and the errors of x and v, or none.

    missed: the velocity [rad/s or m/s] by which the equations of an implicit step are not met, where its iteration did
    not converge; 0 where it did.
    """

    new: Moving
    x: Numbers
    error: Numbers
    missed: Scalar = 0.0


@dataclass(frozen=True, slots=True)
class Chart:
    """Coordinates y = (x, v, w) around a state, in which the system is an ordinary differential equation."""

    system: System
    origin: Moving

    @property
    def start(self) -> Numbers:
        """y at the origin."""
        return [*([0.0] * len(self.origin.v)), *self.origin.v, *self.origin.w]

    def split(self, y: Given) -> tuple[Numbers, Numbers, Numbers]:
        """x, v and w."""
        n = len(self.origin.v)
        return list(y[:n]), list(y[n : 2 * n]), list(y[2 * n :])

    def rates(self, t: Scalar, y: Given) -> Numbers:
        """dy/dt."""
        x, v, _ = self.split(y)
        return [*self.system.unwound(self.origin.q, x, v), *self.slope(t, y)]

    def slope(self, t: Scalar, y: Given) -> Numbers:
        """What of dy/dt is the system's own: the rates of v and w."""
        x, v, _ = self.split(y)
        a, w = self.system.slope(t, self.system.displaced(self.origin.q, x), v)
        return [*a, *w]

    def moving(self, y: Given) -> Moving:
        """The state at y, with the memory of the origin."""
        x, v, w = self.split(y)
        return Moving(self.system.displaced(self.origin.q, x), v, w, self.origin.memory)

    def stepped(self, y: Given, error: Given) -> Stepped:
        """A step to y, the error of which is known or empty; what accumulates is not judged."""
        n = len(self.origin.v)
        return Stepped(self.moving(y), list(y[:n]), list(error[: 2 * n]))
