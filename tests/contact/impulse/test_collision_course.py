"""The course of a collision and the flow of the slip, beside SciPy, random laws of the cone, and closed forms."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from gambol import Box, Figure, Joint, Link, Part, WorldError
from gambol.contact.impulse import SlipFlow, collision, collision_course, contact_collision
from gambol.spatial.matrix import Matrix
from gambol.spatial.vector import Vector

seeds = st.integers(0, 2**32 - 1)


def random_matrix(random, modes=6):
    m = random.normal(size=(3, modes))
    return m @ m.T


def roots_by_sampling(K, mu):
    """Return the angles at which the flow is along the slip, by changes of the sign of its part across."""
    angle = np.linspace(0.0, 2.0 * np.pi, 200001)
    t = np.stack([np.cos(angle), np.sin(angle)])
    flow = K[:2, 2:] - mu * K[:2, :2] @ t
    across = t[0] * flow[1] - t[1] * flow[0]
    k = np.flatnonzero(np.sign(across[:-1]) != np.sign(across[1:]))
    return angle[k], (t * flow).sum(axis=0)[k]


@given(seeds)
@settings(max_examples=12, deadline=None)
def test_trajectories_obey_the_differential_equation(seed):
    """du_t/dp_z = k - mu A u_t / |u_t| by Runge-Kutta of order 8, until the slip is a thousandth of its start."""
    random = np.random.default_rng(seed)
    K, mu = random_matrix(random), random.uniform(0.0, 2.0)
    flow, start = SlipFlow(K, mu), random.normal(size=2)
    speed = float(np.hypot(*start))
    found = flow.trajectory(start, 20.0 * speed)
    before_stop = np.hypot(*found.slip.T) > 1e-3 * speed
    end = found.normal_impulse[before_stop][-1]

    def rate(_p, u):
        return K[:2, 2] - mu * K[:2, :2] @ u / np.hypot(*u)

    solved = solve_ivp(rate, (0.0, end), start, "DOP853", rtol=1e-11, atol=1e-13 * speed, dense_output=True)
    assert solved.sol is not None
    expected = solved.sol(found.normal_impulse[before_stop]).T
    # an error of the reference grows at most by the inverse of the share of the slip that is left
    np.testing.assert_allclose(found.slip[before_stop], expected, atol=1e-8 * speed)


@given(seeds)
@settings(max_examples=40, deadline=None)
def test_invariant_directions_are_all_found(seed):
    random = np.random.default_rng(seed)
    K, mu = random_matrix(random), random.uniform(0.05, 2.0)
    found = SlipFlow(K, mu).invariant_directions()
    angles, rates = roots_by_sampling(K, mu)
    assert len(found) == len(angles)
    np.testing.assert_allclose([one.angle for one in found], angles, atol=1e-3)
    np.testing.assert_allclose([one.rate for one in found], rates, atol=0.05 * np.trace(K))


@given(seeds)
@settings(max_examples=100, deadline=None)
def test_one_direction_leads_away_exactly_if_the_contact_cannot_stick(seed):
    """Bhatt and Koechling's theorem, which Arnold observes in figure 2.5."""
    random = np.random.default_rng(seed)
    K, mu = random_matrix(random), random.uniform(0.0, 2.0)
    flow = SlipFlow(K, mu)
    away = [one for one in flow.invariant_directions() if one.rate > 0.0]
    assert flow.sticks == (np.linalg.norm(np.linalg.solve(K[:2, :2], K[:2, 2])) <= mu)
    assert len(away) == (0 if flow.sticks else 1)


def test_the_number_of_directions_depends_on_friction():
    """As in figure 2.5: two for a friction of 0.3 and 0.4, four for 0.7, and always one that leads away."""
    K = [[0.8, 0.8, 0.1], [0.8, 1.6, -0.6], [0.1, -0.6, 1.6]]
    counts = [
        (len(d), sum(x.rate > 0.0 for x in d))
        for d in (SlipFlow(K, mu).invariant_directions() for mu in (0.3, 0.4, 0.7))
    ]
    assert counts == [(2, 1), (2, 1), (4, 1)]


@given(seeds, st.sampled_from(["newton", "poisson", "stronge"]))
@settings(max_examples=40, deadline=None)
def test_a_course_ends_as_the_collision_does(seed, hypothesis):
    random = np.random.default_rng(seed)
    K, mu, e = random_matrix(random), random.uniform(0.0, 2.0), random.uniform()
    u = random.normal(size=3)
    u[2] = -abs(u[2])
    course = collision_course(K, u, mu, e, hypothesis)
    impact = collision(Matrix.of(K.tolist()), Vector.of(u.tolist()), mu, e, hypothesis)
    size = np.linalg.norm(list(impact.impulse))
    np.testing.assert_allclose(course.impulse[-1], list(impact.impulse), atol=1e-13 * size)
    assert (np.diff(course.impulse[:, 2]) >= -1e-15 * size).all()
    # the work along the normal, by the trapezium rule over the points: Stronge's law
    work = np.diff(course.impulse[:, 2]) * 0.5 * (course.velocity[1:, 2] + course.velocity[:-1, 2])
    stored, released = -work[work < 0.0].sum(), work[work > 0.0].sum()
    if hypothesis == "stronge" and impact.wedged < 0.5:
        np.testing.assert_allclose(released, e * e * stored, atol=3e-3 * stored)


