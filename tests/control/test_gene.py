"""Genes: bounds, units, and values that do not fit."""

import math

import pytest

from gambol.control.gene import Gene, checked_values
from gambol.errors import WorldError

SPEED = Gene("speed", 0.5, 4.0, "Hz")
PHASE = Gene("phase", 0.0, 1.0, "cycle", cyclic=True)


def test_values_within_bounds_are_taken_as_they_are():
    assert checked_values((SPEED, PHASE), (0.5, 1)) == (0.5, 1.0)
    assert SPEED.range == 3.5


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((0.4, 0.0), r'"speed" is 0.4 Hz, out of its bounds \[0.5, 4.0\] Hz; clip it'),
        ((1.0, 1.5), '"phase" is 1.5 cycle.* subtract whole cycles'),
        ((math.nan, 0.0), '"speed" is nan'),
        ((1.0,), "2 genes need as many values, not 1"),
    ],
)
def test_values_out_of_bounds_are_named(values, message):
    with pytest.raises(WorldError, match=message):
        checked_values((SPEED, PHASE), values)


@pytest.mark.parametrize(
    "given", [("", 0.0, 1.0), ("x", 1.0, 1.0), ("x", 2.0, 1.0), ("x", -math.inf, 1.0), ("x", 0.0, math.nan)]
)
def test_a_gene_needs_a_name_and_a_range(given):
    with pytest.raises(WorldError, match="gene"):
        Gene(*given)


@pytest.mark.parametrize("sigma", [0.0, -0.1, math.inf, math.nan])
def test_a_mutation_changes_the_value(sigma):
    with pytest.raises(WorldError, match=f"by {sigma} of its range"):
        Gene("x", 0.0, 1.0, sigma=sigma)
