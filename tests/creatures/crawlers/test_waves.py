"""Waves along a body: the serpenoid curve, positions along the body, ramps, and impossible numbers."""

import math
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from gambol.control.controller import Senses
from gambol.creatures.crawlers import Wave, WaveLaw
from gambol.errors import WorldError


def targets(law: WaveLaw, time: float) -> np.ndarray:
    """Return the targets of a law at a time [s]."""
    senses = cast("Senses", type("Times", (), {"time": time})())
    return np.array(law.commands(cast("Any", law.numbers()), (), senses, 0.0)[0])


def test_a_sine_makes_hiroses_serpenoid_curve():
    """Its heading along the arc is theta_0 cos(2 pi n s + ...): the angles between segments are its differences."""
    joints, n, alpha = 200, 2.0, 0.01
    angles = targets(WaveLaw((Wave("yaw", alpha, n),), joints, 1.0), 5.3)
    heading = -np.cumsum(angles)  # from the head backward; a positive angle turns the front one left
    s = (np.arange(joints) + 0.5) / joints
    theta = alpha * joints / (2.0 * math.pi * n)
    curve = -theta * np.cos(2.0 * math.pi * (5.3 - n * (s + 0.5 / joints)))
    assert heading - heading.mean() == pytest.approx(curve - curve.mean(), abs=1e-3 * theta)


def test_a_wave_travels_to_the_tail():
    law = WaveLaw((Wave("yaw", 0.5, 1.0),), 20, 2.0)
    assert targets(law, 7.0)[2:] == pytest.approx(targets(law, 7.0 - 0.1 * 2)[:-2], abs=1e-12)


def test_an_arch_leaves_the_ends_level():
    angles = targets(WaveLaw((Wave("pitch", 0.9, 0.0, form="arch"),), 9, 1.0), 3.5)
    assert sum(angles) == pytest.approx(0.0, abs=1e-12)
    assert angles[4] == pytest.approx(0.9)
    assert angles[0] < 0.0


def test_raised_waves_only_stretch():
    law = WaveLaw((Wave("stretch", 0.2, 1.0, form="raised"),), 12, 1.0)
    over_time = np.array([targets(law, 2.0 + 0.05 * k) for k in range(20)])
    assert over_time.min() >= 0.0
    assert over_time.max() == pytest.approx(0.2, abs=5e-3)


def test_an_envelope_bends_to_the_other_side_in_every_second_period():
    """Its size is the raised wave times the standing sine, written here from their definitions."""
    wave = Wave("yaw", 0.8, -0.5, form="envelope", standing=2.0)
    law = WaveLaw((wave,), 12, 1.0)
    for time in (3.1, 3.6, 3.95):
        now, later = targets(law, time), targets(law, time + 1.0)
        assert later == pytest.approx([-x for x in now], abs=1e-12)
        for k, x in enumerate(now):
            s = (k + 0.5) / 12
            raised = 0.5 - 0.5 * math.cos(2.0 * math.pi * (time + 0.5 * s))
            assert abs(x) == pytest.approx(abs(0.8 * raised * math.sin(4.0 * math.pi * s)), abs=1e-12)


def test_a_walk_begins_straight():
    law = WaveLaw((Wave("yaw", 0.5, 1.5, mean=0.2),), 8, 2.0)
    assert targets(law, 0.0) == pytest.approx(np.zeros(8))
    late = replace(law, ramp=1e-9)
    assert targets(law, 1.0) == pytest.approx(0.5 * targets(late, 1.0))


def test_impossible_waves_are_refused():
    with pytest.raises(WorldError, match='no form "sin"; did you mean "sine"'):
        Wave("yaw", 0.1, 1.0, form=cast("Any", "sin"))
    with pytest.raises(WorldError, match="amplitude of a wave is nan"):
        Wave("yaw", math.nan, 1.0)
    with pytest.raises(WorldError, match="period of a wave is 0"):
        WaveLaw((), 3, 0.0)
