"""Stances of limbs, and strides between the events of one of them."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gambol.gait.stances import beginnings, mean_phase, stance_of, strides_between


def test_brief_contacts_and_flights_do_not_count():
    time = np.arange(0.0, 0.12, 0.01)[:12]
    load = np.array([0, 0, 5, 0, 0, 0, 5, 5, 5, 0, 5, 5.0])  # a contact and a flight of one frame
    assert stance_of(load, time, 0.015).astype(int).tolist() == [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    assert stance_of(load, time, 0.0).astype(int).tolist() == [0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 1]


@given(st.floats(0.2, 2.0), st.floats(0.05, 0.95), st.integers(2, 6))
def test_a_limb_that_lags_by_a_fraction_of_the_stride_has_this_phase(period: float, phase: float, count: int):
    """Square waves of one period: the phase is the lag, to a sample of time."""
    samples = 400
    time = np.arange(count * samples) * period / samples
    waves = [np.sin(2 * np.pi * (time / period - lag)) > 0.0 for lag in (0.5, 0.5 + phase)]
    events = [beginnings(wave) for wave in waves]
    walk = strides_between(events[0], events, time)
    assert walk.count == len(events[0]) - 1
    assert mean_phase(walk.phases[0]) in (0.0, math.nan) or not walk.count
    if walk.count:
        np.testing.assert_allclose(mean_phase(walk.phases[1]), phase, atol=2.0 / samples)


def test_without_a_whole_stride_there_are_no_events_and_no_phase():
    time = np.arange(10.0)
    walk = strides_between(np.array([4]), [np.array([4]), np.array([2, 7])], time)
    assert (walk.count, [len(limb) for limb in walk.events]) == (0, [0, 0])
    assert math.isnan(mean_phase(walk.phases[1]))
