"""When contacts close within a step, and what they rebound with."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambol.contact.stepping.bounce import allowed_share, arrival

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


@given(st.floats(-5.0, -1e-3), st.floats(-5.0, 5.0), st.floats(1e-3, 5.0))
def test_the_share_is_the_largest_that_adds_no_energy(start: float, slope: float, curve: float):
    s = allowed_share(start, slope, curve)
    tried = np.linspace(0.0, 1.0, 2001)
    gains = start + slope * tried + curve * tried**2
    last = tried[np.append(gains > 1e-12, True).argmax() - 1] if (gains > 1e-12).any() else 1.0
    assert 0.0 <= s <= 1.0
    assert start + slope * s + curve * s * s <= 1e-9
    assert s >= last - 1e-3
