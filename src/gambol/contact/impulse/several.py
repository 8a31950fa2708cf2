"""Several collisions at the same time: the problem, and its solution.

    u' = u + A p        change of energy = p . (u + u') / 2

Rigid bodies alone do not determine the outcome. If waves run through the bodies, collisions happen in sequence. If all
contacts have soft layers, they happen at the same time. sequence.py and simultaneous.py contain laws of the two kinds.
They differ even for three equal balls in a row that touch, the first of which arrives with speed 1: the speeds
afterwards are (0, 0, 1) in sequence, (-1/3, 2/3, 2/3) at the same time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.cones import ContactProblem
from gambol.contact.stepping.solve import allowed_fraction
from gambol.lanes import Precision, Scalar, maximum, where, working_precision
from gambol.spatial.dense import Numbers, Rows, dot, matvec, max_abs

TOLERANCE: dict[Precision, float] = {"float64": 1e-10, "float32": 1e-5}
"""Speed of approach that counts as 0, as a fraction of the largest velocity before: plastic impacts never end
exactly."""


@dataclass(frozen=True, slots=True)
class Collisions:
    """Contacts and limits that may collide.

    A: change of the velocity along each row per unit impulse along another (n x n), symmetric [1/kg]. rows: three for
    each contact, the normal last, then one for each limit, such as a joint limit, which pushes but does not pull. u:
    velocities before (n) [m/s], negative in an approach. mu: friction of each of the k contacts. e: restitution of each
    contact and each limit.
    """

    A: Rows
    u: Numbers
    mu: Numbers
    e: Numbers

    @property
    def normals(self) -> list[int]:
        """The row along which each contact and each limit pushes."""
        k = len(self.mu)
        return [*range(2, 3 * k, 3), *range(3 * k, len(self.u))]

    @property
    def slack(self) -> Scalar:
        """Speed of approach that counts as 0 [m/s]."""
        return TOLERANCE[working_precision()] * max_abs(self.u)

    def problem(self, A: Rows, u: Numbers) -> ContactProblem:
        """Return the contact problem with a Delassus matrix A and velocities u: no contact approaches afterwards."""
        limits = len(self.u) - 3 * len(self.mu)
        return ContactProblem(A, u, self.mu, [0.0] * limits, [float("inf")] * limits)

    def outcome(self, p: Sequence[Scalar], iterations: Scalar, violation: Scalar = 0.0) -> "Impacts":
        """Return the outcome of impulses p; iterations: see Impacts; violation: residual of a solver [m/s]."""
        u = matvec(self.A, p, self.u)
        residual: Scalar = violation
        for row in self.normals:
            residual = maximum(-u[row], residual)
        return Impacts(
            list(p), u, energy_change(self.u, u, p), residual, where(residual <= self.slack, 1.0, 0.0), iterations
        )


@dataclass(frozen=True, slots=True)
class Impacts:
    """The outcome of several collisions.

    p: impulses along the rows (n) [N s]; u: velocities after (n) [m/s]; change: change of the kinetic energy of all
    bodies [J]. residual: the largest remaining speed of approach, or the residual of a solver [m/s]; converged: 1 where
    it counts as 0, else 0. iterations: number of single collisions, passes, or steps of a solver.
    """

    p: Numbers
    u: Numbers
    change: Scalar
    residual: Scalar
    converged: Scalar
    iterations: Scalar


def energy_change(before: Sequence[Scalar], after: Sequence[Scalar], p: Sequence[Scalar]) -> Scalar:
    """Return the change of kinetic energy by impulses p along rows [J]; before, after: velocities along the rows."""
    return 0.5 * dot(p, [x + y for x, y in zip(before, after, strict=True)])


def limit_energy(
    response: Callable[[Numbers], Numbers], u: Sequence[Scalar], inelastic: Sequence[Scalar], elastic: Sequence[Scalar]
) -> Numbers:
    """Return the impulses between inelastic and elastic ones that are nearest to the elastic ones and add no energy.

    response: the change of velocities by impulses; u: velocities before; inelastic: impulses that do not raise the
    energy; elastic: impulses that may raise it. Along the line from inelastic to elastic ones, the energy is a
    parabola: c0 + c1 a + c2 a^2, with c0 <= 0 <= c2. Convex conditions that hold at both ends (cones, no approach) hold
    between them.
    """
    direction = [y - x for x, y in zip(inelastic, elastic, strict=True)]
    velocity_change = response(direction)
    start = [x + y for x, y in zip(u, response(list(inelastic)), strict=True)]
    c0, c1, c2 = energy_change(u, start, inelastic), dot(direction, start), 0.5 * dot(direction, velocity_change)
    fraction = allowed_fraction(c0, c1, c2)
    return [x + fraction * y for x, y in zip(inelastic, direction, strict=True)]
