"""A herd: creatures of one structure that live their lives side by side in one program."""

from collections.abc import Sequence
from threading import Lock
from typing import Any, Protocol

import numpy as np

from gambol.evolve.fitness import Track
from gambol.evolve.fitness.sample import rows_sampled, sampled
from gambol.evolve.genotype import Genotype
from gambol.evolve.life.home import Array, Lodged
from gambol.evolve.life.trials import tried
from gambol.evolve.tasks import Task
from gambol.lanes import Precision, Program
from gambol.world import Engine, State, World, start
from gambol.world.step import RUNNING

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
        self._made: tuple[Engine, Program, State] | None = None
        self._making = Lock()

    @property
    def engine(self) -> Engine:
        """The compiled programs of the herd's world."""
        return self._programs()[0]

    def _programs(self) -> tuple[Engine, Program, State]:
        """The engine, the program of samples and the state of one at rest, made once whichever thread asks first."""
        with self._making:
            if self._made is None:
                engine = Engine(self.home.world, PRECISION)
                sampler = engine.showing("sample", sampled, [0.0] * len(engine.world.figure.links))
                _, self._made = engine.mover, (engine, sampler, start(engine.world, precision=PRECISION))
            return self._made

    def lived(self, genotypes: Sequence[Genotype], threads: int = 1) -> Track:
        """The track of some genotypes' first trials, in their order. threads: that share the work."""
        return self._tracked(self.home.lodged(self.engine, genotypes), threads)

    def tried(self, genotypes: Sequence[Genotype], seeds: Sequence[int], threads: int = 1) -> Track:
        """The track of some genotypes in all trials, trial by trial: see trials.tried(). seeds: one for each."""
        return self._tracked(tried(self.home.lodged(self.engine, genotypes), self.task, seeds), threads)

    def _tracked(self, lodged: Lodged, threads: int) -> Track:
        engine, sampler, resting = self._programs()
        given = lodged.numbers, np.ascontiguousarray(lodged.chains.T, PRECISION)
        samples = engine.follow(_at(resting, lodged.q), self.task.frames, sampler, given, threads)
        return _track(self.task, lodged, engine.world, samples)


def begun(world: World, q: Array, precision: Precision = PRECISION) -> State:
    """The state of creatures at the start of their lives, still, at coordinates q (W, nq)."""
    return _at(start(world, precision=precision), q)


def _at(one: State, q: Array) -> State:
    """As many states as there are coordinates q (W, nq), which are like one but for them."""
    rows = np.repeat(one.rows, len(q), axis=1)
    rows[: one.world.figure.nq] = q.T
    return State(one.world, rows)


def _track(task: Task, lodged: Lodged, world: World, samples: Array) -> Track:
    """Samples (rows, W, T), see rows_sampled(), as one track."""
    parts: dict[str, Any] = {name: samples[rows] for name, rows in rows_sampled(world).items()}
    parts["pushes"], others = _own_pushes(lodged.feet, parts["pushes"])
    parts["elsewhere"] = parts["elsewhere"] + others
    return Track(
        time=np.array(task.frames) * task.frame,
        frozen=parts.pop("status")[:, -1] != RUNNING,
        length=lodged.length,
        stand=lodged.stand,
        mass=lodged.mass,
        friction=lodged.friction,
        **{name: part.T for name, part in parts.items()},
    )


def _own_pushes(feet: Sequence[Sequence[int]], pushes: Array) -> tuple[Array, Array]:
    """Of what presses on a world's feet (feet, W, T) what is on each creature's own, and the sum of the rest (W, T)."""
    count, worlds, times = pushes.shape
    if all(own == tuple(range(count)) for own in set(map(tuple, feet))):
        return pushes, np.zeros((worlds, times))
    own, others = np.full((max(map(len, feet)), worlds), count), np.ones((count, worlds, 1))
    for world, numbers in enumerate(feet):
        own[: len(numbers), world] = numbers
        others[list(numbers), world] = 0.0
    and_none = np.concatenate([pushes, np.zeros((1, worlds, times))])
    return np.take_along_axis(and_none, own[:, :, None], axis=0), (pushes * others).sum(axis=0)
