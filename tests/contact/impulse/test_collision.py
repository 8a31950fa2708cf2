"""Collisions with friction: closed forms, an integrator of another kind, and the laws of energy, momentum and cones."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from gambol.contact.impulse import Impact, collision
from gambol.errors import WorldError
from gambol.lanes import Program, ProgramSpec
from gambol.spatial.matrix import Matrix
from gambol.spatial.vector import Vector

EPSILON = 2.0**-52
seeds = st.integers(0, 2**32 - 1)


def hit(K, u, mu, e=0.0, hypothesis="stronge") -> Impact:
    return collision(Matrix.of(np.asarray(K).tolist()), Vector.of([float(x) for x in u]), mu, e, hypothesis)


def array(vector: Vector):
    return np.array(list(vector), float)


def random_case(seed):
    """Return a collision matrix of six modes of motion, an approaching velocity in its range, mu, e and condition."""
    random = np.random.default_rng(seed)
    modes = random.normal(size=(3, 6)) * np.exp(random.normal(size=6))
    u = modes @ random.normal(size=6)
    K = modes @ modes.T
    return K, -math.copysign(1.0, u[2]) * u, random.uniform(0.0, 3.0), random.uniform(), np.linalg.cond(K)


def sphere(radius=1.0, mass=1.0):
    """Return the collision matrix of a solid ball: 1/m, and r^2 / I = 5/2 of it more along the ground."""
    return np.diag([3.5, 3.5, 1.0]) / mass


@pytest.mark.parametrize("hypothesis", ["newton", "poisson", "stronge"])
def test_a_ball_sticks_or_slips(hypothesis):
    """The laws agree where the slip's direction stays. Closed form of [Brach 1991]; shared digits."""
    sticks = hit(sphere(), (1.0, 0.0, -2.0), 0.3, 0.8, hypothesis)
    np.testing.assert_allclose(array(sticks.impulse), [-1.0 / 3.5, 0.0, 3.6], atol=1e-14)
    np.testing.assert_allclose(array(sticks.velocity), [0.0, 0.0, 1.6], atol=1e-14)
    assert (sticks.stuck, sticks.resumed, sticks.converged) == (1.0, 0.0, 1.0)
    slips = hit(sphere(), (3.0, 0.0, -1.0), 0.1, 0.8, hypothesis)
    np.testing.assert_allclose(array(slips.impulse), [-0.18, 0.0, 1.8], atol=1e-14)
    np.testing.assert_allclose(array(slips.velocity), [2.37, 0.0, 0.8], atol=1e-14)
    assert (slips.stuck, slips.resumed) == (0.0, 0.0)


def integrated(K, u, mu, e):
    """The sliding equation in p_z by a Runge-Kutta method of order 8, as long as the slip does not stop."""

    def rates(p, state):
        slip = state[:2] / np.hypot(*state[:2])
        d = np.array([-mu * slip[0], -mu * slip[1], 1.0])
        return np.concatenate([K @ d, [state[2]], d])

    def turn(p, state):
        return state[2]

    def stop(p, state):
        return np.hypot(*state[:2]) - 1e-3 * np.linalg.norm(u)

    turn.terminal = stop.terminal = True
    turn.direction = 1.0
    settings = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-15}
    start = np.concatenate([u, np.zeros(4)])
    down = solve_ivp(rates, (0.0, 1e4), start, events=(turn, stop), **settings)
    if not down.t_events[0].size:
        return None
    middle = down.y_events[0][0]
    goal = (1.0 - e * e) * middle[3]

    def over(p, state):
        return state[3] - goal

    over.terminal = True
    up = solve_ivp(rates, (0.0, 1e4), middle, events=(over, stop), **settings)
    return up.y_events[0][0][4:] if up.t_events[0].size else None


@pytest.mark.parametrize("part", range(4))
def test_turning_slips_agree_with_a_runge_kutta_method(part):
    compared = 0
    for seed in range(10 * part, 10 * part + 10):
        K, u, mu, e, condition = random_case(seed)
        p = integrated(K, u, 0.3 * mu, e)
        if p is not None:
            result = array(hit(K, u, 0.3 * mu, e).impulse)
            np.testing.assert_allclose(result, p, atol=1e-11 * np.linalg.norm(p) * math.sqrt(condition))
            compared += 1
    assert compared >= 3


@settings(max_examples=100, deadline=None)
@given(seeds)
def test_laws_of_energy_momentum_and_friction(seed):
    """e^2 of the work is returned, energy only falls, friction stays in its cone, and K maps impulse to velocity."""
    K, u, mu, e, condition = random_case(seed)
    impact = hit(K, u, mu, e)
    p, after = array(impact.impulse), array(impact.velocity)
    energy = 0.5 * u @ np.linalg.solve(K, u)
    rounding = 16.0 * EPSILON * condition
    assert impact.converged
    assert impact.residual == 0.0
    np.testing.assert_allclose(after, u + K @ p, atol=rounding * np.linalg.norm(u))
    assert abs(impact.released - e * e * impact.stored) <= rounding * energy
    np.testing.assert_allclose(0.5 * after @ np.linalg.solve(K, after) - energy, impact.change, atol=rounding * energy)
    assert impact.change <= rounding * energy
    assert math.hypot(p[0], p[1]) <= mu * p[2] * (1.0 + 8.0 * EPSILON)
    assert after[2] >= -rounding * np.linalg.norm(u)
    if impact.stuck:
        # each step of the integration adds an error of rounding to the slip that is left
        assert math.hypot(after[0], after[1]) <= (1.0 + impact.steps) * rounding * np.linalg.norm(u)


