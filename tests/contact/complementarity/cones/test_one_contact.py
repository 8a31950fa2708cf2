"""One contact with Coulomb's cone: against a search over all directions of slip."""

import numpy as np
import pytest
from scipy.optimize import brentq
from tracing import body_of, names_of

from gambol.contact.complementarity.cones import ContactProblem, DelassusBlock, one_contact, violations
from gambol.spatial import Matrix, Vector

REST = Vector(0.0, 0.0, 0.0)


def block(D: np.ndarray) -> Matrix:
    return Matrix.of(D.tolist())


def random_block(seed: int, spread: float = 0.7) -> np.ndarray:
    """A symmetric D whose principal values lie within 10^+-spread."""
    random = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(random.normal(size=(3, 3)))
    return Q @ np.diag(10.0 ** random.uniform(-spread, spread, 3)) @ Q.T


def searched(w: np.ndarray, D: np.ndarray, mu: float) -> list[np.ndarray]:
    """All impulses of a slipping contact: on the cone, u_z = 0, and slip opposite to friction."""

    def at(angle: float) -> tuple[np.ndarray, np.ndarray]:
        along = np.array([mu * np.cos(angle), mu * np.sin(angle), 1.0])
        p = along * (-w[2] / (D[2] @ along))
        return p, w + D @ p

    def across(angle: float) -> float:
        _, u = at(angle)
        return u[0] * np.sin(angle) - u[1] * np.cos(angle)

    grid = np.linspace(0.0, 2.0 * np.pi, 721)
    values = [across(a) for a in grid]
    solution: list[np.ndarray] = []
    for a, b, x, y in zip(grid, grid[1:], values, values[1:], strict=False):
        if x * y < 0.0:
            p, u = at(brentq(across, a, b, xtol=1e-14))
            if p[2] > 0.0 and p[:2] @ u[:2] < 0.0 and abs(u @ [0.0, 0.0, 1.0]) < 1e-9:
                solution.append(p)
    return solution


@pytest.mark.parametrize("seed", range(60))
def test_slip_is_that_of_a_search_over_all_directions(seed: int):
    random = np.random.default_rng(seed + 1000)
    D, w, mu = random_block(seed), random.normal(size=3), float(random.uniform(0.05, 1.0))
    w[2] = -abs(w[2])
    stuck = -np.linalg.solve(D, w)
    first = one_contact(Vector(*w), block(D), mu, REST, 30)
    p = np.array([*one_contact(Vector(*(w + D @ [*first])), block(D), mu, first, 30)])
    if stuck[2] >= 0.0 and np.hypot(*stuck[:2]) <= mu * stuck[2]:
        np.testing.assert_allclose(p, stuck, rtol=1e-9, atol=1e-9)
    else:
        assert min(np.abs(p - other).max() for other in searched(w, D, mu)) < 1e-7


def test_thousands_of_contacts_obey_the_law_after_two_updates():
    """If D spans a factor of 4, two Newton steps suffice in each update, and impulses never leave the cone."""
    n, random = 4000, np.random.default_rng(7)
    D = np.array([random_block(seed, 0.3) for seed in range(n)])
    w0, mu = random.normal(size=(3, n)), random.uniform(0.0, 1.0, n)
    blocks = Matrix.of([[D[:, i, j] for j in range(3)] for i in range(3)])
    give, p = DelassusBlock.of(blocks), np.zeros((3, n))
    for _ in range(2):
        w = w0 + np.einsum("nij,jn->in", D, p)
        p = np.array([*give.solve(Vector(*w), mu, Vector(*p), 2)])
        assert np.all(np.hypot(p[0], p[1]) <= mu * p[2] * (1.0 + 1e-12))
    problem = ContactProblem.of_contacts([[D[:, i, j] for j in range(3)] for i in range(3)], [*w0], [mu])
    fails = np.abs(violations(problem, [*p], problem.speeds([*p])))
    assert np.quantile(fails.max(axis=0), 0.999) < 1e-9
    assert fails.max() < 1e-3


def test_a_contact_that_obeys_the_law_stays_as_it_is():
    for seed in range(20):
        D, random = random_block(seed), np.random.default_rng(seed)
        w = np.array([*random.normal(size=2), -1.0])
        p = REST
        for _ in range(6):
            p = one_contact(Vector(*(w + D @ [*p])), block(D), 0.4, p)
        again = one_contact(Vector(*(w + D @ [*p])), block(D), 0.4, p)
        np.testing.assert_allclose([*again], [*p], rtol=1e-13, atol=1e-13)


def test_a_separating_contact_has_no_impulse_and_a_smooth_one_no_friction():
    D = random_block(3)
    assert [*one_contact(Vector(1.0, 2.0, 0.1), block(D), 0.5, REST)] == [0.0, 0.0, 0.0]
    smooth = one_contact(Vector(1.0, 2.0, -1.0), block(D), 0.0, REST)
    assert (smooth.x, smooth.y) == (0.0, 0.0)
    assert smooth.z == pytest.approx(1.0 / D[2, 2], rel=1e-7)


def test_a_ball_sticks_below_two_sevenths_and_slips_above():
    """For a ball, D = diag(7/2, 7/2, 1) / m; it sticks if |u_t| <= 7/2 mu |u_z|."""
    D = np.diag([3.5, 3.5, 1.0])
    stuck = one_contact(Vector(1.0, 0.0, -1.0), block(D), 2.0 / 7.0 + 1e-6, REST)
    np.testing.assert_allclose([*stuck], [-2.0 / 7.0, 0.0, 1.0], rtol=1e-7)
    slipping = one_contact(Vector(3.0, 4.0, -1.0), block(D), 0.1, REST)
    np.testing.assert_allclose([*slipping], [-0.06, -0.08, 1.0], rtol=1e-7)


def test_a_contact_that_cannot_move_has_no_impulse():
    assert [*one_contact(Vector(1.0, 1.0, -1.0), block(np.zeros((3, 3))), 0.5, REST)] == [0.0, 0.0, 0.0]


def test_the_cost_of_an_update():
    """Operations, of which 32 are for what is prepared once per contact."""

    def update(*x: object) -> list[object]:
        D = Matrix.of([[x[3], x[4], x[5]], [x[4], x[6], x[7]], [x[5], x[7], x[8]]])
        return list(one_contact(Vector(*x[:3]), D, x[9], Vector(*x[10:])))

    assert sum(names_of(body_of(update, 13)).values()) < 240
