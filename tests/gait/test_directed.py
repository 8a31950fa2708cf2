"""Directed waves: without commands they are the given waves; strides vary as much as asked, with memory."""

import math
from dataclasses import replace

import numpy as np
import pytest

from gambol.control import Senses
from gambol.creatures.animals import animal_world
from gambol.evolve.genotype.walking.styles import FREQUENCY_AT_REST
from gambol.gait import Directed
from gambol.gait.behaviour import BEHAVIOURS
from gambol.sensing.others import Other

VARIATION, STRIDES, STEPS = 0.04, 512, 10
OCTAVES = 8


def pattern() -> Directed:
    found = getattr(animal_world("lizard").controller, "pattern", None)
    assert isinstance(found, Directed)
    return found


def test_without_commands_the_waves_are_those_that_evolved():
    """The phase is a sum of 100 steps: each rounds by 1e-16."""
    own = pattern()
    numbers, waves, memory, dt = own.numbers(), own.waves.numbers(), own.memory(), 1.0 / 120.0
    for k in range(100):
        senses = Senses(k * dt, up=(0.1, -0.05, 0.99), velocity=(0.4, 0.02, 0.0))
        signals, memory = own.signals(numbers, memory, senses, (k + 1) * dt, dt)
        expected, _ = own.waves.signals(waves, (), senses, (k + 1) * dt, dt)
        np.testing.assert_allclose(signals, expected, atol=1e-12)
        assert list(memory) == list(own.memory())  # the order of a memory is that of its numbers in a program


def stride_times(varied: Directed) -> np.ndarray:
    """Return the times of strides, from the phases at STEPS equal steps in a stride."""
    numbers, memory = varied.numbers(), varied.memory()
    dt = 1.0 / (STEPS * varied.waves.frequency)
    phases, senses = [0.0], Senses(1.0, up=(0.0, 0.0, 1.0), velocity=(0.0, 0.0, 0.0))
    for _ in range(STRIDES * STEPS):
        _, memory = varied.signals(numbers, memory, senses, 1.0, dt)
        phases.append(float(memory["phase"]))
    begins = np.interp(np.arange(math.floor(phases[-1])), phases, dt * np.arange(len(phases)))
    return np.diff(begins)


def test_strides_vary_as_asked_and_remember_each_other():
    """Each of the sinusoids, with periods of 2 to 256 strides, is averaged over a stride: sin(x) / x, x = pi / period.

    The frequency varies with the speed, too, by 1 - FREQUENCY_AT_REST. A spectrum 1 / f has a correlation of neighbours
    that white noise does not have: white noise of n strides has less than 3 / sqrt(n).
    """
    times = stride_times(replace(pattern(), variation=VARIATION, seed=3))
    halves = [math.pi / 2.0**k for k in range(1, OCTAVES + 1)]
    by_speed = 1.0 - FREQUENCY_AT_REST
    expected = VARIATION * math.sqrt((1.0 + by_speed**2) * np.mean([(math.sin(x) / x) ** 2 for x in halves]))
    deviations = times / times.mean() - 1.0
    assert abs(deviations.std() / expected - 1.0) < 0.1  # a period of 2 strides gives up to twice its mean variance
    neighbours = float(np.corrcoef(deviations[:-1], deviations[1:])[0, 1])
    assert neighbours > 0.5 > 3.0 / math.sqrt(len(times))
    same = stride_times(replace(pattern(), variation=VARIATION, seed=3))
    assert (same == times).all()
    assert np.ptp(stride_times(pattern())) < 1e-9


def test_a_policy_contains_pursuit_and_flight_and_changes_with_distance():
    """With equal weights near and far it is the direction of push or, for one other creature, that of flee."""
    top = {"top": 0.8}
    given = BEHAVIOURS["policy"][1] | top
    other = Other(0.6, -0.8, 0.2, 0.1, 1.0)
    push, flee = (BEHAVIOURS[name][0]([other], top) for name in ("push", "flee"))
    policy = BEHAVIOURS["policy"][0]
    assert policy([other], given) == pytest.approx(push)
    away = policy([other], given | {"toward near": -1.0, "toward far": -1.0})
    assert away == pytest.approx([x / math.hypot(*flee) for x in flee])
    still = given | dict.fromkeys(("toward near", "toward far"), 0.0)
    beside = policy([other], still | {"aside near": 1.0})
    assert beside == pytest.approx((0.5 * 0.8, 0.5 * 0.6))  # the left of (0.6, -0.8), half at the range of 1 m
    matched = policy([other], still | {"match near": 1.0, "match far": 1.0})
    assert matched == pytest.approx((0.2 / 0.8, 0.1 / 0.8))
    assert policy([replace(other, near=0.0)], given) == (0.0, 0.0)
