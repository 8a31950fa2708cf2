"""Explicit Runge-Kutta methods as tables, and the one step that they all take.

    k_i = f(t + c_i h, y + h sum_j a_ij k_j)        y' = y + h sum_i b_i k_i        error = h sum_i d_i k_i
[Hairer, Norsett and Wanner 1993, section II.1]
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gambol.integrate.system import Chart, Moving, Numbers, Stepped, System
from gambol.lanes import Scalar

Rates = Callable[[Scalar, Numbers], Numbers]


@dataclass(frozen=True)
class Tableau:
    """An explicit method of given order: rows a below the diagonal, times c, weights b, and error weights d or none."""

    order: int
    a: tuple[tuple[float, ...], ...]
    b: tuple[float, ...]
    c: tuple[float, ...]
    d: tuple[float, ...] = ()

    def step(self, system: System, t: Scalar, now: Moving, h: Scalar) -> Stepped:
        """One step of length h [s] from time t [s], in the chart around where it begins."""
        chart = Chart(system, now)
        y, error = tableau_step(self, chart.rates, t, chart.start, h)
        return chart.stepped(y, error)


def tableau_step(method: Tableau, rates: Rates, t: Scalar, y: Sequence[Scalar], h: Scalar) -> tuple[Numbers, Numbers]:
    """One step of an explicit method.

    rates: f(t, y), flat. Returns y at t + h and the estimated error of it, empty where the method has none.
    """
    slopes = tableau_slopes(method, rates, t, y, h)
    error = moved_along([0.0] * len(y), method.d, slopes, h) if method.d else []
    return moved_along(y, method.b, slopes, h), error


def tableau_slopes(method: Tableau, rates: Rates, t: Scalar, y: Sequence[Scalar], h: Scalar) -> list[Numbers]:
    """The slopes k_i of a step."""
    slopes: list[Numbers] = []
    for row, c in zip(method.a, method.c, strict=True):
        at = moved_along(y, row, slopes, h)
        slopes.append(rates(t + c * h, at))
    return slopes


def moved_along(y: Sequence[Scalar], weights: Sequence[float], slopes: Sequence[Numbers], h: Scalar) -> Numbers:
    """y + h times a weighted sum of slopes."""
    scaled = [(h * w, k) for w, k in zip(weights, slopes, strict=False) if w != 0.0]
    moved: Numbers = []
    for i, value in enumerate(y):
        for hw, k in scaled:
            value = value + hw * k[i]
        moved.append(value)
    return moved
