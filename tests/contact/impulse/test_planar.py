"""Planar collisions: Routh's construction, a rod that jams, and Kane's pendulum."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.contact.impulse import Impact, collision
from gambol.spatial.matrix import Matrix
from gambol.spatial.vector import Vector


def hit(K, u, mu, e=0.0, hypothesis="stronge") -> Impact:
    return collision(Matrix.of(np.asarray(K).tolist()), Vector.of([float(x) for x in u]), mu, e, hypothesis)


def array(vector: Vector):
    return np.array(list(vector), float)


def rod(angle, mass=1.0, length=1.0):
    """Collision matrix of an end of a slender rod at an angle from the ground: I = m l^2 / 12."""
    x, z = 0.5 * length * math.cos(angle), 0.5 * length * math.sin(angle)
    I = mass * length**2 / 12.0
    a, b, c = 1.0 / mass + z * z / I, -x * z / I, 1.0 / mass + x * x / I
    return np.array([[a, 0.0, b], [0.0, 1.0 / mass, 0.0], [b, 0.0, c]])


def planar(K, ux, uz, mu, e, hypothesis):
    """Routh's construction: straight lines in the plane of the impulses (p_x, p_z), each piece solved by hand.

    Works out where the line of sticking, the line of greatest compression and that of friction meet.
    """
    a, b, c = K[0, 0], K[0, 2], K[2, 2]
    p, w, v, stored, released, pressed = np.zeros(2), uz, ux, 0.0, 0.0, 0.0
    rest, compressing = v == 0.0, True
    while True:
        slope = (-b / a if abs(b / a) <= mu else -mu * math.copysign(1.0, b)) if rest else -mu * math.copysign(1.0, v)
        dv, dw = a * slope + b, b * slope + c
        stop = -v / dv if not rest and v * dv < 0.0 else math.inf
        left = {"newton": (-e * uz - w) / dw if dw > 0.0 else math.inf, "poisson": e * pressed - (p[1] - pressed)}
        square = w * w + 2.0 * dw * (e * e * stored - released)
        left["stronge"] = (math.sqrt(square) - w) / dw if square >= 0.0 else math.inf
        if compressing:
            end = -w / dw if dw > 0.0 else math.inf
        else:
            end = min(left[hypothesis], -w / dw if dw < 0.0 and w > 0.0 else math.inf)
        step = min(stop, end)
        work = w * step + 0.5 * dw * step * step
        stored, released = (stored - work, released) if compressing else (stored, released + work)
        pressed += step if compressing else 0.0
        p, v, w = p + step * np.array([slope, 1.0]), v + dv * step, w + dw * step
        if stop <= end:
            rest, v = True, 0.0
        elif compressing:
            compressing, w = False, 0.0
        elif left[hypothesis] <= step:
            return p, stored, released
        else:
            compressing, w = True, 0.0


@settings(max_examples=100, deadline=None)
@given(
    st.floats(0.1, 1.5),
    st.floats(-5.0, 5.0),
    st.floats(-5.0, -0.1),
    st.floats(0.01, 2.0),
    st.floats(0.01, 1.0),
    st.sampled_from(["newton", "poisson", "stronge"]),
)
def test_a_rod_follows_rouths_construction(angle, ux, uz, mu, e, hypothesis):
    K = rod(angle)
    impact = hit(K, (ux, 0.0, uz), mu, e, hypothesis)
    p, stored, released = planar(K, ux, uz, mu, e, hypothesis)
    scale = np.abs(p).max() + 1.0
    np.testing.assert_allclose(array(impact.impulse), [p[0], 0.0, p[1]], atol=1e-12 * scale)
    np.testing.assert_allclose([impact.stored, impact.released], [stored, released], atol=1e-11 * scale)


@settings(max_examples=50, deadline=None)
@given(st.floats(0.1, 1.5), st.floats(-5.0, 5.0), st.floats(0.01, 2.0), st.floats(0.01, 1.0), st.floats(0.0, 6.2))
def test_axes_along_the_ground_do_not_matter(angle, ux, mu, e, turn):
    """A planar collision in turned axes: the series of turning slips and the straight parts give the same."""
    c, s = math.cos(turn), math.sin(turn)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    K, u = rod(angle), np.array([ux, 0.0, -1.0])
    seen = hit(R @ K @ R.T, R @ u, mu, e)
    plain = hit(K, u, mu, e)
    np.testing.assert_allclose(array(seen.impulse), R @ array(plain.impulse), atol=1e-10)


def test_a_jam_ends_when_the_slip_stops():
    """Painleve's rod: at first friction drives it into the ground."""
    K = rod(0.9)
    mu = 2.0
    assert K[2, 2] - mu * abs(K[0, 2]) < 0.0
    impact = hit(K, (-1.0, 0.0, -0.1), mu, 0.5)
    assert (impact.jammed, impact.stuck, impact.converged) == (1.0, 1.0, 1.0)
    np.testing.assert_allclose(impact.released, 0.25 * impact.stored)
    assert impact.change < 0.0 < impact.velocity.z
    assert not hit(K, (1.0, 0.0, -0.1), mu, 0.5).jammed


def kane():
    """Return the collision matrix, velocity of the tip, and kinetic energy of Kane's double pendulum as its tip hits.

    Two uniform rods of 1 kg and 1 m hang at 20 and 30 degrees from the vertical and turn at -0.1 and -0.2 rad/s, as in
    [Kane and Levinson 1985, section 5.8].
    """
    angles, rates = np.radians([20.0, 30.0]), np.array([-0.1, -0.2])
    J = np.array([np.cos(angles), np.sin(angles)])
    couple = 0.5 * math.cos(angles[1] - angles[0])
    M = np.array([[4.0 / 3.0, couple], [couple, 1.0 / 3.0]])
    (a, b), (_, c) = J @ np.linalg.solve(M, J.T)
    x, z = J @ rates
    return np.array([[a, 0.0, b], [0.0, 0.0, 0.0], [b, 0.0, c]]), np.array([x, 0.0, z]), 0.5 * rates @ M @ rates


def test_newton_creates_energy_where_kane_found_it():
    """Friction stops the slip: Newton's law then triples the energy, while Poisson's and Stronge's reduce it."""
    K, u, energy = kane()
    change = {name: hit(K, u, 0.7, 0.7, name).change for name in ("newton", "poisson", "stronge")}
    assert change["newton"] > 2.0 * energy
    assert -energy < change["poisson"] < 0.0
    assert -energy < change["stronge"] < 0.0
