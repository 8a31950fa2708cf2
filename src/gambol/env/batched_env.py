"""A batched environment: creatures of one body side by side, with actions, observations and resets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, cast

import numpy as np
from gymnasium.spaces import Box, Space
from numpy.random import Generator

from gambol.dynamics import STANDARD_GRAVITY
from gambol.env.batch import Array, Transition
from gambol.env.body import EnvBody, PlanBody
from gambol.env.commanded_worlds import CommandedWorlds
from gambol.env.reward_terms import ActionOutcome, Bools, Floats, Reward, RewardTerms, reward_terms_of, rewards_of
from gambol.lanes import Program, leaves
from gambol.world import Engine, State, World, with_inputs
from gambol.world.context import StepContext
from gambol.world.sampling import MAX_SEED
from gambol.world.step import StepState
from gambol.world.step.senses import sense

INITIAL_DEVIATION = 0.05
"""The standard deviation of initial joint coordinates [rad]."""

OBSERVATION_BOUNDS = {"angles": 7.0, "speeds": 100.0, "up": 1.0, "velocity": 50.0, "height": 10.0, "contacts": 1.0}
"""The bounds to which the observed senses are clipped, by sense [rad, rad/s, 1, m/s, m, 1]."""

MAX_ANGULAR_VELOCITY = 100.0
"""The bound to which the trunk's angular velocity is clipped [rad/s]."""

MAX_READING = 1e6
"""The bound to which readings of sensors are clipped, in their units."""


@dataclass(frozen=True)
class EnvPrograms:
    """The data that creatures of one body share.

    body: see EnvBody. engine: its compiled programs. observer: the program of observations.
    """

    body: EnvBody
    engine: Engine
    observer: Program

    @property
    def actuators(self) -> int:
        """The number of actuators, which is the size of an action."""
        return len(self.body.world.actuators)

    @property
    def bounds(self) -> Array:
        """The bounds of observations, in the order of BatchedEnv.observe()."""
        world = self.body.world
        joints, feet = len(world.actuators), len(world.surface.feet)
        counts = {"angles": joints, "speeds": joints, "up": 3, "velocity": 3, "height": 1, "contacts": feet}
        sizes = [OBSERVATION_BOUNDS[name] for name in self.body.senses for _ in range(counts[name])]
        turns = 3 if "velocity" in self.body.senses else 0
        readings = sum(len(sensor.readings) for sensor in world.sensors.values())
        return np.array([*sizes, *[MAX_ANGULAR_VELOCITY] * turns, *[MAX_READING] * readings], np.float32)


@lru_cache(maxsize=8)
def plan_programs(name: str, lanes: int | None = None) -> EnvPrograms:
    """Return the programs for creatures of a body plan (cached).

    name: name of the body plan. lanes: worlds per instruction, see Program. Raises EvolveError for an unknown plan.
    """
    return env_programs(plan_body(name), lanes)


def plan_body(name: str) -> PlanBody:
    """Return the body of a body plan, with all senses. Raises EvolveError for an unknown plan."""
    return PlanBody.of(name, tuple(OBSERVATION_BOUNDS))


def env_programs(body: EnvBody, lanes: int | None = None) -> EnvPrograms:
    """Return the programs of a body; lanes: worlds per instruction, see Program."""
    engine = Engine(with_inputs(body.world, body.randomise), "float32", lanes)
    return EnvPrograms(body, engine, _observer(engine.world, engine, body.senses))


def _observer(world: World, engine: Engine, senses: tuple[str, ...]) -> Program:
    """Return the program of observations: senses, the angular velocity of a free root, and the sensors of the world."""
    drive: Any = world.controller
    names, control_step = tuple(world.sensors), world.timing.control_step
    observing_drive = replace(drive, pattern=replace(drive.pattern, required_senses=(*senses, *names)))
    observing_world, first = replace(world, controller=observing_drive), world.figure.roots[0].v.start

    def observe_world(_: World, step_state: StepState, numbers: Any, table: Any) -> list[Any]:
        context = StepContext.of(observing_world, numbers, table)
        steps = step_state.clock.control_steps
        sensed, _sampled = sense(context, step_state.q, step_state.v, step_state.memory, steps * control_step, steps)
        turning = step_state.v[first : first + 3] if "velocity" in senses else []
        readings = [x for name in names for x in sensed.sensors[name]]
        return [*leaves([getattr(sensed, name) for name in senses]), *turning, *readings]

    return engine.observer(f"sense {', '.join((*senses, *names))}", observe_world)


