"""Times within a step at which contacts close, and their rebound speeds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambol.contact.stepping.bounce import HORIZON, find_arrival, ordered_landings

H = 1e-3


@given(st.floats(-8.0, -0.1), st.floats(0.0, 0.999), st.floats(0.1, 1.0))
def test_a_ball_leaves_with_its_share_at_the_moment_it_lands(speed: float, share: float, e: float):
    """A parabola that meets the ground within the step, against the closed form."""
    g, t = 9.81, share * H
    begin = -(speed * t - 0.5 * g * t * t)
    landing = find_arrival(begin + 0.5 * H * speed, speed, speed - g * H, H, e)
    hit = speed - g * t
    if not 2.0 * e * abs(hit) > g * H * 1.001:
        return
    assert landing.bounces == 1.0
    assert landing.time == pytest.approx(t, abs=1e-12)
    assert landing.rebound_speed == pytest.approx(-e * hit - g * (H - t), abs=1e-9)


@pytest.mark.parametrize(
    ("gap", "before", "after"),
    [(1.0, -1.0, -1.0), (0.0, 1.0, 0.9), (1e-3, -0.1, -0.2), (0.0, -1e-4, -0.0099)],
)
def test_what_does_not_arrive_or_comes_slowly_may_close_its_gap(gap: float, before: float, after: float):
    landing = find_arrival(gap, before, after, H, 0.9)
    assert (landing.bounces, landing.time) == (0.0, HORIZON * H)
    assert landing.rebound_speed == landing.resting_speed == -gap / H


def test_what_will_bounce_in_the_next_step_is_not_slowed_down_before():
    """It closes after 1.2 steps: its velocity, -0.5 mm in half a step, leaves 0.2 mm of the gap after this one."""
    landing = find_arrival(0.7e-3, -1.0, -1.0, H, 0.9)
    assert (landing.bounces, landing.lands, landing.time) == (0.0, 0.0, HORIZON * H)
    assert landing.rebound_speed == pytest.approx(-1.4)  # below its speed: no impulse


def test_a_contact_that_lies_inside_shall_not_sink_further():
    assert find_arrival(-0.01, -1e-3, -1e-2, H, 0.5).resting_speed == 0.0


@given(st.floats(-8.0, -0.1), st.floats(0.0, 0.99), st.sampled_from([0.0, 1e-6]))
def test_a_contact_that_stays_lands_when_its_gap_closes(speed: float, share: float, e: float):
    landing = find_arrival(-speed * share * H, speed, speed - 9.81 * H, H, e)
    assert (landing.lands, landing.bounces) == (1.0, 0.0)
    assert landing.time == pytest.approx((0.5 + share) * H)  # gaps are those of the middle of the step
    assert ordered_landings([landing], [landing.time], H)[0].resting_speed == 0.0


def test_what_lands_later_in_a_step_closes_the_rest_of_its_gap_in_the_rest_of_the_step():
    first, later = (find_arrival(gap, -2.0, -2.0, H, 0.0) for gap in (0.4e-3, 1.2e-3))
    stopped, closing = ordered_landings([first, later], [first.time] * 2, H)
    assert stopped.rebound_speed == 0.0
    since = first.time - 0.5 * H
    assert 1.2e-3 - 2.0 * since + closing.rebound_speed * (H - since) == pytest.approx(0.0, abs=1e-15)
