"""Every problem with a known answer comes out as near to it as an engine should come."""

import pytest

from validation.problem import Problem
from validation.problems import PROBLEMS


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.title)
def test_a_known_answer_is_met(problem: Problem):
    rows = problem.solve()
    assert rows
    assert [row for row in rows if not row.holds] == []
