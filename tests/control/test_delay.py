"""Delay lines: past values, alone and in feedback, against closed forms."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gambol.control import DelayLine
from gambol.control.delay import DELAY_TOLERANCE
from gambol.errors import WorldError
from gambol.lanes import Program, ProgramSpec

DT = 0.001  # s


@given(delay=st.floats(0.0, 0.02))
@example(delay=1e-10)
def test_a_straight_line_is_read_exactly_at_any_delay(delay: float):
    """A delay within 1e-6 of a control step of a whole number of them is read as that number: 2e-9 of this line."""
    line = DelayLine(0.02, DT)
    samples = line.memory()
    for k in range(60):
        samples = line.pushed(samples, 3.0 + 2.0 * k * DT, DT)
    assert line.read(samples, delay) == pytest.approx(
        3.0 + 2.0 * (59 * DT - delay), abs=2.0 * DELAY_TOLERANCE * DT + 1e-12
    )


@given(delay=st.floats(0.0, 0.02))
def test_a_delay_that_differs_between_worlds_reads_as_a_known_one(delay: float):
    line = DelayLine(0.02, DT)
    samples = [math.sin(0.3 * k) for k in range(line.samples)]
    known = line.read(samples, delay)
    read = line.read(samples, np.array([delay, 0.0]))
    np.testing.assert_allclose(
        read, [known, samples[0]], rtol=0, atol=2e-6
    )  # within DELAY_TOLERANCE of a sample it is that one


def test_whole_numbers_of_control_steps_are_exact():
    line = DelayLine(0.005, DT)
    assert line.samples == 6
    samples = line.memory(-1.0)
    for k in range(20):
        samples = line.pushed(samples, float(k), DT)
        for steps in range(6):
            assert line.read(samples, steps * DT) == (k - steps if k >= steps else -1.0)


def test_the_first_value_may_fill_the_past():
    line = DelayLine(0.005, DT)
    samples = line.pushed(line.memory(), 7.0, DT, first=True)
    assert samples == [7.0] * 6
    assert line.pushed(samples, 8.0, DT, first=False) == [8.0] + [7.0] * 5


def test_compiled_lines_read_as_python_does():
    line = DelayLine(0.0035, DT)

    def function(samples: list[Any], x: Any, delay: Any) -> tuple[Any, ...]:
        pushed = line.pushed(samples, x, DT)
        return pushed, [line.read(pushed, delay), line.read(pushed, 0.0035), line.read(pushed, 0.002)]

    program = Program(ProgramSpec("delay", function, (line.memory(), 0.0, 0.0)))
    rng = np.random.default_rng(0)
    samples, x, delay = rng.normal(size=(line.samples, 9)), rng.normal(size=(1, 9)), rng.uniform(0, 0.0035, (1, 9))
    pushed, read = program(samples, x, delay)
    expected_pushed, expected = function(list(samples), x[0], delay[0])
    np.testing.assert_array_equal(pushed, expected_pushed)
    np.testing.assert_allclose(read, expected, rtol=0, atol=1e-15 * 8)


def growth_of_delayed_feedback(k: float, delay: float, dt: float, seconds: float) -> float:
    """The factor by which the amplitude of x' = -k x(t - delay) grows from the middle third to the last one.

    The feedback is held during a control step, so the step is exact.
    """
    line = DelayLine(delay, dt)
    x, samples, path = 1.0, line.memory(1.0), []
    for _ in range(round(seconds / dt)):
        samples = line.pushed(samples, x, dt)
        x -= k * dt * line.read(samples, delay)
        path.append(abs(x))
    third = len(path) // 3
    return max(path[-third:]) / max(path[third : 2 * third])


@pytest.mark.parametrize("m", [1, 2, 5, 20, 100])
def test_delayed_feedback_loses_stability_at_the_gain_of_its_difference_equation(m: int):
    """x(n+1) = x(n) - a x(n-m) is stable for 0 < a < 2 sin(pi / (2 (2 m + 1))). [Levin and May 1976]"""
    delay = 0.1
    dt = delay / m
    boundary = 2.0 * math.sin(math.pi / (2 * (2 * m + 1))) / dt
    seconds = 30 * 2.0 * math.pi / boundary  # thirty cycles or so
    assert growth_of_delayed_feedback(0.98 * boundary, delay, dt, seconds) < 1.0
    assert growth_of_delayed_feedback(1.02 * boundary, delay, dt, seconds) > 1.0


def test_the_boundary_of_continuous_feedback_is_half_pi_with_the_half_control_step_of_the_hold():
    """x' = -k x(t - d) is stable for k d < pi / 2. With m = 40 samples the mean delay is (m + 1/2) / m d.

    The remaining difference is pi^2 / (24 (2 m + 1)^2) of it, 6e-5 here, far inside the half per cent tested.
    """
    m, delay = 40, 0.1
    critical = 0.5 * math.pi / (delay * (1.0 + 0.5 / m))
    seconds = 60 * 2.0 * math.pi / critical
    assert growth_of_delayed_feedback(0.995 * critical, delay, delay / m, seconds) < 1.0
    assert growth_of_delayed_feedback(1.005 * critical, delay, delay / m, seconds) > 1.0


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: DelayLine(-1.0, DT), "cannot be delayed by -1.0 s"),
        (lambda: DelayLine(math.nan, DT), "cannot be delayed by nan s"),
        (lambda: DelayLine(0.1, 0.0), "control step of 0.0 s"),
        (lambda: DelayLine(10.0, DT), "more than 4096 samples"),
        (lambda: DelayLine(0.02, DT).read([0.0] * 21, 0.03), "has no value from 0.03 s ago"),
        (lambda: DelayLine(0.02, DT).pushed([0.0] * 21, 1.0, 0.002), "got a control step of 0.002"),
    ],
)
def test_what_cannot_be_delayed_is_refused(make: Any, text: str):
    with pytest.raises(WorldError, match=text):
        make()
