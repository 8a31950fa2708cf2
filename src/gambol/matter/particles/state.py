"""The state of a particle system: all living particles as one array, and the energy ledger."""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, field, fields

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError

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

    born, dead: kinetic and potential energy of particles at birth and at death. drag: loss to the air; negative where
    wind drives particles. touch: loss by restitution and friction. obstacles: work of moving obstacles.
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

    rows (12, n): the living particles in order of birth, see ROWS. steps: number of steps since the start; time [s].
    born: number of particles born so far; not_created: number of particles that were not created, because the capacity
    was reached.
    """

    rows: Array = field(default_factory=lambda: np.zeros((ROW_COUNT, 0)))
    steps: int = 0
    time: float = 0.0
    born: int = 0
    not_created: int = 0
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

    def arrays(self, prefix: str = "") -> dict[str, Array]:
        """Return the state as named arrays of numbers, for a file."""
        counts = np.array([self.steps, self.time, self.born, self.not_created], float)
        values = {"rows": self.rows, "counts": counts, "ledger": np.array(astuple(self.ledger))}
        return {prefix + name: value for name, value in values.items()}

    @staticmethod
    def from_arrays(arrays: Mapping[str, Array], emitters: int, prefix: str = "") -> "ParticleState":
        """Return the state from the result of arrays().

        emitters: number of emitters. Raises WorldError if the state does not belong to that many emitters.
        """
        names = [prefix + name for name in ("rows", "counts", "ledger")]
        missing = [name for name in names if name not in arrays]
        if missing:
            raise WorldError(f'this is not a state of particles: it has no array "{missing[0]}"')
        rows, counts, ledger = (np.asarray(arrays[name], float) for name in names)
        if rows.ndim != 2 or len(rows) != ROW_COUNT or counts.shape != (COUNTS,) or len(ledger) != LEDGER_COUNT:
            raise WorldError(f"a state of particles has {ROW_COUNT} rows, not an array of shape {rows.shape}")
        state = ParticleState(
            rows, int(counts[0]), float(counts[1]), int(counts[2]), int(counts[3]), ParticleLedger(*ledger.tolist())
        )
        if len(state) and not (state.kind.min() >= 0 and state.kind.max() < emitters):
            raise WorldError(f"a particle of emitter {int(state.kind.max())} is not one of {emitters} emitters")
        return state


COUNTS, LEDGER_COUNT = 4, len(fields(ParticleLedger))
"""Number of values in a file besides the rows (steps, time, and numbers of particles born and not created), and number
of entries of the ledger."""
