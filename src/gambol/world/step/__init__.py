"""The step functions of a world, by the scheme of its contact method, and the loop over control steps."""

from gambol.world.context import NOT_FINITE, RUNNING, UNDERFLOW, Clock, StepState, ledger_entries
from gambol.world.step.control_loop import STEP_FUNCTIONS, advance, partial_step

__all__ = [
    "NOT_FINITE",
    "RUNNING",
    "STEP_FUNCTIONS",
    "UNDERFLOW",
    "Clock",
    "StepState",
    "advance",
    "ledger_entries",
    "partial_step",
]
