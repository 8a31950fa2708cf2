"""The state of a particle system: all living particles as one array, and the energy ledger."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ROWS = {
    "position": slice(0, 3), "velocity": slice(3, 6), "age": 6, "lifetime": 7, "radius": 8, "mass": 9, "kind": 10,
    "number": 11,
}  # fmt: skip
"""Rows of a state's array."""
ROW_COUNT = 12


@dataclass(frozen=True, slots=True)
class ParticleLedger:
    """The energy ledger of particles: totals since the start [J].

    born, dead: kinetic and potential energy of particles as they were born and as they died. drag: loss to the air;
    negative where wind drives particles. touch: loss by restitution and friction. obstacles: work of moving obstacles.
    """

    born: float = 0.0
    dead: float = 0.0
    drag: float = 0.0
    touch: float = 0.0
    obstacles: float = 0.0

    @property
    def expected(self) -> float:
        """The energy that the living particles must have [J]."""
        return self.born - self.dead - self.drag - self.touch + self.obstacles


@dataclass(frozen=True)
class ParticleState:
    """The state of a particle system: everything that a step changes. A run from a stored copy gives the same result.

    rows (12, n): the living particles in order of birth, see ROWS. steps: taken since the start; time [s]. born: number
    of particles born so far; unborn: number that were not born, because the capacity was used up.
    """

    rows: Array = field(default_factory=lambda: np.zeros((ROW_COUNT, 0)))
    steps: int = 0
    time: float = 0.0
    born: int = 0
    unborn: int = 0
    ledger: ParticleLedger = field(default_factory=ParticleLedger)

    def __len__(self) -> int:
        return self.rows.shape[1]

    @property
    def position(self) -> Array:
        """Positions (n, 3) [m]."""
        return self.rows[ROWS["position"]].T

    @property
    def velocity(self) -> Array:
        """Velocities (n, 3) [m/s]."""
        return self.rows[ROWS["velocity"]].T

    @property
    def age(self) -> Array:
        """Ages (n,) [s]."""
        return self.rows[ROWS["age"]]

    @property
    def kind(self) -> NDArray[np.intp]:
        """Index of the emitter of each particle (n,)."""
        return self.rows[ROWS["kind"]].astype(np.intp)
