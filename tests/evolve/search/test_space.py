"""Spaces keep genotypes within bounds, by reflection or on the circle, and mutate and recombine as specified."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from numpy.random import default_rng

from gambol.control.gene import Gene
from gambol.errors import EvolveError
from gambol.evolve.search.space import BoxSpace, bring_into_bounds, mean_vector, shortest_difference

LENGTH = Gene("length", 0.1, 0.5, "m")
SWING = Gene("swing", -2.0, 2.0, "rad", sigma=0.05)
PHASE = Gene("phase", 0.0, 1.0, cyclic=True)
SPACE = BoxSpace((LENGTH, SWING, PHASE))


@given(some.integers(0, 1000), some.floats(0.0, 1e6))
def test_all_operators_stay_within_bounds(seed: int, step: float):
    rng = default_rng(seed)
    a, b = SPACE.random(rng), SPACE.random(rng)
    for genotype in (SPACE.mutated(a, step, rng), SPACE.crossed(a, b, rng), SPACE.blended([a, b])):
        assert all(gene.lower <= value <= gene.upper for gene, value in zip(SPACE.genes, genotype, strict=True))
        assert SPACE.same_structure(a, genotype)


def test_bounds_reflect_and_cyclic_genes_wrap():
    x = np.array([-0.25, 1.25, 2.25, -1.25, 0.5])
    np.testing.assert_allclose(bring_into_bounds(x, False), [0.25, 0.75, 0.25, 0.75, 0.5])
    np.testing.assert_allclose(bring_into_bounds(x, True), [0.75, 0.25, 0.25, 0.75, 0.5])


@given(some.lists(some.floats(0.0, 1.0), min_size=3, max_size=3))
def test_a_vector_and_its_genotype_are_the_same(x: list[float]):
    again = SPACE.vector(SPACE.of_vector(x))
    np.testing.assert_allclose(shortest_difference(again, np.array(x), SPACE.cyclic), 0.0, atol=1e-15)


def test_the_size_of_mutation_is_sigma():
    rng, count, centre = default_rng(1), 20_000, (0.3, 0.0, 0.5)
    moved = np.array([SPACE.vector(SPACE.mutated(centre, 0.5, rng)) for _ in range(count)]) - 0.5
    expected = 0.5 * np.array([gene.sigma for gene in SPACE.genes])
    # The deviation of a sample's deviation is sigma / sqrt(2 count); four of them leave 6 in 100,000.
    np.testing.assert_allclose(moved.std(axis=0), expected, rtol=4.0 / np.sqrt(2.0 * count))
    assert np.all(np.abs(moved.mean(axis=0)) < 4.0 * expected / np.sqrt(count))


def test_steps_may_differ_between_genes():
    centre = (0.3, 0.0, 0.5)
    moved = SPACE.mutated(centre, np.array([0.0, 1.0, 0.0]), default_rng(2))
    assert moved[0] == pytest.approx(0.3)
    assert moved[1] != 0.0
    assert moved[2] == pytest.approx(0.5)


def test_crossing_takes_every_gene_from_one_of_two():
    rng, a, b = default_rng(3), (0.1, -1.0, 0.0), (0.5, 1.0, 0.5)
    children = {SPACE.crossed(a, b, rng) for _ in range(200)}
    assert len(children) == 8  # all there are; one is missed in 200 with a chance of 8 (7/8)^200 = 2e-11
    assert all(value in pair for child in children for value, pair in zip(child, zip(a, b, strict=True), strict=True))


def test_the_middle_of_phases_is_on_their_circle():
    space = BoxSpace((PHASE,))
    assert space.blended([(0.9,), (0.2,)])[0] == pytest.approx(0.05)
    assert space.blended([(0.25,), (0.75,)]) == (0.25,)  # opposite: no middle
    assert BoxSpace((SWING,)).blended([(-1.0,), (2.0,)])[0] == pytest.approx(0.5)


@given(some.floats(0.0, 1.0), some.floats(-0.2, 0.2), some.floats(-0.2, 0.2))
def test_middles_turn_with_the_circle(turn: float, a: float, b: float):
    # Nearer than half a turn, the direction of two is half way between them.
    both = mean_vector(bring_into_bounds([[turn + a], [turn + b]], True), True)
    assert abs(shortest_difference(both, np.array([turn + (a + b) / 2.0]), True)[0]) < 1e-12


def test_the_shortest_difference_is_at_most_half_a_cycle():
    np.testing.assert_allclose(
        shortest_difference(np.array([0.9, 0.1]), np.array([0.1, 0.9]), [True, False]), [-0.2, -0.8]
    )


def test_errors_of_a_space_name_the_gene():
    with pytest.raises(EvolveError, match="nothing to search"):
        BoxSpace(())
    with pytest.raises(EvolveError, match='two genes are called "phase"'):
        BoxSpace((PHASE, PHASE))
    with pytest.raises(EvolveError, match="3 numbers, not 2"):
        SPACE.vector((0.3, 0.0))
    with pytest.raises(EvolveError, match=r'"swing" is 3.0, outside of \[-2.0, 2.0\]'):
        SPACE.vector((0.3, 3.0, 0.5))
    with pytest.raises(EvolveError, match='"length" is nan'):
        SPACE.vector((float("nan"), 0.0, 0.5))
