"""Time integration: fixed and adaptive steps of systems of ordinary differential equations, and events."""

from gambol.integrate.adaptive import (
    MAX_FACTOR,
    NOT_FINITE_RATIO,
    StepDecision,
    error_ratio,
    fitted_step,
    step_decision,
)
from gambol.integrate.dense_output import DenseOutput, hermite
from gambol.integrate.integration import Event, Integration, StepControl, integrate_to
from gambol.integrate.solve import ConvergenceWarning, warn_not_converged
from gambol.integrate.system import MotionState, StepResult, System
from gambol.integrate.table import ALIASES, INTEGRATORS, Integrator, integrator

__all__ = [
    "ALIASES",
    "INTEGRATORS",
    "MAX_FACTOR",
    "NOT_FINITE_RATIO",
    "ConvergenceWarning",
    "DenseOutput",
    "Event",
    "Integration",
    "Integrator",
    "MotionState",
    "StepControl",
    "StepDecision",
    "StepResult",
    "System",
    "error_ratio",
    "fitted_step",
    "hermite",
    "integrate_to",
    "integrator",
    "step_decision",
    "warn_not_converged",
]
