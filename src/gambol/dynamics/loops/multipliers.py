"""Closed loops by Lagrange's multipliers over any method for trees: what every row's forces do is found by trying them.

    A lambda = demand - (J v' + J' v at lambda = 0)        A = J M^-1 J^T        v' = free v' + sum lambda_k M^-1 J_k^T

Column k of M^-1 J^T is how the tree, at rest and without gravity, answers the test force of row k. Cost: one run of the
method for each row, and the cube of the rows. [Featherstone 2008, section 8.4; Kokkevis 2004]
"""

from collections.abc import Sequence
from typing import TypeAlias

from gambol.dynamics.bodies import NOTHING
from gambol.dynamics.forward.methods import Method
from gambol.dynamics.loops.problem import Closed, Problem
from gambol.dynamics.loops.relations.row import jacobian_row, sizes
from gambol.dynamics.loops.semidefinite import basic_inverse
from gambol.lanes import Scalar
from gambol.spatial.dense import dot

Numbers: TypeAlias = Sequence[Scalar]


def by_multipliers(problem: Problem, tree: Method) -> Closed:
    """Accelerations and multipliers of a figure with loops by a method for trees; no joint moves as told."""
    state, rows = problem.state, problem.rows
    free = tree(state, problem.tau, f_ext=problem.f_ext, gravity=problem.gravity)
    still = state.at_rest()
    J = [jacobian_row(still, row) for row in rows]
    answers = [tree(still, row, f_ext=NOTHING, gravity=0.0) for row in J]
    a = state.accelerations(free)
    lacking = [demand - row.acceleration(a, free) for row, demand in zip(rows, problem.demands, strict=True)]
    A = [[dot(row, answer) for answer in answers] for row in J]
    inverse = basic_inverse(A, sizes(rows, [A[k][k] for k in range(len(A))]), problem.dependent)
    multipliers = [dot(row, lacking) for row in inverse]
    rates = list(free)
    for strength, answer in zip(multipliers, answers, strict=True):
        rates = [x + strength * y for x, y in zip(rates, answer, strict=True)]
    return Closed(rates, multipliers, {})
