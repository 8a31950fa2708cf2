"""Recurrent networks against closed forms."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from gambol.control.controller import Senses
from gambol.control.patterns import Neuron, PatternShape, Recurrent
from gambol.errors import WorldError

SHAPE = PatternShape(actuators=1, size=1, senses=("angles",))
TWO = PatternShape(actuators=2, size=2, senses=())


def logistic(x: Any) -> Any:
    return 1.0 / (1.0 + np.exp(-x))


def run(pattern: Recurrent, angle: float, seconds: float, dt: float) -> list[list[float]]:
    memory, past = pattern.memory(), []
    for _ in range(round(seconds / dt)):
        _, memory = pattern.signals(pattern.numbers(), memory, Senses(0.0, [angle]), 0.0, dt)
        past.append(memory)
    return past


@pytest.mark.parametrize("dt", [0.2, 0.01])
def test_a_node_without_weights_decays_exponentially(dt):
    """y(t) = I + (y(0) - I) e^(-t / tau), from y(0) = -theta, for any steps."""
    theta, tau, current = -1.5, 0.4, 2.0 * 0.3
    past = run(Recurrent(SHAPE, (Neuron(theta, tau, (0.0,), (2.0,)),)), 0.3, 2.0, dt)
    t = dt * np.arange(1, len(past) + 1)
    y = np.array(past)[:, 0] - theta
    np.testing.assert_allclose(y, current + (-theta - current) * np.exp(-t / tau), rtol=0.0, atol=1e-13)


@pytest.mark.parametrize("weight", [-6.0, 2.0, 3.5])
def test_a_node_comes_to_rest_at_its_fixed_point(weight):
    bias = -0.8
    theta = bias - weight / 2.0
    past = run(Recurrent(SHAPE, (Neuron(bias, 0.1, (weight,), (0.0,)),)), 0.0, 8.0, 0.01)
    rests = brentq(lambda y: -y + weight * logistic(y + theta), -10.0, 10.0, xtol=1e-14)
    assert past[-1][0] - theta == pytest.approx(rests, abs=1e-12)


def test_two_nodes_oscillate_as_the_equations_predict():
    """The well-known oscillator of two nodes; frames of h are of first order, so halving h halves the error.

    Their centres are not quite crossed, otherwise they would rest at the start for ever.
    """
    weights, biases = ((4.5, 1.0), (-1.0, 4.5)), (0.05, 0.0)
    pattern = Recurrent(TWO, tuple(Neuron(b, 1.0, w, ()) for b, w in zip(biases, weights, strict=True)))
    theta = np.array(biases) - np.sum(weights, axis=1) / 2.0
    exact = solve_ivp(
        lambda _, y: -y + np.array(weights) @ logistic(y + theta), (0.0, 20.0), -theta, rtol=1e-10, atol=1e-12
    ).y[:, -1]
    waves = np.array(run(pattern, 0.0, 40.0, 0.01))[2000:, 0]
    errors = [np.abs(np.array(run(pattern, 0.0, 20.0, h)[-1]) - theta - exact).max() for h in (0.01, 0.005)]
    assert np.ptp(waves) > 1.0
    assert errors[1] < 0.02
    assert errors[0] / errors[1] == pytest.approx(2.0, rel=0.1)


def test_signals_are_outputs_about_a_half():
    pattern = Recurrent(SHAPE, (Neuron(0.7, 1e-3, (0.0,), (0.0,)),))
    signals, _ = pattern.signals(pattern.numbers(), [0.0], Senses(0.0, [0.0]), 0.0, 1.0)
    assert signals[0] == pytest.approx(math.tanh(0.35))


def test_impossible_networks_are_refused():
    with pytest.raises(WorldError, match="1 nodes cannot move 2 actuators"):
        Recurrent.genes_of(PatternShape(actuators=2, size=1))
    with pytest.raises(WorldError, match="time constant must be above 0"):
        Recurrent(SHAPE, (Neuron(0.0, 0.0, (0.0,), (0.0,)),))


def test_biases_of_nothing_centre_every_node():
    """An output of a half from every node is an equilibrium, for any weights."""
    rng = np.random.default_rng(0)
    shape = PatternShape(actuators=2, size=5, senses=())
    pattern = Recurrent(shape, tuple(Neuron(0.0, 0.1, tuple(rng.uniform(-16.0, 16.0, 5)), ()) for _ in range(5)))
    _, after = pattern.signals(pattern.numbers(), pattern.memory(), Senses(0.0), 0.0, 0.01)
    assert after == pytest.approx([0.0] * 5, abs=1e-13)
