"""Patterns: families of signals, one for each actuator; and the table of their kinds."""

from gambol.control.patterns.balanced import Balanced, BalancedWave
from gambol.control.patterns.command_sequence import CommandSequence
from gambol.control.patterns.commanded import Commanded
from gambol.control.patterns.dataflow import Dataflow, Effector, FlowNode
from gambol.control.patterns.function import FunctionPattern
from gambol.control.patterns.oscillators import Oscillator, Oscillators
from gambol.control.patterns.pattern import NO_FOOT, GeneticPattern, Pattern, PatternShape
from gambol.control.patterns.recurrent import Neuron, Recurrent
from gambol.control.patterns.responses import Response, Responses
from gambol.control.patterns.sensor_actuator import Node, SensorActuator
from gambol.control.patterns.sinusoid import SineWave, Sinusoid
from gambol.control.patterns.spectral import Spectral, Wave
from gambol.errors import WorldError, did_you_mean

KINDS: tuple[type[GeneticPattern], ...] = (
    Spectral,
    Balanced,
    Sinusoid,
    Oscillators,
    Responses,
    SensorActuator,
    Dataflow,
    Recurrent,
)

PATTERNS: dict[str, type[GeneticPattern]] = {pattern.kind: pattern for pattern in KINDS}
"""The kinds of patterns that are made of genes, by name."""


def pattern_kind(name: str) -> type[GeneticPattern]:
    """Return the class of a kind of pattern. Raises WorldError, with the nearest name, for an unknown one."""
    if name not in PATTERNS:
        raise WorldError(f'there is no pattern "{name}"; {did_you_mean(name, PATTERNS)}')
    return PATTERNS[name]


__all__ = [
    "NO_FOOT",
    "PATTERNS",
    "Balanced",
    "BalancedWave",
    "CommandSequence",
    "Commanded",
    "Dataflow",
    "Effector",
    "FlowNode",
    "FunctionPattern",
    "GeneticPattern",
    "Neuron",
    "Node",
    "Oscillator",
    "Oscillators",
    "Pattern",
    "PatternShape",
    "Recurrent",
    "Response",
    "Responses",
    "SensorActuator",
    "SineWave",
    "Sinusoid",
    "Spectral",
    "Wave",
    "pattern_kind",
]
