"""When contacts close within a step, and what they rebound with."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambol.contact.stepping.bounce import arrival

H = 1e-3


@given(st.floats(-8.0, -0.1), st.floats(0.0, 1.0), st.floats(0.1, 1.0))
def test_a_ball_leaves_with_its_share_at_the_moment_it_lands(speed: float, share: float, e: float):
    """A parabola that meets the ground a share of the step on, against the closed form."""
    g, t = 9.81, share * H
    gap = -(speed * t - 0.5 * g * t * t)
    found = arrival(gap, speed, speed - g * H, H, e)
    hit = speed - g * t
    if not 2.0 * e * abs(hit) > g * H * 1.001:
        return
    assert found.bounces == 1.0
    assert found.time == pytest.approx(t, abs=1e-12)
    assert found.rebound == pytest.approx(-e * hit - g * (H - t), abs=1e-9)
    assert found.shift == pytest.approx(-g * (2.0 * t - H), abs=1e-9)


@pytest.mark.parametrize(
    ("gap", "before", "after"),
    [(1.0, -1.0, -1.0), (0.0, 1.0, 0.9), (1e-3, -0.1, -0.2), (0.0, -1e-4, -0.0099)],
)
def test_what_does_not_arrive_or_comes_slowly_may_close_its_gap(gap: float, before: float, after: float):
    found = arrival(gap, before, after, H, 0.9)
    assert (found.bounces, found.time) == (0.0, H)
    assert found.rebound == found.resting == -gap / H


def test_a_contact_that_lies_inside_shall_not_sink_further():
    assert arrival(-0.01, -1e-3, -1e-2, H, 0.5).resting == 0.0
