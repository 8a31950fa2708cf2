"""Outputs of elements by NumPy, distances from bounds, and tapes that equal functions share."""

import numpy as np
from nonlinear_programs import element, hock_schittkowski_71, random_program

from gambol.plan.solver.evaluation import (
    constraint_values,
    cost_of,
    distances,
    element_outputs,
    split_by_element,
    tape_of,
    violation_of,
)


def test_outputs_are_those_of_floats_one_by_one():
    program = random_program(1)
    x = program.initial
    for made in (*program.costs, *program.constraints):
        expected = [
            made.function(x[i].tolist(), c.tolist()) for i, c in zip(made.unknowns, made.constants, strict=True)
        ]
        np.testing.assert_allclose(element_outputs(made, x), expected, rtol=1e-13, atol=1e-13)


def test_cost_and_violation_of_a_known_program():
    program = hock_schittkowski_71()
    x = np.array([1.0, 5.0, 5.0, 1.0])
    assert cost_of(program, x) == 1 * 1 * 11 + 5
    assert constraint_values(program, x).tolist() == [25.0, 52.0]
    assert violation_of(program, x) == 12.0  # of the sum of squares from 40
    assert violation_of(program, x * [1, 1, 1, 0.5]) == 12.5  # the product
    assert violation_of(program, np.array([-20.0, 5.0, 5.0, 1.0])) == 525.0


def test_constant_outputs_are_spread_over_instances():
    made = element("constant", lambda x, c: [2.0, x[0]], [[0], [1]], (np.zeros(2), np.zeros(2)))
    assert element_outputs(made, np.array([5.0, 6.0])).tolist() == [[2.0, 5.0], [2.0, 6.0]]


def test_distances_have_the_sign_of_the_bound():
    values, lower, upper = np.array([-3.0, 0.0, 4.0]), np.full(3, -1.0), np.array([1.0, 1.0, np.inf])
    assert distances(values, lower, upper).tolist() == [-2.0, 0.0, 0.0]
    assert distances(values, lower, np.ones(3)).tolist() == [-2.0, 0.0, 3.0]


def test_numbers_are_split_as_constraints_are_ordered():
    program = random_program(2)
    first, second = split_by_element(program, constraint_values(program, program.initial))
    np.testing.assert_array_equal(first, element_outputs(program.constraints[0], program.initial))
    np.testing.assert_array_equal(second, element_outputs(program.constraints[1], program.initial))


def test_equal_functions_share_a_tape():
    same = [element("e", lambda x, c, k=k: [x[0] * x[1] + min(k, 1)], [0, 1]) for k in (1, 2, 0)]
    first, second, other = map(tape_of, same)
    assert first is second
    assert other is not first
