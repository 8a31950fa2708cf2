"""Evaluation of rollouts compared with the bare steps of the same worlds, and rollouts of all-different bodies."""

from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.rows import Result, Row
from benchmarks.timing import median_and_spread, ratio, time_interleaved
from gambol.contact.generation.contact_set import contact_count
from gambol.evolve.evaluate import evaluate_genotypes
from gambol.evolve.evaluate.batch import Batch, initial_state
from gambol.evolve.evaluate.batch_world import inputs_of_all_trials
from gambol.evolve.evaluate.options import search_space, task_of
from gambol.evolve.evaluate.rollout import batches_of
from gambol.evolve.genotype import Genotype, of_json, to_json
from gambol.evolve.genotype.breeding import topology
from gambol.evolve.runs import Settings
from gambol.world import State

WALK = Settings()
BOTH = Settings(options={"evolve": "both"})
FREE = Settings(body="free")

TRUNK_LINKS = (8, 9)
"""Numbers of links besides the trunk, of bodies that are compared with the quadruped's eight."""

GENERATIONS = 4  # of different creatures, run in turn, so that nothing about them is cached
REPEATS = 9


def whole_rollouts(row: Row) -> Result:
    """Measure the evaluation of genotypes in one thread, compared with the bare steps of their rollouts."""
    given, bare = random_genotypes(WALK, row.worlds, seed=1), BareSteps(WALK, row.worlds, seed=1)
    whole, alone = roots(bare.batch, bare.genotypes), bare.roots()
    assert np.array_equal(whole, alone), f"{row.name}: final positions differ from those of bare steps"
    times = time_interleaved(lambda: evaluate(WALK, given), bare.run, repeats=REPEATS)
    result = _with_world_data(Result(0, "all final positions are the same, to the last bit"), row, bare)
    seconds, result.spread = median_and_spread(times[0])
    result.ns_per_step = seconds / step_count(WALK, row.worlds) * 1e9
    result.peer, result.peer_ns_per_step = "bare steps", median_and_spread(times[1])[0] / seconds * result.ns_per_step
    result.more = {
        "over_bare": 1.0 / ratio(*times),
        "creature_seconds_per_second": step_count(WALK, row.worlds) * task_of(WALK).step / seconds,
    }
    return result


def random_topologies(row: Row) -> Result:
    """Measure a generation of bodies with all-different topologies, compared with quadrupeds of as many links."""
    free, one = random_generations(FREE, row.worlds), random_generations(BOTH, row.worlds)
    assert all(len({topology(of_json(g)) for g in given}) == row.worlds for given in free), "topologies are alike"
    evaluate(BOTH, one[0])
    first = evaluate(FREE, free[0])
    with patch("gambol.world.state.Program", side_effect=AssertionError("a program was compiled for a new body")):
        for given in free[1:]:
            evaluate(FREE, given)
    assert [repr(o) for o in evaluate(FREE, free[0])] == [repr(o) for o in first], f"{row.name}: outcomes differ"
    turns: tuple[Iterator[Any], ...] = (cycle(free), cycle(one))
    times = time_interleaved(
        lambda: evaluate(FREE, next(turns[0])), lambda: evaluate(BOTH, next(turns[1])), repeats=REPEATS
    )
    result = _with_world_data(Result(0, "no program was compiled for new bodies"), row, BareSteps(FREE, 1, seed=0))
    (seconds, result.spread), steps = median_and_spread(times[0]), step_count(FREE, row.worlds)
    result.ns_per_step = seconds / steps * 1e9
    result.peer, result.peer_ns_per_step = "one topology", median_and_spread(times[1])[0] / seconds * result.ns_per_step
    result.more = {"over_one_topology": 1.0 / ratio(*times)}
    return result


class BareSteps:
    """Initial states of creatures in all trials, to be simulated by one call."""

    def __init__(self, settings: Settings, count: int, seed: int) -> None:
        self.genotypes = [of_json(one) for one in random_genotypes(settings, count, seed)]
        ((self.batch, _),) = batches_of(settings).split(self.genotypes)
        inputs_of_trial = self.batch.batch_world.batch_inputs(self.batch.engine, self.genotypes)
        self.inputs = inputs_of_all_trials(inputs_of_trial, self.batch.task, [0] * count)
        self.start = initial_state(self.batch.engine.world, self.inputs.q)

    def run(self) -> State:
        """Return the final state."""
        state = self.start.copied()
        self.batch.engine.advance(state, self.batch.task.sample_steps[-1], self.inputs.numbers)
        return state

    def roots(self) -> Any:
        """Return the final positions of the trunks (trials W, 3) [m]."""
        seen = self.batch.engine.observe(self.run(), self.inputs.numbers)
        return np.stack(seen.positions[:3], axis=-1).astype(float)


def roots(batch: Batch, genotypes: Sequence[Genotype]) -> Any:
    """Return the positions of the trunks at the end of the trajectories (trials W, 3) [m]."""
    return batch.simulate_all_trials(genotypes, [0] * len(genotypes)).root[-1]


def step_count(settings: Settings, count: int) -> float:
    """Return the number of steps of the rollouts of count creatures, in all trials."""
    task = task_of(settings)
    return count * task.trials * task.seconds / task.step


def evaluate(settings: Settings, given: Sequence[Any]) -> Any:
    """Return the outcomes of genotypes given as plain data."""
    return evaluate_genotypes(settings, given, [0] * len(given))


def random_genotypes(settings: Settings, count: int, seed: int) -> list[Any]:
    """Return random genotypes of the space of settings, as plain data."""
    space, rng = search_space(settings), np.random.default_rng(seed)
    return [to_json(space.random(rng)) for _ in range(count)]


def random_generations(settings: Settings, count: int) -> list[list[Any]]:
    """Return generations of random genotypes; free bodies of one have different topologies and TRUNK_LINKS links."""
    if settings is not FREE:
        return [random_genotypes(settings, count, seed) for seed in range(GENERATIONS)]
    space, rng = search_space(settings), np.random.default_rng(0)
    made: list[list[Any]] = []
    for _ in range(GENERATIONS):
        found: dict[Any, Genotype] = {}
        while len(found) < count:
            one = space.random(rng)
            if one.body.links in TRUNK_LINKS:
                found.setdefault(topology(one), one)
        made.append([to_json(one) for one in found.values()])
    return made


def _with_world_data(result: Result, row: Row, bare: BareSteps) -> Result:
    """Return a result with the data of the worlds added."""
    world, mover = bare.batch.engine.world, bare.batch.engine.advance_program
    possible = contact_count(world.scene)
    result.dof, result.step_s, result.contacts = (
        world.figure.nv,
        bare.batch.task.step,
        f"{min(possible, world.contact_capacity)} of {possible}",
    )
    result.compile_s = mover.compile_seconds
    return result
