"""Coupled oscillators: locking, beating, and reflexes of feet."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gambol.control.controller import Senses
from gambol.control.patterns import Oscillator, Oscillators, PatternShape
from gambol.control.patterns.oscillators import OscillatorMemory

TWO_PI = 2.0 * math.pi
ONE_FOOT = PatternShape(actuators=1, feet=1, foot_of=(0,))


def pair(detuning: float, coupling: float, phases: tuple[float, float] = (0.0, 0.0)) -> Oscillators:
    several = [Oscillator(0.0, 1.0, p, n) for p, n in zip(phases, (detuning / 2.0, -detuning / 2.0), strict=True)]
    return Oscillators(PatternShape(actuators=2), 1.0, coupling, tuple(several))


def run(
    pattern: Oscillators, seconds: float, dt: float, senses_at: Callable[[float], Any] = Senses
) -> list[OscillatorMemory]:
    numbers, memory, past = pattern.numbers(), pattern.memory(), []
    for step in range(round(seconds / dt)):
        _, memory = pattern.signals(numbers, memory, senses_at(step * dt), step * dt, dt)
        past.append(memory)
    return past


@pytest.mark.parametrize(("detuning", "coupling"), [(0.2, 3.0), (0.2, 1.3), (-0.3, 8.0), (0.0, 1.0)])
def test_two_oscillators_lock_at_the_arc_sine(detuning, coupling):
    """Phi' = 2 pi n - K sin Phi rests at arcsin(2 pi n / K), to which it decays with rate K cos Phi."""
    rests = math.asin(TWO_PI * detuning / coupling)
    seconds = 28.0 / (coupling * math.cos(rests))  # e^-28 is below 1e-12
    last = run(pair(detuning, coupling), seconds, 1.0 / 60.0)[-1]
    assert TWO_PI * (last.lead[0] - last.lead[1]) == pytest.approx(rests, abs=1e-10)


def test_they_approach_the_lock_at_a_known_rate():
    """Without detuning a small lag decays as e^-Kt; Euler's steps of h make it (1 - K h)^n, to the lag's square."""
    coupling, h, lag = 2.0, 0.01, 1e-4
    pattern = pair(0.0, coupling)
    memory = OscillatorMemory([lag, 0.0], [])
    for _ in range(100):
        _, memory = pattern.signals(pattern.numbers(), memory, Senses(0.0), 0.0, h)
    assert memory.lead[0] - memory.lead[1] == pytest.approx(lag * (1.0 - coupling * h) ** 100, rel=1e-6)


def test_they_beat_with_too_weak_a_coupling():
    """The phase slips sqrt((2 pi n)^2 - K^2) / 2 pi times a second."""
    detuning, coupling, dt = 0.5, 2.0, 1e-3
    past = run(pair(detuning, coupling), 20.0, dt)
    difference = np.unwrap([TWO_PI * (p.lead[0] - p.lead[1]) for p in past])
    slips = math.sqrt((TWO_PI * detuning) ** 2 - coupling**2) / TWO_PI
    slipped = (difference[-1] - difference[0]) / (TWO_PI * dt * (len(difference) - 1))
    assert slipped == pytest.approx(slips, abs=1.0 / 20.0 + 2e-3)  # a part of a slip, and Euler's first order


def test_lags_of_the_gait_are_at_rest_and_signals_are_their_sines():
    pattern = pair(0.0, 10.0, (0.15, 0.65))
    assert run(pattern, 2.0, 0.01)[-1].lead == pytest.approx([0.0, 0.0], abs=1e-14)
    time = np.linspace(0.5, 100.0, 2001)
    signals, _ = pattern.signals(pattern.numbers(), pattern.memory(), Senses(time), time, 0.01)
    for phase, signal in zip((0.15, 0.65), signals, strict=True):
        np.testing.assert_allclose(signal, np.sin(TWO_PI * (time + phase)), rtol=0.0, atol=1e-12)


def test_a_landing_sets_the_phase_once():
    pattern = Oscillators(ONE_FOOT, 1.0, 0.0, (Oscillator(0.0, 1.0, 0.3, landing=0.0, reset=1.0),))
    numbers, memory = pattern.numbers(), pattern.memory()
    _, memory = pattern.signals(numbers, memory, Senses(2.0, contacts=[1.0], loads=[0.0]), 2.0, 0.01)
    assert memory.lead[0] == pytest.approx(-0.3)  # from 0.3 back to 0, the shorter way
    _, memory = pattern.signals(numbers, memory, Senses(2.1, contacts=[1.0], loads=[0.0]), 2.1, 0.01)
    assert memory.lead[0] == pytest.approx(-0.3)


@pytest.mark.parametrize("reset", [0.0, 0.25, 0.6])
def test_a_landing_moves_the_phase_by_a_part_of_the_way(reset):
    pattern = Oscillators(ONE_FOOT, 1.0, 0.0, (Oscillator(0.0, 1.0, 0.9, landing=0.1, reset=reset),))
    senses = Senses(0.0, contacts=[1.0], loads=[0.0])
    _, memory = pattern.signals(pattern.numbers(), pattern.memory(), senses, 0.0, 0.01)
    assert memory.lead[0] == pytest.approx(0.2 * reset)


def test_load_holds_an_oscillator_where_its_cosine_vanishes():
    """theta' = f - g L cos(2 pi theta) rests where cos = f / (g L), and that is steady where the sine is negative."""
    pattern = Oscillators(ONE_FOOT, 1.0, 0.0, (Oscillator(0.0, 1.0, 0.0, held=2.0),))
    memory, dt = pattern.memory(), 1e-3
    for step in range(5000):
        senses = Senses(step * dt, contacts=[0.0], loads=[1.0])
        signals, memory = pattern.signals(pattern.numbers(), memory, senses, step * dt, dt)
    assert signals[0] == pytest.approx(-math.sqrt(0.75), abs=5e-3)  # the sine where the cosine is a half; dt f late


def test_it_senses_feet_only_on_limbs_that_it_moves():
    assert pair(0.0, 1.0).required_senses == ()
    assert Oscillators(ONE_FOOT, 1.0, 0.0, (Oscillator(0.0, 1.0, 0.0),)).required_senses == ("contacts", "loads")
