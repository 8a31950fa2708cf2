"""Laws of mechanics that every figure obeys, with any joints; no method was derived from them."""

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import Case, cases

from gambol.dynamics import (
    METHODS,
    aba,
    centre_of_mass,
    forward_dynamics,
    kinematics,
    kinetic_energy,
    mass_matrix,
    momentum,
    potential_energy,
    rnea,
)
from gambol.dynamics.quantities import time_derivative

FEW = settings(max_examples=40, deadline=None, derandomize=True)


def spread(case: Case) -> float:
    """Return the factor by which solving with the mass matrix may enlarge rounding errors."""
    return float(np.linalg.cond(mass_matrix(kinematics(case.figure, case.q.tolist(), case.v.tolist()))))


@FEW
@given(cases(6))
def test_inverse_dynamics_undoes_forward_dynamics(case: Case):
    """Forces are recovered to a hundred roundings of the largest acting force, including the weight of the figure."""
    state = kinematics(case.figure, case.q.tolist(), case.v.tolist())
    rates, _ = aba(state, case.tau.tolist())
    back, _ = rnea(state, rates)
    largest = max(np.abs(mass_matrix(state)).max() * np.abs([0.0, *rates]).max() if rates else 0.0, 1.0)
    np.testing.assert_allclose(back, case.tau, rtol=0.0, atol=1e-13 * largest)


@FEW
@given(cases(6))
def test_the_power_of_the_joint_forces_is_what_energy_gains(case: Case):
    state = kinematics(case.figure, case.q.tolist(), case.v.tolist())
    rates, _ = aba(state, case.tau.tolist())
    gain = time_derivative(lambda moving: kinetic_energy(moving) + potential_energy(moving), state, rates)
    size = sum(abs(time_derivative(part, state, rates)) for part in (kinetic_energy, potential_energy))
    assert abs(gain - case.tau @ case.v) <= 1e-11 * max(size, 1.0)


@FEW
@given(cases(6, root="free"))
def test_only_weight_changes_momentum(case: Case):
    """Without forces at its root, a figure's momentum changes by m g, its angular momentum by c x m g."""
    inner = case.tau.copy()
    inner[:6] = 0.0
    state = kinematics(case.figure, case.q.tolist(), case.v.tolist())
    rates, _ = aba(state, inner.tolist())
    change = time_derivative(momentum, state, rates)
    weight = case.figure.mass * np.array([0.0, 0.0, -9.81])
    moment = np.cross(list(centre_of_mass(state)), weight)
    size = np.abs(mass_matrix(state)).max() * np.abs(rates).max() + np.linalg.norm([*weight, *moment])
    np.testing.assert_allclose(list(change.f), weight, rtol=0.0, atol=1e-12 * size)
    np.testing.assert_allclose(list(change.n), moment, rtol=0.0, atol=1e-12 * size)


@pytest.mark.parametrize("method", [name for name in METHODS if name not in ("aba", "lagrangian")])
@settings(max_examples=30, deadline=None, derandomize=True)
@given(case=cases(7))
def test_methods_agree(method: str, case: Case):
    """To 1e-10 of the largest acceleration, times the enlargement of rounding by the mass matrix beyond 1e4."""
    state = kinematics(case.figure, case.q.tolist(), case.v.tolist())
    expected = np.array(aba(state, case.tau.tolist())[0])
    found = np.array(forward_dynamics(state, case.tau.tolist(), method=method))
    bound = 1e-10 * max(1.0, spread(case) / 1e4) if case.figure.nv else 0.0
    assert np.abs(found - expected).max(initial=0.0) <= bound * np.abs(expected).max(initial=1.0)
