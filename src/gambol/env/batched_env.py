"""A batched environment: creatures of one body plan side by side, with actions, observations and resets."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from gambol.control import Senses
from gambol.control.patterns.commanded import Commanded
from gambol.dynamics import STANDARD_GRAVITY
from gambol.evolve.evaluate.batch import initial_state
from gambol.evolve.evaluate.batch_world import world_of
from gambol.evolve.genotype import Control, Genotype, Phenotype, grow, plan_named
from gambol.evolve.genotype.genotype import with_neutral_control
from gambol.evolve.genotype.growth import height_of
from gambol.evolve.tasks import task_named
from gambol.evolve.tasks.task import STEP
from gambol.lanes import Program, ProgramSpec, leaves, tree_map
from gambol.world import Engine, State, World
from gambol.world.context import StepContext
from gambol.world.step import RUNNING, StepState
from gambol.world.step.senses import sense

Array = NDArray[np.float32]
Floats = NDArray[np.float64]

CONTROL_STEP = 12.0 * STEP
"""The control step, the time between actions [s]: a thirtieth of a second."""

INITIAL_DEVIATION = 0.05
"""The standard deviation of initial joint coordinates [rad]."""

OBSERVATION_BOUNDS = {"angles": 7.0, "speeds": 100.0, "up": 1.0, "velocity": 50.0, "height": 10.0, "contacts": 1.0}
"""The bounds to which the observed senses are clipped, by sense [rad, rad/s, 1, m/s, m, 1]."""

ANGULAR_VELOCITY_BOUND = 100.0
"""The bound to which the trunk's angular velocity is clipped [rad/s]."""


@dataclass(frozen=True)
class PlanPrograms:
    """The data that creatures of a body plan share.

    creature: the phenotype. engine: its compiled programs. observer: the program of observations. commands: indices of
    the commands among the numbers of a world (actuators,).
    """

    creature: Phenotype
    engine: Engine
    observer: Program
    commands: NDArray[np.intp]

    @property
    def bounds(self) -> Array:
        """The bounds of observations, in the order of BatchedEnv.observe()."""
        joints, feet = len(self.creature.actuators), len(self.creature.feet)
        counts = {"angles": joints, "speeds": joints, "up": 3, "velocity": 3, "height": 1, "contacts": feet}
        sizes = [OBSERVATION_BOUNDS[name] for name in OBSERVATION_BOUNDS for _ in range(counts[name])]
        return np.array([*sizes, *[ANGULAR_VELOCITY_BOUND] * 3], np.float32)


@lru_cache(maxsize=8)
def plan_programs(name: str, lanes: int | None = None) -> PlanPrograms:
    """Return the programs for creatures of a body plan (cached).

    name: of the body plan. lanes: worlds per instruction, see Program. Raises EvolveError for an unknown plan.
    """
    creature = grow(with_neutral_control(Genotype(plan_named(name), Control())), name)
    task = task_named("walk", frame=CONTROL_STEP, sample=CONTROL_STEP)
    world = world_of(replace(creature, pattern=Commanded(len(creature.actuators))), task)
    engine = Engine(world, "float32", lanes)
    template = world.numbers()
    is_command = tree_map(lambda _: 0.0, template)
    is_command["control"]["pattern"]["command"] = [1.0] * len(creature.actuators)
    return PlanPrograms(creature, engine, _observer(world, engine), np.flatnonzero(leaves(is_command)))


def _observer(world: World, engine: Engine) -> Program:
    """Return the program of observations: the senses that a pattern can use."""
    drive: Any = world.controller
    observing_drive = replace(drive, pattern=replace(drive.pattern, required_senses=tuple(OBSERVATION_BOUNDS)))
    observing_world = replace(world, controller=observing_drive)

    def observe_world(step_state: StepState, numbers: Any) -> tuple[list[Any]]:
        context = StepContext.of(observing_world, numbers, None)
        senses: Senses = sense(context, step_state.q, step_state.v, step_state.memory, 0.0)
        return ([*leaves([getattr(senses, name) for name in OBSERVATION_BOUNDS]), *step_state.v[:3]],)

    spec = ProgramSpec(
        "observe", observe_world, engine.advance_program.spec.structures[:2], 0, observing_world.structure()
    )
    return Program(spec, engine.precision, engine.lanes)


