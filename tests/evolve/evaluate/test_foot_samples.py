"""Signals of feet in rollouts: as in films of the same lives, by Newton's law, and the same in all programs."""

import math
import sys
from dataclasses import replace

import numpy as np
import pytest

from gambol.creatures.natural import natural_report, steady_gait
from gambol.dynamics import STANDARD_GRAVITY
from gambol.evolve.evaluate import Batching, film_rollout
from gambol.evolve.evaluate.batch import Batch, initial_state
from gambol.evolve.evaluate.batch_world import inputs_of_trial
from gambol.evolve.evaluate.filming import batch_of
from gambol.evolve.evaluate.foot_samples import material_motion
from gambol.evolve.fitness import Trajectory
from gambol.evolve.fitness.sampling import SIGNALS
from gambol.evolve.genotype import Control, Genotype, plan_named, to_json
from gambol.evolve.genotype.body import Body, Freedom, Limb, Segment
from gambol.evolve.genotype.genotype import with_neutral_control
from gambol.evolve.tasks import Task, task_named
from gambol.evolve.tasks.task import STEP
from gambol.evolve.zoo import zoo_creature
from gambol.gait.natural import MEASURES
from gambol.world.contacts import contacts_of
from gambol.world.film.contacts import ContactSignals

NAMES = ("fore-aft balance", "foot slide", "head pitch", "tail lag")
TERMS = [{"term": f"animal {name}", "weight": 0.2} for name in NAMES]
START = (1.0, -2.0, 2.0)
"""Away from the origin, and not along x: the axes of the world are not those of the rollout."""


def test_measures_of_a_rollout_are_those_of_the_film_of_the_same_life(monkeypatch: pytest.MonkeyPatch):
    """A film leaves out its first quarter, here the first 2 s. Its forces are those that contacts_of() returns.

    Films also count slow feet near the ground as standing, unless the reach is 0. The sums of 300 samples in float32
    agree to 300 / 2^24, but forces along the ground cancel: the balance is 0.03 of the weight.
    """
    monkeypatch.setattr(sys.modules[steady_gait.__module__], "REACH", 0.0)
    cat = zoo_creature("cat")
    options = dict(cat.settings.options) | {"task": {"terms": TERMS, "settling": 2.0, "start": START}}
    settings = replace(cat.settings, options=options)
    batch = batch_of(settings, cat.genotype)
    assert batch.task.signals == tuple(SIGNALS)
    (gait,) = batch.simulate_first_trials([cat.genotype]).gaits
    assert gait is not None
    film = film_rollout(settings, to_json(cat.genotype))
    film = replace(film, signals=film.signals | contact_signals(batch, cat.genotype, len(film.time)))
    filmed = {row.measure: row.value for row in natural_report(film).rows}
    for measure in MEASURES:
        if measure.name in NAMES:
            assert measure.value(gait) == pytest.approx(filmed[measure.name], rel=2e-4), measure.name


def contact_signals(batch: Batch, genotype: Genotype, frames: int) -> dict[str, np.ndarray]:
    """Return the signals of contacts at every second control step of the first trial."""
    inputs = inputs_of_trial(batch.batch_world.batch_inputs(batch.engine, [genotype]), batch.task, [0], 0)
    state, signals = initial_state(batch.engine.world, inputs.q), ContactSignals(frames, 1)
    for frame in range(frames):
        batch.engine.advance(state, 2 * frame, inputs.numbers)
        signals.add(contacts_of(batch.engine, state, inputs.numbers), frame, 1)
    return signals.signals(frames)


def test_forces_on_feet_change_the_momentum_and_programs_agree():
    """With a sample in each step: m (v_k - v_(k - 1)) / h is the sum of all forces, v_k the mean velocity of step k.

    In a step the centre of mass moves by h v_k up to terms of the order h^2 a, so that both speeds are known up to
    h a / 2, for the largest acceleration a. The programs agree until rounding errors of float32 have grown.
    """
    body = plan_with_head_and_tail()
    creature = with_neutral_control(Genotype(body, Control("spectral", size=2)))
    task = task_named("walk", terms=TERMS, seconds=0.7, settling=0.2, step=STEP, frame=STEP, sample=STEP, trials=1)
    fixed = trajectory(Batching("fixed"), task, [creature])
    total, v = fixed.forces.sum(axis=2)[:, 0], np.diff(fixed.centre[:, 0], axis=0) / STEP
    assert not fixed.elsewhere.any()
    weight = float(fixed.mass[0]) * STANDARD_GRAVITY
    net = total - weight * np.eye(3)[2]
    momentum = fixed.mass * (v[-1] - v[0])
    np.testing.assert_allclose(net[2:].sum(axis=0) * STEP, momentum, atol=STEP * np.abs(net).max())
    assert np.abs(momentum[:2]).min() > 3.0 * STEP * np.abs(net).max()
    np.testing.assert_allclose(fixed.forces[..., 2], fixed.pushes, rtol=1e-6, atol=1e-6 * weight)
    assert np.abs(total[:, 0]).max() > 0.05 * weight

    without = with_neutral_control(Genotype(plan_named("quadruped"), Control("spectral", size=2)))
    template = trajectory(Batching("template", links=10, free=True), task, [without, creature])
    for name in ("head", "tail"):
        assert np.isnan(getattr(template, name)[:, 0]).all()
        np.testing.assert_allclose(getattr(template, name)[:30, 1], getattr(fixed, name)[:30, 0], atol=1e-3)
    np.testing.assert_allclose(template.slid[:30, 1], fixed.slid[:30, 0], atol=1e-4)
    np.testing.assert_allclose(template.forces[:5, 1], fixed.forces[:5, 0], atol=0.02 * weight)


def plan_with_head_and_tail() -> Body:
    body = plan_named("quadruped")
    ends = (Segment(0.15, 0.02, 0.02, pitch=pitch, freedoms=(Freedom(azimuth=0.5),)) for pitch in (-2.0, 2.0))
    places = ((0.9, 0.0, 0.5), (-0.9, 0.0, 0.5))
    limbs = zip(places, ends, ("head", "tail"), strict=True)
    return replace(body, limbs=(*body.limbs, *(Limb(at, False, (end,), name, foot=False) for at, end, name in limbs)))


def trajectory(batching: Batching, task: Task, creatures: list[Genotype]) -> Trajectory:
    return batching.batch(creatures[0], task).simulate_first_trials(creatures)


def test_the_material_of_a_rolling_foot_lags_by_the_cubic_part_only():
    """A ball of radius r that rolls by an angle a in each sample: its lowest material moves by r (a - sin a)."""
    radius, angle, times = 0.05, 0.3, 7
    turned = angle * np.arange(times)
    c, s, zero, one = np.cos(turned), np.sin(turned), np.zeros(times), np.ones(times)
    R = np.array([[c, zero, s], [zero, one, zero], [-s, zero, c]])[None, :, :, None]
    position = np.array([radius * turned, zero, radius * one])[None, :, None]
    lowest = position - np.array([0.0, 0.0, radius])[:, None, None]
    moved = radius * (angle - math.sin(angle))
    np.testing.assert_allclose(material_motion(position, R, lowest)[0, 0], [0.0, *[moved] * (times - 1)], atol=1e-15)
    dragged = material_motion(position, np.broadcast_to(np.eye(3)[None, :, :, None, None], R.shape), lowest)
    np.testing.assert_allclose(dragged[0, 0], [0.0, *[radius * angle] * (times - 1)], atol=1e-15)
