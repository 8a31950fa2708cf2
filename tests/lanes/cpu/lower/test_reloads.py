"""Values in memory are loaded again in each basic block, unless the memory may have changed since."""

import numpy as np
import pytest
from tracing import evaluated

from gambol.lanes import ProgramSpec, array, fori, loop, scan, when
from gambol.lanes.cpu.lower import assembly, functions
from gambol.lanes.program_spec import trace_program

X = np.linspace(-2.0, 3.0, 17)


def after_a_store(x):
    """A number that was read before its place in an array was written."""
    numbers = array([x, 2.0])
    before = numbers[0]
    numbers[0] = numbers[1] * before
    return before * x + numbers[0]


def in_a_counted_loop(x):
    """A number that was read before a loop which changes its place."""
    numbers = array([x, 1.0])
    before = numbers[0]
    fori(0, 3, lambda k, _: numbers.write(0, [numbers[0] * before, numbers[1] + before]))
    return numbers[0] + 10.0 * numbers[1]


def in_a_loop(x):
    """A number that was read before a loop in which each lane changes its place as often as it runs."""
    numbers = array([x])
    before = numbers[0]

    def step(count):
        numbers[0] = 0.5 * numbers[0] + before
        return count + 1.0

    count = loop(lambda count: count < abs(x), step, 0.0)
    return numbers[0] + 100.0 * count


def in_a_scan(x):
    """A number that was read before a loop over items which changes its place."""
    numbers = array([x])
    before = numbers[0]

    def step(total, item):
        numbers[0] = numbers[0] * item + before
        return total + before * item, numbers[0]

    total, results = scan(step, 0.0, [0.5, 0.25, 2.0])
    return total + sum(results, numbers[0])


def after_a_branch(x):
    """A number that was read before a branch which changes its place."""
    numbers = array([x, 2.0])
    before = numbers[0]
    chosen = when(x > 0.0, lambda: numbers.write(0, [numbers[1] * before]) or before + 1.0, otherwise=before)
    return before + 10.0 * numbers[0] + 100.0 * chosen


@pytest.mark.parametrize("operations", [1, 2, 1000])
@pytest.mark.parametrize("formula", [after_a_store, in_a_counted_loop, in_a_loop, in_a_scan, after_a_branch])
def test_a_value_stays_what_it_was_when_its_memory_changes(formula, operations, monkeypatch):
    plain = [formula(float(x)) for x in X]
    monkeypatch.setattr(functions, "BLOCK_OPERATIONS", operations)
    np.testing.assert_allclose(evaluated(formula, X, lanes=8), plain, rtol=1e-14)


def loads_of_inputs(function, lanes, operations, monkeypatch):
    """The number of loads in the function of a program, whose blocks have some operations."""
    monkeypatch.setattr(functions, "LONG_BLOCK_OPERATIONS", operations)
    body, outputs = trace_program(ProgramSpec("sample", lambda *x: (function(*x),), (0.0,) * 3), "float64")
    text = assembly(body, "float64", lanes, ((1,) * 3, outputs))
    own = next(part for part in text.split("\ndefine ") if "@sample" in part.partition("(")[0])
    return own.count(" = load <8 x double>" if lanes == 8 else " = load double")


def test_each_block_loads_the_inputs_that_it_uses(monkeypatch):
    """In blocks of one operation, each use of an input is a load; one lane loads each input once."""

    def function(x, y, z):
        return (x / y - z) / (x / z - y)

    assert loads_of_inputs(function, 8, 1, monkeypatch) == 6
    assert loads_of_inputs(function, 8, 1000, monkeypatch) == 3
    assert loads_of_inputs(function, 1, 1, monkeypatch) == 3
