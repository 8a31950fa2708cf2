"""Benchmarks of evolution: the twin in MuJoCo is the same creature, rollouts are their own steps, checks can fail."""

from typing import Any

import numpy as np
import pytest

from benchmarks.evolving.mujoco_creatures import MujocoCreatures, mujoco_model, target_path
from benchmarks.evolving.peer import beside_mujoco
from benchmarks.evolving.rollouts import FREE, TRUNK_LINKS, WALK, BareSteps, random_generations, random_genotypes, roots
from benchmarks.evolving.runs import EVOLVING
from benchmarks.rows import ROWS, Row
from gambol.evolve.genotype import of_json, topology_arrays
from gambol.evolve.genotype.breeding import topology
from gambol.evolve.runs import Settings


@pytest.fixture(scope="module")
def few() -> BareSteps:
    return BareSteps(Settings(trials=1), 4, seed=1)


def test_every_benchmark_of_evolution_has_a_goal():
    rows = [row for row in ROWS if row.benchmark in EVOLVING]
    assert {row.benchmark for row in rows} == set(EVOLVING)
    assert all(row.goal for row in rows)


def test_the_twin_weighs_as_much_and_pulls_as_hard(few: BareSteps):
    batch = topology_arrays(few.genotypes)
    model = mujoco_model(batch.first, few.batch.task, 1e-3)
    assert float(np.sum(model.body_mass)) == pytest.approx(batch.first.figure.mass, rel=1e-9)
    strengths = [servo.strength for servo in batch.first.actuators.values()]
    np.testing.assert_allclose(model.actuator_forcerange[:, 1], strengths)
    np.testing.assert_allclose(model.actuator_gainprm[:, 0], [s.stiffness for s in batch.first.actuators.values()])


def test_targets_begin_at_rest_and_stay_in_their_ranges(few: BareSteps):
    batch, task = topology_arrays(few.genotypes), few.batch.task
    targets = target_path(batch, task, 30)
    assert targets.shape == (31, 4, len(batch.servos))
    for k, servo in enumerate(batch.servos.values()):
        np.testing.assert_allclose(targets[0, :, k], 0.5 * (servo["lower"] + servo["upper"]))
        assert np.all((targets[:, :, k] >= servo["lower"] - 1e-9) & (targets[:, :, k] <= servo["upper"] + 1e-9))


def test_both_fall_alike_until_they_land(few: BareSteps):
    """Released a hundredth of their height above the ground: the first three frames are without contact."""
    batch, task = topology_arrays(few.genotypes), few.batch.task
    state = few.start.copied()
    few.batch.engine.advance(state, 3, few.inputs.numbers)
    theirs = MujocoCreatures(batch, task, task.step, 3, 1).ends()
    np.testing.assert_allclose(state.q[:, 4:7], theirs, atol=1e-3)


def test_rollouts_end_where_bare_steps_end(few: BareSteps):
    np.testing.assert_array_equal(roots(few.batch, few.genotypes), few.roots())


def test_free_generations_have_no_structure_twice(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("benchmarks.evolving.rollouts.GENERATIONS", 1)
    (given,) = random_generations(FREE, 12)
    bodies = [of_json(one) for one in given]
    assert len({topology(one) for one in bodies}) == 12
    assert {one.body.links for one in bodies} <= set(TRUNK_LINKS)


def test_rollouts_with_another_end_do_not_count(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("benchmarks.evolving.rollouts.roots", lambda *_: np.zeros((4, 3)))
    with pytest.raises(AssertionError, match="bare steps"):
        EVOLVING["lives"](Row("lives", "quadruped", "float32", 4))


def test_engines_that_disagree_are_not_raced(monkeypatch: pytest.MonkeyPatch):
    def elsewhere(bare: BareSteps, *_: Any) -> Any:
        return np.zeros((len(bare.genotypes), 3))

    monkeypatch.setattr("benchmarks.evolving.peer.COMPARED", 2)
    monkeypatch.setattr("benchmarks.evolving.peer._ours", elsewhere)
    with pytest.raises(AssertionError, match="their motions"):
        beside_mujoco(Row("lives on all cores", "quadruped", "float32", 4))


def test_creatures_follow_from_their_seed():
    assert random_genotypes(WALK, 2, 5) == random_genotypes(WALK, 2, 5) != random_genotypes(WALK, 2, 6)