@settings(max_examples=30, deadline=None)
@given(seeds, st.floats(0.0, 6.3))
def test_the_direction_in_which_axes_lie_does_not_matter(seed, turn):
    K, u, mu, e, condition = random_case(seed)
    c, s = math.cos(turn), math.sin(turn)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    p = array(hit(K, u, mu, e).impulse)
    turned = array(hit(R @ K @ R.T, R @ u, mu, e).impulse)
    np.testing.assert_allclose(turned, R @ p, atol=64.0 * EPSILON * condition * np.linalg.norm(p))


@settings(max_examples=30, deadline=None)
@given(seeds, st.floats(1e-6, 1e6), st.floats(1e-6, 1e6))
def test_units_do_not_matter(seed, mass, speed):
    K, u, mu, e, condition = random_case(seed)
    p = array(hit(K, u, mu, e).impulse)
    scaled = array(hit(K / mass, u * speed, mu, e).impulse)
    np.testing.assert_allclose(scaled / (mass * speed), p, atol=64.0 * EPSILON * condition * np.linalg.norm(p))


def test_without_friction_only_the_normal_impulse_acts():
    K, u, _, e, _ = random_case(5)
    for hypothesis in ("newton", "poisson", "stronge"):
        impact = hit(K, u, 0.0, e, hypothesis)
        np.testing.assert_allclose(array(impact.impulse), [0.0, 0.0, -(1.0 + e) * u[2] / K[2, 2]], atol=1e-14)


def test_contacts_that_cannot_move():
    """A fixed contact gets no impulse and is reported; a wedged one stops, and keeps the stored energy."""
    fixed = hit(np.zeros((3, 3)), (0.0, 0.0, -1.0), 0.5, 0.5)
    assert (fixed.converged, fixed.residual) == (0.0, 1.0)
    np.testing.assert_array_equal(array(fixed.impulse), 0.0)
    way = np.array([1.0, 0.0, 0.2])
    wedged = hit(np.outer(way, way), -way, 0.5, 1.0)
    assert (wedged.converged, wedged.stuck, wedged.wedged) == (1.0, 1.0, 1.0)
    np.testing.assert_allclose(array(wedged.velocity), 0.0, atol=1e-15)
    steep = np.array([1.0, 0.0, 0.8])  # steeper than the cone: it rebounds, and slides back
    back = hit(np.outer(steep, steep), -steep, 0.5, 1.0)
    assert (back.converged, back.resumed, back.wedged) == (1.0, 1.0, 0.0)
    np.testing.assert_allclose(back.released, back.stored)


def test_separating_or_resting_bodies_have_no_impulse():
    for u in ((1.0, 2.0, 0.0), (1.0, 2.0, 0.5)):
        impact = hit(sphere(), u, 0.5, 0.5)
        assert impact.converged
        np.testing.assert_array_equal(array(impact.impulse), 0.0)


def test_arrays_give_what_floats_give():
    cases = [random_case(seed) for seed in range(20)]
    K = Matrix.of([[np.array([c[0][i, j] for c in cases]) for j in range(3)] for i in range(3)])
    u = Vector.of([np.array([c[1][i] for c in cases]) for i in range(3)])
    many = collision(K, u, np.array([c[2] for c in cases]), np.array([c[3] for c in cases]))
    for n, case in enumerate(cases):
        np.testing.assert_allclose(array(hit(*case[:4]).impulse), [x[n] for x in many.impulse], rtol=1e-9)


def compiled(precision, lanes=None):
    def formula(K, u, law):
        impact = collision(Matrix.of([K[0:3], K[3:6], K[6:9]]), Vector.of(u), *law)
        return list(impact.impulse), [impact.change]

    return Program(ProgramSpec("collision", formula, ([0.0] * 9, [0.0] * 3, (0.0, 0.0))), precision, lanes)


def test_lanes_of_any_width_give_the_same_bits_and_what_floats_give():
    cases = [random_case(seed) for seed in range(40)]
    given = [
        np.array([np.ravel(c) for c in column]).T for column in zip(*((c[0], c[1], c[2:4]) for c in cases), strict=True)
    ]
    p, change = compiled("float64")(*given)
    again, changed = compiled("float64", 1)(*given)
    np.testing.assert_array_equal(p, again)
    np.testing.assert_array_equal(change, changed)
    single = compiled("float32")(*given)[0]
    for n, case in enumerate(cases):
        alone, condition = array(hit(*case[:4]).impulse), case[4]
        np.testing.assert_allclose(p[:, n], alone, atol=16.0 * EPSILON * condition * np.linalg.norm(alone))
        if condition < 1e4:
            np.testing.assert_allclose(single[:, n], alone, atol=64.0 * 2.0**-23 * condition * np.linalg.norm(alone))


def test_an_unknown_hypothesis_is_refused():
    with pytest.raises(WorldError, match='did you mean "stronge"'):
        hit(sphere(), (0.0, 0.0, -1.0), 0.5, 0.5, "strong")


def test_friction_and_restitution_are_held_to_what_can_be():
    u = (1.0, 0.0, -2.0)
    np.testing.assert_array_equal(array(hit(sphere(), u, -1.0, 2.0).impulse), array(hit(sphere(), u, 0.0, 1.0).impulse))
