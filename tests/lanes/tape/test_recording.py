"""Tapes: what is recorded, what is folded, and what cannot be recorded."""

import numpy as np
import pytest
from random_formulas import random_formula

from gambol.errors import TraceError
from gambol.lanes import (
    cos,
    floor,
    fma,
    gather,
    is_finite,
    jacobian,
    leaves,
    logical_not,
    loop,
    repeat,
    sin,
    sqrt,
    subprogram,
    when,
    where,
)
from gambol.lanes.tape import record_tape, replay


def names_of(function, count):
    tape = record_tape(function, count)
    return [op.name for op, live in zip(tape.ops, tape.live(), strict=True) if live and op.args]


def replayed(function, *x):
    """The outputs of the tape of a function of a list, for numbers."""
    return replay(record_tape(function, len(x)), list(x))


@pytest.mark.parametrize("seed", range(20))
def test_a_replayed_tape_is_the_formula_bit_by_bit(seed):
    formula = random_formula(seed)
    for x in np.random.default_rng(seed).normal(size=(5, 4)).tolist():
        assert replayed(formula, *x) == formula(x)


def test_functions_with_conditions_are_recorded():
    def formula(x):
        a, b = x
        odd = (floor(a) > 1.0) & logical_not(b > 3.0) | (a == b)
        picked = when(odd, lambda y: (sin(y), y), b, otherwise=(a, 0.0))
        return [*picked, gather((5.0, 7.0, 9.0), a), where(is_finite(a) & (a != b), fma(a, b, 1.0), -1.0)]

    for x in ([2.5, 1.0], [0.5, 1.0], [2.5, 4.0], [4.0, 4.0], [-3.0, 0.0], [np.inf, 1.0]):
        assert replayed(formula, *x) == [float(y) for y in formula(x)]


def test_both_sides_of_a_branch_are_recorded_but_numbers_choose_at_once():
    assert names_of(lambda x: when(x[0] > 0.0, cos, x[0], otherwise=sin(x[0])), 1) == ["lt", "sin", "cos", "where"]
    assert names_of(lambda x: where(2.0 > 1.0, cos(x[0]), sin(x[0])), 1) == ["cos"]


def test_zeros_ones_and_repetitions_cost_nothing():
    def formula(x):
        a, b = x
        zeros = [0.0 * a, a - a, 0.0 / a]
        return [*zeros, a * 1.0 + 0.0, -1.0 * (-b), (a + b) * (b + a), where(a > b, a, a), +a, a**0]

    tape = record_tape(formula, 2)
    assert [op.name for op in tape.ops if op.args] == ["neg", "add", "mul", "lt"]
    assert replay(tape, [2.0, 3.0]) == [0.0, 0.0, 0.0, 2.0, 3.0, 25.0, 2.0, 2.0, 1.0]


def test_subprograms_and_loops_of_a_known_length_are_written_out():
    square = subprogram(lambda y: y * y)
    assert replayed(lambda x: [square(x[0]), square(x[1])], 2.0, 3.0) == [4.0, 9.0]
    assert replayed(lambda x: repeat(3.0, lambda y: 2.0 * y, x[0]), 1.5) == [12.0]


def test_derivatives_taken_in_a_formula_are_recorded():
    def formula(x):
        return [*leaves(jacobian(lambda y: [y[0] * sin(y[1]), where(x[0] > 1.0, y[0], y[1] * y[1])], x)[1])]

    for x in ([2.0, 0.5], [0.5, 0.7]):
        assert replayed(formula, *x) == formula(x)


def test_what_depends_on_a_truth_value_is_refused():
    with pytest.raises(TraceError, match="where"):
        record_tape(lambda x: [x[0] if x[0] > 0.0 else 0.0], 1)
    with pytest.raises(TraceError, match="end a loop"):
        record_tape(lambda x: loop(lambda y: y < 10.0, lambda y: 2.0 * y, x[0]), 1)
    with pytest.raises(TraceError, match="not a number"):
        record_tape(lambda x: [float(x[0])], 1)


def test_other_misuse_is_refused():
    kept = []
    record_tape(lambda x: [kept.append(x[0]) or x[0]], 1)
    with pytest.raises(TraceError, match="another tape"):
        record_tape(lambda x: [x[0] * kept[0]], 1)
    with pytest.raises(TraceError, match="ndarray"):
        record_tape(lambda x: [np.ones(2) * x[0]], 1)
    with pytest.raises(TraceError, match="whole n"):
        record_tape(lambda x: [x[0] ** 0.5], 1)
    with pytest.raises(TraceError, match="one dimension"):
        record_tape(lambda x: [gather(np.ones((2, 2)), x[0])], 1)


def test_powers_are_products():
    assert replayed(lambda x: [x[0] ** 3, x[0] ** 1], 3.0) == [27.0, 3.0]


def test_the_length_of_a_zero_vector_is_recorded_like_any_other():
    assert replayed(lambda x: [sqrt(x[0] * x[0])], 0.0) == [0.0]
