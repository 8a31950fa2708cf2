"""Responses of links and contacts to forces, against Jacobians and the mass matrix; and the inverse mass matrix."""

from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from figures import in_pinocchio, pinocchio_order, random_sample, random_tree, state_of

from gambol.dynamics import kinematics, rnea
from gambol.dynamics.quantities import (
    Contact,
    articulated,
    collision_matrix,
    inverse_mass_matrix,
    inverse_operational_inertia,
    link_jacobian,
    operational_inertia,
    point_jacobian,
    response,
)
from gambol.figure import Figure, Joint, Link, MassProperties, random_figure
from gambol.lanes import Program, ProgramSpec, leaves
from gambol.spatial import Vector

SEEDS = range(8)
POINT, OTHER = Vector(0.3, -0.2, 0.5), Vector(-0.1, 0.4, 0.2)


def mass_matrix(state: Any) -> np.ndarray:
    rows = np.eye(state.figure.nv).tolist()
    return np.array([rnea(state.at_rest(), row, gravity=0.0)[0] for row in rows])


def matrix(columns: Any) -> np.ndarray:
    """Columns of motions or vectors as an array of 6 or 3 rows."""
    return np.array([leaves(column) for column in columns]).T


def close(found: Any, expected: Any, tolerance: float = 1e-10) -> None:
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=tolerance * (1.0 + np.abs(expected).max()))


@pytest.mark.parametrize("seed", SEEDS)
def test_inverse_mass_matrix(seed: int):
    figure = random_figure(seed, links=6, rotors=0.5)
    state = state_of(figure, random_sample(figure, seed))
    close(inverse_mass_matrix(state), np.linalg.inv(mass_matrix(state)))


@pytest.mark.parametrize("seed", SEEDS)
def test_inverse_mass_matrix_agrees_with_pinocchio(seed: int):
    figure = random_tree(seed, links=5, root="free" if seed % 2 else None)
    sample, model = random_sample(figure, seed), in_pinocchio(figure)
    iq, iv = pinocchio_order(figure, model)
    upper = np.triu(pin.computeMinverse(model, model.createData(), np.array(sample.q)[iq]).copy())
    found = np.array(inverse_mass_matrix(state_of(figure, sample)))[np.ix_(iv, iv)]
    close(found, upper + np.triu(upper, 1).T)


@pytest.mark.parametrize("seed", SEEDS)
def test_response_of_a_link_to_a_force_on_another(seed: int):
    figure = random_figure(seed, links=6, rotors=0.5)
    state = state_of(figure, random_sample(figure, seed))
    bodies, M = articulated(state), mass_matrix(state)
    J = [matrix(link_jacobian(state, link.index, axes="link")) for link in figure.links]
    for i, j in ((1, 1), (2, 6), (6, 2), (4, 5), (6, 6)):
        expected = J[i - 1] @ np.linalg.solve(M, J[j - 1].T)
        close(matrix(response(bodies, i, j)), expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_collision_matrix_between_contacts(seed: int):
    figure = random_figure(seed, links=6)
    state = state_of(figure, random_sample(figure, seed))
    bodies, M = articulated(state), mass_matrix(state)
    foot, other_foot, between = Contact(6, POINT), Contact(4, OTHER), Contact(3, POINT, 5, OTHER)

    def relative(contact: Contact) -> np.ndarray:
        first = matrix(point_jacobian(state, contact.link, contact.point))
        return first - matrix(point_jacobian(state, contact.other, contact.other_point))

    for a in (foot, other_foot, between):
        for b in (foot, between):
            expected = relative(a) @ np.linalg.solve(M, relative(b).T)
            close(collision_matrix(bodies, a, b).rows, expected)


def test_collision_matrix_of_a_free_ball_is_that_of_the_textbook():
    """K = 1 / m - r x I^-1 r x, with r from the centre of mass. [Mirtich 1996]"""
    m, I = 2.0, 0.3
    body = MassProperties(m, (0.0, 0.0, 0.0), ((I, 0.0, 0.0), (0.0, I, 0.0), (0.0, 0.0, I)))
    figure = Figure("ball", (Link("ball", None, Joint("free"), (), body),))
    state = kinematics(figure, [1.0] + [0.0] * 6, [0.0] * 6)
    r = np.array([[0.0, -0.5, -0.2], [0.5, 0.0, -0.3], [0.2, 0.3, 0.0]])  # of (0.3, -0.2, 0.5)
    K = collision_matrix(articulated(state), Contact(1, POINT), Contact(1, POINT))
    close(K.rows, np.eye(3) / m - r @ r / I, 1e-15)


@pytest.mark.parametrize("seed", SEEDS)
def test_operational_inertia(seed: int):
    figure = random_figure(seed, links=6, root="free")
    state = state_of(figure, random_sample(figure, seed))
    bodies, J = articulated(state), matrix(link_jacobian(state, 5, POINT))
    expected = J @ np.linalg.solve(mass_matrix(state), J.T)
    close(inverse_operational_inertia(bodies, 5, POINT), expected)
    close(np.array(operational_inertia(bodies, 5, POINT)) @ expected, np.eye(6), 1e-9)


def test_the_operational_inertia_of_a_single_body_is_its_own():
    figure = random_figure(0, links=1, root="free")
    state = state_of(figure, random_sample(figure, 0))
    found = operational_inertia(articulated(state), 1)
    R, M = np.kron(np.eye(2), np.array(state.poses[1].rotation.rows)), mass_matrix(state)
    close(found, R @ M @ R.T, 1e-12)


@pytest.mark.parametrize(("precision", "tolerance"), [("float64", 1e-11), ("float32", 1e-2)])
def test_compiled_responses_agree_with_floats(precision: Any, tolerance: float):
    figure = random_figure(7, links=5, root="free")
    samples = [random_sample(figure, k) for k in range(5)]
    q = np.array([s.q for s in samples]).T.copy()

    def quantities(q: Any) -> tuple[Any, ...]:
        state = kinematics(figure, q, [0.0] * figure.nv)
        bodies = articulated(state)
        K = collision_matrix(bodies, Contact(5, POINT), Contact(3, POINT, 4, OTHER))
        return inverse_mass_matrix(state), K, inverse_operational_inertia(bodies, 5, POINT)

    compiled = np.concatenate(Program(ProgramSpec("responses", quantities, ([0.0] * figure.nq,)), precision)(q))
    expected = np.array([leaves(quantities(sample.q)) for sample in samples]).T
    for k in range(5):
        close(compiled[:, k], expected[:, k], tolerance)