@given(seeds)
@settings(max_examples=20, deadline=None)
def test_friction_stays_in_the_cone_and_opposes_the_slip(seed):
    random = np.random.default_rng(seed)
    K, mu = random_matrix(random), random.uniform(0.1, 2.0)
    u = random.normal(size=3)
    u[2] = -abs(u[2])
    course = collision_course(K, u, mu, 0.5)
    rise = np.diff(course.impulse, axis=0)
    assert (np.hypot(rise[:, 0], rise[:, 1]) <= mu * rise[:, 2] + 1e-12 * abs(course.impulse).max()).all()
    sliding = course.sliding[:-1] & course.sliding[1:]
    power = (rise[:, :2] * 0.5 * (course.velocity[1:, :2] + course.velocity[:-1, :2])).sum(axis=1)
    assert (power[sliding] <= 1e-12).all()


def test_a_ball_slides_straight_until_it_rolls():
    """Closed form: the slip falls by 3.5 mu per normal impulse of a ball of 1 kg, and stops at p_z = 1 / (3.5 mu)."""
    flow = SlipFlow(np.diag([3.5, 3.5, 1.0]), 0.2)
    assert flow.invariant_directions() == []  # every direction is one
    path = flow.trajectory((0.6, 0.8), 2.0)
    assert path.stopped
    assert path.normal_impulse[-1] == pytest.approx(1.0 / 0.7, rel=1e-8)
    np.testing.assert_allclose(path.slip @ [-0.8, 0.6], 0.0, atol=1e-15)


def brick():
    link = Link("brick", None, Joint("free"), parts=(Part(Box((0.4, 0.2, 0.1))),))
    return Figure("brick", (link,))


def test_the_matrix_of_a_free_body_is_that_of_the_textbook():
    """K = 1/m - [r]x I^-1 [r]x, and the velocity of a point is v + w x r, for a body that turns about its centre."""
    figure, q = brick(), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.05]
    v = [0.3, -0.2, 0.1, 0.5, 0.4, -1.0]
    r = np.array([0.2, 0.1, -0.05])
    K, u = contact_collision(figure, (q, v), "brick", (0.2, 0.1, 0.0))
    m = figure.mass
    inertia = m / 12.0 * np.array([0.2**2 + 0.1**2, 0.4**2 + 0.1**2, 0.4**2 + 0.2**2])
    cross = np.array([[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]])
    np.testing.assert_allclose(K, np.eye(3) / m - cross @ np.diag(1.0 / inertia) @ cross, rtol=1e-12, atol=1e-12 / m)
    np.testing.assert_allclose(u, np.array(v[3:]) + np.cross(v[:3], r), atol=1e-15)
    tilted, _ = contact_collision(figure, (q, v), "brick", (0.2, 0.1, 0.0), normal=(0.0, 3.0, 4.0))
    np.testing.assert_allclose(np.linalg.eigvalsh(tilted), np.linalg.eigvalsh(K), rtol=1e-12)


@pytest.mark.parametrize(
    ("K", "mu", "words"),
    [
        (np.eye(2), 0.3, "shape"),
        ([[1, 0, 2], [0, 1, 0], [0, 0, 1]], 0.3, "symmetric"),
        (-np.eye(3), 0.3, "semidefinite"),
        (np.zeros((3, 3)), 0.3, "not 0"),
        (np.eye(3), -1.0, "friction"),
    ],
)
def test_impossible_matrices_are_refused(K, mu, words):
    with pytest.raises(WorldError, match=words):
        SlipFlow(K, mu)


def test_wrong_contacts_and_slips_are_refused():
    state = ([1.0, *6 * [0.0]], 6 * [0.0])
    with pytest.raises(WorldError, match='did you mean "brick"'):
        contact_collision(brick(), state, "brik", (0.0, 0.0, 0.0))
    with pytest.raises(WorldError, match="length 0"):
        contact_collision(brick(), state, "brick", (0.0, 0.0, 0.0), normal=(0.0, 0.0, 0.0))
    with pytest.raises(WorldError, match="extent"):
        SlipFlow(np.eye(3), 0.3).trajectory((1.0, 0.0), 0.5)
    with pytest.raises(WorldError, match="three finite numbers"):
        collision_course(np.eye(3), (1.0, 0.0), 0.3)
