"""Moving a state through time."""

from gambol.integrate.adaptive import GROW, HOPELESS, Verdict, dealt, error_ratio, judged
from gambol.integrate.dense import Curve, hermite
from gambol.integrate.march import Event, March, Pace, marched
from gambol.integrate.solve import ConvergenceWarning, warn_of_missed
from gambol.integrate.system import Moving, Stepped, System
from gambol.integrate.table import ALIASES, INTEGRATORS, Integrator, integrator

__all__ = [
    "ALIASES",
    "GROW",
    "HOPELESS",
    "INTEGRATORS",
    "ConvergenceWarning",
    "Curve",
    "Event",
    "Integrator",
    "March",
    "Moving",
    "Pace",
    "Stepped",
    "System",
    "Verdict",
    "dealt",
    "error_ratio",
    "hermite",
    "integrator",
    "judged",
    "marched",
    "warn_of_missed",
]
