"""Contacts with pyramids instead of cones, by Lemke's method.

    p_t = sum y_f d_f over F directions d_f, all y >= 0
    0 <= u_z with p_z     0 <= d_f.u_t + s with y_f     0 <= mu p_z - sum y_f with s     [Stewart and Trinkle 1996]

"0 <= a with b" means 0 <= a, 0 <= b, a b = 0. s is the slip speed. Between two directions friction is weaker, by up to
1 - cos(pi / F), and slip is not exactly opposite to it.
"""

import math

from gambol.contact.complementarity.cones.problem import ContactProblem, ContactSolution
from gambol.contact.complementarity.linear.lemke import lemke
from gambol.contact.complementarity.linear.problem import LinearProblem
from gambol.spatial.dense import Rows, matmul, matvec, transposed


def pyramid_lemke(
    problem: ContactProblem, *, facets: int = 8, max_iterations: int | None = None, tolerance: float | None = None
) -> ContactSolution:
    """Solve contacts with friction pyramids by Lemke's method; A need not be symmetric.

    problem: the problem; facets: sides of each pyramid, 3 or more; the pyramid lies within the cone. max_iterations:
    limit of exchanges. tolerance: relative to max |b|; None: the default of the precision. The residual belongs to the
    law of the pyramid, not of the cone.
    """
    linear, C = pyramid(problem, facets)
    solution = lemke(linear, max_iterations=max_iterations, tolerance=tolerance)
    p = matvec(C, solution.z[: len(C[0])])
    return ContactSolution(p, problem.speeds(p), solution.residual, solution.converged, solution.iterations)


def pyramid(problem: ContactProblem, facets: int) -> tuple[LinearProblem, Rows]:
    """Return contacts with pyramids as a linear problem, and the matrix that takes its first variables to impulses.

    problem: contacts with cones; facets: sides of each pyramid. The variables are, for each contact, the normal impulse
    and the impulses along its directions; then the variables of the other rows; then the slip speed of each contact.
    """
    k, n, width = len(problem.mu), len(problem.b), 1 + facets
    angles = [2.0 * math.pi * f / facets for f in range(facets)]
    C: Rows = [[0.0] * (k * width + n - 3 * k) for _ in range(n)]
    for c in range(k):
        C[3 * c + 2][c * width] = 1.0
        for f, angle in enumerate(angles):
            C[3 * c][c * width + 1 + f], C[3 * c + 1][c * width + 1 + f] = math.cos(angle), math.sin(angle)
    for m, row in enumerate(problem.others):
        C[row][k * width + m] = 1.0
    M = matmul(transposed(C), matmul(problem.A, C))
    rows = [[*row, *(1.0 if 0 < j - c * width < width else 0.0 for c in range(k))] for j, row in enumerate(M)]
    for c, (mu, scale) in enumerate(zip(problem.mu, problem.scales[::3], strict=False)):
        # scale (mu p_z - sum y_f): with the inverse mass as factor it is a velocity, like the other rows
        cone_row = [
            -scale if 0 < j - c * width < width else (scale * mu if j == c * width else 0.0) for j in range(len(M))
        ]
        rows.append([*cone_row, *[0.0] * k])
    b = [*matvec(transposed(C), problem.b), *[0.0] * k]
    low = [*[0.0] * (k * width), *problem.low, *[0.0] * k]
    high = [*[math.inf] * (k * width), *problem.high, *[math.inf] * k]
    return LinearProblem(rows, b, low, high), C
