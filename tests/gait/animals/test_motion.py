"""Measures of natural motion against closed forms."""

import math

import numpy as np
import pytest

from gambol.gait.animals import (
    GALLOP,
    TROT,
    WALK,
    component,
    component_amplitudes,
    energy_phase,
    fluctuation_exponent,
    gait_class,
    hump_count,
    log_dimensionless_jerk,
    pendulum_recovery,
)

PERIOD = 0.8
TIME = np.linspace(0.0, PERIOD, 161)
OMEGA = 2.0 * math.pi / PERIOD


def test_jerk_of_a_harmonic_speed_has_its_closed_form():
    """v = c + a sin(w t) over a period: int |v''|^2 dt = a^2 w^4 T / 2, and the peak is c + a."""
    c, a = 1.3, 0.2
    speed = c + a * np.sin(OMEGA * TIME)
    exact = -math.log(PERIOD**3 / (c + a) ** 2 * a**2 * OMEGA**4 * PERIOD / 2.0)
    # a quintic spline's second derivative errs by about (w h)^4 / 720 relative, its largest error is at the ends
    assert log_dimensionless_jerk(TIME, speed) == pytest.approx(exact, abs=1e-4)


def test_jerk_does_not_depend_on_units_and_falls_with_the_fourth_power_of_the_number_of_cycles():
    speed = 1.0 + 0.2 * np.sin(OMEGA * TIME)
    one = log_dimensionless_jerk(TIME, speed)
    assert log_dimensionless_jerk(7.0 * TIME, 0.01 * speed) == pytest.approx(one, abs=1e-9)
    twice = np.linspace(0.0, 2.0 * PERIOD, 321)
    assert log_dimensionless_jerk(twice, 1.0 + 0.2 * np.sin(OMEGA * twice)) == pytest.approx(
        one - math.log(2.0**4), abs=1e-4
    )


def test_jerk_of_a_vector_is_that_of_its_components_together():
    """A point on a circle at constant speed: |v''| = v w^2 at all times."""
    velocity = np.stack([np.cos(OMEGA * TIME), np.sin(OMEGA * TIME)], axis=1)
    assert log_dimensionless_jerk(TIME, velocity) == pytest.approx(-math.log(PERIOD**4 * OMEGA**4), abs=1e-4)


def test_a_pendulum_exchanges_all_its_energy_and_a_bouncing_ball_of_springs_none():
    wave = np.cos(2.0 * OMEGA * TIME)
    assert pendulum_recovery(5.0 + wave, 5.0 - wave) == pytest.approx(1.0, abs=1e-12)
    assert energy_phase(5.0 + wave, 5.0 - wave) == pytest.approx(-1.0, abs=1e-12)
    assert pendulum_recovery(5.0 + wave, 3.0 + 2.0 * wave) == pytest.approx(0.0, abs=1e-12)
    assert energy_phase(5.0 + wave, 3.0 + 2.0 * wave) == pytest.approx(1.0, abs=1e-12)
    half = pendulum_recovery(3.0 + wave, 3.0 - 3.0 * wave)  # increases 2, 6 and, of the sum, 4 a period
    assert half == pytest.approx(0.5, abs=1e-12)


def test_components_of_a_signal_with_a_trend():
    signal = 3.0 * TIME + 0.4 * np.cos(OMEGA * TIME - 0.7) + 0.1 * np.sin(2.0 * OMEGA * TIME)
    assert component_amplitudes(TIME, signal - 3.0 * TIME, 1.0 / PERIOD, 3) == pytest.approx([0.4, 0.1, 0.0], abs=1e-12)
    wave = component(TIME, signal, 1.0 / PERIOD)
    assert abs(wave) == pytest.approx(0.4, abs=1e-12)
    assert np.angle(wave) == pytest.approx(-0.7, abs=1e-12)


@pytest.mark.parametrize(("valley", "humps"), [(0.0, 1), (0.3, 1), (0.9, 2)])
def test_humps_of_a_force(valley, humps):
    """sin x + b sin 3 x has its middle at 1 - b: it is a maximum for b < 1 / 9, a minimum between two humps above."""
    x = np.linspace(0.0, math.pi, 64)
    force = np.sin(x) + valley / 3.0 * np.sin(3.0 * x)
    curvature_in_the_middle = -1.0 + 3.0 * valley
    assert (curvature_in_the_middle > 0.0) == (humps == 2)
    assert hump_count(force) == humps


def test_chatter_makes_no_humps():
    x = np.linspace(0.0, math.pi, 64)
    chatter = 0.3 * np.random.default_rng(1).standard_normal(64)
    assert hump_count(np.sin(x) + chatter * np.sin(20.0 * x)) == 1


@pytest.mark.parametrize(
    ("duty", "lags", "kind"),
    [
        (0.6, (0.5, 0.52), WALK),
        (0.4, (0.5, 0.5), TROT),
        (0.6, (0.1, 0.2), GALLOP),
        (0.3, (0.9, 0.1), GALLOP),
        (0.4, (-0.5, 1.5), TROT),
    ],
)
def test_class_of_a_gait(duty, lags, kind):
    assert gait_class([duty] * 4, lags) == kind
    assert gait_class([duty] * 4, lags, flight=0.5) == kind


@pytest.mark.parametrize(
    ("duty", "lag", "flight", "kind"),
    [
        (0.3, 0.5, 0.0, WALK),  # a wave along seven pairs of legs, of which four legs stand at any time
        (0.3, 0.5, 0.2, TROT),
        (0.7, 0.5, 0.0, WALK),
        (0.7, 0.1, 0.0, GALLOP),
    ],
)
def test_six_legs_or_more_walk_unless_they_fly(duty, lag, flight, kind):
    for limbs in (6, 8, 14):
        assert gait_class([duty] * limbs, [lag] * (limbs // 2), flight) == kind


@pytest.mark.parametrize("beta", [0.0, 0.5, 1.0, 2.0])
def test_the_fluctuation_exponent_follows_from_the_spectrum(beta: float):
    """Noise with the spectrum 1 / f^b has the exponent (1 + b) / 2. [Peng et al. 1994]

    A series of 4096 has it within 0.05 (standard deviation), so the mean of 16 within 0.04 at three of them; short
    windows add up to 0.02.
    """
    rng, count = np.random.default_rng(5), 4096
    found = list[float]()
    for _ in range(16):
        f = np.fft.rfftfreq(8 * count)[1:]
        spectrum = f ** (-0.5 * beta) * np.exp(2j * math.pi * rng.random(len(f)))
        found.append(fluctuation_exponent(np.fft.irfft(np.append(0.0, spectrum))[:count]))
    assert np.mean(found) == pytest.approx((1.0 + beta) / 2.0, abs=0.06)


def test_the_fluctuation_exponent_depends_on_the_order_only_and_needs_values():
    rng = np.random.default_rng(6)
    walk = np.cumsum(rng.normal(size=1024))
    exponent = fluctuation_exponent(walk)
    assert fluctuation_exponent(3.0 + 0.01 * walk) == pytest.approx(exponent, abs=1e-9)
    assert fluctuation_exponent(walk[::-1]) == pytest.approx(exponent, abs=0.05)
    assert fluctuation_exponent(rng.permutation(walk)) == pytest.approx(0.5, abs=0.1)
    assert math.isnan(fluctuation_exponent(walk[:255]))
    assert math.isnan(fluctuation_exponent(np.full(1024, 0.7)))
