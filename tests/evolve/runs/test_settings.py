"""Settings describe a run; invalid ones are refused before anything runs."""

import json
import math

import pytest
from toy_runs import settings

from gambol.errors import EvolveError
from gambol.evolve.runs import Settings
from gambol.evolve.runs.settings import differences


def test_settings_survive_json():
    given = settings(seconds=1 / 3, options={"search": {"parents": 3}, "step": 1 / 480})
    assert Settings.of_plain(json.loads(json.dumps(given.plain()))) == given


def test_missing_settings_have_defaults():
    assert Settings.of_plain({"task": "hop"}) == Settings(task="hop")


def test_settings_without_trials_have_one_trial():
    assert Settings.of_plain({"format": 1, "task": "hop"}) == Settings(task="hop", trials=1)
    assert Settings.of_plain({"format": 2, "task": "hop"}) == Settings(task="hop")


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        ({"poplation": 3}, r'evolve.toml: there is no setting "poplation"; did you mean "population"\?'),
        ({"format": 3}, "evolve.toml: format 3, but this gambol reads formats 1 to 2; use a newer gambol"),
        ({"format": [1]}, r"evolve.toml: format \[1\], but this gambol"),
        ({"trials": 0}, "trials is 0; give a whole number from 1 to 9223372036854775807"),
        ({"population": 0}, "population is 0; give a whole number from 1 to 1000000"),
        ({"population": 10**12}, "population is 1000000000000; give a whole number from 1 to 1000000"),
        ({"population": 2.5}, r"population is 2\.5; give a whole number"),
        ({"population": True}, "population is True; give a whole number"),
        ({"generations": -1}, "generations is -1"),
        ({"seed": -1}, "seed is -1; give a whole number from 0 to 9223372036854775807"),
        ({"seed": 2**63}, "seed is 9223372036854775808; give a whole number from 0 to 9223372036854775807"),
        ({"seconds": 0.0}, r"seconds is 0\.0; give the duration of a rollout"),
        ({"seconds": math.nan}, "seconds is nan"),
        ({"seconds": "8"}, "seconds is '8'"),
        ({"task": ""}, "task is ''; give a name"),
        ({"options": 3}, "options is 3; give a mapping"),
        ({"share": 0}, "share is 0"),
    ],
)
def test_what_settings_cannot_be(plain, message):
    with pytest.raises(EvolveError, match=message):
        Settings.of_plain(plain, "evolve.toml")


def test_differences_name_the_setting_and_both_values():
    stored = {"population": 3, "options": {"step": 0.1, "search": {"parents": 2}}, "task": "walk", "list": [1, 2]}
    requested = {
        "population": 4,
        "options": {"step": 0.1, "search": {"parents": 5}, "drag": 1.0},
        "task": "walk",
        "list": (1, 2),
    }
    assert differences(stored, requested) == [
        "population: 3 stored, 4 requested",
        "options.search.parents: 2 stored, 5 requested",
        "options.drag: nothing stored, 1.0 requested",
    ]
    assert differences(stored, stored) == []
