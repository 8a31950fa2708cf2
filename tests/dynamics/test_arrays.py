"""The dynamics of a figure on arrays: shapes, the same numbers as the formulas on floats, and identities."""

import numpy as np
import pytest

from gambol.dynamics import Dynamics, aba, kinematics, rnea
from gambol.errors import GambolError
from gambol.figure import Closure, Figure, Joint, Link, MassProperties, random_figure, random_state
from gambol.spatial import Vector

FIGURE = random_figure(5, 6, root="free", kinds=("revolute", "spherical", "helical"), rotors=0.5)
STATES = [random_state(FIGURE, seed) for seed in range(5)]
Q, V = np.array([q for q, _ in STATES]), np.array([v for _, v in STATES])
TAU = np.random.default_rng(1).normal(size=V.shape)


def test_many_states_are_as_single_ones_and_as_floats():
    """Floats round differently from fused operations: some hundred roundings of 1e-16 of the largest."""
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


def test_jacobians_have_their_shape_and_match():
    dynamics = Dynamics(FIGURE)
    J = dynamics.jacobian(Q, "link5", (0.1, 0.0, 0.0))
    assert J.shape == (5, 6, FIGURE.nv)
    state = kinematics(FIGURE, Q[2].tolist(), V[2].tolist())
    velocity = state.velocities[6]
    np.testing.assert_allclose(J[2, :3] @ V[2], list(state.poses[6].rotation @ velocity.w), atol=1e-12)


def test_derivatives_have_their_shapes_and_match():
    figure = random_figure(4, 3, kinds=("revolute", "spherical"), rotors=0.5)
    dynamics, states = Dynamics(figure), [random_state(figure, seed) for seed in range(5)]
    q, v = np.array([q for q, _ in states]), np.array([v for _, v in states])
    by_q, by_v, by_tau = dynamics.forward_derivatives(q, v, v)
    assert by_q.shape == by_v.shape == (5, figure.nv, figure.nv)
    np.testing.assert_allclose(by_tau, dynamics.inverse_mass_matrix(q), rtol=1e-9, atol=1e-9 * np.abs(by_tau).max())
    _, _, by_rates = dynamics.inverse_derivatives(q, v, v)
    np.testing.assert_allclose(by_rates, dynamics.mass_matrix(q), atol=1e-12)


@pytest.mark.parametrize("method", ["aba", "crba"])
def test_methods_agree_on_arrays(method: str):
    a, b = Dynamics(FIGURE).forward(Q, V, TAU), Dynamics(FIGURE, method=method).forward(Q, V, TAU)
    np.testing.assert_allclose(b, a, atol=1e-10 * np.abs(a).max())


def parallelogram() -> Figure:
    """A rod between two cranks of one length moves without turning: all three angles' accelerations are tied."""
    rod = MassProperties(1.0, (0.1, 0.0, 0.0), ((1e-3, 0.0, 0.0), (0.0, 1e-3, 0.0), (0.0, 0.0, 1e-3)))
    hinge = (0.0, 1.0, 0.0)
    return Figure(
        "parallelogram",
        (
            Link("left", None, Joint("revolute", hinge), (), rod),
            Link("coupler", "left", Joint("revolute", hinge, position=(0.2, 0.0, 0.0)), (), rod),
            Link("right", "coupler", Joint("revolute", hinge, position=(0.2, 0.0, 0.0)), (), rod),
        ),
        constraints=(Closure("point", "right", position=(0.2, 0.0, 0.0), other_position=(0.2, 0.0, 0.0)),),
    )


def test_loops_stay_closed():
    a = Dynamics(parallelogram()).forward([0.4, -0.4, np.pi + 0.4], [0.0, 0.0, 0.0])
    np.testing.assert_allclose(a, [a[0], -a[0], a[0]], atol=1e-9)
    assert abs(a[0]) > 1.0


@pytest.mark.parametrize("method", ["aba", "crba"])
def test_derivatives_with_loops_are_those_of_the_motion_that_keeps_them_closed(method: str):
    """By differences along the motion of the cranks: accurate to h^2 and 1e-13 / h."""
    dynamics, h = Dynamics(parallelogram(), method=method), 1e-5
    q, v, tau = np.array([0.4, -0.4, np.pi + 0.4]), np.array([1.0, -1.0, 1.0]), np.array([0.3, -0.2, 0.1])
    by_q, by_v, by_tau = dynamics.forward_derivatives(q, v, tau)
    along, push = np.array([1.0, -1.0, 1.0]), np.array([0.2, 1.0, -0.7])
    for slope, step in ((by_q @ along, (along, 0, 0)), (by_v @ along, (0, along, 0)), (by_tau @ push, (0, 0, push))):
        ends = [dynamics.forward(*(x + t * d for x, d in zip((q, v, tau), step, strict=True))) for t in (h, -h)]
        np.testing.assert_allclose(slope, (ends[0] - ends[1]) / (2.0 * h), atol=1e-7)


