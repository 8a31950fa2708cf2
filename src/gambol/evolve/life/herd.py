"""A herd: creatures of one structure that live their lives side by side in one program."""

from collections.abc import Sequence
from threading import Lock
from typing import Any, Protocol

import numpy as np

from gambol.evolve.fitness import Track
from gambol.evolve.genotype import Genotype
from gambol.evolve.life.home import Array, Lodged
from gambol.evolve.life.tangle import tangled
from gambol.evolve.tasks import Task
from gambol.lanes import Precision
from gambol.world import Engine, State, World, start
from gambol.world.observe import Seen
from gambol.world.step import RUNNING, entries

LOOKED_AT = 4
"""Every how many samples limbs are looked at: some seven times a second, at other moments of every stride."""

PRECISION: Precision = "float32"
"""Of lives: twice as many side by side, and a film of one in float64 looks the same."""


class Home(Protocol):
    """Where the creatures of a herd live: world has their structure, and names the measures in which they differ."""

    world: World

    def lodged(self, engine: Engine, genotypes: Sequence[Genotype]) -> Lodged:
        """Creatures of genotypes, in their order. engine: of the world."""
        ...

    def own_coordinates(self, genotype: Genotype, q: Array) -> Array:
        """Coordinates in such a world (nq) as those of a creature's own figure."""
        ...


class Herd:
    """Creatures of one structure, and the programs in which they live."""

    def __init__(self, home: Home, task: Task) -> None:
        self.home, self.task = home, task
        self._engine: Engine | None = None
        self._making = Lock()

    @property
    def engine(self) -> Engine:
        """The compiled programs, made once whichever thread asks first."""
        with self._making:
            if self._engine is None:
                self._engine = Engine(self.home.world, PRECISION)
                _ = self._engine.mover, self._engine.viewer
            return self._engine

    def lived(self, genotypes: Sequence[Genotype], threads: int = 1) -> Track:
        """The track of the lives of some genotypes, in their order. threads: that share the work."""
        engine = self.engine
        lodged = self.home.lodged(engine, genotypes)
        state = begun(engine.world, lodged.q)
        samples: list[Seen] = []
        books: list[Array] = []
        for frame in self.task.frames:
            engine.move(state, frame, lodged.numbers, threads)
            samples.append(engine.see(state, lodged.numbers, threads))
            books.append(np.array(entries(state.living.ledger), float))
        return _track(self.task, lodged, state, samples, _lanes_first(books))


def begun(world: World, q: Array, precision: Precision = PRECISION) -> State:
    """The state of creatures at the start of their lives, still, at coordinates q (W, nq)."""
    state = start(world, len(q), precision=precision)
    state.rows[: world.figure.nq] = q.T
    return state


def _track(task: Task, lodged: Lodged, state: State, samples: Sequence[Seen], books: Array) -> Track:
    """The samples as one track; books: of the ledger (T, W, entries) [J]."""
    forward, up = _axes(samples)
    pushes, elsewhere = _pushes(lodged, samples)
    return Track(
        time=np.array(task.frames) * task.frame,
        root=_lanes_first([seen.positions[:3] for seen in samples]),
        centre=_lanes_first([seen.centre for seen in samples]),
        forward=forward,
        up=up,
        tangled=tangled(lodged.figure, lodged.chains, samples[::LOOKED_AT]),
        pushes=pushes,
        elsewhere=elsewhere,
        energy=np.array([np.asarray(s.kinetic, float) + s.potential + s.stored for s in samples]),
        ledger=books,
        frozen=np.asarray(state.living.clock.status) != RUNNING,
        length=lodged.length,
        stand=lodged.stand,
        mass=lodged.mass,
        friction=task.friction,
    )


def _pushes(lodged: Lodged, samples: Sequence[Seen]) -> tuple[Array, Array]:
    """What presses on each creature's own feet (T, W, feet), and on all else of it (T, W) [N]."""
    none = np.zeros((0, len(lodged.feet)))  # what swims has no feet
    every = _lanes_first([seen.pushes or none for seen in samples])
    elsewhere = np.array([np.broadcast_to(seen.elsewhere, every.shape[1]) for seen in samples], float)
    feet = np.zeros((*every.shape[:2], max(map(len, lodged.feet))))
    for lane, own in enumerate(lodged.feet):
        feet[:, lane, : len(own)] = every[:, lane, list(own)]
    return feet, elsewhere + every.sum(axis=2) - feet.sum(axis=2)


def _lanes_first(samples: Sequence[Any]) -> Array:
    """Samples of some columns (W,) each, as (T, W, columns)."""
    return np.ascontiguousarray(np.moveaxis(np.array(samples, float), 1, 2))


def _axes(samples: Sequence[Seen]) -> tuple[Array, Array]:
    """The trunk's own x and z in world axes, each (T, W, 3)."""
    w, x, y, z = np.moveaxis(np.array([seen.quaternions[:4] for seen in samples], float), 1, 0)
    forward = np.stack([1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)], axis=-1)
    up = np.stack([2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)], axis=-1)
    return forward, up