class BatchedEnv:
    """A batch of W creatures of a body plan.

    plan: the body plan. worlds: the number of creatures, W. lanes: worlds per instruction, see Program. threads: number
    of threads. The motion of a creature depends only on its initial state and its actions, not on W, lanes or threads.
    """

    def __init__(self, plan: str, worlds: int, *, lanes: int | None = None, threads: int = 1) -> None:
        self.programs, self.threads = plan_programs(plan, lanes), threads
        engine, creature = self.programs.engine, self.programs.creature
        self.state: State = initial_state(engine.world, np.tile(creature.q, (worlds, 1)), engine.precision)
        self.numbers = np.repeat(engine.numbers(), worlds, axis=1)
        self._initial_rows = self.state.rows[:, :1].copy()

    @property
    def worlds(self) -> int:
        """The number of creatures, W."""
        return self.state.rows.shape[1]

    @cached_property
    def weight(self) -> float:
        """The weight of one creature [N]."""
        return self.programs.creature.figure.mass * STANDARD_GRAVITY

    def reset(self, indices: Sequence[int], rngs: Sequence[Generator]) -> None:
        """Reset some creatures: level, just above the ground, with random joint coordinates.

        indices: of the creatures, from 0 to W - 1. rngs: a random generator for each.
        """
        creature = self.programs.creature
        count = len(creature.actuators)
        offsets = INITIAL_DEVIATION * np.array([rng.standard_normal(count) for rng in rngs]).T
        angles = {
            name: np.clip(angle + offset, creature.actuators[name].lower, creature.actuators[name].upper)
            for (name, angle), offset in zip(creature.angles.items(), offsets, strict=True)
        }
        self.state.rows[:, indices] = self._initial_rows
        self.state.rows[7 : 7 + count, indices] = np.array(list(angles.values()))
        self.state.rows[6, indices] = height_of(creature.figure, angles)  # the trunk's z

    def act(self, actions: NDArray[np.floating[Any]], moving: NDArray[np.bool_] | None = None) -> tuple[Floats, Floats]:
        """Take actions for one control step; return mean speeds along x, and mean powers over the weight [m/s] (W,).

        actions (W, actuators), in [-1, 1]. moving: True for creatures that move (W,); None for all.
        """
        step_state = self.state.step_state
        before = self._progress()
        self.numbers[self.programs.commands] = actions.T
        until = step_state.clock.control_steps + (1.0 if moving is None else moving)
        arguments = (self.state.rows, self.numbers, np.asarray(until, np.float32)[None])
        self.programs.engine.advance_program(*arguments, out=[self.state.rows], threads=self.threads)
        distance, work = (end - start for end, start in zip(self._progress(), before, strict=True))
        return distance / CONTROL_STEP, work / (CONTROL_STEP * self.weight)

    def _progress(self) -> tuple[Floats, Floats]:
        """Return the positions of the trunks along x [m], and the work of the motors so far [J]."""
        return self.state.rows[4].astype(float), np.asarray(self.state.step_state.ledger.motors, float)

    def observe(self) -> Array:
        """Return the observations (W, numbers): the senses of OBSERVATION_BOUNDS, then the trunk's angular velocity.

        The angular velocity is in the trunk's axes [rad/s].
        """
        (rows,) = self.programs.observer(self.state.rows, self.numbers, threads=self.threads)
        bounds = self.programs.bounds
        return np.clip(rows.T, -bounds, bounds).astype(np.float32)

    @property
    def up(self) -> Floats:
        """The cosine of the angle between each trunk's z axis and the vertical (W,)."""
        x, y = self.state.rows[1:3].astype(float)  # of the trunk's quaternion (w, x, y, z)
        return 1.0 - 2.0 * (x * x + y * y)

    @property
    def height(self) -> Floats:
        """The height of each trunk, relative to its standing height (W,)."""
        return self.state.rows[6].astype(float) / self.programs.creature.height

    @property
    def frozen(self) -> NDArray[np.bool_]:
        """True for creatures whose motion is no longer finite (W,)."""
        return np.asarray(self.state.step_state.clock.status != RUNNING)
