"""The dynamics of a figure on arrays: shapes, the same numbers as the formulas on floats, and identities."""

import numpy as np
import pytest

from gambol.dynamics import Dynamics, aba, kinematics, rnea
from gambol.errors import GambolError
from gambol.figure import Closure, Figure, Joint, Link, MassProperties, random_figure, random_state

FIGURE = random_figure(5, 6, root="free", kinds=("rotary", "spherical", "helical"), rotors=0.5)
STATES = [random_state(FIGURE, seed) for seed in range(5)]
Q, V = np.array([q for q, _ in STATES]), np.array([v for _, v in STATES])
TAU = np.random.default_rng(1).normal(size=V.shape)


def test_many_states_are_as_single_ones_and_as_floats():
    """Floats round otherwise than fused operations: some hundred roundings of 1e-16 of the largest."""
    dynamics = Dynamics(FIGURE)
    many = dynamics.forward(Q, V, TAU)
    assert many.shape == (5, FIGURE.nv)
    for q, v, tau, found in zip(Q, V, TAU, many, strict=True):
        single = dynamics.forward(q, v, tau)
        assert single.tolist() == found.tolist()
        expected, _ = aba(kinematics(FIGURE, q.tolist(), v.tolist()), tau.tolist())
        np.testing.assert_allclose(single, expected, rtol=0.0, atol=1e-12 * np.abs(expected).max())


def test_one_state_serves_all():
    dynamics = Dynamics(FIGURE)
    one = dynamics.inverse(Q[0], V[0], TAU)
    each = [rnea(kinematics(FIGURE, Q[0].tolist(), V[0].tolist()), rates.tolist())[0] for rates in TAU]
    np.testing.assert_allclose(one, each, rtol=0.0, atol=1e-12 * np.abs(each).max())


def test_mass_bias_and_gravity_make_the_equation_of_motion():
    dynamics = Dynamics(FIGURE, gravity=3.7)
    M, a = dynamics.mass_matrix(Q), dynamics.forward(Q, V, TAU)
    left = np.einsum("wij,wj->wi", M, a) + dynamics.bias(Q, V)
    np.testing.assert_allclose(left, TAU, atol=1e-11 * np.abs(left).max())
    eye = np.einsum("wij,wjk->wik", M, dynamics.inverse_mass_matrix(Q))
    np.testing.assert_allclose(eye, np.broadcast_to(np.eye(FIGURE.nv), eye.shape), atol=1e-9)
    np.testing.assert_allclose(dynamics.gravity_forces(Q), dynamics.bias(Q, 0.0 * V), atol=1e-12)
    T = dynamics.energy(Q, V)[:, 0]
    np.testing.assert_allclose(T, 0.5 * np.einsum("wi,wij,wj->w", V, M, V), rtol=1e-12)


def test_jacobians_and_derivatives_have_their_shapes_and_match():
    dynamics = Dynamics(FIGURE)
    J = dynamics.jacobian(Q, "link5", (0.1, 0.0, 0.0))
    assert J.shape == (5, 6, FIGURE.nv)
    state = kinematics(FIGURE, Q[2].tolist(), V[2].tolist())
    velocity = state.velocities[6]
    np.testing.assert_allclose(J[2, :3] @ V[2], list(state.poses[6].rotation @ velocity.w), atol=1e-12)
    by_q, by_v, by_tau = dynamics.forward_derivatives(Q, V, TAU)
    assert by_q.shape == by_v.shape == (5, FIGURE.nv, FIGURE.nv)
    np.testing.assert_allclose(by_tau, dynamics.inverse_mass_matrix(Q), rtol=1e-9, atol=1e-9 * np.abs(by_tau).max())
    _, _, by_rates = dynamics.inverse_derivatives(Q, V, TAU)
    np.testing.assert_allclose(by_rates, dynamics.mass_matrix(Q), atol=1e-12)


@pytest.mark.parametrize("method", ["aba", "crba"])
def test_methods_agree_on_arrays(method: str):
    a, b = Dynamics(FIGURE).forward(Q, V, TAU), Dynamics(FIGURE, method=method).forward(Q, V, TAU)
    np.testing.assert_allclose(b, a, atol=1e-10 * np.abs(a).max())


def test_loops_stay_closed():
    """A rod between two cranks of one length moves without turning: all three angles' accelerations are tied."""
    rod = MassProperties(1.0, (0.1, 0.0, 0.0), ((1e-3, 0.0, 0.0), (0.0, 1e-3, 0.0), (0.0, 0.0, 1e-3)))
    hinge = (0.0, 1.0, 0.0)
    figure = Figure(
        "parallelogram",
        (
            Link("left", None, Joint("rotary", hinge), (), rod),
            Link("coupler", "left", Joint("rotary", hinge, position=(0.2, 0.0, 0.0)), (), rod),
            Link("right", "coupler", Joint("rotary", hinge, position=(0.2, 0.0, 0.0)), (), rod),
        ),
        constraints=(Closure("point", "right", position=(0.2, 0.0, 0.0), other_position=(0.2, 0.0, 0.0)),),
    )
    a = Dynamics(figure).forward([0.4, -0.4, np.pi + 0.4], [0.0, 0.0, 0.0])
    np.testing.assert_allclose(a, [a[0], -a[0], a[0]], atol=1e-9)
    assert abs(a[0]) > 1.0


def test_arrays_that_do_not_fit_are_refused():
    with pytest.raises(GambolError, match=rf"give \({FIGURE.nq},\), or \(W, {FIGURE.nq}\) for many"):
        Dynamics(FIGURE).mass_matrix(V[:, :3])
