"""Waves of a leg: harmonics of known signals, gains that move the foot as they should, and weights that balance."""

import math

import numpy as np
import pytest

from gambol.evolve.genotype import Control, Genotype, plan_named
from gambol.evolve.genotype.genotype import with_neutral_control
from gambol.evolve.genotype.walking.stride import Stride
from gambol.evolve.genotype.walking.walker import walker_of, weight_fractions
from gambol.evolve.genotype.walking.waves import HARMONICS, head_or_tail_wave, leg_waves, wave_of


def stride_of(body: str) -> Stride:
    return Stride(*with_neutral_control(Genotype(plan_named(body), Control("stride"))).control.values)


def test_the_wave_of_three_harmonics_is_that_signal_after_its_lag():
    offset, amplitudes, phases = 0.1, (0.4, 0.15, 0.05), (0.1, 0.7, 0.35)
    time = np.arange(24) / 24
    signal = offset + sum(
        a * np.sin(2.0 * math.pi * (k * time + p))
        for k, (a, p) in enumerate(zip(amplitudes, phases, strict=True), start=1)
    )
    wave = wave_of(signal.tolist(), 0.3)
    assert wave.offset == pytest.approx(offset)
    assert wave.amplitudes == pytest.approx(amplitudes)
    for k, (found, phase) in enumerate(zip(wave.phases, phases, strict=True), start=1):
        assert math.remainder(found + k * 0.3 - phase, 1.0) == pytest.approx(0.0, abs=1e-12)


def test_a_wave_stays_within_its_bounds():
    square = [3.0] * 12 + [-3.0] * 12
    wave = wave_of(square, 0.0)
    assert sum(wave.amplitudes) + abs(wave.offset) <= 1.0 + 1e-12
    assert all(0.0 <= a <= 1.0 / k for k, a in enumerate(wave.amplitudes, start=1))
    assert wave_of([0.0] * 24, 0.0).amplitudes == (0.0,) * HARMONICS


@pytest.mark.parametrize("body", ["dog", "horse", "bird"])
def test_gains_move_the_foot_to_the_capture_point_of_a_pendulum(body: str):
    """To first order, and within the damping of the inverse: 0.0025 over the squared lever, about 1, of a leg."""
    walker, stride, v = walker_of(plan_named(body)), stride_of(body), 1e-3
    pendulum = math.sqrt(walker.height / 9.80665)
    for number, leg in enumerate(walker.legs):
        start = leg.foot(leg.middle).position
        gains = [one.gains for one in leg_waves(walker, leg, number, stride)]
        for kind, desired in (
            (1, (stride.catch_ahead * pendulum * v, 0.0, 0.0)),
            (3, (0.0, stride.catch_aside * pendulum * v, 0.0)),
            (0, (-stride.right_ahead * walker.height * v, 0.0, 0.0)),
            (2, (0.0, -stride.right_aside * walker.height * v, 0.0)),
        ):
            q = [m + r * g[kind] * v for m, r, g in zip(leg.middle, leg.reach, gains, strict=True)]
            moved = leg.foot(q).position - start
            assert tuple(moved) == pytest.approx(desired, abs=0.1 * max(map(abs, desired)) + 1e-5 * v)


def test_weight_fractions_balance_the_weight():
    for x in ((-0.4, 0.5), (-0.3, 0.0, 0.4), (-1.0, -0.2, 0.3, 0.9)):
        fractions = weight_fractions(x, 0.07)
        assert sum(fractions) == pytest.approx(1.0)
        assert np.dot(fractions, x) == pytest.approx(0.07)
    assert weight_fractions((0.1,), 0.0) == pytest.approx([1.0], abs=0.02)


def test_heads_nod_twice_and_tails_follow_link_by_link():
    stride, limbs = stride_of("lizard"), {limb.name: limb for limb in plan_named("lizard").limbs}
    head = head_or_tail_wave(limbs["head"], stride, 0)
    assert head.wave.amplitudes == (0.0, 0.5 * stride.nod, 0.0)
    tail = [head_or_tail_wave(limbs["tail"], stride, k) for k in range(3)]
    assert all(one.wave.amplitudes == (stride.wag, 0.0, 0.0) for one in tail)
    assert [tail[0].wave.phases[0] - one.wave.phases[0] for one in tail] == pytest.approx([0.0, 0.08, 0.16])
