"""Rows of contacts, against velocities of points and the dense mass matrix."""

import numpy as np
import pytest
from figures import random_sample, random_tree, state_of

from gambol.contact.stepping.contact import Contact, contact_signs
from gambol.contact.stepping.rows import Row, axes, make_row, point_rows, without_noise
from gambol.dynamics import Kinematics, mass_matrix
from gambol.dynamics.forward import Factorisation, RootFactors, factorised, mass_rows
from gambol.spatial import Vector

SEEDS = range(6)


def scene(seed: int, other: int = 0) -> tuple[Kinematics, Contact, list[Factorisation]]:
    """A random tree in a random state, a contact of its last link, and factors of the mass matrix of either kind."""
    figure = random_tree(seed, 7, root="free")
    state = state_of(figure, random_sample(figure, seed))
    normal = Vector(0.6, 0.0, 0.8) if seed % 2 else Vector(0.0, 0.0, 1.0)
    point = state.point_position(7, Vector(0.1, -0.2, 0.3))
    factors = factorised(mass_rows(state))
    return state, Contact(contact_signs(figure, 7, other), point, normal, 0.0, 0.5), [factors, RootFactors.of(factors)]


def dense(J: dict[int, float], n: int) -> np.ndarray:
    return np.array([J.get(k, 0.0) for k in range(n)])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("other", [0, 3])
def test_a_row_gives_the_relative_velocity(seed: int, other: int):
    state, contact, _ = scene(seed, other)
    velocity = state.point_velocity(7, state.poses[7].inverse @ contact.point)
    if other:
        velocity = velocity - state.point_velocity(other, state.poses[other].inverse @ contact.point)
    rows = point_rows(state, axes(state), contact)
    speeds = [sum(c * state.v[k] for k, c in J.items()) for J in rows]
    np.testing.assert_allclose(speeds, [velocity.dot(direction) for direction in contact.frame], atol=1e-12)


@pytest.mark.parametrize("kind", [0, 1])
@pytest.mark.parametrize("seed", SEEDS)
def test_responses_of_rows_are_those_of_the_mass_matrix(seed: int, kind: int):
    state, contact, factors = scene(seed)
    n = state.figure.nv
    J = point_rows(state, axes(state), contact)
    rows = [make_row(j, factors[kind]) for j in J]
    A = np.array([dense(j, n) for j in J])
    G = A @ np.linalg.solve(np.array(mass_matrix(state)), A.T)
    result = [[one.coupling(two) for two in rows] for one in rows]
    np.testing.assert_allclose(result, G, atol=1e-11 * abs(G).max())
    np.testing.assert_allclose([one.inverse_mass for one in rows], np.diag(G), rtol=1e-11)


@pytest.mark.parametrize("kind", [0, 1])
@pytest.mark.parametrize("seed", SEEDS)
def test_an_impulse_changes_velocities_by_the_inverse_mass_matrix(seed: int, kind: int):
    state, contact, factors = scene(seed)
    J = point_rows(state, axes(state), contact)[0]
    one: Row = make_row(J, factors[kind])
    v = factors[kind].outward(one.after_impulse(factors[kind].multiply(state.v), 0.7))
    change = np.linalg.solve(np.array(mass_matrix(state)), dense(J, state.figure.nv)) * 0.7
    np.testing.assert_allclose(np.array(v) - state.v, change, atol=1e-11 * abs(change).max())
    assert set(one.z) <= set(J)  # no entry where nothing carries the link


@pytest.mark.parametrize("normal", [(0.0, 0.0, 1.0), (0.6, 0.0, -0.8), (1.0, 0.0, 0.0), (0.48, 0.6, 0.64)])
def test_a_frame_is_orthonormal(normal: tuple[float, float, float]):
    n, s, t = Contact({}, Vector(0.0, 0.0, 0.0), Vector(*normal), 0.0, 0.0).frame
    F = np.array([[*s], [*t], [*n]])
    np.testing.assert_allclose(F @ F.T, np.eye(3), atol=1e-15)
    assert np.linalg.det(F) > 0.0


def test_a_loop_row_of_rounding_alone_is_dropped():
    """Relations that the joints satisfy by themselves must cause no impulse: 1 / D of such a row is huge."""
    ties = [{0: 0.3, 2: -1.0}, {0: 1e-17, 1: -3e-17}, {1: 1e-3}]
    assert without_noise(ties) == [ties[0], {0: 0.0, 1: 0.0}, ties[2]]
    assert without_noise([]) == []
