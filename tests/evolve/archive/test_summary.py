"""Fitness of a generation: its best, its median and its quartiles."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambol.evolve.archive.records import summary_of


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30))
def test_a_summary_is_that_of_numpy(fitness):
    summary = summary_of(fitness)
    expected = np.quantile(fitness, (1.0, 0.5, 0.25, 0.75))
    assert [*summary] == ["best", "median", "lower", "upper"]
    assert [*summary.values()] == pytest.approx(expected, rel=1e-12, abs=1e-9)
    assert summary["lower"] <= summary["median"] <= summary["upper"] <= summary["best"]


def test_a_single_value_is_its_own_quartile_and_no_value_has_none():
    assert set(summary_of([2.5]).values()) == {2.5}
    assert all(map(math.isnan, summary_of([]).values()))
