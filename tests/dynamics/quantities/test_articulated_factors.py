"""Factors of the mass matrix by articulated bodies, against the mass matrix itself."""

import numpy as np
import pytest
from figures import random_sample, state_of

from gambol.dynamics import mass_matrix
from gambol.dynamics.forward.crba import MAX_DENSE_PATH, has_long_paths, mass_diagonal
from gambol.dynamics.quantities.articulated_factors import ArticulatedFactors
from gambol.figure import Figure, Joint, Link, MassProperties, random_figure

SEEDS = range(8)


@pytest.mark.parametrize("seed", SEEDS)
def test_they_are_a_root_of_the_mass_matrix_with_an_added_diagonal(seed: int):
    """Any joints, those of several directions and rotors too: A = R^T R, and the passes apply R, R^-T and R^-1."""
    figure = random_figure(seed, 9)
    state, random = state_of(figure, random_sample(figure, seed)), np.random.default_rng(seed)
    added, b = random.random(figure.nv).tolist(), random.normal(size=figure.nv)
    A = np.array(mass_matrix(state)) + np.diag(added)
    factors = ArticulatedFactors.of(state, added)
    R = np.array([factors.multiply(unit) for unit in np.eye(figure.nv).tolist()]).T
    np.testing.assert_allclose(R.T @ R, A, atol=1e-12 * abs(A).max())
    np.testing.assert_allclose(R.T @ factors.inward(b.tolist()), b, atol=1e-11 * abs(b).max())
    np.testing.assert_allclose(R @ factors.outward(b.tolist()), b, atol=1e-11 * abs(b).max())


@pytest.mark.parametrize("seed", SEEDS)
def test_a_force_reaches_ancestors_only(seed: int):
    """Rows of contacts have exact zeros where no joint moves their links."""
    figure = random_figure(seed, 9)
    state = state_of(figure, random_sample(figure, seed))
    link = next(link for link in reversed(figure.links) if link.v.stop > link.v.start)
    unit = [1.0 if k == link.v.start else 0.0 for k in range(figure.nv)]
    on_path = {k for ancestor in figure.path_to_root(link.index) for k in range(ancestor.v.start, ancestor.v.stop)}
    assert {k for k, y in enumerate(ArticulatedFactors.of(state).inward(unit)) if y != 0.0} <= on_path


@pytest.mark.parametrize("seed", SEEDS)
def test_the_diagonal_is_that_of_the_mass_matrix(seed: int):
    figure = random_figure(seed, 9)
    state = state_of(figure, random_sample(figure, seed))
    np.testing.assert_array_equal(mass_diagonal(state), np.diag(mass_matrix(state)))


def test_only_a_path_to_the_root_makes_a_figure_long():
    """Many short legs keep the mass matrix sparse."""
    names = [f"link{k}" for k in range(MAX_DENSE_PATH + 1)]
    hinge, body = Joint("revolute"), MassProperties(1.0, (0.1, 0.0, 0.0))
    parents = [None, *names]
    chain = [Link(name, on, hinge, given_mass=body) for name, on in zip(names, parents, strict=False)]
    legs = [Link(name, names[0] if k else None, hinge, given_mass=body) for k, name in enumerate(names)]
    assert has_long_paths(Figure("chain", tuple(chain)))
    assert not has_long_paths(Figure("shorter chain", tuple(chain[:-1])))
    assert not has_long_paths(Figure("legs", tuple(legs)))
