"""Networks of nodes with delays: their steady state, and the delay."""

import math

import numpy as np
import pytest

from gambol.control.controller import Senses
from gambol.control.patterns import Node, PatternShape, SensorActuator
from gambol.errors import WorldError

SHAPE = PatternShape(actuators=1, size=1, senses=("angles",))


def network(hidden: Node, actuator: Node) -> SensorActuator:
    return SensorActuator(SHAPE, (hidden, actuator))


def answers(pattern: SensorActuator, angle: float, seconds: float, dt: float) -> np.ndarray:
    memory, outputs = pattern.memory(), []
    for _ in range(round(seconds / dt)):
        signals, memory = pattern.signals(pattern.numbers(), memory, Senses(0.0, [angle]), 0.0, dt)
        outputs.append(signals[0])
    return np.array(outputs)


@pytest.mark.parametrize("dt", [0.1, 0.01, 0.001])
def test_a_held_input_comes_out_as_an_erlang_distribution(dt):
    """y(t) = u (1 - e^-x (1 + x)) with x = 2 t / T, for any steps; its mean delay is T."""
    delay = 0.3
    outputs = answers(network(Node(0.0, 0.1, (0.0, 0.0)), Node(0.5, delay, (2.0, 0.0))), 0.25, 4.0, dt)
    t = dt * np.arange(1, len(outputs) + 1)
    x = 2.0 * t / delay
    np.testing.assert_allclose(outputs, 0.5 * (1.0 - np.exp(-x) * (1.0 + x)), rtol=0.0, atol=1e-12)


def test_it_is_late_by_its_delay_in_the_mean():
    outputs = answers(network(Node(0.0, 0.1, (0.0, 0.0)), Node(1.0, 0.4, (0.0, 0.0))), 0.0, 8.0, 1e-3)
    late = np.sum(outputs[-1] - outputs) * 1e-3 / outputs[-1]
    assert late == pytest.approx(0.4, abs=2e-3)  # a sum of 1 ms steps for an integral


def test_a_node_that_holds_itself_back_swings_down_to_rest():
    """y'' + 4 y' / T + (2/T)^2 (1 + w) y = 0 near rest: oscillation at sqrt(w) 2 / T [rad/s], decaying at 2 / T."""
    delay, weight = 0.5, 4.0
    pattern = network(Node(0.02, delay, (0.0, -weight)), Node(0.0, 1e-3, (0.0, 1.0)))
    outputs = answers(pattern, 0.0, 5.0, 1e-3)
    off = outputs - outputs[-1]
    times = 1e-3 * np.flatnonzero(np.diff(np.sign(off)))[:4]
    assert np.diff(times) == pytest.approx(math.pi / (math.sqrt(weight) * 2.0 / delay), rel=0.03)


def test_nodes_of_another_shape_are_refused():
    good = Node(0.0, 0.1, (0.0, 0.0))
    with pytest.raises(WorldError, match="nested as `of_genes` nests them; these are"):
        network(Node(0.0, 0.1, (0.0,)), Node(0.0, 0.1, (0.0, 0.0, 0.0)))
    with pytest.raises(WorldError, match="delay must be above 0"):
        network(good, Node(0.0, 0.0, (0.0, 0.0)))
