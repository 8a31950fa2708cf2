"""Moving a state through time."""

from gambol.integrate.adaptive import Verdict, dealt, error_ratio, judged
from gambol.integrate.dense import Curve, hermite
from gambol.integrate.system import Moving, Stepped, System
from gambol.integrate.table import ALIASES, INTEGRATORS, Integrator, integrator

__all__ = [
    "ALIASES",
    "INTEGRATORS",
    "Curve",
    "Integrator",
    "Moving",
    "Stepped",
    "System",
    "Verdict",
    "dealt",
    "error_ratio",
    "hermite",
    "integrator",
    "judged",
]
