"""Sparsity of the derivatives of tapes: in closed form, and as a superset of what Duals find."""

from itertools import pairwise

import numpy as np
import pytest
from random_formulas import random_formula

from gambol.lanes import floor, gather, hessian, jacobian, sin, total, where
from gambol.lanes.tape import hessian_pattern, hessian_work, jacobian_pattern, jacobian_work, record_tape

INPUTS = 4


def test_patterns_in_closed_form():
    def formula(x):
        a, b, c, d = x
        return [a * b + c, sin(d) + a, where(a > b, c, d), floor(a) + gather((1.0, 2.0), b), a / c]

    tape = record_tape(formula, INPUTS)
    expected = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 3), (2, 2), (2, 3), (4, 0), (4, 2)]
    assert jacobian_pattern(tape) == expected
    assert hessian_pattern(tape) == [(1, 0), (2, 0), (2, 2), (3, 3)]


@pytest.mark.parametrize("seed", range(20))
def test_no_entry_is_missed(seed):
    formula = random_formula(seed)
    tape = record_tape(formula, INPUTS)
    for x in np.random.default_rng(seed).normal(size=(5, INPUTS)).tolist():
        rows = np.array(jacobian(formula, x)[1], float)
        assert set(map(tuple, np.argwhere(rows).tolist())) <= set(jacobian_pattern(tape))
        second = np.tril(np.array(hessian(lambda y: total(formula(y)), x)[2], float))
        assert set(map(tuple, np.argwhere(second).tolist())) <= set(hessian_pattern(tape))


def test_work_grows_with_the_entries():
    def chain(count):
        return record_tape(lambda x: [total(a * b for a, b in pairwise(x))], count)

    def product(count):
        return record_tape(lambda x: [total(x) * total(x) * x[0]], count)

    assert hessian_work(product(40), 40) > 3 * hessian_work(product(20), 20)  # all entries: four times as many
    assert jacobian_work(chain(20), 20) > jacobian_work(chain(20), 10)
    assert jacobian_work(chain(20), 0) <= len(chain(20).ops)
