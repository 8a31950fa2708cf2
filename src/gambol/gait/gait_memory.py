"""The memory of a gait controller: the states of its legs, and the motion of the rest angles of its joints."""

from dataclasses import dataclass
from typing import Any

from gambol.lanes import Scalar

STANCE = 0.0
"""The state of a leg that stands."""
POTENTIAL_STEP = 1.0
"""The state of a leg that will step, and waits while a neighbour steps or it carries too much."""
STEP = 2.0
"""The state of a leg that steps."""

NOT_STARTED = 1e6
"""The clock of a leg before its motor programs start [s]: later than the start of every command."""


@dataclass(frozen=True, slots=True)
class GaitMemory:
    """The memory of the controller. Only rest angles change between control steps.

    master: phase of the master oscillator [cycles]. For each leg, peaks: number of peaks passed; state: STANCE,
    POTENTIAL_STEP or STEP; clock: time since its program began; duration: duration of the program [s]. For each driven
    joint, rest: rest angle [rad]; rate: rate of the rest angle [rad/s]; target: value at which the rest angle stops
    [rad]. modifiers: the memory of each of the controller's modifiers, in their order.
    """

    master: Scalar
    peaks: list[Scalar]
    state: list[Scalar]
    clock: list[Scalar]
    duration: list[Scalar]
    rest: list[Scalar]
    rate: list[Scalar]
    target: list[Scalar]
    modifiers: list[Any]
