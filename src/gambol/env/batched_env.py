"""A batched environment: creatures of one body side by side, with actions, observations and resets."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from gambol.control import Senses
from gambol.dynamics import STANDARD_GRAVITY
from gambol.env.body import EnvBody, PlanBody
from gambol.evolve.evaluate.batch import initial_state
from gambol.lanes import Program, leaves, tree_map
from gambol.world import Engine, State, World
from gambol.world.context import StepContext
from gambol.world.step import RUNNING, StepState
from gambol.world.step.senses import sense

Array = NDArray[np.float32]
Floats = NDArray[np.float64]

INITIAL_DEVIATION = 0.05
"""The standard deviation of initial joint coordinates [rad]."""

OBSERVATION_BOUNDS = {"angles": 7.0, "speeds": 100.0, "up": 1.0, "velocity": 50.0, "height": 10.0, "contacts": 1.0}
"""The bounds to which the observed senses are clipped, by sense [rad, rad/s, 1, m/s, m, 1]."""

ANGULAR_VELOCITY_BOUND = 100.0
"""The bound to which the trunk's angular velocity is clipped [rad/s]."""


@dataclass(frozen=True)
class EnvPrograms:
    """The data that creatures of one body share.

    body: see EnvBody. engine: its compiled programs. observer: the program of observations. commands: indices of the
    commands among the numbers of a world (actuators,).
    """

    body: EnvBody
    engine: Engine
    observer: Program
    commands: NDArray[np.intp]

    @property
    def actuators(self) -> int:
        """The number of actuators, and of the numbers of an action."""
        return len(self.body.world.actuators)

    @property
    def bounds(self) -> Array:
        """The bounds of observations, in the order of BatchedEnv.observe()."""
        world = self.body.world
        joints, feet = len(world.actuators), len(world.surface.feet)
        counts = {"angles": joints, "speeds": joints, "up": 3, "velocity": 3, "height": 1, "contacts": feet}
        sizes = [OBSERVATION_BOUNDS[name] for name in self.body.senses for _ in range(counts[name])]
        turns = 3 if "velocity" in self.body.senses else 0
        return np.array([*sizes, *[ANGULAR_VELOCITY_BOUND] * turns], np.float32)


@lru_cache(maxsize=8)
def plan_programs(name: str, lanes: int | None = None) -> EnvPrograms:
    """Return the programs for creatures of a body plan (cached).

    name: of the body plan. lanes: worlds per instruction, see Program. Raises EvolveError for an unknown plan.
    """
    return env_programs(PlanBody.of(name, tuple(OBSERVATION_BOUNDS)), lanes)


def env_programs(body: EnvBody, lanes: int | None = None) -> EnvPrograms:
    """Return the programs of a body; lanes: worlds per instruction, see Program."""
    world = body.world
    engine, template = Engine(world, "float32", lanes), world.numbers()
    is_command = tree_map(lambda _: 0.0, template)
    is_command["control"]["pattern"]["command"] = [1.0] * len(world.actuators)
    return EnvPrograms(body, engine, _observer(world, engine, body.senses), np.flatnonzero(leaves(is_command)))


def _observer(world: World, engine: Engine, senses: tuple[str, ...]) -> Program:
    """Return the program of observations: senses that a pattern can use, then the angular velocity of a free root."""
    drive: Any = world.controller
    observing_drive = replace(drive, pattern=replace(drive.pattern, required_senses=senses))
    observing_world, first = replace(world, controller=observing_drive), world.figure.roots[0].v.start

    def observe_world(_: World, step_state: StepState, numbers: Any, table: Any) -> list[Any]:
        context = StepContext.of(observing_world, numbers, table)
        sensed: Senses = sense(context, step_state.q, step_state.v, step_state.memory, 0.0)
        turning = step_state.v[first : first + 3] if "velocity" in senses else []
        return [*leaves([getattr(sensed, name) for name in senses]), *turning]

    return engine.observer(f"sense {', '.join(senses)}", observe_world)


