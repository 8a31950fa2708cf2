"""Recording of a run: states are buffered, and observed many at a time to fill the arrays of a film."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Ground, HeightGrid, NoGround
from gambol.figure import PlacedLink, Submesh
from gambol.spatial import Rotation
from gambol.spatial.rotation import quaternion_of
from gambol.world.actuator_forces import output_names
from gambol.world.contacts import contacts_of
from gambol.world.context import LEDGER_SIGNS, ledger_entries
from gambol.world.film import Film, FilmGround, FilmShape
from gambol.world.film.axes import film_axes
from gambol.world.film.contacts import ContactSignals
from gambol.world.film.large import large_array, pieces
from gambol.world.film_attachments import film_attachments
from gambol.world.film_paths import film_muscles
from gambol.world.observe import Snapshot
from gambol.world.state import Engine, State

Array = NDArray[Any]
BATCH = 128  # states observed in one call: many times the number of lanes, and half a megabyte for a roach


class Recorder:
    """Records the states of a run, one after the other, as a film of at most `frames` frames.

    Besides poses it records these signals, of shape (F, W) if not given. Signals from snapshots (see observe.Snapshot):
    centre (F, W, 3), feet (F, W, feet, 3), clearance, elsewhere, kinetic, potential, stored, positive_power; push (F,
    W, feet) is normal_forces. From a gait: stepping (F, W, legs), 1 while a leg steps; its signals, such as upper and
    load (F, W, legs). From attachments: intact (F, W, attachments), 0 once it is broken. From sensors: "sensor NAME"
    (F, W, readings). From the ledger, as totals since the start [J]: motors, outside, stabilisation (work); damping,
    impact, sliding, numerical_damping (losses); unaccounted (energy gained since the first frame that these do not
    explain). From the contact cache, of methods that have one: residual, unsolved. From actuators with a state or
    outputs: "actuator NAME ENTRY". From the clock: taken, rejected (numbers of steps); step (length of the next one
    [s]); status (or run.INTERRUPTED in the last frame). wall: wall time of the simulation so far [s]. Actuators with a
    path become muscles of the film, and attachments lines. With contacts=True also the signals of
    film.contacts.ContactSignals; with coordinates=True also q (F, W, nq), v and torques (F, W, nv), of all joints.
    """

    def __init__(self, state: State, frames: int, *, contacts: bool = False, coordinates: bool = False) -> None:
        self.world = state.world
        rows, worlds = state.rows.shape
        self._engine = Engine(state.world, state.precision)
        self._numbers: Array | None = None
        self._shape = (frames, worlds)
        self._buffer = np.empty((rows, min(frames, max(1, BATCH // worlds)), worlds), state.rows.dtype)
        self._time, self._wall = np.empty(frames), np.empty(frames)
        self._signals: dict[str, NDArray[np.float64]] = {}
        self._buffered = self._written = 0
        self._last = 0  # index in the buffer of the state that was added last
        self._contacts = ContactSignals(frames, worlds) if contacts else None
        self._coordinates = coordinates

    def prepare(self, numbers: Array) -> None:
        """Compile the program that observes states. numbers: inputs of the worlds, (rows, 1) or (rows, W)."""
        self._numbers = np.tile(numbers, self._buffer.shape[1]) if numbers.shape[1] > 1 else numbers
        _ = self._engine.observe_program
        if self._contacts is not None:
            _ = self._engine.contact_program
        if self._coordinates:
            _ = self._engine.joint_force_program

    def add(self, state: State, step: int, wall: float) -> None:
        """Add a state. step: number of its control step; wall: wall time of the simulation so far [s]."""
        k = self._written + self._buffered
        self._time[k], self._wall[k] = step * self.world.timing.control_step, wall
        self._buffer[:, self._buffered] = state.rows
        self._last, self._buffered = self._buffered, self._buffered + 1
        if self._buffered == self._buffer.shape[1]:
            self._flush()

    def restore(self, state: State) -> None:
        """Set a state to the one that was added last."""
        state.rows[:] = self._buffer[:, self._last]

    def film(self) -> Film:
        """Return the film of the states that were added."""
        self._flush()
        F = self._written
        signals = {name: values[:F] for name, values in self._signals.items()}
        if self._contacts is not None:
            signals |= self._contacts.signals(F)
        paths = signals.pop("paths", None)
        wall = np.broadcast_to(self._wall[:F, None], (F, self._shape[1]))
        figure, gait = self.world.figure, self.world.gait
        film = Film(
            name=figure.name,
            time=self._time[:F],
            position=signals.pop("position"),
            quaternion=signals.pop("quaternion"),
            link_names=tuple(link.name for link in figure.links),
            parents=tuple(link.parent_index - 1 for link in figure.links),
            shapes=tuple(shape for link in figure.links for shape in film_shapes(link)),
            visuals=tuple(visual for link in figure.links for visual in film_visuals(link)),
            limb_names=tuple(leg.name for leg in gait.legs) if gait else (),
            ground=film_ground(self.world.ground),
            signals=signals | {"unaccounted": unaccounted_energy(signals), "wall": wall},
            axes=film_axes(figure, self.world.surface.feet),
            matter=() if paths is None else film_muscles(self.world, paths),
        )
        return replace(film, matter=(*film.matter, *film_attachments(self.world, film)))

    def _flush(self) -> None:
        """Observe the buffered states. After an interrupt the states are still in the buffer, so none is lost."""
        count, (frames, worlds) = self._buffered, self._shape
        if not count:
            return
        rows = np.ascontiguousarray(self._buffer[:, :count]).reshape(len(self._buffer), count * worlds)
        states = State(self.world, rows)
        numbers = self._numbers
        if numbers is not None and numbers.shape[1] > 1:
            numbers = numbers[:, : count * worlds]
        recorded = _columns(self._engine.observe(states, numbers), states)
        if self._coordinates:
            step_state, torques = states.step_state, self._engine.joint_forces(states, numbers)
            vectors = {"q": step_state.q, "v": step_state.v, "torques": torques}
            recorded += [(name, rows, (len(rows),)) for name, rows in vectors.items() if len(rows)]
        for name, columns, shape in recorded:
            if name not in self._signals:
                self._signals[name] = large_array((frames, worlds, *shape))
            frames_of_signal = self._signals[name][self._written : self._written + count]
            frames_of_signal[:] = np.stack(columns, axis=-1).reshape(frames_of_signal.shape)
        if self._contacts is not None:
            self._contacts.add(contacts_of(self._engine, states, numbers), self._written, count)
        self._written, self._buffered = self._written + count, 0


def _columns(snapshot: Snapshot, states: State) -> list[tuple[str, Sequence[Any], tuple[int, ...]]]:
    """Return name, columns, and shape per frame and world of each signal."""
    step_state, gait = states.step_state, states.world.gait
    clock, cache = step_state.clock, step_state.memory.contact_cache
    links, feet = len(snapshot.positions) // 3, len(snapshot.feet) // 3
    stepping = gait.stepping(step_state.memory.control) if gait else []
    vectors: list[tuple[str, Sequence[Any], tuple[int, ...]]] = [
        ("position", snapshot.positions, (links, 3)),
        ("quaternion", snapshot.quaternions, (links, 4)),
        ("centre", snapshot.centre, (3,)),
        ("push", snapshot.normal_forces, (feet,)),
        ("feet", snapshot.feet, (feet, 3)),
        ("stepping", stepping, (len(stepping),)),
        ("paths", snapshot.paths, (len(snapshot.paths),)),
        ("intact", step_state.memory.intact, (len(step_state.memory.intact),)),
    ]
    start = 0
    for name, signal in gait.signals.items() if gait else ():
        end = start + len(signal.joints)
        vectors.append((name, snapshot.signals[start:end], (end - start,)))
        start = end
    start = 0
    for name, sensor in states.world.sensors.items():
        end = start + len(sensor.readings)
        vectors.append((f"sensor {name}", snapshot.sensors[start:end], (end - start,)))
        start = end
    scalars = {
        name: getattr(snapshot, name)
        for name in ("kinetic", "potential", "stored", "positive_power", "clearance", "elsewhere")
    }
    scalars |= dict(zip(LEDGER_SIGNS, ledger_entries(step_state.ledger), strict=True))
    scalars |= {name: getattr(clock, name) for name in ("taken", "rejected", "step", "status")}
    scalars |= {name: getattr(cache, name) for name in ("residual", "unsolved")} if cache else {}
    for name, entries in step_state.memory.actuators.items():
        scalars |= {f"actuator {name} {entry}": values for entry, values in entries.items()}
    names = [f"actuator {name} {entry}" for name, entry in output_names(states.world)]
    scalars |= dict(zip(names, snapshot.outputs, strict=True))
    return [row for row in vectors if row[1]] + [(name, [column], ()) for name, column in scalars.items()]


def unaccounted_energy(signals: dict[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the energy gained since the first frame that no entry of the ledger explains [J]."""
    result = large_array(signals["kinetic"].shape)
    with np.errstate(invalid="ignore"):  # a world that became non-finite may have infinite energy
        first = _unexplained_energy(signals, slice(0, 1))
        for piece in pieces(*result.shape):
            result[piece] = _unexplained_energy(signals, piece) - first
    return result


