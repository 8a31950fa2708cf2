"""The ledger of a pile's energy, and the places of its entries in arrays."""

from dataclasses import astuple, dataclass, fields

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class EnergyLedger:
    """Energy added to a pile since its initial state [J]; negative entries are losses.

    push: by external forces. friction: along the tangents of contacts; impact: along their normals. correction: by
    moving penetrating bodies apart. sleep: minus the kinetic energy of bodies that fell asleep. springs: by springs,
    soft limits and rotors of joints, which store it; damping: by their dampers and friction; motors: by servos, biases
    and torques; limits: by hard limits.
    """

    push: float = 0.0
    friction: float = 0.0
    impact: float = 0.0
    correction: float = 0.0
    sleep: float = 0.0
    springs: float = 0.0
    damping: float = 0.0
    motors: float = 0.0
    limits: float = 0.0

    @property
    def total(self) -> float:
        """The sum of all entries: the change of PileStepper.energy() [J]."""
        return sum(astuple(self))

    def plus(self, work: Array) -> "EnergyLedger":
        """Return the ledger with work added, in the order of the entries [J]."""
        return EnergyLedger(*(a + b for a, b in zip(astuple(self), work.tolist(), strict=True)))


_NAMES = [entry.name for entry in fields(EnergyLedger)]
ENTRIES = len(_NAMES)
"""Number of entries of the ledger."""

PUSH, FRICTION, IMPACT, CORRECTION = map(_NAMES.index, ("push", "friction", "impact", "correction"))
SLEEP, SPRINGS, LIMITS = map(_NAMES.index, ("sleep", "springs", "limits"))
"""Places of entries; those of joints are from SPRINGS to LIMITS."""
