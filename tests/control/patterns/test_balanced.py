"""Balanced waves: without gains they are spectral, with gains they are linear in tilt and velocity."""

import numpy as np
import pytest

from gambol.control.controller import Senses
from gambol.control.patterns import Balanced, BalancedWave, PatternShape, Spectral, Wave
from gambol.errors import WorldError

SHAPE = PatternShape(actuators=2)
WAVES = (Wave(0.1, (0.3, 0.1, 0.05), (0.0, 0.3, 0.85)), Wave(-0.2, (0.2, 0.1, 0.1), (0.5, 0.05, 0.6)))
GAINS = ((0.5, -0.2, 0.3, 0.1), (-0.4, 0.6, 0.0, -0.3))


def signals(pattern: Balanced | Spectral, senses: Senses) -> np.ndarray:
    return np.array(pattern.signals(pattern.numbers(), (), senses, senses.time, 0.01)[0])


def balanced(gains: tuple[tuple[float, ...], ...]) -> Balanced:
    waves = tuple(BalancedWave(wave, own) for wave, own in zip(WAVES, gains, strict=True))
    return Balanced(SHAPE, 1.7, 0.4, waves)


def test_without_gains_it_is_spectral():
    still = Senses(0.77, up=(0.3, 0.2, 0.9), velocity=(1.0, -1.0, 0.0))
    found = signals(balanced(((0.0,) * 4,) * 2), still)
    np.testing.assert_array_equal(found, signals(Spectral(SHAPE, 1.7, WAVES), Senses(0.77)))


def test_gains_multiply_tilt_and_velocity_from_the_wanted_speed():
    senses = Senses(0.77, up=(0.1, -0.2, 0.97), velocity=(0.6, 0.05, 3.0))
    wave = signals(Spectral(SHAPE, 1.7, WAVES), Senses(0.77))
    expected = wave + np.array(GAINS) @ [0.1, 0.6 - 0.4, -0.2, 0.05]
    np.testing.assert_allclose(signals(balanced(GAINS), senses), expected, rtol=0.0, atol=1e-12)


def test_genes_give_the_pattern_back():
    pattern = balanced(GAINS)
    assert Balanced.of_genes(SHAPE, pattern.values()) == pattern
    assert pattern.required_senses == ("up", "velocity")


def test_a_twin_feels_the_other_side():
    twins = balanced(GAINS).with_twins((0, 1, 0, 1), (0.0, 0.0, 0.5, 0.5), PatternShape(4))
    assert [one.gains for one in twins.waves[:2]] == list(GAINS)
    assert [one.gains for one in twins.waves[2:]] == [(0.5, -0.2, -0.3, -0.1), (-0.4, 0.6, -0.0, 0.3)]


def test_a_wave_without_all_gains_is_refused():
    with pytest.raises(WorldError, match='a pattern "balanced" of 2 actuators is made of'):
        balanced(((0.5,), (0.1, 0.2)))
