"""Times at which gaps close within a step, against known motions and the roots of polynomials by NumPy."""

import numpy as np
import pytest

from gambol.contact.complementarity.step_check import closing_time

G = 9.81


@pytest.mark.parametrize("speed", [-2.0, -0.1, 0.0, 0.1])
@pytest.mark.parametrize("h", [0.05, 0.3, 1.0])
def test_what_falls_closes_when_it_should(speed: float, h: float):
    height = 0.3 * (0.5 * G * h * h - speed * h)
    last, end = height + speed * h - 0.5 * G * h * h, speed - G * h
    assert last < 0.0
    expected = (speed + np.sqrt(speed * speed + 2.0 * G * height)) / G
    assert closing_time((height, last), (speed, end), h) == pytest.approx(expected, rel=1e-14)


def test_what_changes_its_acceleration_steadily_closes_where_its_cubic_does():
    rng = np.random.default_rng(5)
    h, solution = 1e-3, 0
    for first, begin, bend, jerk in rng.normal(size=(400, 4)) * (1.0, 1.0, 1.0, 0.3) + (0.0, -0.5, 0.0, 0.0):
        motion = np.polynomial.Polynomial([abs(first), begin, bend, jerk])
        roots = motion.roots()
        inside = roots.real[(abs(roots.imag) < 1e-12) & (roots.real > 0.0) & (roots.real < 1.0)]
        if motion(1.0) >= 0.0 or len(inside) != 1 or motion.deriv()(inside[0]) > 0.3 * (motion(1.0) - abs(first)):
            continue
        solution += 1
        speeds = begin / h, motion.deriv()(1.0) / h
        assert closing_time((abs(first), motion(1.0)), speeds, h) == pytest.approx(h * inside[0], rel=1e-5)
    assert solution > 100


def test_a_closed_contact_that_comes_closes_at_once():
    assert closing_time((0.0, -1e-5), (-0.1, -0.1), 1e-4) == 0.0


def test_a_closed_contact_that_leaves_and_comes_back_closes_when_it_is_back():
    h, speed = 1e-3, 1.0
    pull = 2.5 * speed / h
    last, end = speed * h - 0.5 * pull * h * h, speed - pull * h
    assert closing_time((0.0, last), (speed, end), h) == pytest.approx(2.0 * speed / pull, rel=1e-12)
