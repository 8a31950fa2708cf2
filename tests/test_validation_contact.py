"""Every contact method answers every problem that it can do, as nearly as its nature lets it."""

import pytest

from validation.contact.answer import ContactProblem
from validation.contact.problems import PROBLEMS


@pytest.mark.slow
@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.title)
def test_methods_of_contact_meet_a_known_answer(problem: ContactProblem):
    answers = problem.solve()
    assert answers
    assert [answer for answer in answers if not answer.holds] == []


@pytest.mark.parametrize(
    "title", ["Sliding to rolling", "Oblique impact in a world", "A double pendulum strikes the floor"]
)
def test_short_problems_of_contact_meet_known_answers(title: str):
    (problem,) = (problem for problem in PROBLEMS if problem.title == title)
    assert [answer for answer in problem.solve() if not answer.holds] == []
