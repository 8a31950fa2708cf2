"""Muscles: fibres with activation dynamics and tendons, along paths over joints."""

from gambol.actuation.muscle.activation import ACTIVATIONS, ActivationDynamics, add_activation
from gambol.actuation.muscle.antagonist_pair import AntagonistPair
from gambol.actuation.muscle.antagonists import Antagonists
from gambol.actuation.muscle.curves import CURVES, CurveSet, ElasticCurve, add_curves, millard_curves
from gambol.actuation.muscle.energetics import METABOLISMS, Metabolism
from gambol.actuation.muscle.muscle import Muscle
from gambol.actuation.muscle.path import Path, Pulley, PulleyPath
from gambol.actuation.muscle.pneumatic import PneumaticMuscle
from gambol.actuation.muscle.point_path import Branch, PathPoint, PointPath, WrapCylinder, WrapSphere

__all__ = [
    "ACTIVATIONS",
    "CURVES",
    "METABOLISMS",
    "ActivationDynamics",
    "AntagonistPair",
    "Antagonists",
    "Branch",
    "CurveSet",
    "ElasticCurve",
    "Metabolism",
    "Muscle",
    "Path",
    "PathPoint",
    "PneumaticMuscle",
    "PointPath",
    "Pulley",
    "PulleyPath",
    "WrapCylinder",
    "WrapSphere",
    "add_activation",
    "add_curves",
    "millard_curves",
]
