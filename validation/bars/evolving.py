"""Evolution of a body's controller: rollouts of many patterns, each under several conditions."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gambol.collide.hills import random_hills
from gambol.dynamics import STANDARD_GRAVITY
from gambol.evolve.evaluate.batch import Batch
from gambol.evolve.evaluate.batch_world import BatchInputs
from gambol.evolve.fitness import Trajectory, WeightedTerm
from gambol.evolve.outcome import Outcome
from gambol.evolve.search import BoxSpace, search_named
from gambol.evolve.tasks import Task
from gambol.world import Engine
from validation.bars.body import CONTROL_STEP, Body
from validation.bars.stored import StoredController

WAVELENGTH, EXTENT = 0.4, 15.0  # m: shortest wavelength of the bumps, and extent of the bumpy ground
LEVEL = -1000.0  # m: a shift beyond the bumps, for level ground


@dataclass(frozen=True)
class Conditions:
    """The conditions of a rollout.

    friction: of the ground, or density of the medium, relative to the file; spread: of the initial joint angles [rad];
    strength: of motors, relative to the file; push: forward force on the root for PUSH_TIME, relative to the weight;
    push_start: its start [s]; hill_shift: of the ground's bumps [m], or LEVEL; restitution: of the ground.
    """

    friction: float = 1.0
    spread: float = 0.0
    strength: float = 1.0
    push: float = 0.0
    push_start: float = 2.0
    hill_shift: float = LEVEL
    restitution: float = 0.0


CONDITIONS = (
    Conditions(),
    Conditions(0.6, 0.1, push=-0.3, hill_shift=1.0, restitution=0.2),
    Conditions(1.0, 0.1, 0.8, push=-0.4, hill_shift=2.0, restitution=0.4),
    Conditions(1.4, 0.1, push=0.3, push_start=2.3, hill_shift=3.0, restitution=0.0),
    Conditions(0.8, 0.2, 0.9, push=0.3, push_start=3.1, hill_shift=4.0, restitution=0.4),
    Conditions(1.2, 0.2, push=-0.4, push_start=2.7, hill_shift=5.0, restitution=0.2),
)
"""Diverse conditions, so that a good pattern does not depend on the exact landing of feet."""

PUSH_TIME = 0.5  # s
MAX_RESTITUTION = max(condition.restitution for condition in CONDITIONS)

RUNS = {"half_cheetah": (5, 70), "ant": (8, 45), "swimmer": (1, 100)}
"""Seed and number of generations of each stored controller."""

POPULATION, SECONDS = 64, 6.0
SETTLING = 1.0  # s at the start that are not measured
TASK = Task(
    "run",
    (WeightedTerm("speed", 1.0), WeightedTerm("transport", -0.02, 0.0, 10.0)),
    seconds=SECONDS,
    settling=SETTLING,
    step=CONTROL_STEP / 4.0,
    frame=CONTROL_STEP,
    sample=5.0 * CONTROL_STEP,
)
"""The task: the highest speed along x, the least of four time windows [m/s], minus a little cost of transport."""


class PatternWorld:
    """The batch world of a body's patterns: a genotype is the values of a pattern and the index of its conditions."""

    def __init__(self, body: Body, seed: int) -> None:
        self.body = body
        world = body.world(body.zero_pattern)
        if body.height is not None:
            ground = random_hills(body.bump, wavelength=WAVELENGTH, half_width=EXTENT)
            world = replace(
                world,
                ground=ground,
                surface=replace(
                    world.surface, parameters=replace(world.surface.parameters, restitution=MAX_RESTITUTION)
                ),
            )
        self.world = world
        rng = np.random.default_rng(seed)
        self._starts = [
            body.random_start(condition.spread, rng) if condition.spread else body.q for condition in CONDITIONS
        ]

    def batch_inputs(self, engine: Engine, genotypes: Sequence[Any]) -> BatchInputs:
        """Return the inputs of a batch of patterns, each in its own world."""
        count, conditions = len(genotypes), [CONDITIONS[condition] for _, condition in genotypes]
        columns = np.array([values for values, _ in genotypes]).T
        pattern = self.body.pattern(columns)
        numbers = engine.numbers(control={"pattern": pattern.numbers()}, **self._inputs(conditions))
        q = np.array([self._starts[condition] for _, condition in genotypes])
        if self.body.height is not None:
            q[:, self.body.height] += self.body.bump
        one, rough, feet = np.ones(count), np.full(count, self.body.friction), tuple(range(len(self.body.feet)))
        figure = self.body.model.figure
        chains = np.zeros((count, len(figure.links)), np.int64)
        return BatchInputs(numbers, q, (feet,) * count, {}, chains, one, one, one * figure.mass, rough)

    def _inputs(self, conditions: Sequence[Conditions]) -> dict[str, Any]:
        """Return the inputs that depend on the conditions."""
        weight = self.body.push_scale * self.body.model.figure.mass * STANDARD_GRAVITY
        push, push_start = (
            np.array([getattr(condition, name) for condition in conditions]) for name in ("push", "push_start")
        )
        strength, rough, restitution = (
            np.array([getattr(condition, name) for condition in conditions])
            for name in ("strength", "friction", "restitution")
        )
        weaker = {
            name: servo.numbers() | {"strength": strength * servo.strength}
            for name, servo in self.body.actuators.items()
        }
        inputs = {"actuators": weaker, "push": [push * weight, 0.0, 0.0, push_start, push_start + PUSH_TIME]}
        if medium := self.world.external.medium:
            return inputs | {"medium": medium.numbers() | {"density": medium.density * rough}}
        return inputs | {
            "touch": replace(
                self.world.surface.parameters, friction=self.body.friction * rough, restitution=restitution
            ),
            "ground": self.world.ground.numbers()
            | {"x0": np.array([condition.hill_shift - EXTENT for condition in conditions])},
        }


def outcomes(batch: Batch, patterns: Sequence[Sequence[float]], threads: int) -> list[Outcome]:
    """Return the outcome of each pattern under its worst condition."""
    conditions: list[Any] = [(values, condition) for values in patterns for condition in range(len(CONDITIONS))]
    trajectory: Trajectory = batch.simulate_first_trials(conditions, threads)
    every = TASK.outcomes(trajectory)
    by_pattern = (every[k : k + len(CONDITIONS)] for k in range(0, len(every), len(CONDITIONS)))
    return [min(outcomes, key=lambda outcome: outcome.score) for outcomes in by_pattern]


def evolve(body: Body, seed: int, generations: int, threads: int = 2) -> StoredController:
    """Return the best pattern of a run of CMA-ES. threads: number of threads, which does not change the result."""
    begun, batch = time.perf_counter(), Batch(PatternWorld(body, seed), TASK)
    search = search_named("cma", BoxSpace(body.genes), seed, POPULATION)
    for _ in range(generations):
        search.tell(outcomes(batch, [proposal.genotype for proposal in search.ask()], threads))
    assert search.best is not None, f"no rollout of {body.name} was valid"
    values = dict(zip((gene.name for gene in body.genes), search.best.genotype, strict=True))
    minutes = round((time.perf_counter() - begun) / 60.0, 2)
    return StoredController(
        body.name, values, search.best.score, seed, generations, search.evaluated * len(CONDITIONS), minutes
    )
