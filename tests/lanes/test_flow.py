"""Subprograms, loops and branches: the same numbers as plain Python, each lane on its own."""

import numpy as np
import pytest
from tracing import body_of, evaluated, program_of

from gambol.errors import TraceError
from gambol.lanes import UNDEFINED, exp, floor, is_finite, loop, repeat, sin, sqrt, subprogram, when, where
from gambol.lanes.cpu.lower import assembly

X = np.linspace(-3.0, 5.0, 21)


def text_of(function, count=1):
    return assembly(body_of(lambda *x: [function(*x)], count), "float64", 8, ((count,), (1,)))


def collatz(n):
    """Return the number of steps from an integer to 1."""

    def step(state):
        n, steps = state
        half = n * 0.5
        even = half == floor(half)
        return where(even, half, 3.0 * n + 1.0), steps + 1.0

    return loop(lambda state: state[0] > 1.5, step, (n, 0.0))[1]


def test_subprogram_is_written_once_however_often_it_is_called():
    @subprogram
    def wave(x, y):
        return {"a": sin(x) * y, "b": x + y}

    def formula(x):
        first = wave(x, 2.0)
        return wave(first["a"], wave(first["b"], 1.0)["a"])["b"]

    plain = [formula(float(v)) for v in X]
    np.testing.assert_allclose(evaluated(formula, X), plain, rtol=1e-14)
    assert text_of(formula).count("define internal void @wave") == 1


def test_subprogram_with_captures_is_called_from_a_loop():
    def formula(x, gain):
        @subprogram
        def rate(v):
            return gain * v + x

        return repeat(3.0, lambda v: rate(v) + rate(v * 0.5), x)

    plain = [formula(float(v), 0.25) for v in X]
    np.testing.assert_allclose(evaluated(formula, X, np.full_like(X, 0.25)), plain, rtol=1e-14)


def test_subprogram_first_called_inside_a_loop_serves_outside_too():
    def formula(x):
        def step(state):
            value, total = state
            scale = value * value

            @subprogram
            def scaled(v):
                return v * scale

            return value + 1.0, total + scaled(value) + when(value > 0.0, scaled, value)

        value, total = loop(lambda state: state[0] < 4.0, step, (x, 0.0))
        return value + total

    np.testing.assert_allclose(evaluated(formula, X), [formula(float(v)) for v in X], rtol=1e-14)


def test_one_subprogram_that_reads_a_loop_value_is_recorded_anew_after_the_loop():
    shared = {}

    @subprogram
    def read(v):
        return v + shared["now"]

    def formula(x):
        shared["now"] = x

        def step(s):
            shared["now"] = s * 2.0
            return read(s)

        s = loop(lambda s: s < 50.0, step, x + 4.0)
        shared["now"] = x
        return read(s)

    np.testing.assert_array_equal(evaluated(formula, X), [formula(float(v)) for v in X])


def test_nested_loops_with_captures():
    def formula(x, gain):
        def outer(state):
            i, total = state
            inner = repeat(i + 1.0, lambda s: s * gain + x + i, 1.0)
            return i + 1.0, total + inner

        return loop(lambda state: state[0] < 4.0, outer, (0.0, x))[1]

    np.testing.assert_allclose(
        evaluated(formula, X, np.full_like(X, 0.3)), [formula(float(v), 0.3) for v in X], rtol=1e-14
    )


def test_each_lane_steps_as_often_as_it_needs():
    n = np.arange(1.0, 41.0)
    expected = [collatz(float(v)) for v in n]
    assert len(set(expected)) > 15
    np.testing.assert_array_equal(evaluated(collatz, n), expected)
    np.testing.assert_array_equal(collatz(n), expected)


@pytest.mark.parametrize("lanes", [1, 4, 16])
@pytest.mark.parametrize("uses", [1, 2])
def test_a_loop_in_a_branch_runs_only_for_the_lanes_of_the_branch(lanes, uses):
    """In the other lanes this loop would never end. A function that is used twice is called, else it is inlined."""

    @subprogram
    def until_five(x):
        return loop(lambda s: s < 5.0, lambda s: s + x, 0.0)

    def formula(x):
        return sum(when(x > 0.0, until_five, x, otherwise=-1.0) for _ in range(uses))

    x, expected = np.resize([0.0, 1.0, 2.0, 0.0, 4.0], 16), np.resize([-1.0, 5.0, 6.0, -1.0, 8.0], 16)
    np.testing.assert_array_equal(evaluated(formula, x, lanes=lanes), uses * expected)


@pytest.mark.parametrize("lanes", [1, 16])
def test_a_branch_in_a_loop_is_skipped_in_lanes_whose_loop_has_ended(lanes):
    """In the ended lanes the loop within the branch would never end."""

    def count_down(s):
        return loop(lambda k: k > 0.0, lambda k: k - when(s < 2.5, lambda v: v * 0.0 + 1.0, s), 3.0)

    def formula(x):
        return loop(lambda s: s < 2.5, lambda s: s + 1.0 + when(s > -9.0, count_down, s), x)

    x = np.resize([0.0, 1.0, 2.0, 3.0, 4.0], 16)
    np.testing.assert_array_equal(evaluated(formula, x, lanes=lanes), np.where(x < 2.5, 3.0, x))


