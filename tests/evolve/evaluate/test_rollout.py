"""Rollouts: the same bits whatever is simulated beside them, the same motion in all kinds of batch worlds, films of
them.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from gambol.errors import EvolveError
from gambol.evolve.evaluate import Batches, Batching, evaluate_genotypes, film_rollout, outcomes_of, search_setup
from gambol.evolve.evaluate.options import batching_of, checked_options, search_space
from gambol.evolve.genotype import Genotype, to_json
from gambol.evolve.runs import Settings
from gambol.evolve.tasks import task_named
from gambol.evolve.tasks.task import STEP

SHORT: dict[str, Any] = {"task": {"settling": 0.2}}
FIXED = Settings(seconds=1.0, options=SHORT)
BOTH = Settings(seconds=1.0, options=SHORT | {"evolve": "both"})
FREE = Settings(body="free", search="ga", seconds=1.0, options=SHORT)


@cache
def genotypes(settings: str, count: int) -> tuple[Genotype, ...]:
    space, rng = search_space({"fixed": FIXED, "both": BOTH, "free": FREE}[settings]), np.random.default_rng(3)
    return tuple(space.random(rng) for _ in range(count))


def evaluated(settings: Settings, some: Sequence[Genotype], seeds: Sequence[int] | None = None) -> list[Any]:
    """Return outcomes of some genotypes, by default with seeds 0, 1, ..."""
    return evaluate_genotypes(settings, [to_json(one) for one in some], range(len(some)) if seeds is None else seeds)


@pytest.mark.parametrize(("name", "settings"), [("fixed", FIXED), ("both", BOTH), ("free", FREE)])
def test_a_rollout_has_the_same_bits_alone_and_beside_others(name: str, settings: Settings):
    some = genotypes(name, 19)
    together = evaluated(settings, some)
    assert [repr(one) for one in evaluated(settings, some[::-1], range(18, -1, -1))] == [
        repr(one) for one in together[::-1]
    ]
    for k in (0, 7, 18):
        assert repr(evaluated(settings, some[k : k + 1], [k])[0]) == repr(together[k])


def test_no_parameter_is_left_out_whichever_genotype_is_first():
    """A trunk higher than wide has its balls above each other, one wider than high beside each other."""
    plan = genotypes("both", 1)[0]
    high, wide = (
        replace(plan, body=replace(plan.body, trunk=replace(plan.body.trunk, width=width, height=height)))
        for width, height in ((0.12, 0.18), (0.18, 0.12))
    )
    task = task_named("walk", seconds=0.3, settling=0.1)
    one, other = (
        outcomes_of(pair, Batches(task, Batching("topology")), [7, 7]) for pair in ((high, wide), (wide, high))
    )
    assert repr(one) == repr(other[::-1])


def test_threads_do_not_change_rollouts():
    some, task = genotypes("free", 19), task_named("walk", seconds=1.0, settling=0.2)
    one, two = (
        outcomes_of(some, Batches(task, Batching("template", free=True)), range(19), threads) for threads in (1, 2)
    )
    assert list(map(repr, one)) == list(map(repr, two))


@pytest.mark.parametrize(
    ("name", "ways"), [("fixed", ("fixed", "topology", "template")), ("free", ("topology", "template"))]
)
def test_all_kinds_of_batch_worlds_give_the_same_rollout(name: str, ways: tuple[Any, ...]):
    """For half a second of falling onto the feet and the first kicks, in float32: rounding grows with contact."""
    some = genotypes(name, 3)
    trajectories = []
    for way in ways:
        batches = Batches(task_named("walk", seconds=0.5, settling=0.0), Batching(way, free=name == "free"))
        for k, one in enumerate(some):
            ((batch, _),) = batches.split([one])
            trajectories.append((k, way, batch.simulate_first_trials([one])))
    first = {k: trajectory for k, way, trajectory in trajectories if way == ways[0]}
    for k, _, trajectory in trajectories:
        np.testing.assert_allclose(trajectory.centre, first[k].centre, atol=2e-3)
        np.testing.assert_allclose(trajectory.mass, first[k].mass, rtol=1e-5)
        np.testing.assert_allclose(trajectory.length, first[k].length, rtol=1e-5)
        np.testing.assert_allclose(trajectory.ledger[-1, 0, 0], first[k].ledger[-1, 0, 0], rtol=0.02, atol=0.02)


def test_what_presses_on_feet_and_on_the_rest_bears_the_creature():
    """The forces of all steps are weight and the change of momentum, except within the first and the last step."""
    some = genotypes("free", 3)
    task = task_named("walk", seconds=3.0, settling=1.0, frame=STEP, sample=STEP)
    batches = Batches(task, Batching("template", free=True))
    for one in some:
        ((batch, _),) = batches.split([one])
        trajectory = batch.simulate_first_trials([one])
        load = (trajectory.pushes.sum(axis=2) + trajectory.elsewhere)[:, 0] / (trajectory.mass[0] * 9.81)
        speed = np.diff(trajectory.centre[:, 0, 2]) / STEP
        seconds = STEP * (len(speed) - 1)
        expected = 1.0 + (speed[-1] - speed[0]) / 9.81 / seconds
        assert load[1:-1].mean() == pytest.approx(expected, abs=load.max() * STEP / seconds)


@pytest.mark.parametrize(("name", "settings"), [("fixed", FIXED), ("both", BOTH), ("free", FREE)])
def test_a_film_shows_the_rollout_that_was_scored(name: str, settings: Settings):
    """The film's centre of mass agrees with the outcome's distance, up to the film's links, computed in float64."""
    (one,) = genotypes(name, 1)
    film = film_rollout(settings, to_json(one))
    batches = Batches(task_named("walk", seconds=1.0, settling=0.2), batching_of(settings))
    ((batch, _),) = batches.split([one])
    trajectory = batch.simulate_first_trials([one])
    assert film.time[-1] == pytest.approx(1.0)
    np.testing.assert_array_equal(film.signals["centre"][-1, 0], trajectory.centre[-1, 0])
    np.testing.assert_allclose(film.position[-1, 0, 0], trajectory.root[-1, 0], atol=1e-5)
    assert film.position.shape[2] == len(film.link_names)
    assert {shape.link for shape in film.shapes} <= set(range(len(film.link_names)))


