"""Dynamic constraints: forces that assemble bodies into a linkage under their dynamics.

    D'' = -2 D' / T - D / T^2        so D(t) = (D_0 + (D_0' + D_0 / T) t) e^(-t / T): critically damped
    D'' = J a + bias                 a = a_free + M^-1 J^T f        A f = b,  A = J M^-1 J^T,  in least squares
    f <- f + (A A + d^2)^-1 A (b - A f)                                          a few times, from f = 0

[Barzel and Barr 1988]. D are the gaps of constraints from any start; T is the time constant. The constraint forces f do
not change the momentum of bodies that are connected only to each other. After assembly the parts move like the linkage.

A is singular where constraints are redundant, and at some positions through which parts pass. There f is the
regularised least-squares solution of iterated Tikhonov regularisation [Engl, Hanke and Neubauer 1996, section 5.1]:
eigenvalues of A above d are solved, eigenvalues far below d get no force. Redundant rows are independent as long as
there are gaps, and then require very large forces; loose_parts() leaves them out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.dynamics import Gravity, Kinematics, aba
from gambol.dynamics.forward import factorised, mass_rows
from gambol.dynamics.loops import Row, jacobian_row
from gambol.dynamics.passive import Passive
from gambol.lanes import Scalar, sqrt, where
from gambol.spatial.dense import Numbers, Rows, dot, matvec

CUTOFF, REFINEMENTS = 1e-5, 5
"""d, for A scaled to a diagonal of ones, and the number of refinements. The residual of an eigenvalue s is reduced to
the fraction (1 + (s / d)^2)^-5: 1e-10 for s = 10 d, 0.95 for s = d / 10. Chains of slender rods have eigenvalues of
1e-4."""


@dataclass(frozen=True, slots=True)
class ConstrainedMotion:
    """Joint accelerations a (nv), and the constraint force of each row [N or N m]."""

    a: Numbers
    forces: Numbers


def constrained_motion(
    state: Kinematics,
    rows: Sequence[tuple[Row, float]],
    time_constant: Scalar,
    gravity: Gravity,
    passive: Passive | None = None,
) -> ConstrainedMotion:
    """Return the motion of a figure under dynamic constraints.

    rows: rows, each with its scale, by which least squares compare metres and radians. time_constant: T [s].
    """
    tau: Numbers = [0.0] * state.figure.nv if passive is None else passive.forces(state.q, state.v)[0]
    free, _ = aba(state, tau, gravity=gravity)
    links = state.accelerations(free)
    at_rest, M = state.at_rest(), factorised(mass_rows(state))
    J = [[scale * x for x in jacobian_row(at_rest, row)] for row, scale in rows]
    responses = [M.solve(row) for row in J]
    rate = 1.0 / time_constant
    right_side = [
        -scale * (rate * (row.speed + row.speed + rate * row.gap) + row.acceleration(links, free))
        for row, scale in rows
    ]
    f = _least_squares([[dot(row, response) for row in J] for response in responses], right_side)
    a: Numbers = list(free)
    for force, response in zip(f, responses, strict=True):
        a = [x + force * y for x, y in zip(a, response, strict=True)]
    return ConstrainedMotion(a, [force * scale for force, (_, scale) in zip(f, rows, strict=True)])


def _least_squares(A: Rows, b: Numbers) -> Numbers:
    """Return the regularised least-squares solution of A f = b; A: symmetric and positive semidefinite."""
    n = len(A)
    W = [1.0 / sqrt(where(A[k][k] > 0.0, A[k][k], 1.0)) for k in range(n)]
    G = [[x * W[i] * W[j] for j, x in enumerate(row)] for i, row in enumerate(A)]
    square = [
        [dot(G[i], G[j], CUTOFF * CUTOFF if i == j else 0.0) if j <= i else 0.0 for j in range(n)] for i in range(n)
    ]
    factors = factorised([dict(enumerate(row)) for row in square])
    f: Numbers = [0.0] * n
    for _ in range(REFINEMENTS):
        residual = [w * x - dot(row, f) for w, x, row in zip(W, b, G, strict=True)]
        f = [x + y for x, y in zip(f, factors.solve(matvec(G, residual)), strict=True)]
    return [w * x for w, x in zip(W, f, strict=True)]
