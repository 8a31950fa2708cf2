"""Recording a run: states are kept for a while, then seen together in one call, and become the arrays of a film."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Ground, HeightGrid, NoGround
from gambol.figure import PlacedLink
from gambol.lanes import Precision
from gambol.spatial import Rotation
from gambol.world.film import Film, FilmGround, FilmShape
from gambol.world.observe import Seen, quaternion_of
from gambol.world.state import Engine, State
from gambol.world.step import entries

Array = NDArray[Any]
BATCH = 128  # states seen at once: enough to fill every lane many times over, and half a megabyte of roaches
ENTRIES = ("motors", "outside", "damping", "impact", "sliding", "stabilisation")  # of the ledger, as signals


class Recorder:
    """Room for a film of some frames, filled one state after the other.

    Besides poses it keeps these signals, (F, W) unless said otherwise:
    stepping (F, W, legs) 1 while a leg steps; push (F, W, feet) the ground's normal force [N] and
    elsewhere that on all other links together [N]; feet (F, W, feet, 3)
    lowest point of each [m]; centre (F, W, 3) of mass [m]; clearance of the trunk [m]; upper (F, W, legs) angle of each
    leg's first joint [rad]; load (F, W, legs) torque of its second joint's springs [N m];
    kinetic, potential, stored [J]; motors, outside, stabilisation: work done so far, damping, impact, sliding: energy
    lost so far [J];
    unaccounted: what the energy gained since the first frame differs from these by [J];
    residual: speed that the laws of contact were missed by in the last step [m/s or rad/s], and unsolved: steps so far
    in which that was too much, where contact is solved for;
    taken, rejected: steps so far; step: the next one's length [s]; status: the clock's, or run.INTERRUPTED;
    wall: time spent on moving so far [s].
    """

    def __init__(self, state: State, frames: int) -> None:
        self.world = state.world
        rows, worlds = state.rows.shape
        precision: Precision = "float32" if state.rows.dtype == np.float32 else "float64"
        self._engine = Engine(state.world, precision)
        self._numbers: Array | None = None
        self._shape = (frames, worlds)
        self._waiting = np.empty((rows, min(frames, max(1, BATCH // worlds)), worlds), state.rows.dtype)
        self._time, self._wall = np.empty(frames), np.empty(frames)
        self._signals: dict[str, NDArray[np.float64]] = {}
        self._held = self._done = 0

    def prepare(self, numbers: Array) -> None:
        """Compile what sees states, and take the numbers of the worlds (rows, 1) or (rows, W)."""
        self._numbers = np.tile(numbers, self._waiting.shape[1]) if numbers.shape[1] > 1 else numbers
        _ = self._engine.viewer

    def add(self, state: State, frame: int, wall: float) -> None:
        """The next state of the film; frame: of the controller; wall: time spent on moving so far [s]."""
        k = self._done + self._held
        self._time[k], self._wall[k] = frame * self.world.timing.frame, wall
        self._waiting[:, self._held] = state.rows
        self._held += 1
        if self._held == self._waiting.shape[1]:
            self._see()

    def film(self) -> Film:
        """The film of what was added."""
        self._see()
        F = self._done
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
            signals=signals | {"unaccounted": unaccounted(signals), "wall": wall},
        )

    def _see(self) -> None:
        """Look at the states that wait. If this is broken off, nothing is lost: they wait still."""
        held, (frames, worlds) = self._held, self._shape
        if not held:
            return
        rows = np.ascontiguousarray(self._waiting[:, :held]).reshape(len(self._waiting), held * worlds)
        states = State(self.world, rows)
        numbers = self._numbers
        if numbers is not None and numbers.shape[1] > 1:
            numbers = numbers[:, : held * worlds]
        for name, columns, shape in _columns(self._engine.see(states, numbers), states):
            if name not in self._signals:
                self._signals[name] = np.empty((frames, worlds, *shape))
            part = self._signals[name][self._done : self._done + held]
            part[:] = np.stack(columns, axis=-1).reshape(part.shape)
        self._done, self._held = self._done + held, 0


def _columns(seen: Seen, states: State) -> list[tuple[str, Sequence[Any], tuple[int, ...]]]:
    """Name, columns and shape of each signal."""
    living, gait = states.living, states.world.gait
    clock, pressed = living.clock, living.memory.pressed
    links, feet = len(seen.positions) // 3, len(seen.feet) // 3
    stepping = gait.stepping(living.memory.control) if gait else []
    several: list[tuple[str, Sequence[Any], tuple[int, ...]]] = [
        ("position", seen.positions, (links, 3)),
        ("quaternion", seen.quaternions, (links, 4)),
        ("centre", seen.centre, (3,)),
        ("push", seen.pushes, (feet,)),
        ("feet", seen.feet, (feet, 3)),
        ("stepping", stepping, (len(stepping),)),
        ("upper", seen.upper, (len(seen.upper),)),
        ("load", seen.load, (len(seen.load),)),
    ]
    single = {name: getattr(seen, name) for name in ("kinetic", "potential", "stored", "clearance", "elsewhere")}
    single |= dict(zip(ENTRIES, entries(living.ledger), strict=True))
    single |= {name: getattr(clock, name) for name in ("taken", "rejected", "step", "status")}
    single |= {name: getattr(pressed, name) for name in ("residual", "unsolved")} if pressed else {}
    return [row for row in several if row[1]] + [(name, [column], ()) for name, column in single.items()]


def unaccounted(signals: dict[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    """Energy that appeared since the first frame and that no entry of the ledger explains [J]."""
    energy = signals["kinetic"] + signals["potential"] + signals["stored"]
    gained = sum(signals[name] for name in ("motors", "outside", "stabilisation"))
    explained = gained - sum(signals[name] for name in ("damping", "impact", "sliding"))
    with np.errstate(invalid="ignore"):  # a world that broke may have infinite energy
        rest = energy - explained
        return rest - rest[:1]


def film_shapes(link: PlacedLink) -> list[FilmShape]:
    """What a link looks like."""
    shapes: list[FilmShape] = []
    for part in link.parts:
        w, x, y, z = (float(c) for c in quaternion_of(Rotation(part.rotation)))
        shapes.append(FilmShape(link.index - 1, part.shape.kind, part.shape.sizes, part.position, (w, x, y, z)))
    return shapes


def film_ground(ground: Ground) -> FilmGround:
    """What a ground looks like; a level one that is not at height 0 becomes a single large cell."""
    if isinstance(ground, NoGround):
        return FilmGround()
    if isinstance(ground, HeightGrid):
        return FilmGround(ground.heights, ground.x0, ground.y0, ground.spacing)
    height = float(ground.surface(ground.numbers(), ground.table(), 0.0, 0.0).height)
    return FilmGround() if height == 0.0 else FilmGround(np.full((2, 2), height), -LARGE / 2, -LARGE / 2, LARGE)


LARGE = 20.0
"""Edge of the cell that shows a level ground [m]: beyond what a creature walks in a film."""
