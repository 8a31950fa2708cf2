"""Impacts of random figures: thousands, and millions in the slow tests."""

import pytest

from validation.impacts import strike_many

ROUNDINGS = 32.0
"""A collision adds up fewer than this many terms of the size by which errors are measured; 4 were seen."""


@pytest.mark.parametrize(
    ("count", "figures", "precision"),
    [
        (4_000, 4, "float64"),
        (4_000, 4, "float32"),
        pytest.param(1_000_000, 40, "float64", marks=pytest.mark.slow),
        pytest.param(1_000_000, 40, "float32", marks=pytest.mark.slow),
    ],
)
def test_no_impact_breaks_a_law(count, figures, precision):
    """Energy never rises, impulses stay in the cone, e^2 of the work is returned, and every collision ends.

    In float32 a few collision matrices are singular to its precision; those impacts report a failure.
    """
    tally = strike_many(count, precision, figures)
    assert tally.impacts == count
    assert tally.not_finite == 0
    assert tally.energy_gain <= ROUNDINGS
    assert tally.cone_excess <= ROUNDINGS
    assert tally.restitution_error <= ROUNDINGS
    assert tally.unconverged <= (0 if precision == "float64" else 2e-4 * count)
    assert min(tally.stuck, tally.resumed, tally.jammed) > 0
