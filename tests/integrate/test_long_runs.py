"""Long-run behaviour of every integrator: ten thousand steps of an oscillator, against closed forms."""

from collections.abc import Callable

import numpy as np
import pytest
from motions import program, run, spring

from gambol.integrate import INTEGRATORS, MotionState

STEPS, H = 10_000, 0.1


def series(*coefficients: float) -> Callable[[complex], complex]:
    return lambda z: sum(c * z**k for k, c in enumerate(coefficients))


def rodas3(z: complex) -> complex:
    """(1 - z / 2)^4 e^z to order 3, over (1 - z / 2)^4: what order 3 and L-stability leave."""
    return series(1.0, -1.0, 0.0, 1 / 6)(z) / (1.0 - z / 2.0) ** 4


R: dict[str, Callable[[complex], complex]] = {
    "explicit euler": series(1.0, 1.0),
    "implicit euler": lambda z: 1.0 / (1.0 - z),
    "midpoint": series(1.0, 1.0, 1 / 2),
    "heun": series(1.0, 1.0, 1 / 2),
    "implicit midpoint": lambda z: (1.0 + z / 2.0) / (1.0 - z / 2.0),
    "rk4": series(1.0, 1.0, 1 / 2, 1 / 6, 1 / 24),
    "rkf45": series(1.0, 1.0, 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 2080),
    "dormand-prince": series(1.0, 1.0, 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 600),
    "rosenbrock": rodas3,
}
"""Stability functions: a step multiplies x + i v of x'' = -x by R(i h). [Hairer and Wanner 1996, chapter IV]"""


def whole(x: float, v: float) -> float:
    return (1.0 - H * H / 4.0) * x * x + v * v


def staggered(x: float, v: float) -> float:
    """The same for u, half a step before x, with v = u - h / 2 x_before."""
    u = (v + 0.5 * H * x) / (1.0 + 0.5 * H * H)
    return x * x + u * u - H * x * u


def sheared(x: float, v: float) -> float:
    return x * x + v * v - H * x * v


KEPT: dict[str, tuple[Callable[[float, float], float], Callable[[float, float], float]]] = {
    "semi-implicit euler": (sheared, sheared),
    "corpus euler": (sheared, sheared),
    "verlet": (whole, staggered),
    "velocity verlet": (whole, whole),
    "leapfrog": (whole, staggered),
    "variational": (whole, whole),
}
"""Twice the energy that symplectic methods keep in place of the true one, at first and at last: those that stagger
velocities begin without a lag. [Hairer, Lubich and Wanner 2006, chapter IX]"""


def swung(name: str) -> tuple[float, float]:
    now = MotionState([0.8], [0.6], [0.0])
    x, v = run(program(name, spring(), now), name, now, H, float(STEPS))[:2, 0]
    return float(x), float(v)


def test_every_method_has_its_promise():
    assert {*R, *KEPT} == set(INTEGRATORS)


@pytest.mark.parametrize("name", R)
def test_an_amplitude_grows_or_decays_as_the_stability_function_predicts(name: str):
    """To the rounding of ten thousand steps, 1e-16 each."""
    size = np.hypot(*swung(name))
    assert np.log(size) == pytest.approx(STEPS * np.log(abs(R[name](1j * H))), abs=1e-11)


@pytest.mark.parametrize("name", KEPT)
def test_an_energy_near_the_true_one_is_kept_to_rounding(name: str):
    first, last = KEPT[name]
    assert last(*swung(name)) == pytest.approx(first(0.8, 0.6), abs=1e-11)
