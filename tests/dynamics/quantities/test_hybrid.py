"""Hybrid dynamics: any choice of prescribed joints, against the mass matrix in blocks."""

from typing import Any

import numpy as np
import pytest
from figures import Sample, random_sample, state_of

from gambol.dynamics import aba, kinematics, rnea
from gambol.dynamics.quantities import bias_forces, hybrid_dynamics
from gambol.figure import Figure, random_figure
from gambol.lanes import Program, ProgramSpec

SEEDS = range(8)


def prescribed_accelerations(figure: Figure, sample: Sample, seed: int) -> dict[int, list[float]]:
    """Accelerations of about half of the joints."""
    chosen = np.random.default_rng(seed).random(len(figure.links)) < 0.5
    return {link.index: sample.rates[link.v] for link, yes in zip(figure.links, chosen, strict=True) if yes}


@pytest.mark.parametrize("seed", SEEDS)
def test_agrees_with_the_mass_matrix_in_blocks(seed: int):
    figure = random_figure(seed, links=7, rotors=0.5)
    sample = random_sample(figure, seed)
    state, given = state_of(figure, sample), prescribed_accelerations(figure, sample, seed)
    M = np.array([rnea(state.at_rest(), row, gravity=0.0)[0] for row in np.eye(figure.nv).tolist()])
    p = np.array([k for link in figure.links if link.index in given for k in range(figure.nv)[link.v]], int)
    f = np.setdiff1d(np.arange(figure.nv), p)
    a, tau, bias = np.array(sample.rates), np.array(sample.tau), np.array(bias_forces(state))
    a[f] = np.linalg.solve(M[np.ix_(f, f)], tau[f] - bias[f] - M[np.ix_(f, p)] @ a[p])
    tau[p] = M[p] @ a + bias[p]
    rates, forces = hybrid_dynamics(state, sample.tau, given)
    np.testing.assert_allclose(rates, a, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(forces, tau, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_its_forces_make_the_free_figure_move_so(seed: int):
    figure = random_figure(seed, links=7)
    sample = random_sample(figure, seed)
    state = state_of(figure, sample)
    rates, forces = hybrid_dynamics(state, sample.tau, prescribed_accelerations(figure, sample, seed + 100))
    np.testing.assert_allclose(aba(state, forces)[0], rates, rtol=1e-9, atol=1e-9)


def test_all_joints_prescribed_is_inverse_dynamics_and_none_is_forward():
    figure = random_figure(3, links=6)
    sample = random_sample(figure, 3)
    state = state_of(figure, sample)
    rates, forces = hybrid_dynamics(state, sample.tau, {link.index: sample.rates[link.v] for link in figure.links})
    assert rates == sample.rates
    np.testing.assert_allclose(forces, rnea(state, sample.rates)[0], rtol=1e-11, atol=1e-11)
    assert hybrid_dynamics(state, sample.tau, {}) == (aba(state, sample.tau)[0], sample.tau)


@pytest.mark.parametrize(("precision", "tolerance"), [("float64", 1e-11), ("float32", 2e-3)])
def test_compiled_hybrid_dynamics_agrees_with_floats(precision: Any, tolerance: float):
    figure = random_figure(6, links=5)
    samples = [random_sample(figure, k) for k in range(5)]
    q, v, tau, rates = (np.array([getattr(s, n) for s in samples]).T.copy() for n in ("q", "v", "tau", "rates"))

    def hybrid(q: Any, v: Any, tau: Any, rates: Any) -> tuple[Any, ...]:
        given = {link.index: rates[link.v] for link in figure.links[::2]}
        return hybrid_dynamics(kinematics(figure, q, v), tau, given)

    sizes = figure.nq, figure.nv, figure.nv, figure.nv
    compiled = Program(ProgramSpec("hybrid", hybrid, tuple([0.0] * n for n in sizes)), precision)(q, v, tau, rates)
    for k, s in enumerate(samples):
        for found, expected in zip(compiled, hybrid(s.q, s.v, s.tau, s.rates), strict=True):
            np.testing.assert_allclose(found[:, k], expected, atol=tolerance * (1.0 + np.abs(expected).max()))
