"""The passive walker beside another program: phases of Lagrange's equations, integrated by SciPy, joined by impacts.

The other program knows the walker only as point masses on three rods. A stance foot rolls, knees lock and heels land by
inelastic impacts. Its map from one landing to the next must have the walker's start as a stable fixed point.
"""

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gambol
from gambol.creatures.passive_walker.walker import SLOPE, START, WalkerSize, make_world
from gambol.world import Push, Timing

G, SIZE = 9.81, WalkerSize()
ARM = SIZE.leg - SIZE.foot  # m, from the hip to the middle of a foot
LOCK = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])  # stance leg and straight swing leg
FIXED_POINT = np.array([START.angle, START.left, START.right])
Array = Any


def points(q: Array) -> list[tuple[float, Array, Array, Array]]:
    """Return mass, place, Jacobian and second derivatives of the hip, four masses, and the swing foot (mass 0).

    q: angles of the stance leg, the swing thigh and the swing shank ahead of the slope's normal. The stance foot rolls.
    """
    s, c, R = np.sin(q), np.cos(q), SIZE.foot
    hip = np.array([-R * q[0] - ARM * s[0], R + ARM * c[0]])
    at_hip = np.array([-R - ARM * c[0], -ARM * s[0]]), np.array([ARM * s[0], -ARM * c[0]])
    rods: list[tuple[float, list[tuple[int, float]]]] = [
        (SIZE.hip, []),
        (SIZE.thigh, [(0, SIZE.thigh_com)]),
        (SIZE.shank, [(0, SIZE.knee + SIZE.shank_com)]),
        (SIZE.thigh, [(1, SIZE.thigh_com)]),
        (SIZE.shank, [(1, SIZE.knee), (2, SIZE.shank_com)]),
        (0.0, [(1, SIZE.knee), (2, SIZE.leg - SIZE.knee - R)]),
    ]
    result: list[tuple[float, Array, Array, Array]] = []
    for mass, chain in rods:
        place, J, H = hip.copy(), np.zeros((2, 3)), np.zeros((2, 3))
        J[:, 0], H[:, 0] = at_hip
        for k, d in chain:
            place = place + d * np.array([s[k], -c[k]])
            J[:, k] += d * np.array([c[k], s[k]])
            H[:, k] += d * np.array([-s[k], c[k]])
        result.append((mass, place, J, H))
    return result


def mass_and_force(q: Array, v: Array) -> tuple[Array, Array]:
    gravity = G * np.array([math.sin(SLOPE), -math.cos(SLOPE)])
    M, f = np.zeros((3, 3)), np.zeros(3)
    for mass, _, J, H in points(q):
        M += mass * J.T @ J
        f += mass * J.T @ (gravity - H @ (v * v))
    return M, f


def swing(P: Array, y: Array, event: Any) -> tuple[float, Array]:
    """Integrate with q = P x until the event falls through 0; return the time it took and the state."""
    n = P.shape[1]

    def rates(_: float, y: Array) -> Array:
        M, f = mass_and_force(P @ y[:n], P @ y[n:])
        return np.r_[y[n:], np.linalg.solve(P.T @ M @ P, P.T @ f)]

    event.terminal, event.direction = True, -1
    solved = solve_ivp(rates, (0.0, 2.0), y, events=event, rtol=1e-8, atol=1e-9)
    assert len(solved.t_events[0])
    assert clearance(solved.y[: P.shape[1]], P) > 0.0
    return solved.t[-1], solved.y[:, -1]


def clearance(x: Array, P: Array) -> float:
    """Return the least height of the swing foot over the ground, but at both ends of its swing [m]."""
    return min(points(P @ column)[-1][1][1] - SIZE.foot for column in x.T[2:-2])


def landing(angle: float, stance: float, swung: float) -> tuple[float, float]:
    """Return the rates of both legs after the swing foot has landed: the new stance leg's first.

    angle: of the new stance leg, ahead; the old one is as far behind. All masses are free but the landed foot, which
    rolls, and both knees are locked: an impulse at that foot makes it so.
    """
    a = (-angle, angle)
    J_masses = []
    for k in (0, 1):
        for mass, d in ((SIZE.thigh, SIZE.thigh_com), (SIZE.shank, SIZE.knee + SIZE.shank_com)):
            J = np.zeros((2, 4))
            J[0, 0] = J[1, 1] = 1.0
            J[:, 2 + k] = d * np.array([math.cos(a[k]), math.sin(a[k])])
            J_masses.append((mass, J))
    J_masses.append((SIZE.hip, np.eye(2, 4)))
    M = sum(mass * J.T @ J for mass, J in J_masses)
    hip = np.array([-SIZE.foot - ARM * math.cos(a[0]), -ARM * math.sin(a[0])]) * stance
    rolling = np.array([[1.0, 0.0, 0.0, ARM * math.cos(angle) + SIZE.foot], [0.0, 1.0, 0.0, ARM * math.sin(angle)]])
    v, inverse = np.r_[hip, stance, swung], np.linalg.inv(M)
    v = v - inverse @ rolling.T @ np.linalg.solve(rolling @ inverse @ rolling.T, rolling @ v)
    assert v[1] + ARM * math.sin(a[0]) * v[2] > 0.0  # the other foot leaves the ground
    return v[3], v[2]


