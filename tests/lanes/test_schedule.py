"""Schedules: stages run in their order, and again until a row is small."""

import numpy as np
import pytest

from gambol.lanes import Program, ProgramSpec, RepeatedSchedule, Schedule, gather


def half(precision: str) -> Program:
    return Program(ProgramSpec("half", lambda x: (0.5 * x,), (0.0,)), precision, lanes=4)


def increment() -> Program:
    return Program(ProgramSpec("increment", lambda x: (x + 1.0,), (0.0,)), lanes=4)


def test_stages_run_in_their_order():
    x = np.arange(8.0)[None]
    Schedule([half("float64").bind(x, out=[x]), increment().bind(x, out=[x])])()
    assert np.array_equal(x[0], 0.5 * np.arange(8.0) + 1.0)


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_stages_are_repeated_until_no_number_of_a_row_exceeds_the_tolerance(precision):
    x = np.array([[1.0, 0.25, 3.0, -7.0]], precision)
    schedule = RepeatedSchedule([half(precision).bind(x, out=[x])], x[0])
    assert schedule.repeat(100, 0.1) == (5, 3.0 / 32.0)  # 3/2^5 is the first below 0.1
    assert np.array_equal(x[0], np.array([1.0, 0.25, 3.0, -7.0]) / 32.0)
    assert schedule.repeat(100, 0.1)[0] == 1  # at least once


def test_repetition_ends_at_its_limit():
    x = np.full((1, 4), 64.0)
    assert RepeatedSchedule([half("float64").bind(x, out=[x])], x[0]).repeat(3, 0.0) == (3, 8.0)


def test_a_schedule_without_stages_does_nothing():
    Schedule([])()


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_threads_compute_the_same_bits_as_one(threads):
    """Each block reads what a block of the range before wrote, so that a range begun too early changes the result."""
    size, blocks = 64, 512
    start = np.random.default_rng(1).normal(1e3, 1.0, (1, 4 * blocks))
    ranges = [(first, first + size) for first in range(0, blocks, size)]

    def run(count: int) -> tuple[tuple[int, float], np.ndarray]:
        x = start.copy()
        index = np.roll(np.arange(4.0 * blocks), 4 * size)[None]
        spec = ProgramSpec("mean", lambda k, x, table: (0.5 * (gather(table, k) + x) - 0.125,), (0.0, 0.0), 1)
        stage = Program(spec, lanes=4).bind(index, x, out=[x], tables=[x[0]])
        schedule = RepeatedSchedule([stage], x[0], count)
        schedule.divide(stage, ranges)
        return schedule.repeat(60, 0.0), x

    (rounds, largest), expected = run(1)
    (rounds_shared, largest_shared), found = run(threads)
    assert (rounds, largest) == (rounds_shared, largest_shared) == (60, expected.max())
    assert np.array_equal(found, expected)
