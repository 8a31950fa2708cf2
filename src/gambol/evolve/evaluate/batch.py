"""A batch: creatures that are simulated side by side by one compiled program."""

from collections.abc import Sequence
from threading import Lock
from typing import Any, Protocol

import numpy as np

from gambol.evolve.evaluate.batch_world import Array, BatchInputs, inputs_of_all_trials, inputs_of_trial
from gambol.evolve.evaluate.foot_samples import foot_signals, split_pushes
from gambol.evolve.evaluate.placement import (
    feet_in_start_axes,
    in_start_axes,
    is_placed,
    surface_at,
    turned_to_start,
)
from gambol.evolve.fitness import Trajectory
from gambol.evolve.fitness.sampling import SIGNALS, sample_rows, sampler
from gambol.evolve.genotype import Genotype
from gambol.evolve.tasks import Task
from gambol.lanes import Precision
from gambol.world import Engine, State, World, start
from gambol.world.device_state import Sampling, sampling
from gambol.world.step import RUNNING

PRECISION: Precision = "float32"
"""The precision of rollouts: vectors hold twice as many worlds as in float64; films show no difference."""


class BatchWorld(Protocol):
    """The world of a batch: the structure that its creatures share; the parameters in which they differ are inputs."""

    world: World

    def batch_inputs(self, engine: Engine, genotypes: Sequence[Genotype]) -> BatchInputs:
        """Return the program's inputs for genotypes, in their order. engine: engine of the world."""
        ...

    def figure_coordinates(self, genotype: Genotype, q: Array) -> Array:
        """Return coordinates of the batch world (nq) as coordinates of the figure grown from a genotype."""
        ...


class Batch:
    """Creatures that share a batch world, and the compiled programs that simulate them.

    device: "cpu", or the name of a graphics processor, see device_named().
    """

    def __init__(self, batch_world: BatchWorld, task: Task, device: str = "cpu") -> None:
        self.batch_world, self.task, self.device = batch_world, task, device
        self._compiled: tuple[Engine, Sampling, State] | None = None
        self._lock = Lock()

    @property
    def engine(self) -> Engine:
        """The engine of the batch world: its compiled programs."""
        return self._programs()[0]

    def _programs(self) -> tuple[Engine, Sampling, State]:
        """Return the engine, the sampling and a state at rest, compiled once by the first thread that calls."""
        with self._lock:
            if self._compiled is None:
                engine = Engine(self.batch_world.world, PRECISION)
                self._compiled = (engine, self._sampling(engine), start(engine.world, precision=PRECISION))
            return self._compiled

    def _sampling(self, engine: Engine) -> Sampling:
        """Return the function that advances and samples states, with its programs compiled."""
        limb_of_link = [0.0] * len(engine.world.figure.links)
        spec = engine.observer_spec(*sampler(self.task.signals), (limb_of_link,))
        return sampling(engine, spec, self.device)

    def simulate_first_trials(self, genotypes: Sequence[Genotype], threads: int = 1) -> Trajectory:
        """Return the trajectories of the first trials of genotypes, in their order. threads: number of threads."""
        inputs = self.batch_world.batch_inputs(self.engine, genotypes)
        return self._simulate(inputs_of_trial(inputs, self.task, [0] * len(genotypes), 0), threads)

    def simulate_all_trials(self, genotypes: Sequence[Genotype], seeds: Sequence[int], threads: int = 1) -> Trajectory:
        """Return the trajectories of genotypes in all trials, trial by trial. seeds: one for each genotype."""
        return self._simulate(
            inputs_of_all_trials(self.batch_world.batch_inputs(self.engine, genotypes), self.task, seeds), threads
        )

    def _simulate(self, inputs: BatchInputs, threads: int) -> Trajectory:
        engine, sample, rest_state = self._programs()
        arguments = inputs.numbers, np.ascontiguousarray(inputs.limb_of_link.T, PRECISION)
        samples = sample(_states_at(rest_state, inputs.q), self.task.sample_steps, inputs=arguments, threads=threads)
        return _trajectory(self.task, inputs, engine.world, samples)


def initial_state(world: World, q: Array, precision: Precision = PRECISION) -> State:
    """Return the state of creatures at the start of their rollouts: velocities 0, coordinates q (W, nq)."""
    return _states_at(start(world, precision=precision), q)


def _states_at(state: State, q: Array) -> State:
    """Return copies of a state at coordinates q (W, nq)."""
    rows = np.repeat(state.rows, len(q), axis=1)
    rows[: state.world.figure.nq] = q.T
    return State(state.world, rows)


def _trajectory(task: Task, inputs: BatchInputs, world: World, samples: Array) -> Trajectory:
    """Return the trajectories of W creatures from samples at T times (rows, W, T); for the rows see sample_rows()."""
    rows = sample_rows(world, task.signals)
    fields: dict[str, Any] = {name: samples[part] for name, part in rows.items()}
    sampled = {name: fields.pop(name) for name in SIGNALS}
    of_feet = foot_signals(inputs, {name: sampled[name] for name in task.signals})
    fields["pushes"], others = split_pushes(inputs.feet, fields["pushes"])
    fields["elsewhere"] = fields["elsewhere"] + others
    frozen = fields.pop("status")[:, -1] != RUNNING
    fields = {name: values.T for name, values in fields.items()}
    x, y, _ = np.moveaxis(fields["root"], -1, 0)
    ground = np.zeros_like(x) if task.ground is None else surface_at(world.ground, x, y).height
    if is_placed(task):
        fields |= {name: in_start_axes(task, fields[name]) for name in ("root", "centre")}
        fields |= {name: turned_to_start(task, fields[name]) for name in ("forward", "up")}
        of_feet = feet_in_start_axes(task, of_feet)
    return Trajectory(
        time=np.array(task.sample_steps) * task.frame,
        ground=ground,
        frozen=frozen,
        length=inputs.length,
        standing_height=inputs.standing_height,
        mass=inputs.mass,
        friction=inputs.friction,
        **fields,
        **of_feet,
    )
