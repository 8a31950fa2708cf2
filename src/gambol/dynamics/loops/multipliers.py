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
from gambol.dynamics.loops.relations.row import accelerations, at_rest, jacobian_row, sizes
from gambol.dynamics.loops.semidefinite import basic_inverse
from gambol.lanes import Scalar

Numbers: TypeAlias = Sequence[Scalar]


def by_multipliers(problem: Problem, tree: Method) -> Closed:
    """Accelerations and multipliers of a figure with loops by a method for trees; no joint moves as told."""
    state, rows = problem.state, problem.rows
    free = tree(state, problem.tau, f_ext=problem.f_ext, gravity=problem.gravity)
    still = at_rest(state)
    J = [jacobian_row(still, row) for row in rows]
    answers = [tree(still, row, f_ext=NOTHING, gravity=0.0) for row in J]
    a = accelerations(state, free)
    lacking = [demand - row.acceleration(a, free) for row, demand in zip(rows, problem.demands, strict=True)]
    A = [[product(row, answer) for answer in answers] for row in J]
    inverse = basic_inverse(A, sizes(rows, [A[k][k] for k in range(len(A))]), problem.dependent)
    multipliers = [product(row, lacking) for row in inverse]
    rates = list(free)
    for strength, answer in zip(multipliers, answers, strict=True):
        rates = [x + strength * y for x, y in zip(rates, answer, strict=True)]
    return Closed(rates, multipliers, {})


def product(a: Numbers, b: Numbers) -> Scalar:
    """The sum of products of two lists of one length."""
    return sum((x * y for x, y in zip(a, b, strict=True)), 0.0)
