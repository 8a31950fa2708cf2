"""Momentum about the centre of mass: its matrix, its rate, a peer, and the effect of external forces."""

from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from figures import in_pinocchio, pinocchio_order, random_sample, random_tree, state_of

from gambol.dynamics import aba, centre_of_mass, kinematics
from gambol.dynamics.quantities import (
    centroidal_bias,
    centroidal_matrix,
    centroidal_matrix_rate,
    centroidal_momentum,
    time_derivative,
)
from gambol.figure import random_figure
from gambol.lanes import Program, ProgramSpec, leaves

SEEDS = range(8)


def matrix(columns: Any) -> np.ndarray:
    """Columns of forces as an array of 6 rows."""
    return np.array([leaves(column) for column in columns]).T


@pytest.mark.parametrize("seed", SEEDS)
def test_matrix_times_joint_velocities_is_the_momentum(seed: int):
    figure = random_figure(seed, links=7, rotors=0.5)
    sample = random_sample(figure, seed)
    state = state_of(figure, sample)
    h = leaves(centroidal_momentum(state))
    np.testing.assert_allclose(matrix(centroidal_matrix(state)) @ sample.v, h, atol=1e-13)
    speed = np.array(leaves(time_derivative(centre_of_mass, state)))
    np.testing.assert_allclose(h[3:], speed * figure.mass, atol=1e-13)


@pytest.mark.parametrize("seed", SEEDS)
def test_bias_is_the_rate_of_the_matrix_times_v(seed: int):
    figure = random_figure(seed, links=7)
    sample = random_sample(figure, seed)
    state = state_of(figure, sample)
    bias = leaves(centroidal_bias(state))
    np.testing.assert_allclose(matrix(centroidal_matrix_rate(state)) @ sample.v, bias, atol=1e-12)
    np.testing.assert_allclose(leaves(time_derivative(centroidal_momentum, state)), bias, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_agrees_with_pinocchio(seed: int):
    figure = random_tree(
        seed, links=5, root="free" if seed % 2 else "revolute"
    )  # a fixed root has no mass for the peer
    sample, model = random_sample(figure, seed), in_pinocchio(figure)
    iq, iv = pinocchio_order(figure, model)
    data, state = model.createData(), state_of(figure, sample)
    pin.dccrba(model, data, np.array(sample.q)[iq], np.array(sample.v)[iv])
    swap = [3, 4, 5, 0, 1, 2]  # the peer's linear part is first
    np.testing.assert_allclose(matrix(centroidal_matrix(state))[:, iv], data.Ag[swap], atol=1e-12)
    np.testing.assert_allclose(matrix(centroidal_matrix_rate(state))[:, iv], data.dAg[swap], atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_joint_forces_inside_a_free_figure_leave_its_spin_alone_in_free_fall(seed: int):
    figure = random_figure(seed, links=6, root="free")
    sample = random_sample(figure, seed)
    state = state_of(figure, sample)
    rates, _ = aba(state, [0.0] * 6 + sample.tau[6:])
    rate = leaves(time_derivative(centroidal_momentum, state, rates))
    np.testing.assert_allclose(rate, [0.0] * 5 + [-9.81 * figure.mass], atol=1e-10)


@pytest.mark.parametrize(("precision", "tolerance"), [("float64", 1e-13), ("float32", 1e-5)])
def test_compiled_momentum_agrees_with_floats(precision: Any, tolerance: float):
    figure = random_figure(4, links=5)
    samples = [random_sample(figure, k) for k in range(5)]
    q, v = (np.array([getattr(s, name) for s in samples]).T.copy() for name in ("q", "v"))

    def quantities(state: Any) -> tuple[Any, ...]:
        return centroidal_matrix(state), centroidal_bias(state), centroidal_momentum(state)

    forms = [0.0] * figure.nq, [0.0] * figure.nv
    spec = ProgramSpec("momentum", lambda q, v: quantities(kinematics(figure, q, v)), forms)
    compiled = np.concatenate(Program(spec, precision)(q, v))
    expected = np.array([leaves(quantities(state_of(figure, sample))) for sample in samples]).T
    np.testing.assert_allclose(compiled, expected, atol=tolerance * (1.0 + np.abs(expected).max()))
