"""Several contacts that collide in one moment: what they share, and what a law says of them.

    u' = u + A p        change of energy = p . (u + u') / 2

Rigid bodies alone do not say what happens. Waves that run through bodies make it a sequence, soft layers at all
contacts make it one impact of all: sequence.py and simultaneous.py hold such laws. They differ already for three equal
balls in a row, of which the first comes with speed 1: (0, 0, 1) one after the other, (-1/3, 2/3, 2/3) at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.cones import ContactProblem
from gambol.contact.rebound import allowed_share
from gambol.lanes import Precision, Scalar, maximum, where, working_precision
from gambol.spatial.dense import Numbers, Rows, applied, dot, largest

TOLERANCE: dict[Precision, float] = {"float64": 1e-10, "float32": 1e-5}
"""Approach that counts as none, as part of the largest velocity before: a sequence of plastic impacts has no end."""


@dataclass(frozen=True, slots=True)
class Blows:
    """Contacts and stops that may collide.

    A: what an impulse along one row changes of the velocity along another (n x n), symmetric [1/kg]; rows: three of a
    contact, the normal last, then one of each stop, such as a joint at its limit, which pushes but does not pull.
    u: velocities before (n) [m/s], approach below 0. mu: of each of the k contacts. e: of each contact and each stop.
    """

    A: Rows
    u: Numbers
    mu: Numbers
    e: Numbers

    @property
    def normals(self) -> list[int]:
        """The row along which each contact and each stop pushes."""
        k = len(self.mu)
        return [*range(2, 3 * k, 3), *range(3 * k, len(self.u))]

    @property
    def slack(self) -> Scalar:
        """Approach that counts as none [m/s]."""
        return TOLERANCE[working_precision()] * largest(self.u)

    def problem(self, A: Rows, u: Numbers) -> ContactProblem:
        """Contacts and stops as the problem that no velocity along a normal be below 0 after."""
        stops = len(self.u) - 3 * len(self.mu)
        return ContactProblem(A, u, self.mu, [0.0] * stops, [float("inf")] * stops)

    def after(self, p: Sequence[Scalar], turns: Scalar, failing: Scalar = 0.0) -> "Impacts":
        """What impulses do. failing: by how much a solver failed [m/s]."""
        u = applied(self.A, p, self.u)
        residual: Scalar = failing
        for row in self.normals:
            residual = maximum(-u[row], residual)
        return Impacts(
            list(p), u, energy_change(self.u, u, p), residual, where(residual <= self.slack, 1.0, 0.0), turns
        )


@dataclass(frozen=True, slots=True)
class Impacts:
    """What several collisions did.

    p: impulses along the rows (n) [N s]; u: velocities after (n) [m/s]; change: of the kinetic energy of all [J].
    residual: the fastest approach that is left, or what a solver could not meet [m/s]; converged: 1 where that counts
    as none, else 0. turns: single collisions, passes, or a solver's steps.
    """

    p: Numbers
    u: Numbers
    change: Scalar
    residual: Scalar
    converged: Scalar
    turns: Scalar


def energy_change(before: Sequence[Scalar], after: Sequence[Scalar], p: Sequence[Scalar]) -> Scalar:
    """Change of kinetic energy by impulses along rows, from the velocities before and after them [J]."""
    return 0.5 * dot(p, [x + y for x, y in zip(before, after, strict=True)])


def restrained(A: Rows, u: Sequence[Scalar], least: Sequence[Scalar], most: Sequence[Scalar]) -> Numbers:
    """The impulses nearest to `most`, on the way there from `least`, that do not raise the energy; `least` must not.

    Energy is a parabola along the way: c0 + c1 a + c2 a^2, with c0 <= 0 <= c2. What both ends keep (cones, and no
    approach) is kept between them.
    """
    way = [y - x for x, y in zip(least, most, strict=True)]
    pushed = applied(A, way)
    start = applied(A, least, u)
    c0, c1, c2 = energy_change(u, start, least), dot(way, start), 0.5 * dot(way, pushed)
    share = allowed_share(c0, c1, c2)
    return [x + share * y for x, y in zip(least, way, strict=True)]
