"""Phases of the legs by Wilson's rules."""

import pytest

from gambol.gait import Leg, gait_times, phase
from gambol.gait.oscillator import triggered


def leg(side: str, rank: int) -> Leg:
    return Leg(f"{side}{rank}", "left" if side == "left" else "right", rank, ("a", "b"), (), ())


@pytest.mark.parametrize("speed", [1.0, 1.25, 1.5, 2.0, 3.0])
def test_a_step_delay_and_fastest_stance_last_equally_long(speed: float):
    at = gait_times(0.05, speed)
    assert (at.step, at.delay) == (0.05, 0.05)
    assert at.cycle == pytest.approx(0.1 * speed)
    assert at.stance == pytest.approx(at.cycle - 0.05)


@pytest.mark.parametrize("speed", [1.0, 1.5, 3.0])
def test_waves_run_from_hind_to_fore_and_sides_alternate(speed: float):
    at = gait_times(0.05, speed)
    hind, middle, front = (phase(2.0, at, leg("left", rank), 3) for rank in (2, 1, 0))
    lag = at.delay / at.cycle
    assert hind == 2.0
    assert hind - middle == pytest.approx(lag)
    assert middle - front == pytest.approx(lag)
    assert phase(2.0, at, leg("left", 1), 3) - phase(2.0, at, leg("right", 1), 3) == 0.5


def test_a_peak_is_counted_once():
    count, found = -1.0, []
    for k in range(400):
        peak, count = triggered(count, 0.01 * k)
        found += [0.01 * k] if peak else []
    assert found == pytest.approx([0.25, 1.25, 2.25, 3.25], abs=0.011)


def test_a_phase_that_is_pushed_back_does_not_trigger_twice():
    _, count = triggered(0.0, 1.3)
    again, count = triggered(count, 1.1)
    once_more, _ = triggered(count, 1.3)
    assert not again
    assert not once_more
