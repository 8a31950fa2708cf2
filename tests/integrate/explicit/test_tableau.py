"""Runge-Kutta tables: their conditions of order in exact fractions, and the order seen on an oscillator."""

from collections.abc import Sequence
from fractions import Fraction
from math import cos, sin

import numpy as np
import pytest

from gambol.integrate.explicit.rk4 import RK4
from gambol.integrate.explicit.rkf45 import RKF45
from gambol.integrate.explicit.tableau import Tableau, tableau_step

# Classical RK4 on x'' = -x from x = 1, v = 0: x and v at t = 20.
RK4_ON_OSCILLATOR = {
    0.1: (0.4080966571118259, -0.9129372071245794),
    0.05: (0.4080829942424515, -0.9129447864091741),
    0.025: (0.40808212068321065, -0.9129452229275483),
}


def fractions(row: Sequence[float]) -> list[Fraction]:
    return [Fraction(x).limit_denominator(100_000) for x in row]


def oscillator(t: float, y: Sequence[float]) -> list[float]:
    return [y[1], -y[0]]


def integrated(method: Tableau, h: float, end: float, fourth: bool = False) -> np.ndarray:
    y = [1.0, 0.0]
    for k in range(round(end / h)):
        y, error = tableau_step(method, oscillator, k * h, y, h)
        if fourth:
            y = [a - e for a, e in zip(y, error, strict=True)]
    return np.array(y)


def order_conditions(A: list[list[Fraction]], c: list[Fraction], order: int) -> list[tuple[list[Fraction], Fraction]]:
    """Return (x, y) of the order conditions b . x = y, one for each rooted tree of the order."""

    def times(v: list[Fraction]) -> list[Fraction]:
        return [sum((a * x for a, x in zip(row, v, strict=False)), Fraction(0)) for row in A]

    def product(*vs: list[Fraction]) -> list[Fraction]:
        return [Fraction(np.prod(np.array(xs, dtype=object))) for xs in zip(*vs, strict=True)]

    F, one, Ac = Fraction, [Fraction(1)] * len(c), times(c)
    c2, c3 = product(c, c), product(c, c, c)
    trees = {
        1: [(one, F(1))],
        2: [(c, F(1, 2))],
        3: [(c2, F(1, 3)), (Ac, F(1, 6))],
        4: [(c3, F(1, 4)), (product(c, Ac), F(1, 8)), (times(c2), F(1, 12)), (times(Ac), F(1, 24))],
        5: [
            (product(c2, c2), F(1, 5)),
            (product(c2, Ac), F(1, 10)),
            (product(c, times(c2)), F(1, 15)),
            (product(c, times(Ac)), F(1, 30)),
            (product(Ac, Ac), F(1, 20)),
            (times(c3), F(1, 20)),
            (times(product(c, Ac)), F(1, 40)),
            (times(times(c2)), F(1, 60)),
            (times(times(Ac)), F(1, 120)),
        ],
    }
    return trees[order]


@pytest.mark.parametrize("method", [RK4, RKF45], ids=["RK4", "RKF45"])
def test_rows_sum_to_their_times(method: Tableau):
    for row, c in zip(method.a, method.c, strict=True):
        assert sum(fractions(row)) == fractions([c])[0]


@pytest.mark.parametrize(
    ("method", "weights", "order"),
    [
        (RK4, RK4.b, 4),
        (RKF45, RKF45.b, 5),
        (RKF45, tuple(b - d for b, d in zip(RKF45.b, RKF45.d, strict=True)), 4),
    ],
    ids=["RK4", "RKF45 fifth", "RKF45 fourth"],
)
def test_order_conditions_hold_in_exact_fractions(method: Tableau, weights: tuple[float, ...], order: int):
    A, b, c = [fractions(row) for row in method.a], fractions(weights), fractions(method.c)
    for p in range(1, order + 1):
        for tree, value in order_conditions(A, c, p):
            assert sum(x * y for x, y in zip(b, tree, strict=True)) == value


def test_fourth_order_weights_stop_at_four():
    A, c = [fractions(row) for row in RKF45.a], fractions(RKF45.c)
    b = [x - y for x, y in zip(fractions(RKF45.b), fractions(RKF45.d), strict=True)]
    misses = [sum(x * y for x, y in zip(b, tree, strict=True)) != value for tree, value in order_conditions(A, c, 5)]
    assert any(misses)


@pytest.mark.parametrize("h", RK4_ON_OSCILLATOR)
def test_rk4_on_the_oscillator(h: float):
    np.testing.assert_allclose(integrated(RK4, h, 20.0), RK4_ON_OSCILLATOR[h], rtol=1e-12)


@pytest.mark.parametrize(("method", "fourth", "order"), [(RK4, False, 4), (RKF45, False, 5), (RKF45, True, 4)])
def test_halving_the_step_divides_the_error_by_two_to_the_order(method: Tableau, fourth: bool, order: int):
    exact = np.array([cos(20.0), -sin(20.0)])
    errors = [np.linalg.norm(integrated(method, h, 20.0, fourth) - exact) for h in (0.1, 0.05)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.15)


def test_the_error_is_the_difference_of_the_two_orders():
    y, error = tableau_step(RKF45, oscillator, 0.0, [1.0, 0.0], 0.1)
    exact = np.array([cos(0.1), -sin(0.1)])
    fourth = np.array(y) - np.array(error)
    assert np.linalg.norm(fourth - exact) == pytest.approx(np.linalg.norm(error), rel=0.1)
    assert np.linalg.norm(np.array(y) - exact) < 0.1 * np.linalg.norm(error)


def test_stages_are_evaluated_at_their_times():
    y, _ = tableau_step(RKF45, lambda t, y: [5.0 * t**4], 1.0, [1.0], 0.5)
    assert y[0] == pytest.approx(1.5**5, rel=1e-14)  # a quadrature of order 5 is exact for a polynomial of degree 4


def test_a_method_without_embedded_pair_has_no_error_estimate():
    assert tableau_step(RK4, oscillator, 0.0, [1.0, 0.0], 0.1)[1] == []