def _unexplained_energy(signals: dict[str, NDArray[np.float64]], piece: slice) -> NDArray[np.float64]:
    """Return the energy minus work plus losses since the start [J], in the frames of a piece."""
    energy = signals["kinetic"][piece] + signals["potential"][piece] + signals["stored"][piece]
    work = sum(signals[name][piece] for name, sign in LEDGER_SIGNS.items() if sign > 0.0)
    return energy - (work - sum(signals[name][piece] for name, sign in LEDGER_SIGNS.items() if sign < 0.0))


def film_shapes(link: PlacedLink) -> list[FilmShape]:
    """Return the shapes of a link for a film."""
    shapes: list[FilmShape] = []
    for part in link.parts:
        w, x, y, z = (float(c) for c in quaternion_of(Rotation(part.rotation)))
        shape = part.shape
        shapes.append(FilmShape(link.index - 1, shape.kind, shape.sizes, part.position, (w, x, y, z), part.color))
    return shapes


def film_visuals(link: PlacedLink) -> list[FilmShape]:
    """Return the visuals of a link for a film: one for each material of a mesh."""
    visuals: list[FilmShape] = []
    for visual in link.visuals:
        w, x, y, z = (float(c) for c in quaternion_of(Rotation(visual.rotation)))
        pose = (visual.position, (w, x, y, z))
        for surface, material in visual.surfaces():
            is_mesh = isinstance(surface, Submesh)
            kind, sizes, mesh = ("mesh", (), surface) if is_mesh else (surface.kind, surface.sizes, None)
            look = (material.color, material.opacity, mesh, material.texture, material.finish)
            visuals.append(FilmShape(link.index - 1, kind, sizes, *pose, *look))
    return visuals


def film_ground(ground: Ground) -> FilmGround:
    """Return the ground for a film. Level ground at a height other than 0 becomes one large cell."""
    if isinstance(ground, NoGround):
        return FilmGround()
    if isinstance(ground, HeightGrid):
        return FilmGround(ground.heights, ground.x0, ground.y0, ground.spacing)
    height = float(ground.surface(ground.numbers(), ground.table(), 0.0, 0.0).height)
    return (
        FilmGround()
        if height == 0.0
        else FilmGround(np.full((2, 2), height), -GROUND_CELL / 2, -GROUND_CELL / 2, GROUND_CELL)
    )


GROUND_CELL = 20.0
"""Edge length of the cell for level ground [m]: larger than the path of a creature in a film."""
