"""Colouring: columns of one colour share no row, and the colours of known matrices."""

import numpy as np
import pytest

from gambol.plan.solver.lanes.colouring import colours_of, symmetric


@pytest.mark.parametrize("seed", range(10))
def test_columns_of_one_colour_share_no_row(seed):
    matrix = np.random.default_rng(seed).random((15, 20)) < 0.15
    colours = np.array(colours_of([tuple(e) for e in np.argwhere(matrix).tolist()], 20))
    for colour in range(colours.max() + 1):
        assert matrix[:, colours == colour].sum(axis=1).max() <= 1


def test_a_band_needs_as_many_colours_as_it_is_wide():
    lower = [(i, j) for i in range(30) for j in (i - 1, i) if j >= 0]
    assert max(colours_of(symmetric(lower), 30)) + 1 == 3
    assert colours_of([(i, i) for i in range(5)], 5) == [0] * 5
    assert colours_of([(0, j) for j in range(5)], 5) == [0, 1, 2, 3, 4]
