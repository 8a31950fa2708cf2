"""The option --term: it adds terms to the fitness, or changes their weights."""

import pytest

from gambol.cli.evolve.request import Request
from gambol.cli.evolve.surroundings import Surroundings
from gambol.errors import GambolError
from gambol.evolve.evaluate.options import task_of
from gambol.evolve.tasks import TASKS


def terms_of(*words: str, task: str = "natural", **options):
    request = Request(task=task, terms=words, **options)
    return {term.term: term for term in task_of(request.settings()).terms}


def test_a_term_is_added_with_the_class_of_gait_of_the_task():
    before, after = terms_of(body="cat"), terms_of("animal foot slide=0.5", "animal tail lag=0.25", body="cat")
    assert {name: after[name] for name in before} == before
    added = {name: (term.weight, dict(term.options)) for name, term in after.items() if name not in before}
    assert added == {
        "animal foot slide": (0.5, {"gait": "walk"}),
        "animal tail lag": (0.25, {"gait": "walk"}),
    }
    assert terms_of("animal foot slide=1", task="trot", body="cat")["animal foot slide"].options == {"gait": "trot"}
    walk = terms_of("animal fore-aft balance=1", task="walk")["animal fore-aft balance"]
    assert walk.options == {}


def test_the_weight_of_a_term_of_the_task_changes_and_its_bounds_stay():
    slip = terms_of("slip=-8", body="cat")["slip"]
    assert (slip.weight, slip.least, slip.most) == (-8.0, 0.02, 0.5)
    assert [term.term for term in TASKS["natural"].terms] == list(terms_of("slip=-8", body="cat"))


def test_terms_add_to_those_of_a_requested_speed():
    names = terms_of("upright=2", "animal foot slide=1", task="walk", surroundings=Surroundings(speed=0.5))
    assert "at_speed" in names
    assert names["upright"].weight == 2.0
    assert "animal foot slide" in names


def test_without_the_option_settings_are_as_before():
    assert Request(task="natural", body="cat").settings() == Request(task="natural", body="cat", terms=()).settings()
    assert "task" not in Request(task="natural", body="cat").settings().options


@pytest.mark.parametrize(
    ("word", "body", "message"),
    [
        ("animal foot slide", "cat", 'give a term and its weight, such as "animal foot slide=0.5"'),
        ("animal foot slide=much", "cat", '"animal foot slide=much" is not possible'),
        ("=1", "cat", '"=1" is not possible'),
        ("animal foot slid=1", "cat", 'did you mean "animal foot slide"'),
        ("at_speed=1", "cat", "does not take the options"),
        ("animal tail lag=1", "quadruped", r'"quadruped" cannot have the term animal tail lag \(needs a tail\)'),
    ],
)
def test_impossible_terms_are_refused_before_work(word: str, body: str, message: str):
    with pytest.raises(GambolError, match=f"^--term: .*{message}"):
        terms_of(word, body=body)