def step(y: Array) -> tuple[float, Array]:
    """Return the time of a step, and the state after the next landing: angle and rates of both legs."""
    angle, stance, swung = y
    q = np.array([angle, -angle, -angle, stance, swung, swung])
    bent = swing(np.eye(3), q, lambda t, y: y[1] - y[2] if t > 0.05 else 1.0)
    q, v = bent[1][:3], bent[1][3:]
    M, _ = mass_and_force(q, v)
    straight = np.linalg.solve(LOCK.T @ M @ LOCK, LOCK.T @ M @ v)  # momentum along what the lock leaves free
    low = swing(
        LOCK, np.r_[q[:2], straight], lambda t, y: points(LOCK @ y[:2])[-1][1][1] - SIZE.foot + 1e-3 * (t < 0.02)
    )
    new_stance, new_swing = landing(low[1][1], low[1][2], low[1][3])
    return bent[0] + low[0], np.array([low[1][1], new_stance, new_swing])


def test_its_start_is_a_stable_fixed_point_of_the_other_program():
    _, after = step(FIXED_POINT)
    np.testing.assert_allclose(after, FIXED_POINT, atol=1e-3)
    d = 1e-4
    columns = [(step(FIXED_POINT + d * e)[1] - step(FIXED_POINT - d * e)[1]) / (2.0 * d) for e in np.eye(3)]
    multipliers = np.abs(np.linalg.eigvals(np.column_stack(columns)))
    assert multipliers.max() < 0.8  # a disturbance decays by a fifth or more in each step


def stride(h: float) -> tuple[float, float]:
    """Return time [s] and length [m] of a stride with steps of h, the mean of five after the first two."""
    world = replace(make_world(), timing=Timing(h, h, "semi-implicit euler"))
    film = gambol.run(world, gambol.start(world), seconds=10.0, rate=500.0)
    stands = film.signals["push"][:, 0, 0] > 0.0
    lands = list(np.flatnonzero(stands[1:] & ~stands[:-1]) + 1)
    apart = [lands[0], *(b for a, b in itertools.pairwise(lands) if film.time[b] - film.time[a] > 0.5)]
    a, b = apart[1], apart[6]
    return (film.time[b] - film.time[a]) / 5.0, float(
        np.linalg.norm(film.position[b, 0, 0] - film.position[a, 0, 0]) / 5.0
    )


def test_its_stride_converges_to_that_of_the_other_program():
    """The length is of first order in the step; times of landing are known to a frame of 2 ms, shared by 5 strides."""
    time, after = step(FIXED_POINT)
    length = 2.0 * (2.0 * ARM * math.sin(after[0]) + 2.0 * SIZE.foot * after[0])
    coarse, fine = stride(1e-3), stride(2.5e-4)
    assert fine[0] == pytest.approx(2.0 * time, abs=2e-3)
    assert abs(fine[1] - length) < 0.4 * abs(coarse[1] - length) + 1e-3
    assert fine[1] == pytest.approx(length, rel=0.01)


def test_it_walks_ten_seconds_and_more_and_only_gravity_drives_it():
    world = make_world()
    film = gambol.run(world, gambol.start(world), seconds=15.0, rate=100.0)
    last = {name: float(x[-1, 0]) for name, x in film.signals.items() if x.ndim == 2}
    assert film.position[-1, 0, 0, 0] > 10.0
    assert last["outside"] == 0.0
    fallen = film.signals["potential"][0, 0] - last["potential"]
    assert -1e-3 * fallen < last["motors"] <= 0.0  # the brakes
    assert abs(last["unaccounted"]) < 0.01 * fallen


def test_it_survives_a_small_push():
    world = make_world(push=Push((2.0, 0.0, 0.0), 5.0, 5.2))
    film = gambol.run(world, gambol.start(world), seconds=12.0, rate=50.0)
    assert film.position[-1, 0, 0, 0] > 7.0


def test_methods_without_large_steps_and_steep_slopes_are_refused():
    with pytest.raises(gambol.WorldError, match="large steps"):
        make_world(contact="penalty")
    with pytest.raises(gambol.WorldError, match=r"slope of 0\.5 rad"):
        make_world(slope=0.5)
