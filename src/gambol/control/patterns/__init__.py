"""Patterns: families of signals, one for each actuator, by name of their kind."""

from gambol.control.patterns.dataflow import Dataflow, Effector, FlowNode
from gambol.control.patterns.oscillators import Oscillator, Oscillators
from gambol.control.patterns.pattern import NO_FOOT, Bred, Pattern, Shape
from gambol.control.patterns.recurrent import Neuron, Recurrent
from gambol.control.patterns.responses import Response, Responses
from gambol.control.patterns.sensor_actuator import Node, SensorActuator
from gambol.control.patterns.sinusoid import Sinusoid, Swing
from gambol.control.patterns.spectral import Spectral, Wave
from gambol.errors import WorldError, did_you_mean

KINDS: tuple[type[Bred], ...] = (Spectral, Sinusoid, Oscillators, Responses, SensorActuator, Dataflow, Recurrent)

PATTERNS: dict[str, type[Bred]] = {of.kind: of for of in KINDS}
"""The kinds of patterns that are made of genes, by name."""


def pattern_kind(name: str) -> type[Bred]:
    """The kind of pattern of a name; raises WorldError that tells the nearest one if there is none."""
    if name not in PATTERNS:
        raise WorldError(f'there is no pattern "{name}"; {did_you_mean(name, PATTERNS)}')
    return PATTERNS[name]


__all__ = [
    "NO_FOOT",
    "PATTERNS",
    "Bred",
    "Dataflow",
    "Effector",
    "FlowNode",
    "Neuron",
    "Node",
    "Oscillator",
    "Oscillators",
    "Pattern",
    "Recurrent",
    "Response",
    "Responses",
    "SensorActuator",
    "Shape",
    "Sinusoid",
    "Spectral",
    "Swing",
    "Wave",
    "pattern_kind",
]