def test_a_run_uses_its_space_and_counts_its_steps():
    breeding = search_setup(replace(FIXED, population=5))
    proposals = breeding.search.ask()
    assert len(proposals) == 5
    assert breeding.steps == 2 * 360.0
    assert breeding.evaluate is evaluate_genotypes


@pytest.mark.parametrize(("former", "now"), [("measured", "topology"), ("told", "template")])
def test_stored_runs_have_former_words_for_batches(former: str, now: str):
    settings = Settings(body="free", options={"bodies": former})
    assert batching_of(settings) == batching_of(Settings(body="free", options={"bodies": now}))
    assert batching_of(settings).bodies == now


def test_impossible_settings_are_refused():
    for options, word in (
        ({"tsk": {}}, 'no option "tsk"; did you mean "task"'),
        ({"evolve": "body"}, "both"),
        ({"control": {"sise": 2}}, 'did you mean "size"'),
    ):
        with pytest.raises(EvolveError, match=word):
            search_space(checked_options(Settings(options=options)))
    with pytest.raises(EvolveError, match=r"bodies = .* is unknown"):
        Batching("compiled")  # type: ignore[arg-type]
    with pytest.raises(EvolveError, match="cannot be assigned to the links"):
        evaluated(
            Settings(body="free", control="recurrent", options={"bodies": "template"}),
            [search_space(Settings(body="free", control="recurrent")).random(np.random.default_rng(0))],
        )
