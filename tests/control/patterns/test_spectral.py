"""Spectral synthesis against sums of sines, and the effect of a small change of genes."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.control.controller import Senses
from gambol.control.patterns import PatternShape, Spectral, Wave
from gambol.control.patterns.pattern import amplitude_scale
from gambol.errors import WorldError

SHAPE = PatternShape(actuators=2, size=3)
WAVES = (Wave(0.1, (0.5, 0.2, 0.1), (0.0, 0.3, 0.85)), Wave(-0.3, (0.9, 0.4, 0.3), (0.5, 0.05, 0.6)))
UNIT = st.floats(0.0, 1.0)


def signals_at(pattern: Spectral, time: np.ndarray) -> np.ndarray:
    signals, _ = pattern.signals(pattern.numbers(), (), Senses(time), time, 0.01)
    return np.array(signals)


def test_signals_are_sums_of_sines_even_after_a_hundred_periods():
    pattern = Spectral(SHAPE, 1.7, WAVES)
    time = np.linspace(0.5, 100.0, 40001) / 1.7
    for wave, found in zip(WAVES, signals_at(pattern, time), strict=True):
        scale = 1.0 / max(1.0, abs(wave.offset) + sum(wave.amplitudes))
        terms = [
            a * np.sin(2.0 * np.pi * (k * 1.7 * time + p))
            for k, (a, p) in enumerate(zip(wave.amplitudes, wave.phases, strict=True), start=1)
        ]
        np.testing.assert_allclose(found, scale * (wave.offset + sum(terms)), rtol=0.0, atol=1e-12)


def test_it_starts_from_the_middle_without_a_jump_and_without_a_kink():
    time = np.linspace(0.0, 1.0, 20001)
    found = signals_at(Spectral(SHAPE, 1.0, WAVES), time)
    assert np.all(found[:, 0] == 0.0)
    slopes = np.diff(found) / np.diff(time)
    assert np.all(np.abs(slopes[:, 0]) < 1e-2)
    # two derivatives are bounded by those of the sum, r and their product: (3 w)^2 + 2 (3 w) (pi) + ... < 600 w
    assert np.all(np.abs(np.diff(slopes)) < 600.0 * 2.0 * np.pi * (time[1] - time[0]))


@settings(max_examples=60, deadline=None)
@given(st.lists(UNIT, min_size=15, max_size=15), st.floats(0.0, 100.0))
def test_signals_of_any_genes_stay_within_one(parts, time):
    genes = Spectral.genes_of(SHAPE)
    pattern = Spectral.of_genes(SHAPE, [g.lower + u * g.range for g, u in zip(genes, parts, strict=True)])
    assert np.all(np.abs(signals_at(pattern, np.array([time]))) <= 1.0)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(1e-6, 0.3))
def test_a_small_change_of_genes_is_a_small_change_of_signals(seed, step):
    rng = np.random.default_rng(seed)
    genes = Spectral.genes_of(SHAPE)
    lower, upper = np.array([(g.lower, g.upper) for g in genes]).T
    here = rng.uniform(lower, upper)
    there = np.clip(here + step * rng.normal(size=len(genes)) * (upper - lower), lower, upper)
    there[0] = here[0]
    a, b = (Spectral.of_genes(SHAPE, values) for values in (here, there))
    moved = np.abs(signals_at(a, TIMES) - signals_at(b, TIMES)).max(axis=1)
    bounds = [_bound(one, other) for one, other in zip(a.waves, b.waves, strict=True)]
    assert np.all(moved <= np.array(bounds) + 1e-12)


TIMES = np.linspace(0.0, 8.0, 801)


def _bound(one: Wave, other: Wave) -> float:
    """The sum's change, by amplitudes and phases; scaling by 1 / A at most doubles it, for A changes no more."""
    total = abs(one.offset - other.offset)
    for a, b, p, q in zip(one.amplitudes, other.amplitudes, one.phases, other.phases, strict=True):
        total += abs(a - b) + 2.0 * math.pi * max(a, b) * abs(p - q)
    return 2.0 * total


def test_a_small_change_of_frequency_grows_with_time_and_no_faster():
    """|sin x - sin y| <= |x - y|, and the phase of harmonic k moves by 2 pi k t df; the rise at most by pi t df."""
    df = 1e-4
    a, b = (Spectral(SHAPE, f, WAVES) for f in (2.0, 2.0 + df))
    moved = np.abs(signals_at(a, TIMES) - signals_at(b, TIMES))
    for wave, found in zip(WAVES, moved, strict=True):
        scale = amplitude_scale(wave.offset, wave.amplitudes)
        speed = sum(2.0 * math.pi * k * scale * a for k, a in enumerate(wave.amplitudes, start=1))
        assert np.all(found <= (speed + 2.0 * math.pi) * df * TIMES + 1e-12)


def test_waves_of_another_shape_are_refused():
    with pytest.raises(WorldError, match=r"made of 15 numbers.* these are 8"):
        Spectral(SHAPE, 1.0, WAVES[:1])
    with pytest.raises(WorldError, match="nested as `of_genes` nests them; these are"):
        Spectral(SHAPE, 1.0, (Wave(0.0, (1.0,), (0.0, 0.0, 0.0, 0.0, 0.0)), WAVES[1]))
    with pytest.raises(WorldError, match='"frequency" of a pattern must be finite'):
        Spectral(SHAPE, math.inf, WAVES)
