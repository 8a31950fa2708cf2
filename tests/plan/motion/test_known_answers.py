"""Plans with known answers: each by an independent route."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_bvp

from gambol.plan import Cost, Mesh, Phase, Plan, Pose, solve
from gambol.plan.problems import block_move, cart_pole, particle_flight, pendulum

M1, M2, L, G = 1.0, 0.3, 0.5, 9.81  # the cart-pole [Kelly 2017, appendix E]


def test_a_block_moves_by_the_force_of_the_calculus_of_variations():
    """u = 6 - 12 t and the cost 12 [Kelly 2017, eq. 2.6]; Hermite-Simpson is exact for polynomials of this degree."""
    result = solve(block_move())
    t = result.trajectory.times
    assert result.solved
    assert result.cost == pytest.approx(12.0, rel=1e-10)
    np.testing.assert_allclose(result.trajectory.torques[:, 0], 6.0 - 12.0 * t, atol=1e-8)
    np.testing.assert_allclose(result.trajectory.q[:, 0], 3.0 * t**2 - 2.0 * t**3, atol=1e-9)
    assert result.error < 1e-9  # the polynomials are the solution


def test_a_particle_flies_as_the_calculus_of_variations_predicts():
    """The jet is m g upward plus that of a rest-to-rest move: 6 d / T^2 - 12 d t / T^3 along each axis, times m."""
    plan = particle_flight()
    result = solve(plan)
    m, T, along, up = 2.0, 1.5, 3.0, 1.0
    move = m**2 * 12.0 * (along**2 + up**2) / T**3
    hold = (m * G) ** 2 * T  # the cross term is 0: the integral of 6 - 12 t / T vanishes
    assert result.cost == pytest.approx(move + hold, rel=1e-9)
    t = result.trajectory.times
    jet = m * (6.0 * along / T**2 - 12.0 * along * t / T**3)
    np.testing.assert_allclose(result.trajectory.torques[:, 0], jet, atol=1e-7)


def test_a_particle_without_given_speeds_needs_no_jet():
    result = solve(particle_flight(at_rest=False))
    assert result.cost < 1e-12
    t = result.trajectory.times
    height = t / 1.5 * (1.0 + 0.5 * G * 1.5**2) - 0.5 * G * t**2  # the throw that arrives 1 m up after 1.5 s
    np.testing.assert_allclose(result.trajectory.q[:, 1], height, atol=1e-8)


@pytest.mark.parametrize("intervals", [5, 9])
def test_finite_differences_give_the_least_squares_of_the_seeds_equations(intervals):
    """m (x_{i+1} - 2 x_i + x_{i-1}) / h^2 = f_i - m g, least h sum f^2 [Witkin and Kass 1988], solved by lstsq.

    At rest at both ends is x_1 = x_0 and x_n = x_{n-1}.
    """
    result = solve(replace(particle_flight(), mesh=Mesh("finite differences", intervals=intervals)))
    m, T, n = 2.0, 1.5, intervals
    h = T / n
    second = (np.eye(n - 1, n + 1) - 2 * np.eye(n - 1, n + 1, 1) + np.eye(n - 1, n + 1, 2)) * m / h**2
    cost = 0.0
    for column, goal, weight in ((0, 3.0, 0.0), (1, 1.0, m * G)):
        known = np.where(np.arange(n + 1) >= n - 1, goal, 0.0)
        free = slice(2, n - 1)
        base = second @ known + weight
        inner = np.linalg.lstsq(second[:, free], -base, rcond=None)[0]
        known[free] = inner
        force = second @ known + weight
        cost += h * float(force @ force)
        np.testing.assert_allclose(result.trajectory.q[:, column], known, atol=1e-8)
        np.testing.assert_allclose(result.trajectory.torques[1:-1, column], force, atol=1e-6)
    assert result.cost == pytest.approx(cost, rel=1e-9)


def cart_pole_rates(x, u):
    """Return the rates of cart, pole and their speeds. [Kelly 2017, eq. 6.1 and 6.2]"""
    _, angle, speed, turn = x
    s, c = np.sin(angle), np.cos(angle)
    D = M1 + M2 * (1.0 - c * c)
    cart = (L * M2 * s * turn**2 + u + M2 * G * c * s) / D
    pole = -(L * M2 * c * s * turn**2 + u * c + (M1 + M2) * G * s) / (L * D)
    return np.array([speed, turn, cart, pole])


def pontryagin(rates, of_control, x, p):
    """Return x' = f and p' = -(df/dx)' p for u = -p.(df/du) / 2, by complex steps; x, p (n, times)."""
    u = -0.5 * np.sum(p * of_control(x), axis=0)
    gradient = np.empty_like(x)
    for k in range(len(x)):
        shifted = x.astype(complex)
        shifted[k] += 1e-30j
        gradient[k] = np.sum(p * rates(shifted, u).imag, axis=0) / 1e-30
    return np.vstack([rates(x, u), -gradient]), u


def indirect_cost(rates, of_control, result, ends, duration):
    """Return the cost of the two-point boundary problem of the maximum principle, near a plan's result.

    ends: states at the start and at the end. The costates start from 0 but for a fit of u along the plan.
    """
    t = result.trajectory.times
    x = np.vstack([result.trajectory.q.T, result.trajectory.v.T])
    n = len(x)
    costates = costates_of(rates, of_control, result, t, x)

    def equations(_, y):
        return pontryagin(rates, of_control, y[:n], y[n:])[0]

    def boundary(a, b):
        return np.concatenate([a[:n] - ends[0], b[:n] - ends[1]])

    found = solve_bvp(equations, boundary, t, np.vstack([x, costates]), tol=1e-8, max_nodes=5_000)
    assert found.success, found.message
    fine = np.linspace(0.0, duration, 20_001)
    y = found.sol(fine)
    u = pontryagin(rates, of_control, y[:n], y[n:])[1]
    return float(np.trapezoid(u**2, fine))


