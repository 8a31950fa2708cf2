"""Inverse dynamics: against the mass matrix, a peer, and the force on the ground."""

import numpy as np
import pinocchio as pin
import pytest
from figures import in_pinocchio, pinocchio_order, random_sample, random_tree, state_of

from gambol.dynamics import centre_of_mass, kinematics, rnea
from gambol.figure import Figure

SEEDS = range(10)


def mass_matrix(figure: Figure, q: list[float]) -> np.ndarray:
    at_rest = kinematics(figure, q, [0.0] * figure.nv)
    return np.array([rnea(at_rest, row, gravity=0.0)[0] for row in np.eye(figure.nv).tolist()]).T


@pytest.mark.parametrize("seed", SEEDS)
def test_mass_matrix_is_symmetric_and_positive(seed: int):
    figure = random_tree(seed, links=6, root="free")
    H = mass_matrix(figure, random_sample(figure, seed).q)
    np.testing.assert_allclose(H, H.T, atol=1e-12 * np.abs(H).max())
    assert np.linalg.eigvalsh(H).min() > 0.0


@pytest.mark.parametrize("seed", SEEDS)
def test_agrees_with_pinocchio(seed: int):
    figure = random_tree(seed, links=2 + seed)
    sample = random_sample(figure, seed)
    model = in_pinocchio(figure)
    iq, iv = pinocchio_order(figure, model)
    q, v, rates = (np.array(x)[i] for x, i in ((sample.q, iq), (sample.v, iv), (sample.rates, iv)))
    tau, _ = rnea(state_of(figure, sample), sample.rates)
    peer = pin.rnea(model, model.createData(), q, v, rates)
    np.testing.assert_allclose(np.array(tau)[iv], peer, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("root", ["free", "revolute", "prismatic", "fixed"])
def test_the_world_holds_up_what_stands_still(root: str):
    figure = random_tree(4, links=7, root=root)
    sample = random_sample(figure, 4)
    state = kinematics(figure, sample.q, [0.0] * figure.nv)
    _, held = rnea(state, [0.0] * figure.nv)
    weight = np.array([0.0, 0.0, 9.81 * figure.mass])
    np.testing.assert_allclose(list(held.f), weight, atol=1e-12 * weight[2])
    np.testing.assert_allclose(list(held.n), np.cross(list(centre_of_mass(state)), weight), atol=1e-12 * weight[2])
