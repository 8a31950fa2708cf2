"""Settings of a run from options, and errors for invalid options."""

from dataclasses import replace

import pytest
from numpy.random import default_rng

from gambol.cli.evolve import request
from gambol.cli.evolve.archive_lookup import archive_option
from gambol.cli.evolve.request import DEFAULTS, Request, task_and_run
from gambol.errors import GambolError
from gambol.evolve.evaluate.options import search_space
from gambol.evolve.genotype import plan_named
from gambol.evolve.genotype.file import write_genotype
from gambol.evolve.genotype.genotype import Genotype, with_neutral_control


def test_the_default_is_a_quadruped_that_learns_to_walk():
    settings = Request().settings()
    assert (settings.task, settings.body, settings.search) == ("walk", "quadruped", "es")
    assert settings == DEFAULTS


def test_a_rollout_lasts_as_long_as_its_task():
    assert Request("path").settings().seconds == 10.0
    assert Request("path", seconds=3.0).settings().seconds == 3.0


def test_muscles_may_have_a_metabolism():
    settings = Request(muscles=True, metabolism="umberger-2003").settings()
    freedoms = [f for limb in search_space(settings).random(default_rng(0)).body.limbs for f in limb.freedoms]
    assert {f.muscles.metabolism for f in freedoms if f.muscles} == {"umberger 2003"}
    assert all(f.muscles for f in freedoms)
    for given, message in (
        (Request(metabolism="umberger-2003"), "needs the option muscles"),
        (Request(muscles=True, metabolism="umburger-2003"), 'did you mean "umberger 2003"'),
    ):
        with pytest.raises(GambolError, match=message):
            search_space(given.settings())


def test_a_body_may_come_from_a_file(tmp_path):
    genotype = with_neutral_control(Genotype(plan_named("biped")))
    write_genotype(genotype, tmp_path / "ostrich.toml")
    settings = Request(body=str(tmp_path / "ostrich.toml")).settings()
    assert settings.body == "ostrich"
    assert len(settings.options["plan"]["limbs"]) == 1


def test_what_was_not_given_stays_as_it_is_stored():
    stored = replace(DEFAULTS, task="hop", seed=7, options={"evolve": "both"})
    assert Request().applied_to(stored) == stored
    assert Request(generations=500).applied_to(stored) == replace(stored, generations=500)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"task": "wak"}, 'the task: "wak" is unknown; did you mean "walk"'),
        ({"body": "quadrupde"}, 'body: "quadrupde" is unknown; did you mean "quadruped"'),
        ({"body": "nowhere.toml"}, 'genotype file "nowhere.toml" cannot be read'),
        ({"control": "spectrl"}, 'control: "spectrl" is unknown; did you mean "spectral"'),
        ({"search": "cmaa"}, 'search: "cmaa" is unknown; did you mean "cma"'),
        ({"population": 0}, "population is 0; give a whole number from 1 to 1000000"),
        ({"generations": -3}, "generations is -3; give a whole number from 1 to"),
        ({"seed": -1}, "seed is -1; give a whole number from 0 to"),
        ({"seconds": 0.5}, "seconds: 0.5 s is not possible: .* give at least 1.2"),
        ({"seconds": float("nan")}, "seconds: nan s is not possible"),
        ({"seconds": 1e9}, "seconds: 1e\\+09 s is not possible: .* at most 600"),
        ({"body": "free", "evolve": "control"}, 'evolve: "free" bodies always evolve'),
    ],
)
def test_the_error_names_the_option(given, message):
    with pytest.raises(GambolError, match=message):
        Request(**given).settings()


def test_a_search_with_a_missing_package_is_an_error(monkeypatch):
    monkeypatch.setattr(request, "find_spec", lambda name: None)
    with pytest.raises(GambolError, match='search: "elites" needs the package ribs; pip install ribs'):
        Request(search="elites").settings()


def test_a_password_is_never_printed(tmp_path):
    address = "postgresql+psycopg://ann:sesame@host/runs"
    assert archive_option(address, tmp_path) == " --db 'postgresql+psycopg://ann:***@host/runs'"
    assert archive_option("postgresql+psycopg://ann:se/s:me@host/runs", tmp_path).endswith("//ann:***@host/runs'")
    assert archive_option("postgresql+psycopg://host/runs", tmp_path) == " --db postgresql+psycopg://host/runs"


def test_free_bodies_are_searched_on_islands_by_default():
    free = Request(body="free").settings()
    assert (free.search, free.options["search"]["of"]) == ("islands", "es-plus")
    assert Request(body="free", search="ga").settings().search == "ga"
    assert "search" not in Request(body="free", search="ga").settings().options
    assert Request(body="hexapod").settings().search == "es"


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ((None, None), (None, "last")),
        (("3", None), (None, "3")),
        (("walk", None), ("walk", "last")),
        (("walk", "3"), ("walk", "3")),
        (("3", "walk"), ("walk", "3")),
        (("last", None), (None, "last")),
    ],
)
def test_a_run_to_resume_may_be_given_with_its_task(words, meant):
    assert task_and_run(*words, resume=True) == meant


def test_two_runs_cannot_be_resumed_at_once():
    with pytest.raises(GambolError, match='resume: "1" and "2" are given as run'):
        task_and_run("1", "2", resume=True)
