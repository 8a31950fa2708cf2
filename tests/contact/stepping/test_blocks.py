"""One contact by itself: Coulomb's law in sticking, sliding and separation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambol.contact.stepping.blocks import BoundedBlock, ContactBlock
from gambol.contact.stepping.rows import Row

UPDATES = 200


def rows_of(D: np.ndarray) -> tuple[Row, Row, Row]:
    """Return three rows whose matrix is D, in coordinates in which D^-1 = 1: z are the rows of its root."""
    L = np.linalg.cholesky(D)
    rows = [Row(z := dict(enumerate(map(float, row))), z, float(row @ row)) for row in L]
    return rows[0], rows[1], rows[2]


def settled(D: np.ndarray, b: np.ndarray, mu: float) -> tuple[np.ndarray, np.ndarray]:
    """Return impulses and speeds after many iterations of a contact with free speeds b."""
    block, p = ContactBlock.of(rows_of(D), mu), np.zeros(3)
    for _ in range(UPDATES):
        p = np.array(block.updated(list(b + D @ p), list(p), 0.0))
    return p, b + D @ p


def random_matrix(seed: int) -> np.ndarray:
    A = np.random.default_rng(seed).normal(size=(3, 3))
    return A @ A.T + 0.1 * np.eye(3)


@given(st.integers(0, 10_000), st.floats(0.0, 1.0))
def test_a_contact_obeys_coulomb(seed: int, mu: float):
    """Normals do not pull, nothing sinks in, friction is within its cone and opposite to the slip."""
    D, b = random_matrix(seed), np.random.default_rng(seed + 1).normal(size=3)
    p, w = settled(D, b, mu)
    scale = np.linalg.norm(b)
    if np.linalg.norm(np.array(ContactBlock.of(rows_of(D), mu).updated(list(w), list(p), 0.0)) - p) > 1e-9 * scale:
        return  # strong coupling may keep one contact from settling by itself: see the million of impacts
    assert p[0] >= 0.0
    assert w[0] >= -1e-7 * scale
    assert abs(p[0] * w[0]) <= 1e-6 * scale**2
    friction = np.linalg.norm(p[1:])
    assert friction <= mu * p[0] * (1.0 + 1e-9) + 1e-12
    if mu * p[0] < 1e-9 * scale:
        return
    if friction < mu * p[0] * (1.0 - 1e-6):
        np.testing.assert_allclose(w[1:], 0.0, atol=1e-6 * scale)
    else:
        assert p[1] * w[2] - p[2] * w[1] == pytest.approx(0.0, abs=1e-5 * scale * mu * p[0])
        assert p[1:] @ w[1:] <= 1e-6 * scale * mu * p[0]


def test_a_slanting_leg_whose_friction_lifts_it_settles():
    """The foot of a trotting quadruped: friction of the full normal impulse would lift it, none would let it sink."""
    D = np.array([[1.817, -2.318, 0.538], [-2.318, 5.499, 0.0], [0.538, 0.0, 1.206]])
    b = np.array([-0.4934, 1.8401, -0.3041])
    p, w = settled(D, b, 0.9)
    assert w[0] == pytest.approx(0.0, abs=1e-9)
    assert np.linalg.norm(p[1:]) == pytest.approx(0.9 * p[0], rel=1e-9)
    np.testing.assert_allclose(p[1:] / np.linalg.norm(p[1:]), -w[1:] / np.linalg.norm(w[1:]), atol=1e-9)


def test_hardly_any_contact_does_not_settle_by_itself():
    """With friction above 1 and strong coupling, the iteration does not converge for some contacts."""
    restless = 0
    for seed in range(500):
        D, b = random_matrix(seed), np.random.default_rng(seed + 1).normal(size=3)
        p, w = settled(D, b, 0.9)
        new = np.array(ContactBlock.of(rows_of(D), 0.9).updated(list(w), list(p), 0.0))
        restless += bool(np.linalg.norm(new - p) > 1e-9 * np.linalg.norm(b))
    assert restless <= 2


def test_a_contact_that_can_slide_one_way_only_sticks_there():
    D = np.diag([1.0, 2.0, 0.0])
    rows = tuple(Row({k: 1.0}, {k: float(D[k, k])}, float(D[k, k])) for k in range(3))
    n, x, y = ContactBlock.of((rows[0], rows[1], rows[2]), 1.0).updated([-1.0, 0.5, 0.0], [0.0, 0.0, 0.0], 0.0)
    assert (n, x, y) == (1.0, -0.25, 0.0)


def test_a_sticky_contact_may_pull():
    rows = rows_of(np.eye(3))
    loose, tight = ContactBlock.of(rows, 0.5, 0.0), ContactBlock.of(rows, 0.5, 1.0)
    assert loose.updated([1.0, 0.3, 0.4], [0.0] * 3, 0.0) == [0.0, 0.0, 0.0]
    np.testing.assert_allclose(tight.updated([1.0, 0.3, 0.4], [0.0] * 3, 0.0), [-1.0, -0.3, -0.4])


@pytest.mark.parametrize(("speed", "impulse"), [(-1.0, 0.5), (1.0, 0.0), (-9.0, 2.0)])
def test_a_bound_holds_its_impulse(speed: float, impulse: float):
    bound = BoundedBlock.of(Row({0: 1.0}, {0: 2.0}, 2.0), 0.0, 2.0)
    assert bound.updated([speed], [0.0], 0.0) == [impulse]
