"""Recording of a run: states are buffered, observed together in one call, and become the arrays of a film."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Ground, HeightGrid, NoGround
from gambol.figure import PlacedLink
from gambol.lanes import Precision
from gambol.spatial import Rotation
from gambol.world.film import Film, FilmGround, FilmShape
from gambol.world.observe import Snapshot, quaternion_of
from gambol.world.state import Engine, State
from gambol.world.step import ledger_entries

Array = NDArray[Any]
BATCH = 128  # states observed at once: enough to fill every lane many times over, and half a megabyte of roaches
LEDGER_SIGNALS = ("motors", "outside", "damping", "impact", "sliding", "stabilisation")  # of the ledger, as signals


class Recorder:
    """Memory for a film of some frames, filled one state after the other.

    Besides poses it keeps these signals, (F, W) unless said otherwise: stepping (F, W, legs) 1 while a leg steps; push
    (F, W, feet) the ground's normal force [N] and elsewhere that on all other links together [N]; feet (F, W, feet, 3)
    lowest point of each [m]; centre (F, W, 3) of mass [m]; clearance of the trunk [m]; upper (F, W, legs) angle of each
    leg's first joint [rad]; load (F, W, legs) torque of its second joint's springs [N m]; kinetic, potential, stored
    [J]; motors, outside, stabilisation: work done so far, damping, impact, sliding: energy lost so far [J];
    unaccounted: difference of the energy gained since the first frame from these [J]; residual: largest violation of
    the laws of contact in the last step [m/s or rad/s], and unsolved: steps so far in which that was too large, where
    contact is solved for; taken, rejected: steps so far; step: the next one's length [s]; status: the clock's, or
    run.INTERRUPTED; wall: time spent on moving so far [s].
    """

    def __init__(self, state: State, frames: int) -> None:
        self.world = state.world
        rows, worlds = state.rows.shape
        precision: Precision = "float32" if state.rows.dtype == np.float32 else "float64"
        self._engine = Engine(state.world, precision)
        self._numbers: Array | None = None
        self._shape = (frames, worlds)
        self._buffer = np.empty((rows, min(frames, max(1, BATCH // worlds)), worlds), state.rows.dtype)
        self._time, self._wall = np.empty(frames), np.empty(frames)
        self._signals: dict[str, NDArray[np.float64]] = {}
        self._buffered = self._written = 0

    def prepare(self, numbers: Array) -> None:
        """Compile the program that observes states; numbers: inputs of the worlds, (rows, 1) or (rows, W)."""
        self._numbers = np.tile(numbers, self._buffer.shape[1]) if numbers.shape[1] > 1 else numbers
        _ = self._engine.observe_program

    def add(self, state: State, step: int, wall: float) -> None:
        """Add the next state; step: number of the control step; wall: time spent on moving so far [s]."""
        k = self._written + self._buffered
        self._time[k], self._wall[k] = step * self.world.timing.control_step, wall
        self._buffer[:, self._buffered] = state.rows
        self._buffered += 1
        if self._buffered == self._buffer.shape[1]:
            self._flush()

    def film(self) -> Film:
        """Return the film of what was added."""
        self._flush()
        F = self._written
        signals = {name: values[:F] for name, values in self._signals.items()}
        wall = np.repeat(self._wall[:F, None], self._shape[1], axis=1)
        figure, gait = self.world.figure, self.world.gait
        return Film(
            name=figure.name,
            time=self._time[:F],
            position=signals.pop("position"),
            quaternion=signals.pop("quaternion"),
            link_names=tuple(link.name for link in figure.links),
            shapes=tuple(shape for link in figure.links for shape in film_shapes(link)),
            leg_names=tuple(leg.name for leg in gait.legs) if gait else (),
            ground=film_ground(self.world.ground),
            signals=signals | {"unaccounted": unaccounted_energy(signals), "wall": wall},
        )

    def _flush(self) -> None:
        """Observe the buffered states. If this is interrupted nothing is lost: they stay in the buffer."""
        count, (frames, worlds) = self._buffered, self._shape
        if not count:
            return
        rows = np.ascontiguousarray(self._buffer[:, :count]).reshape(len(self._buffer), count * worlds)
        states = State(self.world, rows)
        numbers = self._numbers
        if numbers is not None and numbers.shape[1] > 1:
            numbers = numbers[:, : count * worlds]
        for name, columns, shape in _columns(self._engine.observe(states, numbers), states):
            if name not in self._signals:
                self._signals[name] = np.empty((frames, worlds, *shape))
            part = self._signals[name][self._written : self._written + count]
            part[:] = np.stack(columns, axis=-1).reshape(part.shape)
        self._written, self._buffered = self._written + count, 0


def _columns(snapshot: Snapshot, states: State) -> list[tuple[str, Sequence[Any], tuple[int, ...]]]:
    """Return name, columns and shape of each signal."""
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
        ("upper", snapshot.upper, (len(snapshot.upper),)),
        ("load", snapshot.load, (len(snapshot.load),)),
    ]
    scalars = {name: getattr(snapshot, name) for name in ("kinetic", "potential", "stored", "clearance", "elsewhere")}
    scalars |= dict(zip(LEDGER_SIGNALS, ledger_entries(step_state.ledger), strict=True))
    scalars |= {name: getattr(clock, name) for name in ("taken", "rejected", "step", "status")}
    scalars |= {name: getattr(cache, name) for name in ("residual", "unsolved")} if cache else {}
    return [row for row in vectors if row[1]] + [(name, [column], ()) for name, column in scalars.items()]


def unaccounted_energy(signals: dict[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the energy gained since the first frame that no entry of the ledger explains [J]."""
    energy = signals["kinetic"] + signals["potential"] + signals["stored"]
    gained = sum(signals[name] for name in ("motors", "outside", "stabilisation"))
    explained = gained - sum(signals[name] for name in ("damping", "impact", "sliding"))
    with np.errstate(invalid="ignore"):  # a world that broke may have infinite energy
        rest = energy - explained
        return rest - rest[:1]


def film_shapes(link: PlacedLink) -> list[FilmShape]:
    """Return the shapes that show a link."""
    shapes: list[FilmShape] = []
    for part in link.parts:
        w, x, y, z = (float(c) for c in quaternion_of(Rotation(part.rotation)))
        shapes.append(FilmShape(link.index - 1, part.shape.kind, part.shape.sizes, part.position, (w, x, y, z)))
    return shapes


def film_ground(ground: Ground) -> FilmGround:
    """Return the ground of a film; a level one that is not at height 0 becomes a single large cell."""
    if isinstance(ground, NoGround):
        return FilmGround()
    if isinstance(ground, HeightGrid):
        return FilmGround(ground.heights, ground.x0, ground.y0, ground.spacing)
    height = float(ground.surface(ground.numbers(), ground.table(), 0.0, 0.0).height)
    return FilmGround() if height == 0.0 else FilmGround(np.full((2, 2), height), -LARGE / 2, -LARGE / 2, LARGE)


LARGE = 20.0
"""Edge of the cell that shows level ground [m]: beyond the walk of a creature in a film."""
