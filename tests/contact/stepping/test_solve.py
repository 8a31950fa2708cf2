"""The share of a rebound that adds no energy, against a search; and contacts that sweeps alone do not solve."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambol.contact.stepping.blocks import BoundedBlock
from gambol.contact.stepping.rows import Row
from gambol.contact.stepping.solve import allowed_fraction, solve_to_tolerance


@given(st.just(0.0) | st.floats(-5.0, -1e-3), st.floats(-5.0, 5.0), st.floats(1e-3, 5.0))
def test_the_share_is_the_largest_that_adds_no_energy(start: float, slope: float, curve: float):
    s = allowed_fraction(start, slope, curve)
    tried = np.linspace(0.0, 1.0, 2001)
    gains = start + slope * tried + curve * tried**2
    last = tried[np.append(gains > 1e-12, True).argmax() - 1] if (gains > 1e-12).any() else 1.0
    assert 0.0 <= s <= 1.0
    assert start + slope * s + curve * s * s <= 1e-9
    assert s >= last - 1e-3


@pytest.mark.parametrize("accelerated", [False, True])
@pytest.mark.parametrize("count", [2, 8, 30])
def test_coupled_rows_obey_their_laws(accelerated: bool, count: int):
    """A chain, in which each row is coupled with its neighbours, is far from solved after four sweeps."""
    chain, tolerance = np.eye(count, count + 1) - np.eye(count, count + 1, 1), 1e-4
    rows = [Row({k: float(x) for k, x in enumerate(row) if x}, None, 2.0) for row in chain]
    blocks = [BoundedBlock.of(row, 0.0, 1e30) for row in rows]
    free = np.random.default_rng(9).normal(size=count + 1).tolist()
    problem = blocks, [0.0] * count, free, [[0.0]] * count
    found = solve_to_tolerance(*problem, 4, tolerance, accelerated)
    speeds, impulses = chain @ found.u, np.array(found.impulses)[:, 0]
    assert found.residual <= tolerance
    np.testing.assert_allclose(free + chain.T @ impulses, found.u, atol=1e-12)
    assert impulses.min() >= 0.0
    assert speeds.min() > -10.0 * tolerance
    assert abs(np.minimum(speeds, impulses)).max() < 10.0 * tolerance
