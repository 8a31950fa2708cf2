"""Springs and dampers of large steps are as explicit as is stable: nothing grows, and soft ones are of second order."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sprung_figures import train

from gambol.contact.stepping import implicit_part
from gambol.dynamics import Dynamics
from gambol.dynamics.forward import lower
from gambol.figure import JointSpring
from gambol.world import Engine, Timing, World, start

EACH = 4

SECONDS = 0.8  # of a soft spring: not near an extremum, where errors of the phase do not show


@settings(max_examples=30)
@given(st.integers(0, 2**16), st.sampled_from([0.0, 1e-2, 1.0, 100.0]))
def test_the_energy_of_the_scheme_follows_its_formula_and_is_positive(seed: int, rotors: float):
    """Stiffness and damping far below and above the stable ones, masses of 1 g to 1 kg, and rotors beside them."""
    random, h, steps = np.random.default_rng(seed), 0.01, 20
    masses = 10.0 ** random.uniform(-3.0, 0.0, EACH)
    armatures = rotors * masses.mean() * 10.0 ** random.uniform(-1.0, 1.0, EACH)
    K, B = (
        masses.mean() / h**2 * 10.0 ** random.uniform(-3, 3, EACH),
        masses.mean() / h * 10.0 ** random.uniform(-3, 3, EACH),
    )
    figure = train(masses, armatures)
    springs = {f"wagon{k}": JointSpring(stiffness=K[k], damping=B[k]) for k in range(EACH)}
    world = World(figure, springs, contact="stepping", gravity=0.0, timing=Timing(h, h))
    engine, state = Engine(world, lanes=1), start(world)
    state.q[0], state.v[0] = random.normal(size=(2, EACH))
    M = Dynamics(figure).mass_matrix(state.q[0])
    part = implicit_part(lower(M.tolist()), armatures.tolist(), list(K), list(B), h)
    K_i, B_A = np.array(part.stiffness), np.array(part.damping)
    K_e, B_e = K - K_i, 2.0 * (B - B_A)
    B_i = B - B_e
    kinetic = M + np.diag(0.25 * h * h * (K_i - K_e) + 0.5 * h * B_i)
    assert np.linalg.eigvalsh(kinetic).min() > 0.0

    def energy(q: np.ndarray, v: np.ndarray) -> float:
        return float(0.5 * v @ kinetic @ v + 0.5 * q @ (K * q))

    for step in range(1, steps + 1):
        q, v = state.q[0].copy(), state.v[0].copy()
        before = energy(q, v)
        engine.advance(state, step)
        total = v + state.v[0]
        lost = 0.25 * h * total @ ((h * K_i + B_i + B_e) * total)
        assert lost >= 0.0
        # Rounding of the speeds, relative to the largest speed, in the largest entries of the energy.
        largest = (
            np.abs([kinetic.max(), (K * h * h).max()]).max()
            * max(np.abs([v, state.v[0]]).max(), np.abs(q).max() / h) ** 2
        )
        assert energy(state.q[0], state.v[0]) == pytest.approx(before - lost, rel=0.0, abs=1e-11 * largest)


def oscillation(h: float) -> tuple[float, float]:
    """Return the position of a soft damped spring after SECONDS, and the largest unaccounted energy; h: step [s]."""
    figure = train(np.array([1.0]))
    world = World(
        figure,
        {"wagon0": JointSpring(stiffness=40.0, damping=0.5)},
        contact="stepping",
        gravity=0.0,
        timing=Timing(h, h),
    )
    engine, state, worst = Engine(world, lanes=1), start(world), 0.0
    state.q[0] = 1.0
    for step in range(1, round(SECONDS / h) + 1):
        engine.advance(state, step)
        seen, ledger = engine.observe(state), state.step_state.ledger
        worst = max(worst, abs((seen.kinetic + seen.stored + ledger.damping).item() - 20.0))
    return float(state.q[0, 0]), worst


def test_soft_springs_and_dampers_are_of_second_order():
    """A damped oscillation in closed form; implicit springs were of first order, 8 % off at the larger step."""
    rate = np.sqrt(40.0 - 0.25**2)
    exact = np.exp(-0.25 * SECONDS) * (np.cos(rate * SECONDS) + 0.25 / rate * np.sin(rate * SECONDS))
    (q, unaccounted), (q_half, unaccounted_half) = oscillation(0.02), oscillation(0.01)
    # The frequency of a leapfrog is too high by w^2 h^2 / 24, so it is ahead by less than this.
    assert abs(q - exact) < rate**3 * 0.02**2 / 24.0 * SECONDS
    assert (q - exact) / (q_half - exact) == pytest.approx(4.0, abs=0.4)
    assert unaccounted / unaccounted_half == pytest.approx(4.0, abs=0.4)


def test_rotors_alone_allow_what_they_carry():
    """Where each rotor carries its spring and its damper, all is explicit, which the wagons alone would not allow."""
    masses, rotors, h = np.array([1e-3, 1.0, 1e-3, 1.0]), np.array([2.0, 1.0, 3.0, 2.0]), 0.01
    M = Dynamics(train(masses, rotors)).mass_matrix(np.zeros(EACH))
    K, B = 3.5 * rotors / h**2, 0.9 * rotors / h
    carried = implicit_part(lower(M.tolist()), rotors.tolist(), K.tolist(), B.tolist(), h)
    assert carried.stiffness == [0.0] * EACH
    np.testing.assert_allclose(carried.damping, 0.5 * B)
    assert np.linalg.eigvalsh(M - 0.25 * h * h * np.diag(K)).min() > 0.0  # stable: E is positive
    bounded = implicit_part(lower(M.tolist()), [0.0] * EACH, K.tolist(), B.tolist(), h)
    assert max(bounded.stiffness) > 0.0
    soft = implicit_part(lower(M.tolist()), rotors.tolist(), (K * [1.0, 1.0, 1.0, 2.0]).tolist(), B.tolist(), h)
    assert soft.stiffness != [0.0] * EACH
