"""The tracer: constant folding, common subexpressions, and errors."""

import math
from operator import neg

import numpy as np
import pytest
from tracing import body_of, evaluated, names_of

from gambol.errors import TraceError
from gambol.lanes import loop, sin, subprogram, when, where


@pytest.mark.parametrize(
    ("formula", "same"),
    [
        (lambda x, y: x + 0.0, "x"),
        (lambda x, y: 0.0 + x, "x"),
        (lambda x, y: x - 0.0, "x"),
        (lambda x, y: x * 1.0, "x"),
        (lambda x, y: 1.0 * x, "x"),
        (lambda x, y: neg(neg(x)), "x"),
        (lambda x, y: x / 1.0, "x"),
        (lambda x, y: x * -1.0 * -1.0, "x"),
        (lambda x, y: where(x < y, x, x), "x"),
        (lambda x, y: x * 0.0, 0.0),
        (lambda x, y: x - x, 0.0),
        (lambda x, y: (x + y) - (x + y), 0.0),
        (lambda x, y: 0.0 / x, 0.0),
        (lambda x, y: 0.0 * x + (y - y), 0.0),
    ],
)
def test_needless_operations_vanish(formula, same):
    body = body_of(lambda x, y: [formula(x, y)], 2)
    assert not names_of(body)
    stored = body.ops[body.outputs[0]]
    assert (stored.name, stored.extra) == (("input", 0) if same == "x" else ("const", same))


@pytest.mark.parametrize(
    ("formula", "operations"),
    [
        (lambda x, y: [x + y, y + x], {"add": 1}),
        (lambda x, y: [x * y, y * x], {"mul": 1}),
        (lambda x, y: [x - y, y - x], {"sub": 2}),
        (lambda x, y: [x - -y], {"add": 1}),
        (lambda x, y: [x + -y], {"sub": 1}),
        (lambda x, y: [-x * -y], {"mul": 1}),
        (lambda x, y: [0.0 - x], {"neg": 1}),
        (lambda x, y: [x * -2.0, x * 2.0], {"mul": 1, "neg": 1}),
        (lambda x, y: [x / 4.0], {"mul": 1}),
        (lambda x, y: [x / 3.0], {"div": 1}),
        (lambda x, y: [x**3], {"mul": 2}),
        (lambda x, y: [where(x < y, x, y), where(y > x, y, x)], {"lt": 1, "select": 2}),
        (lambda x, y: [where(~~(x < y), x, y)], {"lt": 1, "select": 1}),
        (lambda x, y: [(x + y) * (x + y) / (y + x)], {"add": 1, "mul": 1, "div": 1}),
        (lambda x, y: [where(x < y, x, float("nan")), where(x < y, x, float("nan"))], {"lt": 1, "select": 1}),
    ],
)
def test_equal_expressions_are_recorded_once(formula, operations):
    assert names_of(body_of(formula, 2)) == operations


def test_dead_values_are_dropped():
    def formula(x, y):
        _ = sin(x) / y
        return [x + y]

    assert names_of(body_of(formula, 2)) == {"add": 1}


def test_dividing_by_the_smallest_power_of_two_is_no_product():
    x = np.array([2.0**-149, 2.0**-140], np.float32)
    np.testing.assert_array_equal(evaluated(lambda v: v / 2.0**-149, x, precision="float32"), [1.0, 512.0])


def test_truth_of_a_traced_value_teaches_where():
    for truth in (lambda x: x > 0.0, lambda x: x):
        with pytest.raises(TraceError, match=r"f = where\(depth > 0"):
            body_of(lambda x, truth=truth: [1.0 if truth(x) else 2.0], 1)


def test_numpy_number_on_the_left():
    for formula in (lambda x, a: a + x, lambda x, a: a - x, lambda x, a: a * x, lambda x, a: a / x):
        for number in (np.float64(3.0), np.float32(3.0)):
            result = evaluated(lambda x, f=formula, n=number: f(x, n), [0.7])
            assert result[0] == formula(0.7, 3.0)
    assert evaluated(lambda x: where(np.float64(1.0) < x, 2.0, 3.0), [1.5])[0] == 2.0


@pytest.mark.parametrize("function", [np.sin, np.sqrt, np.abs, math.sin, float])
def test_numpy_and_math_refuse_traced_values(function):
    with pytest.raises(TypeError, match=r"ufunc|gambol\.lanes"):
        body_of(lambda x: [function(x)], 1)


def test_other_powers_are_refused():
    with pytest.raises(TraceError, match="use exp and log"):
        body_of(lambda x: [x**0.5], 1)


def test_value_of_another_program_is_refused():
    stored = []
    body_of(lambda x: stored.append(x) or [x], 1)
    with pytest.raises(TraceError, match="input of this one"):
        body_of(lambda x: [x + stored[0]], 1)


def test_value_that_leaves_its_loop_is_refused():
    stored = []

    def formula(x):
        loop(lambda s: s < 3.0, lambda s: stored.append(s * 2.0) or s + 1.0, x)
        return [x + stored[0]]

    with pytest.raises(TraceError, match="outside of it"):
        body_of(formula, 1)


def test_mask_is_not_carried_into_a_branch_or_out_of_a_subprogram():
    def carried(x):
        positive = x > 0.0
        return [when(x > 1.0, lambda v: where(positive, v, 0.0), x)]

    with pytest.raises(TraceError, match="compare again inside"):
        body_of(carried, 1)
    with pytest.raises(TraceError, match="returns a mask"):
        body_of(lambda x: [subprogram(lambda v: v > 0.0)(x)], 1)
