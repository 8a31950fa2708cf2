"""Trials: within their bounds, the same for a seed, the worst of them counts, and old runs had one."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import text

from gambol.dynamics import kinematics
from gambol.errors import EvolveError
from gambol.evolve.archive import Archive
from gambol.evolve.fitness import Weighed
from gambol.evolve.genotype import Control, Genotype, plan_named, to_json
from gambol.evolve.genotype.genotype import control_genes, with_resting_control
from gambol.evolve.life import Herds, Sorting, breed, filmed, lives, outcomes_of
from gambol.evolve.life.asked import space_asked
from gambol.evolve.life.herd import Herd
from gambol.evolve.life.home import Lodged
from gambol.evolve.life.trials import drawn, in_trial, tried, worst
from gambol.evolve.outcome import Outcome
from gambol.evolve.run import Settings, ancestor, begun, crew_named, replayed, resumed
from gambol.evolve.tasks import Task, task_named
from gambol.spatial import Vector
from gambol.world import Engine

SHORT: dict[str, Any] = {"task": {"settling": 0.2}}
WAYS = {"fixed": {}, "measured": {"evolve": "both"}, "told": {}}


def creatures(way: str, count: int) -> list[Genotype]:
    space = space_asked(Settings(body="free" if way == "told" else "quadruped", options=WAYS[way]))
    rng = np.random.default_rng(5)
    return [space.random(rng) for _ in range(count)]


def herd_of(way: Any, some: list[Genotype], **changes: Any) -> Herd:
    task = task_named("walk", seconds=1.0, settling=0.2, **changes)
    ((herd, _),) = Herds(task, Sorting(way, free=way == "told")).of(some)
    return herd


def lodged_in(herd: Herd, some: list[Genotype]) -> Lodged:
    """Creatures in their herd, whose programs are not made."""
    return herd.home.lodged(Engine(herd.home.world, "float32"), some)


def test_what_is_drawn_follows_from_the_seed_and_the_trial():
    np.testing.assert_array_equal(drawn(5, 1, 9), drawn(5, 1, 9))
    np.testing.assert_array_equal(drawn(5, 1, 12)[:9], drawn(5, 1, 9))  # room for more joints changes none
    assert not np.isin(drawn(5, 1, 9), np.concatenate([drawn(5, 2, 9), drawn(6, 1, 9)])).any()


@pytest.mark.parametrize("way", WAYS)
def test_joints_and_friction_are_off_within_their_bounds(way: str):
    """Off by less than the bounds, and among 8 creatures by more than half of them: of 64 joints half are."""
    some, seeds = creatures(way, 8), range(8)
    herd = herd_of(way, some, trials=3, unevenness=0.05, slickness=0.2)
    lodged = lodged_in(herd, some)
    every = tried(lodged, herd.task, seeds)
    np.testing.assert_array_equal(every.q[:8], lodged.q)
    np.testing.assert_array_equal(every.numbers[:, :8], lodged.numbers)
    for trial in (1, 2):
        own = slice(8 * trial, 8 * trial + 8)
        off = every.q[own, 7:] - lodged.q[:, 7:]
        assert lodged.play is not None
        bounds = 0.05 * lodged.play.units
        assert (np.abs(off) <= bounds + 1e-15).all()
        assert (np.abs(off) > 0.5 * bounds).any()
        rough = every.friction[own] / 0.9 - 1.0
        assert (np.abs(rough) <= 0.2 + 1e-12).all()
        assert np.abs(rough).max() > 0.1
        changed = np.flatnonzero((every.numbers[:, own] != lodged.numbers).any(axis=1))
        np.testing.assert_array_equal(every.numbers[changed], [every.friction.astype(np.float32)])
        np.testing.assert_array_equal(every.q[own, :6], lodged.q[:, :6])


@pytest.mark.parametrize("way", ["fixed", "measured"])
def test_whatever_joints_are_off_by_the_lowest_point_is_just_above_the_ground(way: str):
    (one,) = some = creatures(way, 1)
    herd = herd_of(way, some, unevenness=0.1)
    made = in_trial(lodged_in(herd, some), herd.task, [3], 1)
    figure = herd_of("fixed", [one]).home.world.figure
    there = kinematics(figure, list(made.q[0]), [0.0] * figure.nv)
    points = [(link.index, point) for link in figure.links for point in link.contact_points()]
    lowest = min(float(there.point_position(k, Vector(*p.position)).z) - float(p.radius) for k, p in points)
    height = float(made.q[0, 6])
    assert lowest == pytest.approx(height * (1.0 - 1.0 / 1.01), rel=1e-6)  # a hundredth of what it stands


def balanced() -> Genotype:
    """Two straight stiff legs right below the middle of a trunk, each on one ball, that never move."""
    plan = plan_named("biped")
    legs = tuple(
        replace(limb, at=(0.0, *limb.at[1:]), segments=tuple(map(straight, limb.segments[:2]))) for limb in plan.limbs
    )
    resting = with_resting_control(Genotype(replace(plan, limbs=legs), Control()))
    genes = control_genes(resting.body, resting.control)
    still = [0.0 if "amplitude" in gene.name else resting.control.values[k] for k, gene in enumerate(genes)]
    return replace(resting, control=replace(resting.control, values=tuple(still)))


def straight(segment: Any) -> Any:
    return replace(segment, pitch=0.0, freedoms=tuple(replace(one, middle=0.0) for one in segment.freedoms))


@pytest.mark.parametrize("way", ["fixed", "told"])
def test_who_is_balanced_on_a_knife_s_edge_scores_as_fallen(way: Any):
    """An inverted pendulum of 0.5 m leans e times further every sqrt(l / g) = 0.23 s: from 0.01 to 1 rad in 1.1 s."""
    task = Task("stand", (Weighed("height", 1.0),), ("height",), seconds=3.0, trials=1)
    (once,) = outcomes_of([balanced()], Herds(task, Sorting(way)), [1])
    (twice,) = outcomes_of([balanced()], Herds(replace(task, trials=2), Sorting(way)), [1])
    assert once.terms["height"] == pytest.approx(1.0, abs=0.02)
    assert twice.terms["height"] < 0.5
    assert twice.fitness == twice.terms["height"] == twice.behaviour[0]


def test_the_worst_trial_counts_and_the_first_of_equals():
    good, bad, marked = Outcome(2.0), Outcome(-1.0), Outcome(0.0, marked="froze")
    assert worst([good, bad]) is bad
    assert worst([bad, marked, good]) is marked
    first, second = Outcome(1.0, {"a": 1.0}), Outcome(1.0, {"a": 2.0})
    assert worst([first, second]) is first


@pytest.mark.parametrize("way", ["measured", "told"])
def test_a_life_is_worth_the_worst_of_its_trials_and_one_trial_is_the_first(way: Any):
    some, seeds = creatures(way, 5), [11, 7, 5, 3, 2]
    herd, herds = (
        herd_of(way, some, trials=3),
        Herds(task_named("walk", seconds=1.0, settling=0.2, trials=3), Sorting(way)),
    )
    alone = [herd.task.outcomes(herd.tried([one], [seed])) for one, seed in zip(some, seeds, strict=True)]
    assert [repr(one) for one in outcomes_of(some, herds, seeds)] == [repr(worst(three)) for three in alone]
    firsts = outcomes_of(some, Herds(replace(herds.task, trials=1), Sorting(way)), seeds)
    assert [repr(one) for one in firsts] == [repr(three[0]) for three in alone]
    assert len({repr(one) for three in alone for one in three}) == 15


def test_a_film_shows_the_trial_that_was_scored():
    settings = Settings(seconds=1.0, options=SHORT)
    (one,) = some = creatures("fixed", 1)
    track = herd_of("fixed", some).tried(some, [9])
    films = [filmed(settings, to_json(one), seed, trial) for seed, trial in ((0, 0), (9, 1), (8, 1))]
    for film, lane in zip(films[:2], (0, 1), strict=True):
        np.testing.assert_array_equal(film.signals["centre"][-1, 0], track.centre[-1, lane])
    assert (films[2].signals["centre"][-1] != films[1].signals["centre"][-1]).any()
    with pytest.raises(EvolveError, match="there is no trial 2: lives of this run have trials 0 to 1"):
        filmed(settings, to_json(one), 9, 2)


def test_every_genotype_needs_a_seed():
    with pytest.raises(EvolveError, match="2 genotypes cannot live with 1 seeds"):
        lives(Settings(seconds=1.0, options=SHORT), [to_json(one) for one in creatures("fixed", 2)], [0])


def test_a_run_from_before_trials_goes_on_and_its_lives_are_the_same(tmp_path: Path):
    settings = Settings(population=4, generations=2, seconds=1.0, trials=1, options=SHORT)
    whole = replace(settings, generations=3)
    found = []
    for name in ("whole", "old"):
        with Archive(tmp_path / f"{name}.db") as archive, crew_named("here") as crew:
            begun(archive, whole if name == "whole" else settings, breed).go(crew)
            if name == "old":
                told = {key: x for key, x in settings.plain().items() if key != "trials"} | {"format": 1}
                with archive._engine.begin() as connection:
                    connection.execute(text("UPDATE gambol_run SET settings = :told"), {"told": json.dumps(told)})
                run = resumed(archive, 1, breed)
                assert run.settings == settings
                assert replayed(ancestor(archive, 1, 3), lives)[1]
                resumed(archive, 1, breed, whole).go(crew)
            found.append([repr(one) for k in range(3) for one in archive.individuals(1, k)])
    assert found[0] == found[1]
