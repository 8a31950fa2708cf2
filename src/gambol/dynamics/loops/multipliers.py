"""Closed loops by Lagrange multipliers, with any method for trees and a test force for each row.

    A lambda = required - (J v' + J' v at lambda = 0)      A = J M^-1 J^T      v' = free v' + sum lambda_k M^-1 J_k^T

Column k of M^-1 J^T is the response of the tree, at rest and without gravity, to the test force of row k. Cost: one run
of the method for each row, and the cube of the number of rows. [Featherstone 2008, section 8.4; Kokkevis 2004]
"""

from collections.abc import Sequence
from typing import TypeAlias

from gambol.dynamics.bodies import NOTHING
from gambol.dynamics.forward.methods import Method
from gambol.dynamics.loops.problem import ClosedSolution, Problem
from gambol.dynamics.loops.relations.row import jacobian_row, row_scales
from gambol.dynamics.loops.semidefinite import basic_inverse
from gambol.lanes import Scalar
from gambol.spatial.dense import dot

Numbers: TypeAlias = Sequence[Scalar]


def solve_by_multipliers(problem: Problem, tree_method: Method) -> ClosedSolution:
    """Return the solution of a closed-loop problem without prescribed joints; tree_method: a method for trees."""
    state, rows = problem.state, problem.rows
    a_free = tree_method(state, problem.tau, f_ext=problem.f_ext, gravity=problem.gravity)
    at_rest = state.at_rest()
    J = [jacobian_row(at_rest, row) for row in rows]
    responses = [tree_method(at_rest, row, f_ext=NOTHING, gravity=0.0) for row in J]
    a_links = state.accelerations(a_free)
    residuals = [value - row.acceleration(a_links, a_free) for row, value in zip(rows, problem.required, strict=True)]
    A = [[dot(row, response) for response in responses] for row in J]
    inverse = basic_inverse(A, row_scales(rows, [A[k][k] for k in range(len(A))]), problem.dependence_threshold)
    multipliers = [dot(row, residuals) for row in inverse]
    a = list(a_free)
    for multiplier, response in zip(multipliers, responses, strict=True):
        a = [x + multiplier * y for x, y in zip(a, response, strict=True)]
    return ClosedSolution(a, multipliers, {})
