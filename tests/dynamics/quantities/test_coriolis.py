"""Gravity, Coriolis and centrifugal terms: sums, symmetries, closed forms and a peer."""

from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from figures import in_pinocchio, pinocchio_order, random_sample, random_tree, state_of

from gambol.dynamics import kinematics, rnea
from gambol.dynamics.quantities import (
    bias_forces,
    coriolis_forces,
    coriolis_matrix,
    gravity_forces,
    inverse_dynamics_derivatives,
    time_derivative,
)
from gambol.figure import Figure, Joint, Link, MassProperties, random_figure
from gambol.lanes import Program, ProgramSpec

SEEDS = range(8)


def mass_matrix(state: Any) -> list[list[Any]]:
    rows = np.eye(state.figure.nv).tolist()
    return [rnea(state.at_rest(), row, gravity=0.0)[0] for row in rows]


@pytest.mark.parametrize("seed", SEEDS)
def test_rate_of_the_mass_matrix_less_twice_coriolis_is_antisymmetric(seed: int):
    figure = random_figure(seed, links=6, rotors=0.5)
    state = state_of(figure, random_sample(figure, seed))
    C = np.array(coriolis_matrix(state))
    N = np.array(time_derivative(mass_matrix, state)) - 2.0 * C
    np.testing.assert_allclose(N, -N.T, atol=1e-13 * (1.0 + np.abs(C).max()))


@pytest.mark.parametrize("seed", SEEDS)
def test_bias_is_coriolis_and_gravity(seed: int):
    figure = random_figure(seed, links=6)
    sample = random_sample(figure, seed)
    state = state_of(figure, sample)
    motion = np.array(coriolis_forces(state))
    tolerance = 1e-13 * (1.0 + np.abs(motion).max())
    np.testing.assert_allclose(coriolis_forces(state, sample.v), motion, atol=tolerance)
    np.testing.assert_allclose(np.array(coriolis_matrix(state)) @ sample.v, motion, atol=tolerance)
    tolerance += 1e-13 * figure.mass * 9.81
    np.testing.assert_allclose(bias_forces(state), motion + gravity_forces(state), atol=tolerance)


@pytest.mark.parametrize("seed", SEEDS)
def test_coriolis_matrix_of_coordinates_is_half_the_slope_of_its_forces(seed: int):
    """If velocities are rates of coordinates, Christoffel's symbols are symmetric and the forces quadratic in v."""
    figure = random_figure(seed, links=6, kinds=("revolute", "prismatic", "helical", "cylindrical", "universal"))
    state = state_of(figure, random_sample(figure, seed))
    by_v = np.array(inverse_dynamics_derivatives(state, [0.0] * figure.nv, gravity=0.0).by_v)
    np.testing.assert_allclose(np.array(coriolis_matrix(state)), 0.5 * by_v, atol=1e-13 * (1.0 + np.abs(by_v).max()))


@pytest.mark.parametrize("seed", SEEDS)
def test_agrees_with_pinocchio(seed: int):
    figure = random_tree(seed, links=5, root="free" if seed % 2 else None)
    sample, model = random_sample(figure, seed), in_pinocchio(figure)
    iq, iv = pinocchio_order(figure, model)
    q, v = np.array(sample.q)[iq], np.array(sample.v)[iv]
    data, state = model.createData(), state_of(figure, sample)
    gravity = pin.computeGeneralizedGravity(model, data, q)
    np.testing.assert_allclose(np.array(gravity_forces(state))[iv], gravity, atol=1e-12)
    bias = pin.nonLinearEffects(model, data, q, v)
    np.testing.assert_allclose(np.array(bias_forces(state))[iv], bias, atol=1e-12)


def test_double_pendulum_in_closed_form():
    point = MassProperties(1.0, (1.0, 0.0, 0.0), ((0.0,) * 3,) * 3)
    shoulder, elbow = Joint("revolute"), Joint("revolute", position=(1.0, 0.0, 0.0))
    links = Link("upper", None, shoulder, (), point), Link("lower", "upper", elbow, (), point)
    q, v = [0.4, 1.1], [0.7, -1.9]
    state = kinematics(Figure("pendulum", links), q, v)
    h = -np.sin(q[1])  # m l1 l2 sin of the angle between, all 1
    np.testing.assert_allclose(coriolis_matrix(state), [[h * v[1], h * (v[0] + v[1])], [-h * v[0], 0.0]], atol=1e-15)


@pytest.mark.parametrize(("precision", "tolerance"), [("float64", 1e-13), ("float32", 1e-5)])
def test_compiled_coriolis_matrix_agrees_with_floats(precision: Any, tolerance: float):
    figure = random_figure(6, links=5)
    samples = [random_sample(figure, k) for k in range(5)]
    q, v = (np.array([getattr(s, name) for s in samples]).T.copy() for name in ("q", "v"))

    def matrix(q: list[Any], v: list[Any]) -> tuple[Any, ...]:
        state = kinematics(figure, q, v)
        return coriolis_matrix(state), gravity_forces(state)

    compiled, held = Program(ProgramSpec("coriolis", matrix, ([0.0] * figure.nq, [0.0] * figure.nv)), precision)(q, v)
    states = [state_of(figure, sample) for sample in samples]
    expected = np.array([np.ravel(coriolis_matrix(state)) for state in states]).T
    np.testing.assert_allclose(compiled, expected, atol=tolerance * (1.0 + np.abs(expected).max()))
    expected = np.array([gravity_forces(state) for state in states]).T
    np.testing.assert_allclose(held, expected, atol=tolerance * (1.0 + np.abs(expected).max()))