def test_condition_of_a_loop_may_branch_call_and_loop():
    @subprogram
    def far(v):
        return v * v

    def goes_on(v):
        inner = repeat(2.0, lambda s: s + 1.0, v)
        return when(v > 2.0, far, v) + far(v) < 60.0 + inner

    def formula(x):
        return loop(goes_on, lambda v: v + 1.0 + when(v > 3.0, far, v), x)

    np.testing.assert_array_equal(evaluated(formula, X), [formula(float(v)) for v in X])


@pytest.mark.parametrize("lanes", [1, 4, 8])
def test_skipped_or_not_a_branch_gives_the_same(lanes):
    def formula(x, y):
        root, twice = when(x > 0.0, lambda v: (sqrt(v), 2.0 * v), x)
        return root + twice + y

    mixed = evaluated(formula, X, X, lanes=lanes)
    alone = [evaluated(formula, [v], [v], lanes=1)[0] for v in X]
    np.testing.assert_array_equal(mixed, alone)
    np.testing.assert_array_equal(mixed, [formula(float(v), float(v)) for v in X])
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(mixed, formula(X, X))


def test_branch_with_something_otherwise():
    def formula(x):
        a, b = when(x > 1.0, lambda v: (v * v, v + 1.0), x, otherwise=(x, -1.0))
        return a * 10.0 + b

    expected = np.where(X > 1.0, X * X * 10.0 + X + 1.0, X * 10.0 - 1.0)
    np.testing.assert_allclose(evaluated(formula, X), expected, rtol=1e-15)
    np.testing.assert_array_equal(formula(X), expected)
    np.testing.assert_array_equal([formula(float(v)) for v in X], expected)


@pytest.mark.parametrize("lanes", [1, 8])
def test_unused_results_may_be_undefined(lanes):
    """A branch returns a flag, and its other results are used only where the flag is set."""

    def selected(x):
        flag, result = when(x > 1.0, lambda v: (1.0, [v * v, v + 1.0]), x, otherwise=(0.0, UNDEFINED))
        return where(flag > 0.5, result[0] - result[1], -flag)

    x = np.linspace(-3.0, 3.0, 50)
    expected = np.where(x > 1.0, x * x - x - 1.0, 0.0)
    np.testing.assert_allclose(evaluated(selected, x, lanes=lanes), expected, rtol=1e-15)
    np.testing.assert_array_equal(selected(x), expected)
    assert [selected(float(y)) for y in x] == expected.tolist()


def test_all_results_of_a_branch_may_be_undefined():
    def selected(x):
        return where(x > 1.0, when(x > 1.0, lambda v: 2.0 * v, x, otherwise=UNDEFINED), x)

    x = np.linspace(-3.0, 3.0, 50)
    np.testing.assert_array_equal(evaluated(selected, x), np.where(x > 1.0, 2.0 * x, x))
    assert selected(0.5) == 0.5


def test_inputs_first_read_inside_and_after_branches():
    def formula(a, b, c):
        first = when(a > 0.0, lambda v: v + b, a)
        second = loop(lambda v: v < c, lambda v: v + b * b + 0.5, first)
        return second * c + when(second > 3.0, lambda v: v * a + c, b)

    a, b, c = X, X[::-1].copy(), np.cos(X)
    expected = [formula(*map(float, v)) for v in zip(a, b, c, strict=True)]
    np.testing.assert_allclose(evaluated(formula, a, b, c), expected, rtol=1e-14)


def test_lane_that_goes_nan_or_overflows_does_not_disturb_the_others():
    def formula(x):
        return repeat(40.0, lambda v: v + 0.1 * exp(v) * where(is_finite(v), 1.0, 0.0), x)

    calm = np.linspace(-4.0, -3.0, 16)
    wild = calm.copy()
    wild[[3, 9]] = [50.0, np.nan]
    found, alone = evaluated(formula, wild), evaluated(formula, calm)
    others = np.delete(np.arange(16), [3, 9])
    np.testing.assert_array_equal(found[others], alone[others])
    assert not np.isfinite(found[[3, 9]]).any()


def test_repeat_counts_per_lane():
    counts = np.arange(9.0)
    np.testing.assert_array_equal(evaluated(lambda n: repeat(n, lambda v: v + 2.0, 1.0), counts), 1.0 + 2.0 * counts)


def test_loop_that_changes_its_form_is_refused():
    with pytest.raises(TraceError, match="state of the same structure: 1 numbers, not 2"):
        body_of(lambda x: [loop(lambda v: v < 1.0, lambda v: (v, v), x)], 1)


def test_loop_whose_condition_is_a_number_is_refused():
    with pytest.raises(TraceError, match="must be a comparison"):
        body_of(lambda x: [loop(lambda v: v, lambda v: v + 1.0, x)], 1)


@pytest.mark.parametrize("lanes", [1, 2, 4, 8, 16])
def test_vectors_of_any_width_pass_through_memory(lanes):
    program = program_of(lambda x: repeat(3.0, lambda v: when(v > 0.0, sqrt, v), x), 1, lanes=lanes)
    np.testing.assert_allclose(program(X.reshape(1, -1))[0][0], np.maximum(X, 0.0) ** 0.125, rtol=1e-15)
