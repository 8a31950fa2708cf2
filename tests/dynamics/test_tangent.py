"""Moves of whole figures along their degrees of freedom, against the rates of their coordinates."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gambol.dynamics.tangent import configuration_difference, integrate_configuration, normalised, tangent_rates
from gambol.figure import JOINTS, Figure
from gambol.figure.generator import random_figure
from gambol.lanes import jvp


def sample(seed: int) -> tuple[Figure, list[float], list[float], list[float]]:
    """A figure of every kind of joint, with coordinates, a move and velocities."""
    figure, rng = random_figure(seed, 6), np.random.default_rng(seed)
    q = normalised(figure, rng.normal(size=figure.nq).tolist())
    x, v = rng.normal(size=(2, figure.nv))
    return figure, q, x.tolist(), v.tolist()


@given(st.integers(0, 60))
def test_unwound_is_the_rate_of_the_move(seed: int):
    """q moved by x(t) changes at the joints' rates for v, if x changes at the unwound rate."""
    figure, q, x, v = sample(seed)
    there, found = jvp(lambda y: integrate_configuration(figure, q, y), x, tangent_rates(figure, q, x, v))
    pairs = ((JOINTS[link.joint.kind], link) for link in figure.links)
    expected = [rate for kind, link in pairs for rate in kind.q_dot(there[link.q], v[link.v])]
    np.testing.assert_allclose(found, expected, atol=1e-11)


@given(st.integers(0, 60))
def test_where_a_move_begins_it_turns_velocities_at_most(seed: int):
    """At x = 0 the map from v to the rates of x is orthogonal, as integrators require."""
    figure, q, _, _ = sample(seed)
    n = figure.nv
    columns = [tangent_rates(figure, q, [0.0] * n, unit.tolist()) for unit in np.eye(n)]
    np.testing.assert_allclose(np.array(columns, float) @ np.array(columns, float).T, np.eye(n), atol=1e-14)


@given(st.integers(0, 60), st.sampled_from([1e-9, 1e-3, 0.3, 1.0]))
def test_the_difference_undoes_a_move(seed: int, size: float):
    """Moves are found again, as long as no rotation vector is longer than half a turn."""
    figure, q, x, _ = sample(seed)
    x = [size * float(np.tanh(y)) for y in x]  # a rotation vector of at most sqrt(3) rad
    found = configuration_difference(figure, q, integrate_configuration(figure, q, x))
    np.testing.assert_allclose(found, x, atol=1e-14)


def test_the_difference_of_opposite_quaternions_is_no_rotation():
    """q and -q are the same orientation."""
    figure, q, _, _ = sample(5)
    link = next(link for link in figure.links if JOINTS[link.joint.kind].has_quaternion)
    other = list(q)
    other[link.q] = [*(-y for y in q[link.q][:4]), *q[link.q][4:]]
    np.testing.assert_allclose(configuration_difference(figure, q, other), 0.0, atol=1e-15)


def test_a_move_of_nothing_and_back():
    figure, q, x, _ = sample(5)
    np.testing.assert_allclose(integrate_configuration(figure, q, [0.0] * figure.nv), q, atol=1e-16)
    back = integrate_configuration(figure, integrate_configuration(figure, q, x), [-y for y in x])
    np.testing.assert_allclose(back, q, atol=1e-14)


def test_quaternions_come_back_to_length_one():
    figure, q, _, _ = sample(5)
    link = next(link for link in figure.links if JOINTS[link.joint.kind].has_quaternion)
    longer = list(q)
    longer[link.q] = [*(2.0 * y for y in q[link.q][:4]), *q[link.q][4:]]
    np.testing.assert_allclose(normalised(figure, longer), q, atol=1e-15)
