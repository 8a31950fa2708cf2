"""Sets of muscle curves: forces of fibre and tendon as functions of length, velocity and activation."""

from gambol.actuation.muscle.curves.curve_set import CurveSet, ElasticCurve
from gambol.actuation.muscle.curves.millard import millard_curves
from gambol.actuation.muscle.curves.table import CURVES, add_curves, curves_named

__all__ = ["CURVES", "CurveSet", "ElasticCurve", "add_curves", "curves_named", "millard_curves"]
