"""The linear equations of a deviation, against derivatives by another route, closed forms, and simulation."""

import numpy as np
import pytest
from tracked import ball_inertia

from gambol.dynamics import Dynamics
from gambol.dynamics.tangent import integrate_configuration, normalised, tangent_rates
from gambol.figure import Figure, Joint, Link, MassProperties, random_figure
from gambol.plan.motion.transcription.points import PlacedPoint
from gambol.plan.track.interpolation import differences
from gambol.plan.track.linearisation import STIFFNESS, Surroundings, linearised
from gambol.spatial.vector import ZERO

GRAVITY, LENGTH, MASS, INERTIA = 9.81, 0.8, 3.0, 0.2


def states(figure: Figure, seed: int, count: int = 2) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return random coordinates, velocities and joint forces."""
    random = np.random.default_rng(seed)
    q = np.array([normalised(figure, random.normal(size=figure.nq).tolist()) for _ in range(count)], float)
    return q, random.normal(size=(count, figure.nv)), random.normal(size=(count, figure.nv))


@pytest.mark.parametrize("seed", [3, 7, 8])
def test_without_contact_rates_are_those_of_forward_dynamics(seed: int):
    """By v and by torques, analytic derivatives of Carpentier and Mansard."""
    figure = random_figure(seed, 3)
    q, v, tau = states(figure, seed)
    linear = linearised(figure, Surroundings(), (q, v, tau), np.zeros((2, 0)), range(figure.nv))
    _, by_v, by_tau = Dynamics(figure).forward_derivatives(q, v, tau)
    n = figure.nv
    scale = np.abs(by_tau).max()
    np.testing.assert_allclose(linear.A[:, n:, n:], by_v, atol=1e-11 * max(scale, np.abs(by_v).max()))
    np.testing.assert_allclose(linear.B[:, n:], by_tau, atol=1e-11 * scale)


def test_a_deviation_grows_as_simulated():
    """Two simulations of a free body with an arm, from states 1e-5 apart; their difference after 10 ms. The method of
    order 4 leaves 1e-10 of it, second-order effects of the deviation and of the change of A in time 1e-5.
    """
    arm = Link("arm", "body", Joint("revolute", (0.0, 1.0, 0.0), position=(0.1, 0.0, 0.2)), (), _body(1.0, 0.05, -0.3))
    figure = Figure("thrown", (Link("body", None, Joint("free"), (), _body(2.0, 0.1, 0.1)), arm))
    q, v, tau = states(figure, 1, 1)
    random = np.random.default_rng(7)
    e, w = 1e-5 * random.normal(size=(2, figure.nv))
    linear = linearised(figure, Surroundings(), (q, v, tau), np.zeros((1, 0)), range(figure.nv))
    h, n = 0.01, figure.nv
    moved = _moved(figure, q, e[None])
    ends = [_simulated(figure, a, b, tau, h) for a, b in ((q, v), (moved, v + w))]
    middle = _simulated(figure, q, v, tau, h / 2)
    linear = linearised(figure, Surroundings(), (*middle, tau), np.zeros((1, 0)), range(n))  # of second order in h
    expected = linear.steps(h)[0][0] @ np.concatenate([e, w])
    found = np.concatenate([differences(figure, ends[0][0], ends[1][0])[0], (ends[1][1] - ends[0][1])[0]])
    np.testing.assert_allclose(found, expected, atol=1e-3 * h * np.abs(expected).max())


def _body(mass: float, inertia: float, height: float) -> MassProperties:
    return MassProperties(mass, (0.0, 0.0, height), ball_inertia(inertia))


def _moved(figure: Figure, q: np.ndarray, x: np.ndarray) -> np.ndarray:
    return np.array([integrate_configuration(figure, a.tolist(), b.tolist()) for a, b in zip(q, x, strict=True)])


def _simulated(
    figure: Figure, q: np.ndarray, v: np.ndarray, tau: np.ndarray, seconds: float, steps: int = 20
) -> tuple[np.ndarray, np.ndarray]:
    """Return q and v later, by the classical Runge-Kutta method in tangent coordinates around q."""
    dynamics, h = Dynamics(figure), seconds / steps

    def rate(y: np.ndarray) -> np.ndarray:
        x, speeds = y[: figure.nv], y[figure.nv :]
        rates = tangent_rates(figure, q[0].tolist(), x.tolist(), speeds.tolist())
        return np.concatenate([rates, dynamics.forward(_moved(figure, q, x[None]), speeds[None], tau)[0]])

    y = np.concatenate([np.zeros(figure.nv), v[0]])
    for _ in range(steps):
        a = rate(y)
        b = rate(y + h / 2 * a)
        c = rate(y + h / 2 * b)
        y = y + h / 6 * (a + 2 * b + 2 * c + rate(y + h * c))
    return _moved(figure, q, y[None, : figure.nv]), y[None, figure.nv :]


def test_a_rod_that_stands_on_its_end_is_an_inverted_pendulum():
    """Its rates are +-sqrt(m g l / (I + m l^2)) for both tilts, 0 twice for the spin, and six of -k of the contact."""
    body = MassProperties(MASS, (0.0, 0.0, LENGTH), ball_inertia(INERTIA))
    figure = Figure("rod", (Link("rod", None, Joint("free"), (), body),))
    q, zeros = np.array([[1.0, *([0.0] * 6)]]), np.zeros((1, 6))
    surroundings = Surroundings((PlacedPoint("rod", 1, ZERO),), GRAVITY)
    linear = linearised(figure, surroundings, (q, zeros, zeros), np.ones((1, 1)), range(6))
    rate = np.sqrt(MASS * GRAVITY * LENGTH / (INERTIA + MASS * LENGTH**2))
    expected = sorted([rate, rate, -rate, -rate, 0.0, 0.0, *([-STIFFNESS] * 6)])
    found = np.sort(np.linalg.eigvals(linear.A[0]).real)
    np.testing.assert_allclose(found, expected, atol=2e-4 * STIFFNESS)  # double roots split by the root of rounding
    np.testing.assert_allclose(found[-2:], rate, rtol=1e-6)
    flying = linearised(figure, surroundings, (q, zeros, zeros), np.zeros((1, 1)), range(6))
    np.testing.assert_allclose(np.abs(np.linalg.eigvals(flying.A[0])), 0.0, atol=1e-6)  # nothing holds or topples it


def test_a_ball_that_rolls_is_not_brought_back_along_the_ground():
    """A torque about y rolls it: a = tau r / (I + m r^2) along x, without slip."""
    body = MassProperties(MASS, (0.0, 0.0, 0.0), ball_inertia(INERTIA))
    figure = Figure("ball", (Link("ball", None, Joint("free"), (), body),))
    q, zeros = np.array([[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, LENGTH]]), np.zeros((1, 6))
    surroundings = Surroundings((PlacedPoint("ball", 1, ZERO, LENGTH),), GRAVITY)
    linear = linearised(figure, surroundings, (q, zeros, zeros), np.ones((1, 1)), range(6))
    spin = 1.0 / (INERTIA + MASS * LENGTH**2)
    np.testing.assert_allclose(linear.B[0, 6 + 1, 1], spin, rtol=1e-7)  # compliance of 1e-9
    np.testing.assert_allclose(linear.B[0, 6 + 3, 1], spin * LENGTH, rtol=1e-7)
    np.testing.assert_allclose(linear.A[0, 6:, 3:5], 0.0, atol=1e-9)  # moved along the ground, it stays there
    assert linear.A[0, 6 + 5, 5] < -0.9 * STIFFNESS**2
