"""Tapes: formulas recorded as lists of operations, to be replayed on other scalars and differentiated in reverse."""

from gambol.lanes.tape.recording import Recorded, Tape, record_tape
from gambol.lanes.tape.replay import OPERATIONS, replay
from gambol.lanes.tape.reverse import weighted_gradient
from gambol.lanes.tape.sparsity import hessian_pattern, hessian_work, jacobian_pattern, jacobian_work

__all__ = [
    "OPERATIONS",
    "Recorded",
    "Tape",
    "hessian_pattern",
    "hessian_work",
    "jacobian_pattern",
    "jacobian_work",
    "record_tape",
    "replay",
    "weighted_gradient",
]
