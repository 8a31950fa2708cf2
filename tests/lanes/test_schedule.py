"""Schedules: stages run in their order, and again until a row is small."""

import numpy as np
import pytest

from gambol.lanes import Program, ProgramSpec, RepeatedSchedule, Schedule


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
