"""The Euler method of corpus on an oscillator: the semi-implicit method and its invariant."""

from collections.abc import Sequence

import numpy as np
import pytest

from gambol.integrate import corpus_euler

# Semi-implicit Euler on x'' = -x from x = 1, v = 0: x and v at t = 20.
SEMI_IMPLICIT = {
    0.1: (0.35457822480884005, -0.9174655053303492),
    0.05: (0.3833266883874634, -0.9140793723921253),
    0.025: (0.3961911178061097, -0.9132290333662119),
}


def same(v: Sequence[float]) -> list[float]:
    return list(v)


def integrated(h: float, steps: int) -> np.ndarray:
    q, v, passed = [1.0], [0.0], []
    for _ in range(steps):
        q, v = corpus_euler(same, q, v, [-q[0]], h)
        passed.append((q[0], v[0]))
    return np.array(passed)


@pytest.mark.parametrize("h", SEMI_IMPLICIT)
def test_equation_11_is_the_semi_implicit_method(h: float):
    np.testing.assert_allclose(integrated(h, round(20.0 / h))[-1], SEMI_IMPLICIT[h], rtol=1e-11)


def test_equation_11_as_printed():
    q, v, a, h = 0.3, -0.7, 2.0, 0.01
    new_v = v + a * h
    (found,), (speed,) = corpus_euler(same, [q], [v], [a], h)
    assert speed == new_v
    assert found == pytest.approx(q + 0.5 * (new_v + v) * h + 0.5 * a * h * h, rel=1e-15)


def test_it_keeps_a_nearby_energy_for_ever():
    h = 0.1
    x, v = integrated(h, 20000).T
    np.testing.assert_allclose(x * x + v * v - h * x * v, 1.0, atol=1e-10)


def test_it_is_of_first_order():
    exact = np.array([np.cos(20.0), -np.sin(20.0)])
    errors = [np.linalg.norm(integrated(h, round(20.0 / h))[-1] - exact) for h in (0.05, 0.025)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(1.0, abs=0.1)
