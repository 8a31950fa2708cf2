"""Tasks: their scores, their times, and invalid settings."""

import json
from dataclasses import replace

import numpy as np
import orjson
import pytest
from trajectories import LENGTH, moved, trajectory_of

from gambol.errors import EvolveError
from gambol.evolve.evaluate.options import task_of
from gambol.evolve.fitness import WeightedTerm
from gambol.evolve.runs import Settings
from gambol.evolve.tasks import TASKS, Task, task_named


def test_a_fitness_is_the_weighted_sum_of_its_clipped_terms():
    still = trajectory_of()
    walk = moved(still, 3.0 * LENGTH * still.time)
    task = Task("test", (WeightedTerm("speed", 2.0, most=2.5), WeightedTerm("upright", 0.5)), ("speed",))
    (one,) = task.outcomes(walk)
    assert one.fitness == pytest.approx(2.0 * 2.5 + 0.5)
    assert one.terms == {"speed": pytest.approx(3.0), "upright": pytest.approx(1.0)}
    assert one.behaviour == (pytest.approx(3.0),)


def test_an_invalid_rollout_scores_nothing_but_has_its_terms():
    still = trajectory_of(rollouts=2)
    walk = replace(moved(still, still.time), frozen=np.array([False, True]))
    clean, marked = TASKS["walk"].outcomes(walk)
    assert clean.fitness > 0.0
    assert clean.marked == ""
    assert marked.fitness == 0.0
    assert marked.marked == "froze"


@pytest.mark.parametrize("name", TASKS)
def test_every_task_scores_and_comes_back_from_plain_data(name):
    task = TASKS[name]
    (one,) = task.outcomes(trajectory_of())
    assert np.isfinite(one.fitness)
    assert one.marked == ""
    assert Task.from_data(json.loads(json.dumps(task.as_data(), allow_nan=False))) == task


def test_a_medium_may_be_plain_data():
    assert task_named("walk", medium={"density": 1000.0, "viscosity": 0.0009}).medium == TASKS["swim"].medium
    assert task_named("swim", medium=None).medium is None


def test_samples_lie_on_control_steps_from_settling_to_the_end():
    task = task_named("walk", seconds=4.0, settling=1.0)
    times = np.array(task.sample_steps) * task.frame
    assert times[0] == pytest.approx(1.0)
    assert times[-1] == pytest.approx(4.0)
    assert np.diff(times) == pytest.approx(task.sample)


def test_impossible_tasks_are_errors():
    with pytest.raises(EvolveError, match='no task "wlk"; did you mean "walk"'):
        task_named("wlk")
    for changes, word in (
        ({"seconds": 0.0}, "lasts"),
        ({"seconds": 1e9}, "at most 600"),
        ({"settling": 9.0}, "settling"),
        ({"friction": -1.0}, "friction"),
        ({"medium": {"density": -1.0}}, "give a density and a viscosity"),
        ({"medium": "water"}, "give a density and a viscosity"),
        ({"terms": ()}, "no terms"),
        ({"behaviour": ("leep",)}, "the behaviour of task .*there is no term"),
        ({"sample": 0.01}, "whole number"),
        ({"trials": 0}, "0 trials; give a whole number from 1 to 64"),
        ({"trials": 2.0}, "2.0 trials"),
        ({"unevenness": -0.1}, "unevenness of task .* is -0.1; give 0 to 0.1"),
        ({"unevenness": float("nan")}, "unevenness"),
        ({"slickness": 1.5}, "slickness of task .* is 1.5; give 0 to 1"),
    ):
        with pytest.raises(EvolveError, match=word):
            task_named("walk", **changes)


def test_leaping_and_falling_scores_less_than_leaping_lower_and_standing():
    still = trajectory_of()
    high, lower = (moved(still, 0.0, z=h * (abs(still.time - 4.0) < 0.2)) for h in (0.5 * LENGTH, 0.4 * LENGTH))
    turned = np.where((still.time > 4.2)[:, None, None], -1.0, 1.0)
    fallen = replace(moved(high, 0.0, z=-0.7 * 0.4 * (still.time > 4.2)), up=still.up * turned)
    (falls,), (stands,) = TASKS["jump"].outcomes(fallen), TASKS["jump"].outcomes(lower)
    assert falls.terms["leap"] > stands.terms["leap"]
    assert falls.fitness < stands.fitness


def test_crawl_scores_lying_above_standing_and_moving_above_lying():
    still = trajectory_of()
    down = moved(still, 0.0, z=-0.25 * 0.4)
    belly = replace(down, elsewhere=down.elsewhere + down.pushes.sum(axis=2), pushes=0.0 * down.pushes)
    motions = (still, down, belly, moved(belly, 0.3 * LENGTH * still.time))
    worths = [TASKS["crawl"].outcomes(trajectory)[0].fitness for trajectory in motions]
    assert worths == sorted(worths)
    assert worths[0] >= 0.0


def test_terms_of_ones_own_may_be_plain_data():
    plain = [
        {"term": "speed", "weight": 2.0},
        {"term": "slip", "weight": -1.0, "least": 0.0, "most": None, "options": {}},
    ]
    settings = Settings(options={"task": {"terms": plain, "behaviour": ["height"]}})
    task = task_of(Settings.of_plain(orjson.loads(orjson.dumps(settings.plain()))))
    assert task.terms == (WeightedTerm("speed", 2.0), WeightedTerm("slip", -1.0, 0.0))
    assert task.behaviour == ("height",)
    assert Task.from_data(task.as_data()) == task


@pytest.mark.parametrize(
    ("task", "message"),
    [
        ({"terms": ["speed"]}, r'task "walk" has the term \'speed\'; give a list of terms, such as'),
        ({"terms": "speed"}, 'task "walk" has the terms .speed.; give a list of terms'),
        ({"terms": [{"term": "sped", "weight": 1.0}]}, 'there is no term "sped"; did you mean "speed"'),
        ({"terms": [{"term": [], "weight": 1.0}]}, r'there is no term "\[\]"'),
        ({"terms": [{"term": "speed"}]}, "missing 1 required positional argument: 'weight'"),
        ({"terms": [{"term": "speed", "weight": "much"}]}, "the weight of \"speed\" is 'much'; it must be finite"),
        ({"terms": [{"term": "speed", "weight": 1, "options": {"points": 3}}]}, 'the term "speed" does not take'),
        ({"friction": "ice"}, "the friction of task \"walk\" is 'ice'; give a number"),
        ({"behaviour": "slip"}, "has the behaviour 'slip'; give a list of terms"),
        ({"behaviour": [3]}, 'the behaviour of task "walk": there is no term "3"'),
        ({"weather": 1}, 'task "walk" has no setting "weather"'),
        ({"step": 0}, 'task "walk": step 0 s, tolerance 0.001; give more than 0'),
        ({"tolerance": 0.0}, 'task "walk": step .* s, tolerance 0.0; give more than 0'),
        ({"midpoint_springs": 1}, 'midpoint_springs of task "walk" is 1; give true or false'),
    ],
)
def test_impossible_settings_of_a_task_are_errors(task, message):
    with pytest.raises(EvolveError, match=message):
        task_of(Settings(options={"task": task}))
