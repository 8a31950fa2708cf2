"""Verlet's method in its three forms: equivalence, frequency, and invariants over ten thousand steps."""

import numpy as np
import pytest
from motions import (
    SPUN,
    MotionState,
    body,
    double_energy,
    double_pendulum,
    integrated,
    momenta,
    pendulum,
    program,
    run,
    spring,
    with_integrator_state,
)

from gambol.integrate import INTEGRATORS

FORMS = ["verlet", "velocity verlet", "leapfrog"]
SWUNG = MotionState([1.0], [0.0], [0.0])


@pytest.mark.parametrize("name", FORMS)
def test_the_three_forms_have_the_same_positions(name: str):
    for steps in (1, 2, 50):
        q = integrated(name, pendulum(), MotionState([1.0], [0.5]), 0.02, steps).q
        assert q == pytest.approx(
            integrated("velocity verlet", pendulum(), MotionState([1.0], [0.5]), 0.02, steps).q, abs=1e-13
        )


@pytest.mark.parametrize("name", FORMS)
def test_an_oscillator_appears_at_its_numerical_frequency(name: str):
    """From rest, x is cos(W k h) exactly, W = (2 / h) asin(w h / 2): 1.0004171361154004 for w = 1, h = 0.1."""
    h, W = 0.1, 1.0004171361154004
    assert pytest.approx(2.0 / h * np.arcsin(h / 2.0), rel=1e-15) == W
    result = run(program(name, spring(), SWUNG), name, SWUNG, h, np.arange(1.0, 1001.0))[0]
    np.testing.assert_allclose(result, np.cos(W * h * np.arange(1.0, 1001.0)), atol=1e-11)


@pytest.mark.parametrize("name", [*FORMS, "semi-implicit euler", "corpus euler", "variational"])
def test_an_oscillation_is_stable_up_to_two_radians_a_step(name: str):
    compiled = program(name, spring(), SWUNG)
    positions = run(compiled, name, SWUNG, np.array([1.99, 2.01]), 2000.0)[0]
    assert abs(positions[0]) < 20.0 < 1e6 < abs(positions[1])


def test_the_energy_of_an_oscillator_swings_by_a_quarter_of_the_squared_step():
    h, now, least = 0.1, SWUNG, 1.0
    for _ in range(200):
        now = INTEGRATORS["velocity verlet"].step(spring(), 0.0, now, h).state
        least = min(least, now.q[0] ** 2 + now.v[0] ** 2)
    assert 1.0 - least == pytest.approx(h * h / 4.0, rel=1e-3)


@pytest.mark.parametrize("name", FORMS)
def test_energy_stays_for_ten_thousand_steps(name: str):
    """A pendulum's energy, of 20 J: its error is at most some h^2 g^2, equal at the start and at the end."""
    now = MotionState([2.0], [0.0])
    result = run(program(name, pendulum(), now), name, now, 0.01, np.arange(100.0, 10001.0, 100.0))
    energy = 0.5 * result[1] ** 2 - 9.81 * np.cos(result[0]) + 9.81 * np.cos(2.0)
    assert np.abs(energy).max() < 2.0 * 0.01**2 * 9.81**2
    assert np.abs(energy[50:]).max() < 1.2 * np.abs(energy[:50]).max()


@pytest.mark.parametrize("name", [*FORMS, "semi-implicit euler"])
def test_a_turning_body_without_forces_conserves_momentum(name: str):
    before, _ = momenta(SPUN)
    rows = run(program(name, body(), SPUN), name, SPUN, 0.01, 10000.0)[:13, 0]
    after, _ = momenta(MotionState(rows[:7].tolist(), rows[7:].tolist()))
    np.testing.assert_allclose(after, before, atol=10000 * 8 * np.finfo(float).eps)


@pytest.mark.parametrize("name", ["verlet", "leapfrog"])
def test_steps_may_change_on_the_way(name: str):
    errors: list[float] = []
    for n in (50, 100, 200):
        now, t = with_integrator_state(name, SWUNG), 0.0
        for k in range(n):
            h = (1.0 + 0.5 * np.sin(3.0 * k / n)) / n
            now, t = INTEGRATORS[name].step(spring(), t, now, h).state, t + h
        errors.append(float(np.hypot(now.q[0] - np.cos(t), now.v[0] + np.sin(t))))
    assert np.log2(errors[1] / errors[2]) == pytest.approx(2.0, abs=0.2)


@pytest.mark.parametrize("name", ["verlet", "leapfrog"])
def test_a_kick_by_hand_counts(name: str):
    """A velocity that is changed between two steps is used as it is, also by methods with an integrator state."""
    sliding = integrated(name, spring(k=0.0), MotionState([0.0], [1.0], [0.0]), 0.1, 5)
    kicked = MotionState(sliding.q, [3.0], sliding.w, sliding.integrator_state)
    end = INTEGRATORS[name].step(spring(k=0.0), 0.5, kicked, 0.1).state
    assert (end.q[0], end.v[0]) == (pytest.approx(0.5 + 0.3), pytest.approx(3.0))


def test_what_a_damper_takes_is_what_the_spring_loses():
    for name in FORMS:
        now = integrated(name, spring(k=4.0, c=0.8), MotionState([1.0], [0.0], [0.0]), 0.005, 400)
        energy = 0.5 * now.v[0] ** 2 + 2.0 * now.q[0] ** 2
        assert energy + now.w[0] == pytest.approx(2.0, abs=4.0 * 0.005**2)


def test_the_energy_of_a_double_pendulum_stays_near():
    """Its mass matrix varies, so that velocity Verlet is not symplectic: its energy drifts, but slowly."""
    now = MotionState([1.0, 0.4], [0.0, 0.0])
    rows = run(program("velocity verlet", double_pendulum(), now), "velocity verlet", now, 0.002, 10000.0)[:4, 0]
    end = MotionState(rows[:2].tolist(), rows[2:].tolist())
    assert double_energy(end) == pytest.approx(double_energy(now), abs=0.02)
