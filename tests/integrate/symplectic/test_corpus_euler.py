"""The Euler method of corpus on an oscillator: the semi-implicit method and its invariant."""

import numpy as np
import pytest

from gambol.integrate import MotionState, System
from gambol.integrate.symplectic.corpus_euler import corpus_euler

# Semi-implicit Euler on x'' = -x from x = 1, v = 0: x and v at t = 20.
SEMI_IMPLICIT = {
    0.1: (0.35457822480884005, -0.9174655053303492),
    0.05: (0.3833266883874634, -0.9140793723921253),
    0.025: (0.3961911178061097, -0.9132290333662119),
}
OSCILLATOR = System(derivatives=lambda t, q, v: ([-q[0]], []))


def integrated(h: float, steps: int) -> np.ndarray:
    now, passed = MotionState([1.0], [0.0]), []
    for k in range(steps):
        now = corpus_euler(OSCILLATOR, k * h, now, h).state
        passed.append((now.q[0], now.v[0]))
    return np.array(passed)


@pytest.mark.parametrize("h", SEMI_IMPLICIT)
def test_equation_11_is_the_semi_implicit_method(h: float):
    np.testing.assert_allclose(integrated(h, round(20.0 / h))[-1], SEMI_IMPLICIT[h], rtol=1e-11)


def test_equation_11_as_printed():
    q, v, a, h = 0.3, -0.7, 2.0, 0.01
    new_v = v + a * h
    stepped = corpus_euler(System(derivatives=lambda t, q, v: ([a], [])), 0.0, MotionState([q], [v]), h)
    assert stepped.state.v == [new_v]
    assert stepped.state.q[0] == pytest.approx(q + 0.5 * (new_v + v) * h + 0.5 * a * h * h, rel=1e-15)


def test_it_conserves_a_nearby_energy():
    h = 0.1
    x, v = integrated(h, 20000).T
    np.testing.assert_allclose(x * x + v * v - h * x * v, 1.0, atol=1e-10)
