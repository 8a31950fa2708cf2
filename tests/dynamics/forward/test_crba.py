"""The mass matrix: against inverse dynamics and kinetic energy, and as sparse as the tree."""

import numpy as np
import pytest
from figures import random_sample, state_of

from gambol.dynamics import kinematics, kinetic_energy, rnea
from gambol.dynamics.forward import crba, mass_matrix, mass_rows
from gambol.figure import Figure, random_figure

SEEDS = range(25)


def mixed(seed: int) -> Figure:
    return random_figure(seed, 1 + seed % 8, rotors=0.5)


@pytest.mark.parametrize("seed", SEEDS)
def test_columns_are_the_forces_of_unit_accelerations(seed: int):
    figure = mixed(seed)
    sample = random_sample(figure, seed)
    at_rest = kinematics(figure, sample.q, [0.0] * figure.nv)
    forces = np.array([rnea(at_rest, unit, gravity=0.0)[0] for unit in np.eye(figure.nv).tolist()]).T
    M = np.array(mass_matrix(at_rest)).reshape(figure.nv, figure.nv)
    np.testing.assert_allclose(M, forces.reshape(M.shape), atol=1e-13 * np.abs(M).max(initial=1e-9))


@pytest.mark.parametrize("seed", SEEDS)
def test_kinetic_energy_is_half_of_v_m_v(seed: int):
    figure = mixed(seed)
    sample = random_sample(figure, seed)
    state, v = state_of(figure, sample), np.array(sample.v)
    M = np.array(mass_matrix(state)).reshape(figure.nv, figure.nv)
    np.testing.assert_allclose(0.5 * v @ M @ v, kinetic_energy(state), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("seed", SEEDS)
def test_joints_on_different_branches_have_nothing_to_do_with_each_other(seed: int):
    figure = mixed(seed)
    sample = random_sample(figure, seed)
    rows = mass_rows(state_of(figure, sample))
    for link in figure.outward():
        carriers = {other.index for other in figure.outward() if link in figure.subtree(other.index)}
        places = {
            m for other in figure.outward() if other.index in carriers for m in range(other.v.start, other.v.stop)
        }
        for k in range(link.v.start, link.v.stop):
            assert set(rows[k]) == {m for m in places if m <= k}


@pytest.mark.parametrize("seed", SEEDS)
def test_forward_undoes_inverse(seed: int):
    figure = mixed(seed)
    sample = random_sample(figure, seed)
    state = state_of(figure, sample)
    found = crba(state, rnea(state, sample.rates)[0])
    np.testing.assert_allclose(found, sample.rates, rtol=1e-10, atol=1e-10)
