"""Paces: closed forms of distance and speed, and velocities that are the derivatives of positions."""

from typing import Any

import numpy as np
import pytest

from gambol.errors import GambolError
from gambol.plan.path import Ease, PacedCurve, SineEase, SpeedProfile
from gambol.spatial import catmull_rom, straight

PACES = [Ease(), Ease(0.3, 0.5), Ease(0.0, 0.0), Ease(0.5, 0.5), SineEase(), SpeedProfile([0, 1, 3], [0.0, 2.0, 0.5])]


@pytest.mark.parametrize("pace", PACES)
def test_a_pace_increases_from_start_to_end(pace: Any):
    t = np.linspace(0.0, 1.0, 1001)
    s, speed, acceleration = pace.motion(t)
    assert s[0] == pytest.approx(0.0, abs=1e-15)
    assert s[-1] == pytest.approx(1.0, rel=1e-14)
    assert (speed >= -1e-15).all()
    inner = slice(1, -1)
    smooth = abs(acceleration[2:] - acceleration[:-2]) < 0.5  # not where the acceleration jumps
    differences = (s[2:] - s[:-2]) / (t[2:] - t[:-2])
    np.testing.assert_allclose(differences[smooth], speed[inner][smooth], atol=3e-5)  # h^2 s''' / 6


def test_the_ease_of_thirds_has_the_speed_of_its_closed_form():
    """Fractions 0.2 and 0.4: the full speed is 1 / (1 - 0.3); a tenth of the time is v t^2 / (2 a) of the way."""
    s, speed, acceleration = Ease(0.2, 0.4).motion(np.array([0.1, 0.5, 0.8]))
    full = 1.0 / 0.7
    np.testing.assert_allclose(speed, [full / 2.0, full, full / 2.0], rtol=1e-14)
    np.testing.assert_allclose(s, [full * 0.025, full * 0.4, 1.0 - full * 0.05], rtol=1e-14)
    np.testing.assert_allclose(acceleration, [full / 0.2, 0.0, -full / 0.4], rtol=1e-14)


@pytest.mark.parametrize("pace", [Ease(0.3, 0.3), SineEase()])
def test_velocities_and_accelerations_are_derivatives_along_a_curve(pace: Any):
    """Central differences with h = 1e-5: rounding of 1e-11 in velocities, and 1e-5 in accelerations by velocities."""
    curve = catmull_rom(np.random.default_rng(2).normal(size=(5, 3)))
    paced, h = PacedCurve(curve, 2.0, pace, start=1.0), 1e-5
    times = np.array([1.11, 1.5, 1.9, 2.3, 2.77])
    _, velocity, acceleration = paced.motion(times)
    later, earlier = paced.motion(times + h), paced.motion(times - h)
    np.testing.assert_allclose((later[0] - earlier[0]) / (2 * h), velocity, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose((later[1] - earlier[1]) / (2 * h), acceleration, rtol=1e-4, atol=1e-3)


def test_before_and_after_a_point_rests_at_the_ends():
    paced = PacedCurve(straight((0, 0, 0), (2, 0, 0)), 1.0, Ease(0.0, 0.0), start=1.0)
    place, velocity, _ = paced.motion([0.0, 1.5, 3.0])
    np.testing.assert_allclose(place[:, 0], [0.0, 1.0, 2.0], atol=1e-15)
    np.testing.assert_allclose(velocity[:, 0], [0.0, 2.0, 0.0], atol=1e-15)


def test_bad_paces_are_errors():
    with pytest.raises(GambolError, match="sum is at most 1"):
        Ease(0.7, 0.7)
    with pytest.raises(GambolError, match="increasing"):
        SpeedProfile([0, 0], [1, 1])
    with pytest.raises(GambolError, match="all 0"):
        SpeedProfile([0, 1], [0, 0])
    with pytest.raises(GambolError, match="duration"):
        PacedCurve(straight((0, 0, 0), (1, 0, 0)), 0.0)
