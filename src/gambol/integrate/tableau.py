"""Explicit Runge-Kutta methods as tables, and the one step that they all take.

    k_i = f(t + c_i h, y + h sum_j a_ij k_j)        y' = y + h sum_i b_i k_i        error = h sum_i d_i k_i
[Hairer, Norsett and Wanner 1993, section II.1]
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gambol.lanes import Scalar

Numbers = list[Scalar]
Rates = Callable[[Scalar, Numbers], Numbers]


@dataclass(frozen=True)
class Tableau:
    """An explicit method of given order: rows a below the diagonal, times c, weights b, and error weights d or none."""

    order: int
    a: tuple[tuple[float, ...], ...]
    b: tuple[float, ...]
    c: tuple[float, ...]
    d: tuple[float, ...] = ()


RK4 = Tableau(
    order=4,
    a=((), (1 / 2,), (0.0, 1 / 2), (0.0, 0.0, 1.0)),
    b=(1 / 6, 1 / 3, 1 / 3, 1 / 6),
    c=(0.0, 1 / 2, 1 / 2, 1.0),
)
"""The classical method of Kutta 1901."""

RKF45 = Tableau(
    order=5,
    a=(
        (),
        (1 / 4,),
        (3 / 32, 9 / 32),
        (1932 / 2197, -7200 / 2197, 7296 / 2197),
        (439 / 216, -8.0, 3680 / 513, -845 / 4104),
        (-8 / 27, 2.0, -3544 / 2565, 1859 / 4104, -11 / 40),
    ),
    b=(16 / 135, 0.0, 6656 / 12825, 28561 / 56430, -9 / 50, 2 / 55),
    c=(0.0, 1 / 4, 3 / 8, 12 / 13, 1.0, 1 / 2),
    d=(1 / 360, 0.0, -128 / 4275, -2197 / 75240, 1 / 50, 2 / 55),
)
"""Fehlberg 1969: a fifth order step with the difference to a fourth order one as its error. [McKenna 1990, 4.2]"""


def tableau_step(method: Tableau, rates: Rates, t: Scalar, y: Sequence[Scalar], h: Scalar) -> tuple[Numbers, Numbers]:
    """One step of an explicit method.

    rates: f(t, y), flat. Returns y at t + h and the estimated error of it, empty where the method has none.
    """
    slopes: list[Numbers] = []
    for row, c in zip(method.a, method.c, strict=True):
        at = _moved(y, row, slopes, h)
        slopes.append(rates(t + c * h, at))
    error = _moved([0.0] * len(y), method.d, slopes, h) if method.d else []
    return _moved(y, method.b, slopes, h), error


def _moved(y: Sequence[Scalar], weights: Sequence[float], slopes: Sequence[Numbers], h: Scalar) -> Numbers:
    """y + h times a weighted sum of slopes."""
    scaled = [(h * w, k) for w, k in zip(weights, slopes, strict=False) if w != 0.0]
    moved: Numbers = []
    for i, value in enumerate(y):
        for hw, k in scaled:
            value = value + hw * k[i]
        moved.append(value)
    return moved
