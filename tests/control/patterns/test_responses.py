"""Stored stimuli and their responses: selection of the nearest, motion towards it, and jumps."""

import math

import numpy as np
import pytest

from gambol.control.controller import Senses
from gambol.control.patterns import PatternShape, Response, Responses
from gambol.errors import WorldError

SHAPE = PatternShape(actuators=2, size=6, senses=("angles", "speeds", "height"))
PAIR = PatternShape(actuators=1, size=2, senses=("angles",))


@pytest.mark.parametrize("seed", range(20))
def test_the_nearest_stimulus_is_the_least_of_the_distances(seed):
    rng = np.random.default_rng(seed)
    weights, stimuli = rng.uniform(0.0, 1.0, 5), rng.normal(size=(6, 5))
    answers, time_constant = rng.uniform(-1.0, 1.0, (6, 2)), rng.uniform(0.02, 0.5, 6)
    table = tuple(Response(tuple(p), tuple(r), t) for p, r, t in zip(stimuli, answers, time_constant, strict=True))
    pattern = Responses(SHAPE, tuple(weights), table)
    angles, speeds, height = rng.normal(size=2), 10.0 * rng.normal(size=2), rng.normal()
    readings = np.array([*angles, *(speeds / 10.0), height])
    nearest = int(np.argmin(((readings - stimuli) ** 2 * weights).sum(axis=1)))
    senses = Senses(0.0, list(angles), list(speeds), height=height)
    signals, _ = pattern.signals(pattern.numbers(), [0.0, 0.0], senses, 0.0, 0.1)
    np.testing.assert_allclose(signals, answers[nearest] * (1.0 - math.exp(-0.1 / time_constant[nearest])), rtol=1e-12)


def answers_after(stimulus: float, seconds: float) -> float:
    """The signal of two responses, 1 and -1, whose stimuli lie about a quarter's distance from the sensor readings."""
    table = (Response((stimulus,), (1.0,), 0.1), Response((0.25,), (-1.0,), 0.1))
    pattern = Responses(PAIR, (1.0,), table)
    memory = pattern.memory()
    for _ in range(round(seconds / 0.01)):
        signals, memory = pattern.signals(pattern.numbers(), memory, Senses(0.0, [0.0]), 0.0, 0.01)
    return signals[0]


@pytest.mark.parametrize("change", [1e-3, 1e-8, 1e-15])
def test_however_small_a_change_it_may_turn_a_response_over(change):
    """Unlike for sinusoids, there is no bound on the change of the signals by a change of a gene."""
    far = 1.0 - math.exp(-1.0 / 0.1)
    assert answers_after(-0.25 + change, 1.0) == pytest.approx(far)
    assert answers_after(-0.25 - change, 1.0) == pytest.approx(-far)


def test_tables_of_another_shape_are_refused():
    with pytest.raises(WorldError, match="nested as `of_genes` nests them; these are"):
        Responses(PAIR, (1.0,), (Response((0.0, 0.0), (), 0.1), Response((0.0,), (0.0,), 0.1)))
    with pytest.raises(WorldError, match="time constant above 0 s"):
        Responses(PAIR, (1.0,), (Response((0.0,), (0.0,), 0.0), Response((0.0,), (0.0,), 0.1)))