def test_a_figure_that_cannot_move_answers_with_nothing():
    rock = Figure("rock", (Link("rock", None, Joint("fixed"), (), MassProperties(2.0, (0.0, 0.0, 3.0))),))
    dynamics = Dynamics(rock)
    assert dynamics.forward([], []).shape == (0,)
    assert dynamics.forward(np.zeros((3, 0)), np.zeros((3, 0))).shape == (3, 0)
    assert dynamics.mass_matrix([]).shape == dynamics.inverse_mass_matrix([]).shape == (0, 0)
    assert dynamics.jacobian([], "rock").shape == (6, 0)
    assert [part.shape for part in dynamics.forward_derivatives([], [], [])] == [(0, 0)] * 3
    assert dynamics.energy([], []).tolist() == [0.0, 2.0 * 9.81 * 3.0]


@pytest.mark.parametrize("worlds", [0, 1, 2, 17])
def test_as_many_answers_as_states(worlds: int):
    q, v = np.resize(Q, (worlds, FIGURE.nq)), np.resize(V, (worlds, FIGURE.nv))
    found = Dynamics(FIGURE).forward(q, v)
    assert found.shape == (worlds, FIGURE.nv)
    for x, y, a in zip(q, v, found, strict=True):
        assert Dynamics(FIGURE).forward(x, y).tolist() == a.tolist()


def test_any_kind_of_array_will_do():
    dynamics = Dynamics(FIGURE)
    expected = dynamics.forward(Q, V, TAU).tolist()
    strided = np.zeros((2 * len(V), FIGURE.nv))
    strided[::2] = V
    assert dynamics.forward(np.asfortranarray(Q), strided[::2], TAU.tolist()).tolist() == expected
    whole = dynamics.forward(Q, np.ones(FIGURE.nv, dtype=np.int8), TAU)
    assert whole.tolist() == dynamics.forward(Q, np.ones(FIGURE.nv), TAU).tolist()


def test_gravity_may_be_a_vector():
    pulled = Dynamics(FIGURE, gravity=(1.0, -2.0, -9.0)).gravity_forces(Q[0])
    state = kinematics(FIGURE, Q[0].tolist(), [0.0] * FIGURE.nv)
    expected = rnea(state, [0.0] * FIGURE.nv, gravity=Vector(1.0, -2.0, -9.0))[0]
    np.testing.assert_allclose(pulled, expected, atol=1e-12)
    down = Dynamics(FIGURE, gravity=(0.0, 0.0, -9.81)).gravity_forces(Q[0])
    assert down.tolist() == Dynamics(FIGURE).gravity_forces(Q[0]).tolist()


def test_arrays_that_do_not_fit_are_refused():
    with pytest.raises(GambolError, match=rf"give \({FIGURE.nq},\), or \(W, {FIGURE.nq}\) for many"):
        Dynamics(FIGURE).mass_matrix(V[:, :3])
    with pytest.raises(GambolError, match="arrays of 2 and 5 states cannot be combined"):
        Dynamics(FIGURE).forward(Q[:2], V)
    with pytest.raises(GambolError, match="an array of complex128 does not fit; give real numbers"):
        Dynamics(FIGURE).mass_matrix(Q + 0j)
    with pytest.raises(GambolError, match=r'"link0" in lane 3 is a quaternion of length 1\.5; divide it'):
        Dynamics(FIGURE).mass_matrix(Q * np.array([1.0, 1.0, 1.0, 1.5, 1.0])[:, None])


def test_impossible_requests_are_refused_at_once():
    with pytest.raises(GambolError, match='precision "float16" is unknown; did you mean "float64"'):
        Dynamics(FIGURE, precision="float16")  # pyright: ignore[reportArgumentType]
    with pytest.raises(GambolError, match='the base of "random5" is prescribed'):
        Dynamics(FIGURE.with_base("prescribed"))
