"""The energy that an actuator draws and loses in a large step."""

from dataclasses import dataclass

from gambol.lanes import Scalar


@dataclass(frozen=True, slots=True)
class StepEnergy:
    """Entries of an actuator for the energy ledger.

    source: energy drawn from its source [J]. heat: energy dissipated in it [J]. numerical: energy that the method of
    the step takes, 0 or more unless the step is inexact [J].
    """

    source: Scalar
    heat: Scalar
    numerical: Scalar = 0.0
