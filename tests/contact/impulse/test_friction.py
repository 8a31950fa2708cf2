"""Friction's direction: sticking against least squares, sliding on against the quartic of Bhatt and Koechling."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.contact.impulse.friction import AfterStop, CollisionMatrix

seeds = st.integers(0, 2**32 - 1)


def random_flow(seed, mu):
    random = np.random.default_rng(seed)
    modes = random.normal(size=(3, 6)) * np.exp(random.normal(size=6))
    K = modes @ modes.T
    K = K / np.trace(K)
    return K, CollisionMatrix(K[0, 0], K[0, 1], K[1, 1], K[0, 2], K[1, 2], K[2, 2], mu)


def outward_roots(K, mu):
    """All directions in which a slip stays on its line and grows: roots of the quartic in tan of half the angle.

    With c = (1 - w^2) / (1 + w^2) and s = 2 w / (1 + w^2), n . (k - mu A t) (1 + w^2)^2 is a polynomial in w.
    """
    one, c, s = np.poly1d([1, 0, 1]), np.poly1d([-1, 0, 1]), np.poly1d([2, 0])
    along_x = one * K[0, 2] - (c * K[0, 0] + s * K[0, 1]) * mu
    along_y = one * K[1, 2] - (c * K[0, 1] + s * K[1, 1]) * mu
    quartic = c * along_y - s * along_x
    result = []
    for w in quartic.roots:
        if abs(w.imag) < 1e-9:
            t = np.array([1.0 - w.real**2, 2.0 * w.real]) / (1.0 + w.real**2)
            if t @ (K[:2, 2] - mu * K[:2, :2] @ t) > 0.0:
                result.append(t)
    return result


@settings(max_examples=200, deadline=None)
@given(seeds, st.floats(0.02, 0.98))
def test_there_is_one_direction_to_slide_on(seed, part):
    K, _ = random_flow(seed, 0.0)
    mu = part * np.linalg.norm(np.linalg.solve(K[:2, :2], K[:2, 2]))
    _, flow = random_flow(seed, mu)
    roots = outward_roots(K, mu)
    assert len(roots) == 1
    np.testing.assert_allclose(flow.sliding_direction(), roots[0], atol=1e-9)
    rest = AfterStop.of(flow)
    np.testing.assert_allclose([rest.x, rest.y], -mu * np.array(flow.sliding_direction()), atol=1e-15)
    assert (rest.sticks, rest.rise > 0.0) == (0.0, True)


@settings(max_examples=100, deadline=None)
@given(seeds, st.floats(1.0001, 10.0))
def test_a_contact_sticks_where_the_cone_allows_it(seed, part):
    K, _ = random_flow(seed, 0.0)
    holding = -np.linalg.solve(K[:2, :2], K[:2, 2])
    _, flow = random_flow(seed, part * np.linalg.norm(holding))
    rest = AfterStop.of(flow)
    np.testing.assert_allclose([rest.x, rest.y], holding, rtol=1e-12 * np.linalg.cond(K))
    np.testing.assert_allclose(flow.slip_rate(rest.x, rest.y), 0.0, atol=1e-13 * np.linalg.cond(K))
    assert rest.sticks == 1.0


def test_a_contact_that_moves_in_one_line_sticks_within_it():
    """A is singular and k lies in its range: the impulse of least size."""
    way = np.array([0.6, 0.8])
    flow = CollisionMatrix(0.36, 0.48, 0.64, 0.3 * way[0], 0.3 * way[1], 0.5, 0.4)
    rest = AfterStop.of(flow)
    np.testing.assert_allclose([rest.x, rest.y], -0.3 * way, atol=1e-15)
    np.testing.assert_allclose(rest.rise, 0.5 - 0.09)
