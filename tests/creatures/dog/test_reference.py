"""Pulses of forces: their integrals against sums, and a body against Newton's and Euler's laws."""

import numpy as np
import pytest

from gambol.creatures.dog.reference import HARMONICS, coefficient, pulse, share

LEG_ORDER = ("hind left", "front left", "hind right", "front right")
FREQUENCY = 2.0
COUNT = 8000


@pytest.mark.parametrize("duty", [0.25, 0.3, 0.45, 0.5, 0.65, 0.77])
def test_harmonics_are_those_of_the_pulse(duty: float):
    """By the Fourier sum of samples; 1/4 and 1/2 are duty factors at which the plain formula is 0 / 0."""
    phases = (np.arange(COUNT) + 0.5) / COUNT
    values = np.array([pulse(float(x), duty, FREQUENCY).value for x in phases])
    assert values.mean() == pytest.approx(1.0, abs=1e-6)
    for n in range(1, HARMONICS + 1):
        summed = float((values * np.cos(2.0 * np.pi * n * (phases - 0.5 * duty))).mean())
        assert coefficient(n, duty) == pytest.approx(summed, abs=1e-6)


@pytest.mark.parametrize("duty", [0.3, 0.5, 0.77])
def test_the_integrals_are_integrals(duty: float):
    phases = np.arange(COUNT) / COUNT
    pulses = [pulse(float(x), duty, FREQUENCY) for x in phases]
    first, second = (np.array([getattr(p, name) for p in pulses]) for name in ("first", "second"))
    dt = 1.0 / FREQUENCY / COUNT
    slope = (np.roll(second, -1) - np.roll(second, 1)) / (2.0 * dt)
    assert np.abs(slope - first).max() < 1e-6 * np.abs(first).max() * HARMONICS**2
    assert abs(first.mean()) < 1e-12
    assert abs(second.mean()) < 1e-12


def test_the_legs_share_the_weight():
    assert sum(share(leg) for leg in LEG_ORDER) == pytest.approx(1.0)
    fore = 2.0 * share("front left")
    assert 0.55 < fore < 0.65  # dogs: about 60 % on the fore legs, walking and trotting
