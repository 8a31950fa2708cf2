"""A troop: creatures of one body plan side by side in lanes, that do what they are told and say what they feel."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from gambol.control import Senses
from gambol.dynamics import STANDARD_GRAVITY
from gambol.evolve.genotype import Control, Genotype, Grown, grown, plan_named
from gambol.evolve.genotype.genotype import with_resting_control
from gambol.evolve.genotype.growth import height_of
from gambol.evolve.learners.commanded import Commanded
from gambol.evolve.life.herd import begun
from gambol.evolve.life.home import world_of
from gambol.evolve.tasks import task_named
from gambol.evolve.tasks.task import STEP
from gambol.lanes import Program, Recipe, leaves, mapped
from gambol.world import Engine, State, World
from gambol.world.laws import Laws
from gambol.world.step import RUNNING, Living
from gambol.world.step.senses import sensed

Array = NDArray[np.float32]
Floats = NDArray[np.float64]

FRAME = 12.0 * STEP
"""Between actions [s]: a thirtieth of a second."""

SPREAD = 0.05
"""By how much joints are off at the start [rad]: a normal deviate."""

FELT = {"angles": 7.0, "speeds": 100.0, "up": 1.0, "velocity": 50.0, "height": 10.0, "contacts": 1.0}
"""What is felt, and the size at which it is cut off [rad, rad/s, 1, m/s, m, 1]."""

TURNING = 100.0
"""The size at which the trunk's angular velocity is cut off [rad/s]."""


@dataclass(frozen=True)
class Plan:
    """What creatures of a plan share: the creature, its programs, and rows of numbers that commands go to."""

    creature: Grown
    engine: Engine
    feeler: Program
    commands: NDArray[np.intp]

    @property
    def bounds(self) -> Array:
        """The sizes at which what is felt is cut off, in the order of Troop.felt()."""
        joints, feet = len(self.creature.actuators), len(self.creature.feet)
        counts = {"angles": joints, "speeds": joints, "up": 3, "velocity": 3, "height": 1, "contacts": feet}
        sizes = [FELT[name] for name in FELT for _ in range(counts[name])]
        return np.array([*sizes, *[TURNING] * 3], np.float32)


@lru_cache(maxsize=8)
def plan_of(name: str, lanes: int | None = None) -> Plan:
    """The programs for creatures of a body plan, made once. lanes: worlds per instruction, see Program.

    Raises EvolveError for a plan that is not there.
    """
    creature = grown(with_resting_control(Genotype(plan_named(name), Control())), name)
    task = task_named("walk", frame=FRAME, sample=FRAME)
    world = world_of(replace(creature, pattern=Commanded(len(creature.actuators))), task)
    engine = Engine(world, "float32", lanes)
    form = world.numbers()
    marked = mapped(lambda _: 0.0, form)
    marked["control"]["pattern"]["command"] = [1.0] * len(creature.actuators)
    return Plan(creature, engine, _feeler(world, engine), np.flatnonzero(leaves(marked)))


def _feeler(world: World, engine: Engine) -> Program:
    """The program that tells what creatures feel: the senses that patterns of their own would have."""
    drive: Any = world.controller
    told = replace(drive, pattern=replace(drive.pattern, wants=tuple(FELT)))
    feeling = replace(world, controller=told)

    def feel(living: Living, numbers: Any) -> tuple[list[Any]]:
        laws = Laws.of(feeling, numbers, None)
        senses: Senses = sensed(laws, living.q, living.v, living.memory, 0.0)
        return ([*leaves([getattr(senses, name) for name in FELT]), *living.v[:3]],)

    recipe = Recipe("feel", feel, engine.mover.recipe.forms[:2], 0, feeling.structure())
    return Program(recipe, engine.precision, engine.lanes)


class Troop:
    """W creatures of a body plan. threads: that share the work, and change no bit of it.

    A creature's motion depends on its start and its actions alone, not on the others or on how many they are.
    """

    def __init__(self, plan: str, worlds: int, *, lanes: int | None = None, threads: int = 1) -> None:
        self.plan, self.threads = plan_of(plan, lanes), threads
        engine, creature = self.plan.engine, self.plan.creature
        self.state: State = begun(engine.world, np.tile(creature.q, (worlds, 1)), engine.precision)
        self.numbers = np.repeat(engine.numbers(), worlds, axis=1)
        self._fresh = self.state.rows[:, :1].copy()

    @property
    def worlds(self) -> int:
        """How many there are, W."""
        return self.state.rows.shape[1]

    @cached_property
    def weight(self) -> float:
        """Of one of them [N]."""
        return self.plan.creature.figure.mass * STANDARD_GRAVITY

    def begin(self, lanes: Sequence[int], randoms: Sequence[Generator]) -> None:
        """Put some of them at the start: level, just above the ground, joints a little off, each by its own random."""
        creature = self.plan.creature
        count = len(creature.actuators)
        off = SPREAD * np.array([one.standard_normal(count) for one in randoms]).T
        angles = {
            name: np.clip(middle + by, creature.actuators[name].lower, creature.actuators[name].upper)
            for (name, middle), by in zip(creature.angles.items(), off, strict=True)
        }
        self.state.rows[:, lanes] = self._fresh
        self.state.rows[7 : 7 + count, lanes] = np.array(list(angles.values()))
        self.state.rows[6, lanes] = height_of(creature.figure, angles)

    def act(self, actions: NDArray[np.floating[Any]], moving: NDArray[np.bool_] | None = None) -> tuple[Floats, Floats]:
        """Take actions (W, actuators) for a frame; mean speeds along x [m/s], and powers over the weight [m/s] (W,).

        moving: which of them move (W,); None: all.
        """
        living = self.state.living
        before = self._place()
        self.numbers[self.plan.commands] = actions.T
        until = living.clock.frame + (1.0 if moving is None else moving)
        given = (self.state.rows, self.numbers, np.asarray(until, np.float32)[None])
        self.plan.engine.mover(*given, out=[self.state.rows], threads=self.threads)
        gone, spent = (after - old for after, old in zip(self._place(), before, strict=True))
        return gone / FRAME, spent / (FRAME * self.weight)

    def _place(self) -> tuple[Floats, Floats]:
        """Where trunks are along x [m], and the work of motors so far [J]."""
        return self.state.rows[4].astype(float), np.asarray(self.state.living.ledger.motors, float)

    def felt(self) -> Array:
        """What each feels (W, senses): see FELT; then its trunk's angular velocity in its own axes [rad/s]."""
        (rows,) = self.plan.feeler(self.state.rows, self.numbers, threads=self.threads)
        bounds = self.plan.bounds
        return np.clip(rows.T, -bounds, bounds).astype(np.float32)

    @property
    def up(self) -> Floats:
        """The cosine between each trunk's z and straight up (W,)."""
        x, y = self.state.rows[1:3].astype(float)
        return 1.0 - 2.0 * (x * x + y * y)

    @property
    def height(self) -> Floats:
        """Of each trunk, of that at which it stands (W,)."""
        return self.state.rows[6].astype(float) / self.plan.creature.height

    @property
    def stopped(self) -> NDArray[np.bool_]:
        """Which of them froze, their motion no longer finite (W,)."""
        return np.asarray(self.state.living.clock.status != RUNNING)
