"""Muscles: fibres with activation dynamics and tendons, along paths over joints."""

from gambol.actuation.muscle.activation import ACTIVATIONS, ActivationDynamics, add_activation
from gambol.actuation.muscle.curves import CURVES, CurveSet, ElasticCurve, add_curves
from gambol.actuation.muscle.muscle import Muscle
from gambol.actuation.muscle.path import Path, Pulley, PulleyPath

__all__ = [
    "ACTIVATIONS",
    "CURVES",
    "ActivationDynamics",
    "CurveSet",
    "ElasticCurve",
    "Muscle",
    "Path",
    "Pulley",
    "PulleyPath",
    "add_activation",
    "add_curves",
]
