"""Dense output: it interpolates both ends of a step, with the error of its order in between, also for rotations."""

import numpy as np
import pytest
from motions import SPUN, MotionState, body, orders, pendulum

from gambol.integrate import INTEGRATORS, DenseOutput

DORMAND_PRINCE = INTEGRATORS["dormand-prince"]
LOCAL = {"dormand-prince": 5, "rkf45": 4, "heun": 3, "rk4": 4}
"""Powers of h in the error in the middle of one step: one more than the order of the curve."""


def curve_of(name: str, h: float, turning: bool) -> DenseOutput:
    system, now = (body(gravity=9.81), SPUN) if turning else (pendulum(), MotionState([0.7], [1.0]))
    stepped = INTEGRATORS[name].step(system, 0.0, now, h)
    return INTEGRATORS[name].dense_output(system, 0.0, now, h, stepped)


def reference_state(h: float, turning: bool) -> np.ndarray:
    """Return the state after h by sixteen steps of order 5: more accurate than any dense output here."""
    system, now = (body(gravity=9.81), SPUN) if turning else (pendulum(), MotionState([0.7], [1.0]))
    for _ in range(16):
        now = DORMAND_PRINCE.step(system, 0.0, now, h / 16).state
    return np.array([*now.q, *now.v])


@pytest.mark.parametrize("name", LOCAL)
@pytest.mark.parametrize("turning", [False, True], ids=["pendulum", "body"])
def test_the_order_of_the_curve(name: str, turning: bool):
    errors: list[float] = []
    for h in (0.05, 0.025, 0.0125):
        middle = curve_of(name, h, turning).at(0.4)
        errors.append(float(np.linalg.norm(np.array([*middle.q, *middle.v]) - reference_state(0.4 * h, turning))))
    assert orders(errors)[-1] == pytest.approx(LOCAL[name], abs=0.35)


@pytest.mark.parametrize("name", LOCAL)
def test_the_curve_passes_through_the_ends(name: str):
    stepped = INTEGRATORS[name].step(body(), 0.0, SPUN, 0.1)
    curve = INTEGRATORS[name].dense_output(body(), 0.0, SPUN, 0.1, stepped)
    for at, end in ((curve.at(0.0), SPUN), (curve.at(1.0), stepped.state)):
        np.testing.assert_allclose([*at.q, *at.v], [*end.q, *end.v], atol=1e-15)


def test_the_curve_leaves_and_arrives_along_the_motion():
    curve, d = curve_of("dormand-prince", 0.1, False), 1e-6
    for s, at in ((0.0, curve.at(d)), (1.0, curve.at(1.0 - d))):
        end = curve.at(s)
        speed = (at.q[0] - end.q[0]) / (0.1 * (d if s == 0.0 else -d))
        assert speed == pytest.approx(end.v[0], abs=1e-4)