class BatchedEnv:
    """A batch of W creatures of one body.

    body: the name of a body plan, or an EnvBody. worlds: the number of creatures, W. lanes: worlds per instruction, see
    Program. threads: number of threads. The motion of a creature depends only on its initial state and its actions, not
    on W, lanes or threads.
    """

    def __init__(self, body: str | EnvBody, worlds: int, *, lanes: int | None = None, threads: int = 1) -> None:
        self.programs = plan_programs(body, lanes) if isinstance(body, str) else env_programs(body, lanes)
        self.threads = threads
        engine, q = self.programs.engine, self.programs.body.q
        self.state: State = initial_state(engine.world, np.tile(q, (worlds, 1)), engine.precision)
        self.numbers = np.repeat(engine.numbers(), worlds, axis=1)
        self._initial_rows = self.state.rows[:, :1].copy()

    @property
    def worlds(self) -> int:
        """The number of creatures, W."""
        return self.state.rows.shape[1]

    @property
    def control_step(self) -> float:
        """The time between actions [s]."""
        return self.programs.engine.world.timing.control_step

    @cached_property
    def weight(self) -> float:
        """The weight of one creature [N]."""
        return self.programs.body.world.figure.mass * STANDARD_GRAVITY

    def reset(self, indices: Sequence[int], rngs: Sequence[Generator]) -> None:
        """Reset some creatures: just above the ground, with random joint coordinates.

        indices: of the creatures, from 0 to W - 1. rngs: a random generator for each.
        """
        body, count = self.programs.body, self.programs.actuators
        offsets = INITIAL_DEVIATION * np.array([rng.standard_normal(count) for rng in rngs]).T
        self.state.rows[:, indices] = self._initial_rows
        self.state.rows[: body.world.figure.nq, indices] = body.disturbed(offsets)

    def act(self, actions: NDArray[np.floating[Any]], moving: NDArray[np.bool_] | None = None) -> tuple[Floats, Floats]:
        """Take actions for one control step; return mean speeds along x, and mean powers over the weight [m/s] (W,).

        actions (W, actuators), in [-1, 1]. moving: True for creatures that move (W,); None for all.
        """
        step_state = self.state.step_state
        before = self._progress()
        self.numbers[self.programs.commands] = actions.T
        until = step_state.clock.control_steps + (1.0 if moving is None else moving)
        engine, arguments = self.programs.engine, (self.state.rows, self.numbers, np.asarray(until, np.float32)[None])
        engine.advance_program(*arguments, out=[self.state.rows], tables=engine.tables, threads=self.threads)
        distance, work = (end - start for end, start in zip(self._progress(), before, strict=True))
        return distance / self.control_step, work / (self.control_step * self.weight)

    def _progress(self) -> tuple[Floats, Floats]:
        """Return the positions of the trunks along x [m], and the work of the motors so far [J]."""
        return self.programs.body.x(self.state.rows), np.asarray(self.state.step_state.ledger.motors, float)

    def observe(self) -> Array:
        """Return the observations (W, numbers): the senses of OBSERVATION_BOUNDS, then the trunk's angular velocity.

        The angular velocity is in the trunk's axes [rad/s]. A body without a free root has only joints and contacts.
        """
        tables = self.programs.engine.tables
        (rows,) = self.programs.observer(self.state.rows, self.numbers, tables=tables, threads=self.threads)
        bounds = self.programs.bounds
        return np.clip(rows.T, -bounds, bounds).astype(np.float32)

    @property
    def up(self) -> Floats:
        """The cosine of the angle between each trunk's z axis and the vertical, or its initial direction (W,)."""
        return self.programs.body.up(self.state.rows)

    @property
    def height(self) -> Floats:
        """The height of each trunk, relative to its standing height (W,)."""
        return self.programs.body.height(self.state.rows)

    @property
    def frozen(self) -> NDArray[np.bool_]:
        """True for creatures whose motion is no longer finite (W,)."""
        return np.asarray(self.state.step_state.clock.status != RUNNING)
