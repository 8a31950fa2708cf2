"""Strides: the path of a foot is as smooth as it must be, and its genes are the fields of a stride."""

from dataclasses import fields

import numpy as np
import pytest

from gambol.evolve.genotype.walking.stride import GENES, SPINE_GENES, Stride, foot_path, foot_roll, genes_of_stride


@pytest.mark.parametrize("duty", [0.52, 0.65, 0.74])
def test_a_foot_stands_at_constant_speed_and_comes_back_without_a_jump(duty: float):
    phase = np.arange(0.0, 2.0, 1e-4) % 1.0
    forward, upward = foot_path(duty, phase)
    stands = phase < duty
    np.testing.assert_allclose(np.diff(forward)[stands[:-1] & stands[1:]], -1e-4 / duty, rtol=1e-6)
    assert np.ptp(forward[stands]) == pytest.approx(1.0, abs=2e-4)
    # the speed has no jump at landing and lift-off: a cubic bends by at most 6 (1 + slope) / (1 - duty)^2
    bend = 6.0 / (1.0 - duty) ** 2 * (1.0 + (1.0 - duty) / duty)
    assert np.abs(np.diff(forward, 2)).max() <= bend * 1e-8
    assert np.all(upward[stands] == 0.0)
    assert upward.max() == pytest.approx(1.0, abs=1e-6)


def test_a_flat_foot_rolls_before_lift_off_and_lands_with_its_heel():
    phase = np.arange(0.0, 1.0, 1e-3)
    roll = foot_roll(0.6, phase)
    assert np.all(roll[phase < 0.6 * 0.65] <= 1e-12)
    assert roll[phase < 0.6][-1] == pytest.approx(1.0, abs=1e-2)
    assert roll[-1] == -0.5
    assert np.all(np.diff(roll[(phase > 0.4) & (phase < 0.6)]) > 0.0)


@pytest.mark.parametrize("pairs", [1, 2, 3, 7])
def test_genes_are_the_fields_of_a_stride(pairs: int):
    genes, names = genes_of_stride(pairs, 0.5, 2.0), [field.name for field in fields(Stride)]
    of_spine = genes_of_stride(pairs, 0.5, 2.0, bends=True)
    assert [gene.name.replace(" ", "_") for gene in of_spine] == names
    assert of_spine[: len(genes)] == genes
    assert [*GENES, *SPINE_GENES] == names[1:]
    assert {gene.name for gene in genes if gene.cyclic} == {"sway phase", "bob phase", "nod phase", "wag phase"}
