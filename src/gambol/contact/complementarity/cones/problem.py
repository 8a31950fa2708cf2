"""A problem of contacts with friction cones and other rows, and its solution.

    u = A p + b        contact: 0 <= p_z, 0 <= u_z, p_z u_z = 0
                                |p_t| <= mu p_z, u_t = -s p_t, s >= 0, and 0 inside the cone
                       other rows: as in a linear problem with bounds

This is Coulomb's law, not its associated version: sliding contacts do not separate. It is the same as

    p = P(p - (u + mu |u_t| e_z) / d)        P: to the nearest point of the cone, d > 0        [De Saxce and Feng 1998]

and the violation of this equation measures the error of a solver.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.linear.problem import absolute_tolerance, bounded, max_violation
from gambol.lanes import Scalar, maximum, sqrt, where
from gambol.spatial import Matrix, Vector
from gambol.spatial.dense import Numbers, Rows, matvec


@dataclass(frozen=True, slots=True)
class ContactProblem:
    """Contacts of three rows each, the normal last, and then other rows with bounds on their impulses.

    A: n x n, symmetric, response of each row to a unit impulse along each row [1/kg]; b: n, velocities without
    impulses [m/s]. mu: coefficients of friction of the k contacts. low, high: bounds of the n - 3 k other rows,
    infinite ones as math.inf. Rows without bounds are constraints such as sticky feet and closed loops. Accelerations
    and forces may take the place of velocities and impulses.
    """

    A: Rows
    b: Numbers
    mu: Numbers
    low: Numbers
    high: Numbers

    @staticmethod
    def of_contacts(A: Sequence[Sequence[Scalar]], b: Sequence[Scalar], mu: Sequence[Scalar]) -> "ContactProblem":
        """Return the problem of contacts alone."""
        return ContactProblem([list(row) for row in A], list(b), list(mu), [], [])

    @property
    def contacts(self) -> range:
        """The first row of each contact."""
        return range(0, 3 * len(self.mu), 3)

    @property
    def others(self) -> range:
        """The rows that do not belong to contacts."""
        return range(3 * len(self.mu), len(self.b))

    @property
    def scales(self) -> Numbers:
        """The inverse mass of each row: for contacts the largest of their three values; 1 if nothing can move."""
        inverse_masses = [row[k] for k, row in enumerate(self.A)]
        for i in self.contacts:
            largest = maximum(maximum(inverse_masses[i], inverse_masses[i + 1]), inverse_masses[i + 2])
            inverse_masses[i : i + 3] = [largest] * 3
        return [where(x > 0.0, x, 1.0) for x in inverse_masses]

    def block(self, i: int) -> Matrix:
        """Return the Delassus block of a contact, by its first row."""
        return Matrix.of([row[i : i + 3] for row in self.A[i : i + 3]])

    def speeds(self, p: Sequence[Scalar]) -> Numbers:
        """Return the velocities under impulses p."""
        return matvec(self.A, p, self.b)

    def project(self, p: Sequence[Scalar]) -> Numbers:
        """Return the nearest impulses within their cones and bounds."""
        result = list(p)
        for i, mu in zip(self.contacts, self.mu, strict=True):
            result[i : i + 3] = in_cone(Vector.of(result[i : i + 3]), mu)
        for k, low, high in zip(self.others, self.low, self.high, strict=True):
            result[k] = bounded(result[k], low, high)
        return result


def in_cone(p: Vector, mu: Scalar) -> Vector:
    """Return the point of the cone |p_t| <= mu p_z that is nearest to p."""
    t = sqrt(p.x * p.x + p.y * p.y)
    inside, has_tangent = (t <= mu * p.z) & (p.z >= 0.0), t > 0.0  # without friction, t = 0 alone would let p pull
    height = maximum(p.z + mu * t, 0.0) / (1.0 + mu * mu)
    factor = where(inside, 1.0, mu * height / where(has_tangent, t, 1.0))
    return Vector(factor * p.x, factor * p.y, where(inside, p.z, height))


@dataclass(frozen=True, slots=True)
class ContactSolution:
    """Impulses or forces of contacts and other rows, and how well they obey the laws.

    p: n, impulses [N s] or forces [N]; u: the velocities [m/s] or accelerations [m/s2] under them. residual: the
    largest violation of the law by one contact or row, as a velocity; 0 for a solution. converged: 1 where the residual
    is within tolerance, else 0. iterations: number of sweeps or pivots.
    """

    p: Numbers
    u: Numbers
    residual: Scalar
    converged: Scalar
    iterations: Scalar


def violations(problem: ContactProblem, p: Sequence[Scalar], u: Sequence[Scalar]) -> Numbers:
    """Return the violation of the law in each row, as a velocity; p: impulses; u: velocities under them."""
    d, u_shifted = problem.scales, list(u)
    for i, mu in zip(problem.contacts, problem.mu, strict=True):
        u_shifted[i + 2] = u[i + 2] + mu * sqrt(u[i] * u[i] + u[i + 1] * u[i + 1])
    projected = problem.project([x - y / s for x, y, s in zip(p, u_shifted, d, strict=True)])
    return [s * (x - y) for s, x, y in zip(d, p, projected, strict=True)]


def contact_solution(
    problem: ContactProblem, p: Sequence[Scalar], iterations: Scalar, tolerance: float | None = None
) -> ContactSolution:
    """Return impulses p, the resulting velocities, and 1 if they solve the problem, else 0.

    iterations: sweeps or pivots so far; tolerance: relative to max |b|; None: the default of the precision.
    """
    u = problem.speeds(p)
    residual = max_violation(violations(problem, p, u), u)
    return ContactSolution(
        list(p), u, residual, where(residual <= absolute_tolerance(problem.b, tolerance), 1.0, 0.0), iterations
    )
