"""Problems with known answers: every error is within its tolerance."""

import pytest

from validation.problem import Problem
from validation.problems import PROBLEMS


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.title)
def test_errors_are_within_tolerance(problem: Problem):
    rows = problem.solve()
    assert rows
    assert [row for row in rows if not row.holds] == []
