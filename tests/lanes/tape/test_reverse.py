"""Reverse differentiation of tapes, against Duals: gradients, and Hessians by Duals through the reverse pass."""

import numpy as np
import pytest
from random_formulas import random_formula

from gambol.lanes import Program, ProgramSpec, atan2, hessian, jacobian, log, sqrt, total, where
from gambol.lanes.tape import record_tape, weighted_gradient

EPS = np.finfo(float).eps
INPUTS, OUTPUTS = 4, 3


def sample(seed):
    random = np.random.default_rng(seed)
    return random.normal(size=INPUTS).tolist(), random.normal(size=OUTPUTS).tolist()


@pytest.mark.parametrize("seed", range(20))
def test_gradients_are_those_of_duals(seed):
    formula, (x, weights) = random_formula(seed), sample(seed)
    values, gradient = weighted_gradient(record_tape(formula, INPUTS), x, weights)
    expected_values, rows = jacobian(formula, x)
    assert values == expected_values
    expected = np.array(weights) @ np.array(rows, float)
    scale = np.abs(np.array(weights)) @ np.abs(np.array(rows, float))
    np.testing.assert_allclose(gradient, expected, rtol=0, atol=50 * EPS * (1 + scale.max()))


@pytest.mark.parametrize("seed", range(20))
def test_hessians_by_duals_through_the_reverse_pass_are_those_of_duals_of_duals(seed):
    formula, (x, weights) = random_formula(seed), sample(seed)
    tape = record_tape(formula, INPUTS)
    _, rows = jacobian(lambda y: weighted_gradient(tape, y, weights)[1], x)
    weighted = hessian(lambda y: total(w * f for w, f in zip(weights, formula(y), strict=True)), x)[2]
    scale = 1.0 + np.abs(np.array(weighted, float)).max()
    np.testing.assert_allclose(np.array(rows, float), np.array(weighted, float), rtol=0, atol=1e-13 * scale)


def test_gradients_run_on_arrays_and_in_programs():
    formula, (_, weights) = random_formula(3), sample(3)
    tape = record_tape(formula, INPUTS)
    points = np.random.default_rng(1).normal(size=(INPUTS, 9))
    one_by_one = np.array([weighted_gradient(tape, p.tolist(), weights)[1] for p in points.T]).T
    arrays = [np.broadcast_to(g, 9) for g in weighted_gradient(tape, list(points), weights)[1]]
    np.testing.assert_allclose(arrays, one_by_one, rtol=1e-13, atol=1e-13)
    spec = ProgramSpec("gradient", lambda y: (weighted_gradient(tape, y, weights)[1],), ([0.0] * INPUTS,))
    np.testing.assert_allclose(Program(spec)(points)[0], one_by_one, rtol=1e-12, atol=1e-12)


def test_an_input_without_influence_has_a_gradient_of_exactly_zero():
    _, gradient = weighted_gradient(record_tape(lambda x: [x[0] * x[2]], INPUTS), [2.0, 3.0, 5.0, 7.0], [1.0])
    assert gradient == [5.0, 0.0, 2.0, 0.0]
    assert all(type(g) is float for g in gradient)


def test_kinks_and_the_lengths_of_nothing_are_those_of_duals():
    formulas = {
        "abs": lambda x: [abs(x[0])],
        "length": lambda x: [sqrt(x[0] * x[0] + x[1] * x[1])],
        "angle": lambda x: [atan2(x[0], x[1])],
        "branch": lambda x: [where(x[0] > 0.0, x[1], 3.0 * x[0])],
    }
    for formula in formulas.values():
        found = weighted_gradient(record_tape(formula, 2), [0.0, 0.0], [1.0])[1]
        assert found == jacobian(formula, [0.0, 0.0])[1][0]


def test_a_side_that_is_not_taken_leaves_no_nan():
    tape = record_tape(lambda x: [where(x[0] > 0.0, log(x[0]), 2.0 * x[0])], 1)
    assert weighted_gradient(tape, [0.0], [1.0])[1] == [2.0]
    assert weighted_gradient(tape, [4.0], [1.0])[1] == [0.25]
