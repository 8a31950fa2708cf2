"""Rollouts on uneven ground and from another start: where creatures begin, what is measured, and what is shown."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import orjson
import pytest

from gambol.dynamics import kinematics
from gambol.evolve.evaluate import Batches, Batching, evaluate_genotypes, film_rollout
from gambol.evolve.evaluate.batch import Batch
from gambol.evolve.evaluate.batch_world import inputs_of_trial
from gambol.evolve.evaluate.options import search_space
from gambol.evolve.genotype import Genotype, grow, to_json
from gambol.evolve.runs import Settings
from gambol.evolve.tasks import task_named
from gambol.evolve.zoo import zoo_creature
from gambol.spatial import Vector
from gambol.world import Engine

WALKER = to_json(zoo_creature("walker").genotype)
SLOPE = math.radians(10.0)
GENTLE = 0.15  # rad: the walker of the zoo climbs it; on SLOPE it falls
BUMPS = {"heights": np.random.default_rng(2).uniform(0.0, 0.1, (60, 60)).tolist(), "spacing": 0.15}


def settings(**task: Any) -> Settings:
    return Settings(seconds=3.0, options={"task": task})


def batch_of(way: Any, some: list[Genotype], **changes: Any) -> Batch:
    task = task_named("walk", seconds=1.0, settling=0.2, **changes)
    ((batch, _),) = Batches(task, Batching(way, free=way == "template")).split(some)
    return batch


@pytest.mark.parametrize("way", ["fixed", "topology", "template"])
@pytest.mark.parametrize("ground", [{"slope": -SLOPE}, BUMPS], ids=["slope", "bumps"])
@pytest.mark.parametrize("trial", [0, 1])
def test_the_lowest_ball_begins_just_above_the_ground(way: Any, ground: Any, trial: int):
    """By the kinematics of the grown figure: gaps along normals are at least a hundredth of the standing height."""
    space = search_space(Settings(body="free" if way == "template" else "quadruped", options={"evolve": "both"}))
    one = space.random(np.random.default_rng(4))
    batch = batch_of(way, [one], ground=ground, start=(0.5, -0.7, 1.1), unevenness=0.1)
    world = batch.batch_world
    level = world.batch_inputs(Engine(world.world, "float32"), [one])
    inputs = inputs_of_trial(level, batch.task, [3], trial)
    q = world.figure_coordinates(one, inputs.q[0])
    figure = grow(one).figure
    state = kinematics(figure, list(q), [0.0] * figure.nv)
    gaps = []
    for link in figure.links:
        for point in link.contact_points():
            p = state.point_position(link.index, Vector(*point.position))
            surface = world.world.ground.surface(world.world.ground.numbers(), world.world.ground.table(), p.x, p.y)
            gaps.append((p.z - surface.height) * surface.normal.z - point.radius)
    flat = inputs_of_trial(level, replace(batch.task, ground=None, start=(0.0, 0.0, 0.0)), [3], trial)
    assert min(gaps) == pytest.approx(flat.q[0, 6] * 0.01 / 1.01, rel=1e-5)
    assert (q[4], q[5]) == (0.5, -0.7)
    if "slope" in ground:  # the trunk is parallel to the slope, which falls along world x, and faces along the heading
        axes = np.array(state.poses[1].rotation.rows)
        np.testing.assert_allclose(axes[:, 2], [math.sin(SLOPE), 0.0, math.cos(SLOPE)], atol=1e-9)


def test_a_zero_slope_is_level_ground_and_the_start_does_not_matter_there():
    """In float32 the two contact programs round differently: half a percent of the pace in 3 s."""
    level, grid, elsewhere = (
        evaluate_genotypes(settings(**task), [WALKER], [5])[0]
        for task in ({}, {"ground": {"slope": 0.0}}, {"start": [2.0, -1.0, 2.5]})
    )
    for other in (grid, elsewhere):
        assert other.terms["pace"] == pytest.approx(level.terms["pace"], rel=5e-3)
        assert other.terms["ahead"] == pytest.approx(level.terms["ahead"], abs=5e-3)


def test_a_slope_changes_the_outcome_like_an_independent_measure_of_the_film():
    """Pace and rise of a film on two slopes, from its recorded centre of mass, without terms and trajectories."""
    paces = []
    for angle in (0.0, GENTLE):
        requested = replace(settings(ground={"slope": angle}), trials=1)
        (outcome,) = evaluate_genotypes(requested, [WALKER], [5])
        film = film_rollout(requested, WALKER, 5)
        centre, began = film.signals["centre"][:, 0], int(np.searchsorted(film.time, 1.0 - 1e-9))
        pace = (centre[-1, 0] - centre[began, 0]) / (film.time[-1] - film.time[began]) / grow_length()
        assert outcome.terms["pace"] == pytest.approx(pace, rel=1e-5)
        rise = centre[-1, 2] - centre[began, 2]
        assert rise == pytest.approx(math.tan(angle) * (centre[-1, 0] - centre[began, 0]), abs=0.1)
        paces.append(pace)
        assert np.ptp(film.ground.heights) == 0.0 if angle == 0.0 else film.ground.heights.max() > 1.0
        assert (film.signals["clearance"] > -0.02).all()
    assert paces[1] < 0.8 * paces[0]


def grow_length() -> float:
    return float(grow(zoo_creature("walker").genotype).length)


def test_workers_and_replays_have_the_ground_of_the_settings():
    """A worker reads the settings as the archive stores them; on other heights the outcome is another."""
    requested = settings(ground=BUMPS, start=[0.3, 0.1, 0.2])
    stored = Settings.of_plain(orjson.loads(orjson.dumps(requested.plain())))
    one, same = (evaluate_genotypes(s, [WALKER], [5])[0] for s in (requested, stored))
    assert repr(one) == repr(same)
    other = evaluate_genotypes(settings(ground=BUMPS | {"spacing": 0.16}, start=[0.3, 0.1, 0.2]), [WALKER], [5])[0]
    assert repr(other) != repr(one)
