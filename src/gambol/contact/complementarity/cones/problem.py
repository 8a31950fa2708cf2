"""A problem of contacts with friction cones and other rows, and what its solvers answer.

    u = A p + b        contact: 0 <= p_z, 0 <= u_z, p_z u_z = 0
                                |p_t| <= mu p_z, u_t = -s p_t, s >= 0, and 0 inside the cone
                       other rows: as in a linear problem with bounds

This is Coulomb's law, not its associated version: sliding contacts do not separate. It is the same as

    p = P(p - (u + mu |u_t| e_z) / d)        P: to the nearest point of the cone, d > 0        [De Saxce and Feng 1998]

and by how much that fails tells how far a solver got.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.linear.problem import allowed, bounded, failure
from gambol.lanes import Scalar, maximum, sqrt, where
from gambol.spatial import Matrix, Vector
from gambol.spatial.dense import Numbers, Rows, applied


@dataclass(frozen=True, slots=True)
class ContactProblem:
    """Contacts, three rows each, the normal last, and after them rows with bounds: velocities that impulses change.

    A: n x n, symmetric, what an impulse along one row does along another [1/kg]; b: n, velocities without impulses
    [m/s]; or the same of accelerations and forces. mu: of each of the k contacts. low, high: bounds of the n - 3 k
    other rows, infinite ones as math.inf; rows without bounds are sticky feet, closed loops and other ties.
    """

    A: Rows
    b: Numbers
    mu: Numbers
    low: Numbers
    high: Numbers

    @staticmethod
    def of_contacts(A: Sequence[Sequence[Scalar]], b: Sequence[Scalar], mu: Sequence[Scalar]) -> "ContactProblem":
        """The problem of contacts alone."""
        return ContactProblem([list(row) for row in A], list(b), list(mu), [], [])

    @property
    def contacts(self) -> range:
        """The first row of each contact."""
        return range(0, 3 * len(self.mu), 3)

    @property
    def others(self) -> range:
        """The rows that are no contacts."""
        return range(3 * len(self.mu), len(self.b))

    @property
    def scales(self) -> Numbers:
        """What each row gives way by itself: for contacts the most of its three, and 1 where nothing gives way."""
        own = [row[k] for k, row in enumerate(self.A)]
        for i in self.contacts:
            most = maximum(maximum(own[i], own[i + 1]), own[i + 2])
            own[i : i + 3] = [most] * 3
        return [where(x > 0.0, x, 1.0) for x in own]

    def block(self, i: int) -> Matrix:
        """What a contact's own impulse does to it, by its first row."""
        return Matrix.of([row[i : i + 3] for row in self.A[i : i + 3]])

    def speeds(self, p: Sequence[Scalar]) -> Numbers:
        """The velocities under given impulses."""
        return applied(self.A, p, self.b)

    def within(self, p: Sequence[Scalar]) -> Numbers:
        """Impulses as near as may be that are in their cones and bounds."""
        found = list(p)
        for i, mu in zip(self.contacts, self.mu, strict=True):
            found[i : i + 3] = in_cone(Vector.of(found[i : i + 3]), mu)
        for k, low, high in zip(self.others, self.low, self.high, strict=True):
            found[k] = bounded(found[k], low, high)
        return found


def in_cone(p: Vector, mu: Scalar) -> Vector:
    """The point of the cone |p_t| <= mu p_z that is nearest to p."""
    t = sqrt(p.x * p.x + p.y * p.y)
    inside, slides = t <= mu * p.z, t > 0.0
    height = maximum(p.z + mu * t, 0.0) / (1.0 + mu * mu)
    share = where(inside, 1.0, mu * height / where(slides, t, 1.0))
    return Vector(share * p.x, share * p.y, where(inside, p.z, height))


@dataclass(frozen=True, slots=True)
class Answered:
    """Impulses or forces of contacts and other rows, and how well they obey the laws.

    p: n, impulses [N s] or forces [N]; u: the velocities [m/s] or accelerations [m/s2] that they leave. residual: the
    largest change of velocity by which the law fails for one contact or row; 0 for a solution. converged: 1 where that
    is within tolerance, else 0. turns: sweeps or pivots.
    """

    p: Numbers
    u: Numbers
    residual: Scalar
    converged: Scalar
    turns: Scalar


def failing(problem: ContactProblem, p: Sequence[Scalar], u: Sequence[Scalar]) -> Numbers:
    """By which velocity the law fails in each row, for impulses and the velocities that they leave."""
    d, lifted = problem.scales, list(u)
    for i, mu in zip(problem.contacts, problem.mu, strict=True):
        lifted[i + 2] = u[i + 2] + mu * sqrt(u[i] * u[i] + u[i + 1] * u[i + 1])
    moved = problem.within([x - y / s for x, y, s in zip(p, lifted, d, strict=True)])
    return [s * (x - y) for s, x, y in zip(d, p, moved, strict=True)]


def answered(problem: ContactProblem, p: Sequence[Scalar], turns: Scalar, tolerance: float | None = None) -> Answered:
    """The impulses of a solver with what they leave, and whether they solve the problem."""
    u = problem.speeds(p)
    residual = failure(failing(problem, p, u), u)
    return Answered(list(p), u, residual, where(residual <= allowed(problem.b, tolerance), 1.0, 0.0), turns)