def costates_of(rates, of_control, result, t, x):
    """Return costates that fit the plan's torques: p' = -(df/dx)' p integrated from the least-squares p(0)."""
    u = result.trajectory.torques[:, result.trajectory.torques.any(axis=0)][:, 0]
    n = len(x)
    P = [np.eye(n)]
    for k in range(len(t) - 1):
        middle, u_mid = 0.5 * (x[:, k] + x[:, k + 1]), 0.5 * (u[k] + u[k + 1])
        A = np.array([rates(middle + 1e-30j * e, u_mid).imag / 1e-30 for e in np.eye(n)])  # rows: df/dx_i
        h = t[k + 1] - t[k]
        P.append(np.linalg.solve(np.eye(n) + 0.5 * h * A, (np.eye(n) - 0.5 * h * A) @ P[-1]))
    B = of_control(x)
    rows = np.array([-0.5 * B[:, k] @ P[k] for k in range(len(t))])
    p0 = np.linalg.lstsq(rows, u, rcond=None)[0]
    return np.array([p @ p0 for p in P]).T


def of_force(x):
    """Return df/du of the cart-pole."""
    c = np.cos(x[1])
    D = M1 + M2 * (1.0 - c * c)
    return np.array([0 * c, 0 * c, 1.0 / D, -c / (L * D)])


def test_the_cost_of_the_cart_pole_is_that_of_pontryagin():
    """The two-point boundary problem of the maximum principle, from Kelly's equations, by solve_bvp."""
    plan = replace(cart_pole(), mesh=Mesh(intervals=60))
    result = solve(plan)
    assert np.abs(result.trajectory.torques[:, 0]).max() < 20.0  # the bound is not touched
    ends = (np.zeros(4), np.array([1.0, np.pi, 0.0, 0.0]))
    cost = indirect_cost(cart_pole_rates, of_force, result, ends, 2.0)
    assert cost == pytest.approx(58.8077, abs=1e-4)  # measured before this transcription was written
    assert result.cost == pytest.approx(cost, rel=1e-6)


def test_the_cost_of_the_pendulum_is_that_of_pontryagin():
    """l^2 m x'' = u - m g l sin x; its torque stays inside its bounds."""
    result = solve(replace(pendulum(), mesh=Mesh(intervals=80)))
    assert np.abs(result.trajectory.torques).max() < 2.0
    inertia = 0.25 + 1e-9

    def rates(x, u):
        return np.array([x[1], (u - G * 0.5 * np.sin(x[0])) / inertia])

    def of_torque(x):
        return np.array([0 * x[0], 0 * x[0] + 1.0 / inertia])

    cost = indirect_cost(rates, of_torque, result, (np.zeros(2), np.array([np.pi, 0.0])), 3.5)
    assert result.cost == pytest.approx(cost, rel=1e-5)  # order 4 at 80 intervals: 4e-6


def test_the_trapezoid_extrapolates_to_the_same_cost():
    """Richardson's extrapolation of two meshes removes the error of order 2."""
    costs = [solve(replace(cart_pole(), mesh=Mesh("trapezoid", intervals=n))).cost for n in (40, 80)]
    richardson = costs[1] + (costs[1] - costs[0]) / 3.0
    assert richardson == pytest.approx(58.8077, rel=2e-3)


@pytest.mark.parametrize(("method", "order"), [("trapezoid", 2), ("hermite-simpson", 4)])
def test_the_cost_converges_with_the_order_of_the_scheme(method, order):
    """Halving the intervals divides the error of the cost by 2^order; the reference is on eight times the intervals."""
    exact = solve(replace(pendulum(), mesh=Mesh(intervals=240))).cost
    errors = [abs(solve(replace(pendulum(), mesh=Mesh(method, intervals=n))).cost - exact) for n in (30, 60)]
    assert math.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.25)


def test_forward_and_inverse_dynamics_give_one_program():
    results = [solve(replace(cart_pole(), mesh=Mesh(intervals=20, dynamics=d))) for d in ("inverse", "forward")]
    assert results[0].cost == pytest.approx(results[1].cost, rel=1e-8)


def test_a_free_duration_is_found():
    """A block with the cost of u^2 plus w T: 12 / T^3 + w T is least at T = (36 / w)^(1/4)."""
    plan = replace(block_move(), phases=(Phase(duration=(0.2, 10.0)),), costs=(Cost(), Cost("duration", 4.0)))
    result = solve(plan)
    assert result.durations[0] == pytest.approx((36.0 / 4.0) ** 0.25, rel=1e-6)


def test_what_starts_and_ends_is_given_exactly():
    plan: Plan = cart_pole()
    result = solve(replace(plan, mesh=Mesh(intervals=20)))
    assert isinstance(plan.start, Pose)
    np.testing.assert_allclose(result.trajectory.q[0], [0.0, 0.0], atol=1e-9)
    np.testing.assert_allclose(result.trajectory.q[-1], [1.0, np.pi], atol=1e-7)
