"""The task natural: its terms for a body, the settings that it brings, and its errors."""

from dataclasses import replace

import pytest

from gambol.cli.evolve.request import Request
from gambol.errors import EvolveError
from gambol.evolve.evaluate import evaluate_genotypes, search_setup
from gambol.evolve.evaluate.options import left_out_terms, search_space, task_of
from gambol.evolve.genotype import to_json
from gambol.evolve.genotype.body import driven_by
from gambol.evolve.genotype.breeding import GenotypeSpace
from gambol.evolve.runs import Settings
from gambol.evolve.search import search_named
from gambol.evolve.tasks import TASKS, task_named
from gambol.evolve.tasks.natural import BIPED_TRIALS, BIPED_UNEVENNESS
from gambol.gait.natural import MEASURES


def test_every_term_about_animals_is_a_measure():
    names = {term.term.removeprefix("animal ") for term in TASKS["natural"].terms if term.term.startswith("animal ")}
    assert names <= {measure.name for measure in MEASURES}
    assert len(names) == 20


def test_terms_that_a_body_cannot_have_are_left_out_and_told():
    names = {
        body: {term.term for term in task_of(Settings(task="natural", body=body)).terms}
        for body in ("quadruped", "hexapod", "biped")
    }
    of_four = {"animal front load", "animal limb phase"}
    assert names["quadruped"] - names["hexapod"] == names["quadruped"] - names["biped"] == of_four
    told = dict.fromkeys(of_four, "four legs")
    assert left_out_terms(Settings(task="natural", body="hexapod")) == told
    assert left_out_terms(Settings(task="natural")) == left_out_terms(Settings(body="hexapod")) == {}


def test_terms_about_heads_and_tails_need_them():
    names = ("head pitch", "tail lag", "fore-aft balance", "foot slide")
    terms = [{"term": f"animal {name}", "weight": 0.2} for name in names]
    told = {
        body: left_out_terms(Settings(task="natural", body=body, options={"task": {"terms": terms}}))
        for body in ("cat", "quadruped", "biped")
    }
    without = {"animal head pitch": "a head", "animal tail lag": "a tail"}
    assert told == {
        "cat": {},
        "quadruped": without,
        "biped": {**without, "animal fore-aft balance": "four legs"},
    }


@pytest.mark.parametrize("body", ["snake", "eel"])
def test_a_body_without_legs_is_refused(body: str):
    with pytest.raises(EvolveError, match=f'"{body}" has no pair of legs, so its gait cannot be compared'):
        search_setup(Settings(task="natural", body=body))
    assert task_of(Settings(task="walk", body=body))


def test_an_unknown_class_of_gait_is_refused():
    terms = [{"term": "animal bob", "weight": 1.0, "options": {"gait": "walking"}}]
    with pytest.raises(EvolveError, match='"animal bob" has the gait \'walking\'; did you mean "walk"'):
        task_of(Settings(task="natural", options={"task": {"terms": terms}}))


def test_new_runs_have_motors_as_strong_as_muscles_and_frequencies_by_mass():
    settings = Request(task="natural", body="hexapod").settings()
    assert settings.options == {"motor": "hill", "frequencies": "walk"}
    space = search_space(settings)
    assert isinstance(space, GenotypeSpace)
    assert driven_by(space.plan.body) == "hill servos"
    assert space.plan.control.fastest < 4.0
    assert Request(task="natural", body="free").settings().options["motor"] == "hill"
    assert "frequencies" not in Request(task="natural", body="free").settings().options
    assert Request(task="natural", motors="servo").settings().options["motor"] == "servo"
    assert (settings.control, settings.population, settings.generations) == ("stride", 64, 20)
    assert Request(task="natural", body="free").settings().control == "spectral"
    assert Request(task="natural", control="recurrent", population=7).settings().control == "recurrent"
    assert Request(task="walk").settings().options == {}
    stored = replace(settings, options={})
    assert Request().applied_to(stored) == stored  # a stored run keeps its own


def test_bodies_on_two_legs_have_more_and_larger_trials_unless_trials_are_given():
    for body in ("bird", "dinosaur", "biped"):
        task = task_of(Request(task="natural", body=body).settings())
        assert (task.trials, task.unevenness) == (BIPED_TRIALS, BIPED_UNEVENNESS)
        given = task_of(Request(task="natural", body=body, trials=3).settings())
        assert (given.trials, given.unevenness) == (3, task_named("natural").unevenness)
        assert Request(task="walk", body=body).settings().options == {}
    for body in ("cat", "spider", "hexapod"):
        task = task_of(Request(task="natural", body=body).settings())
        assert (task.trials, task.unevenness) == (Settings().trials, task_named("natural").unevenness)


def test_evaluations_are_the_same_alone_and_beside_others():
    settings = Settings(task="natural", seconds=3.0, trials=2, options={"motor": "hill", "frequencies": "mass"})
    search = search_named("random", search_space(settings), 3, 4)
    genotypes = [to_json(proposal.genotype) for proposal in search.ask()]
    together = evaluate_genotypes(settings, genotypes, [1, 2, 3, 4])
    assert evaluate_genotypes(settings, genotypes[2:3], [3]) == together[2:3]
    assert all(set(one.terms) == {term.term for term in task_of(settings).terms} for one in together)
