"""Dataflow networks: functions of nodes, connections, and jumps of signals at whole numbers of discrete genes."""

import math

import numpy as np
import pytest
from tracing import evaluated

from gambol.control.controller import Senses
from gambol.control.patterns import Dataflow, Effector, FlowNode, PatternShape
from gambol.control.patterns.dataflow import FUNCTIONS, function_values, select_by_index
from gambol.errors import WorldError

SHAPE = PatternShape(actuators=1, size=1, senses=("angles",))


def test_nodes_compute_their_functions():
    (a, b, c), y, a_before, rate, t, dt = (0.3, -0.5, 0.2), 0.1, 0.25, 1.5, 0.7, 0.01
    expected = {
        "sum": a + b + c,
        "product": a * b,
        "minimum": min(a, b),
        "maximum": max(a, b),
        "absolute": abs(a),
        "greater": 1.0 if a > b else -1.0,
        "if": b if a > 0 else c,
        "squash": (a + b + c) / (1.0 + abs(a + b + c)),
        "sine": math.sin(2.0 * math.pi * (a + b + c)),
        "wave": math.sin(2.0 * math.pi * (rate * t + a)),
        "saw": 2.0 * ((rate * t + a) % 1.0) - 1.0,
        "smooth": a + (y - a) * math.exp(-2.0 * math.pi * rate * dt),
        "integrate": y + rate * a * dt,
        "differentiate": (a - a_before) / (rate * dt),
    }
    outputs = function_values((a, b, c), (y, a_before), (rate, t, dt))
    assert dict(zip(FUNCTIONS, outputs, strict=True)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 13, 31])
def test_every_source_is_found_by_its_number(count):
    values = [10.0 + k for k in range(count)]
    assert [select_by_index(values, float(k)) for k in range(count)] == values
    assert select_by_index(values, np.arange(float(count))) + np.zeros(count) == pytest.approx(values)
    assert list(evaluated(lambda i: select_by_index(values, i) + 0.0 * i, np.arange(float(count)))) == values


def network(function: float, source: float = 0.0, weight: float = 1.0) -> Dataflow:
    """A node that reads the angle, and an effector that reads the node."""
    node = FlowNode(function, 1.5, (source, 0.0, 0.0), (weight, 0.5, 0.5))
    return Dataflow(SHAPE, (node,), (Effector(1.0, 1.0),))


def answer(pattern: Dataflow, angle: float, time: float) -> float:
    signals, _ = pattern.signals(pattern.numbers(), pattern.memory(), Senses(time, [angle]), time, 0.01)
    return signals[0]


def test_a_wave_needs_no_input_to_swing():
    pattern = network(FUNCTIONS.index("wave"), weight=0.0)
    for time in np.linspace(0.25, 60.0, 101):
        assert answer(pattern, 0.3, float(time)) == pytest.approx(math.sin(3.0 * math.pi * time), abs=1e-12)


def test_a_node_may_read_itself_a_frame_later():
    pattern = network(FUNCTIONS.index("sum"), source=1.0, weight=-0.9)
    memory, outputs = pattern.memory(), []
    for _ in range(50):
        signals, memory = pattern.signals(pattern.numbers(), memory, Senses(1.0, [0.3]), 1.0, 0.01)
        outputs.append(signals[0])
    assert outputs[:3] == pytest.approx([0.3, 0.03, 0.273])
    assert outputs[-1] == pytest.approx(0.3 / 1.9, abs=0.3 * 0.9**49)


@pytest.mark.parametrize("change", [1e-3, 1e-9, 1e-15])
def test_however_small_a_change_it_may_change_what_a_node_computes(change):
    """The gene of a function, or of a source, is rounded down: at whole numbers the signal has a step."""
    assert answer(network(1.0), 1.0, 1.0) == pytest.approx(0.5)
    assert answer(network(1.0 - change), 1.0, 1.0) == pytest.approx(1.0)
    assert answer(network(2.0 - change), -0.8, 1.0) == pytest.approx(0.8 * 0.4)
    assert answer(network(2.0), -0.8, 1.0) == pytest.approx(-0.8)


def test_nodes_with_too_few_inputs_are_refused():
    with pytest.raises(WorldError, match="nested as `of_genes` nests them; these are"):
        Dataflow(SHAPE, (FlowNode(0.0, 1.0, (0.0, 0.0), (1.0, 1.0, 1.0, 1.0)),), (Effector(0.0, 1.0),))
