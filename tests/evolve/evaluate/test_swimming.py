"""Rollouts in water: an eel swims as in MuJoCo; its ledger closes; bodies of any topology have their own drag."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from benchmarks.evolving.mujoco_creatures import MujocoCreatures
from gambol.evolve.evaluate import Batches, Batching, film_rollout
from gambol.evolve.evaluate.batch_world import world_of
from gambol.evolve.genotype import Control, Genotype, control_genes, plan_named, to_json, topology_arrays
from gambol.evolve.genotype.breeding import space_of
from gambol.evolve.genotype.genotype import with_neutral_control
from gambol.evolve.runs import Settings
from gambol.evolve.tasks import task_named
from gambol.world import run, start

SWIM = task_named("swim", seconds=4.0)
BEAT, LAG = 4.0, 0.15
"""The frequency of an eel's tail [Hz], and the phase from joint to joint [cycles]."""


@cache
def eel() -> Genotype:
    """Return an eel made by hand: one wave runs down its body, as large as the joint limits allow."""
    genotype = with_neutral_control(Genotype(plan_named("eel")))
    values: list[float] = []
    for gene in control_genes(genotype.body, genotype.control):
        _, number, *what = gene.name.split() if " " in gene.name else ("", "0", gene.name)
        wave = {("frequency",): BEAT, ("amplitude", "1"): 1.0, ("phase", "1"): -LAG * int(number) % 1.0}
        values.append(wave.get(tuple(what), 0.0))
    return replace(genotype, control=replace(genotype.control, values=tuple(values)))


def batches(bodies: Any = "fixed", free: bool = False) -> Batches:
    return Batches(SWIM, Batching(bodies, free=free))


def test_an_eel_swims_and_its_ledger_closes():
    """It covers half its length in a second, straight on; the unaccounted energy is the error of first-order steps."""
    ((batch, _),) = batches().split([eel()])
    trajectory = batch.simulate_first_trials([eel()])
    (one,) = SWIM.outcomes(trajectory)
    assert one.marked == ""
    assert one.terms["pace"] > 0.5
    assert one.terms["straightness"] > 0.95
    worked, lost = trajectory.ledger_change("motors")[0], trajectory.ledger_change("damping")[0]
    assert lost == pytest.approx(worked, rel=0.02)
    assert np.abs(trajectory.unaccounted).max() < 1e-3 * worked
    assert (trajectory.elsewhere == 0.0).all()


def test_an_eel_swims_as_fast_in_mujoco():
    """With servos of any power. Steps have first-order errors: 3 % at the task's, half of one at an eighth of it."""
    arrays = topology_arrays([eel()])
    strong = {name: replace(servo, power=np.inf) for name, servo in arrays.first.actuators.items()}
    creature = replace(arrays.first, actuators=strong)
    arrays = replace(arrays, first=creature, servos={name: one.numbers() for name, one in strong.items()})
    fine = replace(SWIM, step=SWIM.step / 8.0)
    theirs = MujocoCreatures(arrays, fine, fine.step, round(SWIM.seconds / fine.frame), 1).ends()[0]
    world = world_of(creature, fine)
    state = start(world)
    state.q[:] = arrays.q
    ours = run(world, state, SWIM.seconds, rate=30.0).position[-1, 0, 0]
    assert theirs[0] > 0.5 * arrays.length * SWIM.seconds
    np.testing.assert_allclose(ours, theirs, atol=1e-2 * theirs[0])


@pytest.mark.parametrize(("name", "ways"), [("eel", ("fixed", "template")), ("free", ("topology", "template"))])
def test_all_kinds_of_batch_worlds_give_the_same_path(name: str, ways: tuple[Any, ...]):
    """In float32 for four seconds: without contact, rounding errors do not grow."""
    some = [eel()]
    if name == "free":
        some = [space_of("free", Control(), links=9).random(np.random.default_rng(1))]
    courses = []
    for way in ways:
        among = batches(way, free=name == "free")
        courses.append([among.split([one])[0][0].simulate_first_trials([one]).centre[:, 0] for one in some])
    for other in courses[1:]:
        np.testing.assert_allclose(other, courses[0], rtol=0.0, atol=1e-3)


def test_a_film_shows_a_bed_below_all_that_swims():
    settings = Settings("swim", "eel", seconds=1.5)
    film = film_rollout(settings, to_json(eel()))
    assert film.ground.heights is not None
    assert film.ground.heights.max() < film.position[..., 2].min() - 0.1
    low = np.array([film.ground.x0, film.ground.y0])
    assert (film.position[..., :2] > low).all()
    assert (film.position[..., :2] < low + film.ground.spacing).all()
