"""A sinusoid for each joint, against sines."""

import numpy as np
import pytest

from gambol.control.controller import Senses
from gambol.control.patterns import PatternShape, SineWave, Sinusoid
from gambol.errors import WorldError

WAVES = (SineWave(1.3, 0.2, 0.7, 0.4), SineWave(0.7, -0.5, 0.9, 0.9))


def test_each_joint_swings_at_its_own_frequency_for_a_hundred_periods():
    pattern = Sinusoid(PatternShape(actuators=2), WAVES)
    time = np.linspace(1.0, 140.0, 30001)
    found, _ = pattern.signals(pattern.numbers(), (), Senses(time), time, 0.01)
    for wave, signal in zip(WAVES, found, strict=True):
        scale = 1.0 / max(1.0, abs(wave.offset) + wave.amplitude)
        sine = np.sin(2.0 * np.pi * (wave.frequency * time + wave.phase))
        np.testing.assert_allclose(signal, scale * (wave.offset + wave.amplitude * sine), rtol=0.0, atol=1e-12)


def test_there_is_a_swing_for_each_actuator():
    with pytest.raises(WorldError, match=r"made of 12 numbers.* these are 8"):
        Sinusoid(PatternShape(actuators=3), WAVES)
