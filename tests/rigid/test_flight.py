"""Torque-free rotation: energy and momentum are conserved, and the motion is that of Euler's equations."""

import numpy as np
from scipy.integrate import solve_ivp

from gambol.rigid import flight
from gambol.spatial import Quaternion, Vector

MOMENTS = np.array([1.0, 2.0, 3.0])
STILL = Vector(0.0, 0.0, 0.0)


def rotated(w: np.ndarray, h: float, steps: int) -> tuple[Quaternion, np.ndarray]:
    q, rate = Quaternion(1.0, 0.0, 0.0, 0.0), Vector.of(w.tolist())
    for _ in range(steps):
        q, rate = flight.rotated(q, rate, Vector.of(MOMENTS.tolist()), STILL, h)
    return q, np.array(list(rate))


def momentum(q: Quaternion, w: np.ndarray) -> np.ndarray:
    R = np.array(q.rotation().rows)
    return R @ (MOMENTS * (R.T @ w))


def test_energy_and_momentum_of_a_tumbling_body_stay():
    w = np.array([0.4, 7.0, -0.3])  # about the middle axis, where it tumbles
    q, after = rotated(w, 5e-3, 2000)
    L = MOMENTS * w
    assert np.allclose(momentum(q, after), L, rtol=0.0, atol=1e-12 * np.linalg.norm(L))
    assert abs(after @ momentum(q, after) - w @ L) < 1e-12 * (w @ L)


def test_a_body_tumbles_as_eulers_equations_predict():
    w = np.array([1.0, 0.0, 1.5])

    def rates(_: float, W: np.ndarray) -> np.ndarray:
        return np.cross(MOMENTS * W, W) / MOMENTS

    expected = solve_ivp(rates, (0.0, 2.0), w, rtol=1e-11, atol=1e-12).y[:, -1]
    errors = []
    for steps in (200, 400):
        q, after = rotated(w, 2.0 / steps, steps)
        errors.append(np.abs(np.array(q.rotation().rows).T @ after - expected).max())
    assert errors[0] < 1e-3
    assert 3.8 < errors[0] / errors[1] < 4.2  # the midpoint rule is of second order


def test_a_steady_turn_is_exact_however_fast():
    q, after = rotated(np.array([0.0, 0.0, 200.0]), 1e-3, 1000)
    assert np.allclose(after, [0.0, 0.0, 200.0], atol=1e-9)
    assert abs(abs(q.w) - abs(np.cos(100.0))) < 1e-11
