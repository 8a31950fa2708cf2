"""The state of a spring mesh, its energy ledger, and files of states."""

import io
from dataclasses import astuple, dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.errors import WorldError
from gambol.formats import atomic_write
from gambol.formats.safe_files import file_bytes, read_arrays
from gambol.matter.forces.twisted_rods import TwistedRods
from gambol.matter.mesh import SpringMesh

Array = NDArray[np.float64]

MAX_BYTES = 2_000_000_000  # of a file of states: some ten million points


@dataclass(frozen=True, slots=True)
class MeshLedger:
    """Energy that a mesh has received since its start [J]; losses are negative.

    wind: work of the air. damping, friction, contact: losses by dampers, friction, and dampers of contacts. support:
    work of links that touch or hold the mesh. limit: change by the limit of stretch. torn: energy of springs that
    broke. numerical: what the steps of a method that is not explicit change without a physical cause. Of an exact
    implicit Euler step it is minus |v' - v|^2_M/2 and minus the stored energy's difference from its tangent at the end:
    it is of the order of the step. 0 for explicit methods, whose error is the change of MeshStepper.energy() less the
    total.
    """

    wind: float = 0.0
    damping: float = 0.0
    friction: float = 0.0
    contact: float = 0.0
    support: float = 0.0
    limit: float = 0.0
    torn: float = 0.0
    numerical: float = 0.0

    @property
    def total(self) -> float:
        """The sum of all entries: the change of MeshStepper.energy(), but for the error of an explicit method [J]."""
        return sum(astuple(self))

    def plus(self, **changes: float) -> "MeshLedger":
        """Return the ledger with some entries increased [J]."""
        values = {name: getattr(self, name) + changes.get(name, 0.0) for name in self.__slots__}
        return MeshLedger(**values)


@dataclass(frozen=True, eq=False)
class MeshState:
    """The state of a mesh: everything that a step changes.

    position, velocity: position and velocity of the points (n, 3) [m, m/s]. intact: True for intact springs (m,). time
    [s]. ledger: ledger of energy. history: numbers that the method stores about earlier steps (k,), empty for most
    methods and before the first step. twist: twist of each rod that has one, with its full turns (rods,) [rad].
    """

    position: Array
    velocity: Array
    intact: NDArray[np.bool_]
    time: float = 0.0
    ledger: MeshLedger = field(default_factory=MeshLedger)
    history: Array = field(default_factory=lambda: np.zeros(0))
    twist: Array = field(default_factory=lambda: np.zeros(0))

    def arrays(self, prefix: str = "") -> dict[str, Array]:
        """Return the state as named arrays of numbers, for a file."""
        values = {
            "position": self.position,
            "velocity": self.velocity,
            "intact": self.intact.astype(float),
            "clock": np.array([self.time]),
            "ledger": np.array(astuple(self.ledger)),
            "history": self.history,
            "twist": self.twist,
        }
        return {prefix + name: np.asarray(value, float) for name, value in values.items()}

    @staticmethod
    def from_arrays(arrays: dict[str, Array], mesh: SpringMesh, prefix: str = "") -> "MeshState":
        """Return the state from the result of arrays(). Raises WorldError if it does not belong to this mesh."""
        names = ("position", "velocity", "intact", "clock", "ledger", "history")
        missing = [name for name in names if prefix + name not in arrays]
        if missing:
            raise WorldError(f'this is not a state of a mesh: it has no array "{prefix}{missing[0]}"')
        x, v, intact, clock, ledger, history = (np.asarray(arrays[prefix + name], float) for name in names)
        twist = np.asarray(arrays.get(prefix + "twist", []), float)  # absent in files that are older than twisted rods
        sizes = intact.shape == (len(mesh.springs),) and twist.shape == (len(mesh.twists),)
        if x.shape != mesh.points.shape or v.shape != x.shape or not sizes:
            raise WorldError(
                f'a state of {len(x)} points and {len(intact)} springs is not a state of "{mesh.name}", which has '
                f"{len(mesh.points)} and {len(mesh.springs)}"
            )
        return MeshState(x, v, intact > 0.5, float(clock[0]), MeshLedger(*ledger.tolist()), history, twist)

    def save(self, path: str | Path) -> None:
        """Write the state to a NumPy archive; load_state() restores the same bits."""
        save_arrays(path, self.arrays())


def start_state(mesh: SpringMesh, positions: ArrayLike | None, velocities: ArrayLike | None) -> MeshState:
    """Return the state of a mesh at time 0; arguments and errors: see MeshStepper.start()."""
    shape = mesh.points.shape
    x = mesh.points.copy() if positions is None else np.array(positions, float)
    v = np.zeros(shape) if velocities is None else np.array(np.broadcast_to(np.array(velocities, float), shape))
    for name, array in (("positions", x), ("velocities", v)):
        if array.shape != shape:
            raise WorldError(f'the {name} of "{mesh.name}" have the shape {shape}, not {array.shape}')
        if not np.isfinite(array).all():
            raise WorldError(f"the {name} of point {int(np.argwhere(~np.isfinite(array))[0, 0])} are not finite")
    v[mesh.pins] = 0.0
    twist = TwistedRods.of(mesh).angles(x.T, np.array([rod.turn for rod in mesh.twists]))
    return MeshState(x, v, np.ones(len(mesh.springs), bool), twist=twist)


def save_arrays(path: str | Path, arrays: dict[str, Array]) -> None:
    """Write named arrays to a NumPy archive. Raises GambolError for a folder that cannot be written to."""
    with atomic_write(path) as temporary, temporary.open("wb") as file:
        np.savez(file, **arrays)  # pyright: ignore[reportArgumentType]


def load_arrays(path: str | Path) -> dict[str, Array]:
    """Return the named arrays of a NumPy archive. Raises WorldError for another kind of file and for a damaged file."""
    data = file_bytes(Path(path), "state", MAX_BYTES)
    try:
        return dict(read_arrays(io.BytesIO(data)))
    except ValueError as error:
        raise WorldError(f'"{Path(path).name}" is not a state of a mesh: {error}') from error


def load_state(path: str | Path, mesh: SpringMesh) -> MeshState:
    """Return the state of a mesh from a file of MeshState.save(). Raises GambolError for other files."""
    return MeshState.from_arrays(load_arrays(path), mesh)
