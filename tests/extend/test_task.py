"""A task from outside the package, as docs/extend/task.md adds it: evolution optimises it, and replay knows it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pages import restored, run_page

from gambol.errors import EvolveError
from gambol.evolve.archive import Archive
from gambol.evolve.evaluate import evaluate_genotypes, film_rollout
from gambol.evolve.fitness import TERMS, WeightedTerm
from gambol.evolve.runs import load_individual, replay
from gambol.evolve.tasks import TASKS, Task, default_body, task_named

SMALL = {"population": 16, "generations": 4, "trials": 1, "seed": 3}


@pytest.fixture(autouse=True)
def page() -> Iterator[dict[str, Any]]:
    with restored(TASKS, TERMS):
        yield run_page("extend/task.md")


def test_a_run_optimises_it_and_replays_it(tmp_path: Path, page: dict[str, Any]):
    file = tmp_path / "evolve.db"
    run, outcome, same = page["evolve_bows"](file, **SMALL)
    assert same
    assert outcome.fitness == run.best_fitness
    with Archive(file) as archive:
        first, last = (
            [record.outcome.fitness for record in archive.individuals(run.id, generation) if record.outcome.valid]
            for generation in (0, SMALL["generations"] - 1)
        )
        best = load_individual(archive, run.id, run.best_number)
    assert np.median(last) > np.median(first)
    film = film_rollout(run.settings, best.individual.genotype)
    w, x, y, z = np.moveaxis(film.quaternion[film.time >= 1.0 - 1e-9, 0, 0], -1, 0)
    nose = -2.0 * (x * z - w * y)  # the x axis of the trunk, along -z
    assert outcome.terms["bow"] == pytest.approx(nose.max() - abs(nose[-1]), abs=0.02)
    del TASKS["bow"]
    with pytest.raises(EvolveError, match=r'there is no task "bow"; .*module:name'):
        replay(best, evaluate_genotypes)


def test_a_term_that_mixes_rollouts_is_refused(tmp_path: Path, page: dict[str, Any]):
    """Without the axis, the maximum is of all creatures of a batch, so that fitness would depend on its size."""

    def mixed(trajectory: Any) -> Any:
        nose = -trajectory.forward[..., 2]
        return nose.max() - np.abs(nose[-1])

    TERMS["bow"] = mixed
    with pytest.raises(EvolveError, match=r'the term "bow" is .* of 16, and .* with half of them; it must not depend'):
        page["evolve_bows"](tmp_path / "evolve.db", **SMALL)


def test_it_is_a_task_like_any_other():
    assert default_body("bow") == "quadruped"
    task = task_named("bow", seconds=2.0)
    assert Task.from_data(task.as_data()) == task
    assert "default_body" not in task.as_data()
    with pytest.raises(EvolveError, match='task "bow" has no setting "default_body"'):
        task_named("bow", default_body="newt")
    with pytest.raises(EvolveError, match='there is no term "bowing"; did you mean "bow"'):
        WeightedTerm("bowing", 1.0)