class BatchedEnv:
    """A batch of W creatures of one body, with a task.

    body: the name of a body plan, or an EnvBody. worlds: the number of creatures, W. reward_terms: coefficients and
    limits, or a task's function; None for the default of the body. lanes: worlds per instruction, see Program. threads:
    number of threads. device: see CommandedWorlds. The motion of a creature depends only on its initial state, inputs
    and actions, not on W, lanes, threads or device.
    """

    max_episode_steps = 300
    """The default number of actions of an episode: ten seconds."""

    def __init__(
        self,
        body: str | EnvBody,
        worlds: int,
        reward_terms: Reward | None = None,
        *,
        lanes: int | None = None,
        threads: int = 1,
        device: str = "cpu",
    ) -> None:
        self.programs = plan_programs(body, lanes) if isinstance(body, str) else env_programs(body, lanes)
        self.reward_terms = reward_terms or reward_terms_of(body)
        self._commanded = CommandedWorlds(self.programs.engine, self.programs.body, worlds, threads, device)

    @property
    def worlds(self) -> int:
        """The number of creatures, W."""
        return self._commanded.worlds

    @property
    def engine(self) -> Engine:
        """The compiled programs of their world."""
        return self.programs.engine

    @property
    def state(self) -> State:
        """The state of all creatures."""
        return self._commanded.state

    @property
    def numbers(self) -> Array:
        """The inputs of their worlds, see Engine.numbers()."""
        return self._commanded.numbers

    @property
    def control_step(self) -> float:
        """The time between actions [s]."""
        return self.engine.world.timing.control_step

    @property
    def observation_space(self) -> Space[Array]:
        """The observation space of one creature: see observe()."""
        return cast("Space[Array]", Box(-self.programs.bounds, self.programs.bounds))

    @property
    def action_space(self) -> Space[Array]:
        """The action space of one creature: a target for each joint in its range, from -1 to 1."""
        return cast("Space[Array]", Box(-1.0, 1.0, (self.programs.actuators,)))

    @cached_property
    def weight(self) -> float:
        """The weight of one creature [N]."""
        return self.engine.world.figure.mass * STANDARD_GRAVITY

    def reset(self, indices: Sequence[int], rngs: Sequence[Generator]) -> None:
        """Reset some creatures: just above the ground, with random joint coordinates, inputs and noise of sensors.

        indices: indices of the creatures, from 0 to W - 1. rngs: a random generator for each.
        """
        body, count = self.programs.body, self.programs.actuators
        offsets = INITIAL_DEVIATION * np.array([rng.standard_normal(count) for rng in rngs]).T
        self._commanded.reset(list(indices))
        self.state.rows[: body.world.figure.nq, indices] = body.disturbed(offsets)
        if (sensors := self.state.step_state.memory.sensors) is not None:  # noise of its own for each episode
            cast("Array", sensors.world)[list(indices)] = [rng.integers(MAX_SEED) for rng in rngs]
        self._commanded.randomise(indices, rngs)

    def reset_infos(self) -> Mapping[str, Floats]:
        """Return the infos after a reset: none."""
        return {}

    def step(self, actions: Any, moving: Bools | None = None) -> Transition:
        """Take an action with each creature; the infos are "speed" and "effort" [m/s].

        actions (W, actuators), in [-1, 1]; in an environment on a graphics processor also an array of another library
        there, in float32. moving: True for creatures that act (W,); None for all. Raises EvolveError for actions of a
        wrong shape or not finite, and for a task that returns arrays of wrong shapes.
        """
        commands = self._commanded.commands_of(actions)
        speed, effort = self.act(commands, moving)
        known = self._commanded.rewarded if isinstance(self.reward_terms, RewardTerms) else self.state
        taken = np.asarray(self._commanded.on_host(actions), float)
        outcome = ActionOutcome(known, taken, speed, effort, self.up, self.height)
        reward, terminated = rewards_of(self.reward_terms, outcome, self._commanded.frozen)
        return Transition(reward, terminated, {"speed": speed, "effort": effort})

    def act(self, actions: Any, moving: Bools | None = None) -> tuple[Floats, Floats]:
        """Take actions for one control step; return mean speeds along x, and mean powers / weight [m/s]; each (W,).

        actions (W, actuators), in [-1, 1], or what CommandedWorlds.commands_of() returns. moving: True for creatures
        that move (W,); None for all.
        """
        before = self._progress()
        self._commanded.advance(actions, moving)
        distance, work = (end - start for end, start in zip(self._progress(), before, strict=True))
        return distance / self.control_step, work / (self.control_step * self.weight)

    def _progress(self) -> tuple[Floats, Floats]:
        """Return the positions of the trunks along x [m], and the work of the motors so far [J]."""
        state = self._commanded.rewarded
        return self.programs.body.x(state.rows), np.asarray(state.step_state.ledger.motors, float)

    def observe(self) -> Array:
        """Return the observations (W, numbers): senses of OBSERVATION_BOUNDS, angular velocity, sensors.

        The angular velocity is that of the trunk in its axes [rad/s]; the last numbers are readings of all sensors of
        the body's world. A body without a free root has only joints and contacts.
        """
        rows, bounds = self._commanded.observe(self.programs.observer), self.programs.bounds
        return np.clip(rows.T, -bounds, bounds).astype(np.float32)

    @property
    def up(self) -> Floats:
        """The cosine of the angle between each trunk's z axis and the vertical, or its initial direction (W,)."""
        return self.programs.body.up(self._commanded.rewarded.rows)

    @property
    def height(self) -> Floats:
        """The height of each trunk, relative to its standing height (W,)."""
        return self.programs.body.height(self._commanded.rewarded.rows)
