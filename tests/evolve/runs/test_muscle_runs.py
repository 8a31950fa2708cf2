"""Runs with muscles: the same bits alone and beside others, in the archive, when resumed and when lived again."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gambol.evolve.archive import Archive
from gambol.evolve.evaluate import Batches, Batching, evaluate_genotypes, film_rollout, outcomes_of, search_setup
from gambol.evolve.evaluate.options import search_space, task_of
from gambol.evolve.genotype import muscled, plan_named, to_json
from gambol.evolve.genotype.body import Body
from gambol.evolve.runs import Settings, begin_run, load_individual, make_worker_pool, replay, resume_run

# Edits of gambol's source while the tests run are not checked here.
pytestmark = pytest.mark.filterwarnings("ignore::gambol.evolve.runs.VersionWarning")

LEG = Body(plan_named("quadruped").trunk, plan_named("quadruped").limbs[:1])
"""A trunk on two fore legs: a small program."""

OPTIONS: dict[str, Any] = {"task": {"settling": 0.2}, "muscles": True}
SETTINGS = Settings(search="ga", population=8, generations=3, seconds=1.0, trials=2, options=OPTIONS)


def planned(settings: Settings = SETTINGS) -> Settings:
    """Return settings with the small body as plan, which has servos there."""
    space = search_space(replace(settings, options={"task": OPTIONS["task"]}))
    plan = replace(space.random(np.random.default_rng(0)), body=LEG)
    return replace(settings, options=settings.options | {"plan": to_json(_with_control(plan))})


def _with_control(genotype: Any) -> Any:
    from gambol.evolve.genotype.genotype import with_neutral_control

    return with_neutral_control(genotype)


def rows(where: Path) -> list[tuple[Any, ...]]:
    with Archive(where) as archive:
        return [
            (one.number, repr(one.outcome), one.genotype)
            for one in (archive.individual(1, k) for k in range(SETTINGS.population * SETTINGS.generations))
        ]


def test_rollouts_have_the_same_bits_alone_and_beside_others():
    settings = planned()
    space, rng = search_space(settings), np.random.default_rng(3)
    genotypes = [space.random(rng) for _ in range(11)]
    assert genotypes[0].body == muscled(LEG)
    plain = [to_json(genotype) for genotype in genotypes]
    together = evaluate_genotypes(settings, plain, range(11))
    for k in (0, 10):
        assert repr(evaluate_genotypes(settings, plain[k : k + 1], [k])[0]) == repr(together[k])
    assert {outcome.marked for outcome in together} == {""}  # among other marks: no energy without a cause
    assert len({outcome.fitness for outcome in together}) == 11


def test_all_kinds_of_batch_worlds_give_nearly_the_same_rollout():
    settings = planned(replace(SETTINGS, options=OPTIONS | {"evolve": "both"}))
    space, rng = search_space(settings), np.random.default_rng(5)
    genotypes = [space.random(rng) for _ in range(3)]
    task = replace(task_of(settings), seconds=0.6, trials=1)
    ways = [outcomes_of(genotypes, Batches(task, Batching(way)), range(3)) for way in ("topology", "template")]
    for one, other in zip(*ways, strict=True):
        assert one.terms["upright"] == pytest.approx(other.terms["upright"], abs=2e-3)


def test_films_of_templates_have_the_muscles_and_signals_of_the_creature():
    """A template draws none and names its actuators by its own links; the route of one topology draws them itself."""
    settings = planned()
    genotype = to_json(search_space(settings).random(np.random.default_rng(3)))
    template, topology = (
        film_rollout(replace(settings, options=settings.options | {"bodies": kind}), genotype, seconds=0.2)
        for kind in ("template", "topology")
    )
    assert [m.name for m in template.matter] == [m.name for m in topology.matter]
    assert len(template.matter) == 8  # two at each of four joints
    for of_template, of_topology in zip(template.matter, topology.matter, strict=True):
        assert of_template.width == pytest.approx(of_topology.width, rel=1e-6)
        for field in ("points", "activation", "force"):
            np.testing.assert_allclose(getattr(of_template, field), getattr(of_topology, field), atol=1e-3)
    assert set(template.signals) == set(topology.signals)


def test_a_run_is_stored_resumed_and_replayed_to_the_last_bit(tmp_path: Path):
    settings = planned()
    for name, parts in (("whole", (3,)), ("parts", (1, 3))):
        for generations in parts:
            requested = replace(settings, generations=generations)
            with closing(Archive(tmp_path / f"{name}.db")) as archive, make_worker_pool("here") as pool:
                known = archive.runs()
                run = (
                    resume_run(archive, 1, search_setup, requested)
                    if known
                    else begin_run(archive, requested, search_setup)
                )
                assert not run.execute(pool).interrupted
    assert rows(tmp_path / "whole.db") == rows(tmp_path / "parts.db")
    with Archive(tmp_path / "whole.db") as archive:
        for number in (0, 13, 23):
            one = load_individual(archive, 1, number)
            assert replay(one, search_setup(one.settings).evaluate)[1]
        best = archive.best(1)[0]
        film = film_rollout(settings, best.genotype, best.seed, seconds=0.5)
    active = film.signals["actuator limb1 left 1 positive"]
    assert 0.0 <= active.min() < active.max() <= 1.0
