"""Particles between touches: parabolas, drag, vortices, attraction and curves, each against a closed form."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gambol.collide import NoGround
from gambol.matter.particles import (
    Attraction,
    CurvePull,
    Emitter,
    Gravity,
    ParticleState,
    ParticleStepper,
    ParticleSystem,
    PointSource,
    Spread,
    Vortex,
    Wind,
)
from gambol.spatial import straight

G = 9.81


def one(*fields, position=(0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.0), drag=(0.0, 0.0)):
    """Return the stepper and the state of one particle that is born at time 0."""
    speed = math.hypot(*velocity)
    emitter = Emitter(
        PointSource(position), bursts=((1e9, 1),), direction=velocity if speed else (0.0, 0.0, 1.0), drag=drag,
        speed=Spread(speed), lifetime=Spread(1e6),
    )  # fmt: skip
    stepper = ParticleStepper(ParticleSystem({"one": emitter}, fields, NoGround()))
    return stepper, stepper.emit(ParticleState(), "one", np.array([position]))


def after(stepper, state, seconds, steps):
    for _ in range(steps):
        state = stepper.step(state, seconds / steps).state
    return state


def test_a_parabola_is_exact_in_one_step():
    stepper, state = one(Gravity(), velocity=(1.0, 2.0, 3.0))
    state = after(stepper, state, 0.7, 1)
    np.testing.assert_allclose(state.position[0], [0.7, 1.4, 2.1 - 0.5 * G * 0.49], rtol=1e-14)
    np.testing.assert_allclose(state.velocity[0], [1.0, 2.0, 3.0 - G * 0.7], rtol=1e-14)


@pytest.mark.parametrize("drag", [(0.8, 0.0), (0.0, 0.6), (0.8, 0.6), (1e-9, 0.0)])
def test_drag_is_exact_in_one_step(drag):
    c, k = drag
    stepper, state = one(velocity=(0.0, 5.0, 0.0), drag=drag)
    speed = solve_ivp(lambda t, v: -c * v - k * abs(v) * v, (0.0, 0.9), [5.0], rtol=1e-12, atol=1e-14).y[0, -1]
    assert after(stepper, state, 0.9, 1).velocity[0, 1] == pytest.approx(speed, rel=1e-10)


def test_a_falling_particle_reaches_its_terminal_speed_relative_to_the_wind():
    stepper, state = one(Gravity(), Wind((2.0, 0.0, 0.0)), drag=(0.0, 0.4))
    for steps, tolerance in ((1000, 1e-4), (2000, 2.5e-5)):  # the splitting is of second order
        v = after(stepper, state, 10.0, steps).velocity[0]
        np.testing.assert_allclose(v, [2.0, 0.0, -math.sqrt(G / 0.4)], atol=tolerance * 5.0)


def test_the_error_of_an_orbit_falls_with_the_square_of_the_step():
    fields = (Attraction((0.0, 0.0, 0.0), 1.0, 0.2),)
    stepper, state = one(*fields, position=(1.0, 0.0, 0.0), velocity=(0.0, 0.8, 0.0))

    def slope(t, y):
        r = y[:3]
        return [*y[3:], *(-r / (r @ r + 0.04) ** 1.5)]

    exact = solve_ivp(slope, (0.0, 3.0), [1.0, 0.0, 0.0, 0.0, 0.8, 0.0], rtol=1e-12, atol=1e-12).y[:3, -1]
    errors = [np.linalg.norm(after(stepper, state, 3.0, n).position[0] - exact) for n in (100, 200, 400)]
    assert math.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)
    assert math.log2(errors[1] / errors[2]) == pytest.approx(2.0, abs=0.1)


def test_an_orbit_conserves_energy():
    stepper, state = one(Attraction((0.0, 0.0, 0.0), 1.0, 0.2), position=(1.0, 0.0, 0.0), velocity=(0.0, 0.8, 0.0))
    initial = stepper.energy(state)
    energies = [stepper.energy(state := stepper.step(state, 0.01).state) for _ in range(3000)]
    assert max(abs(np.array(energies) / initial - 1.0)) < 1e-3  # symplectic: it oscillates and does not drift
    assert abs(np.mean(energies[-1000:]) - np.mean(energies[:1000])) < 1e-5 * abs(initial)


def test_a_vortex_has_its_circulation_and_a_core_that_turns_rigidly():
    vortex = Vortex((1.0, 2.0, 0.0), (0.0, 0.0, 2.0), circulation=3.0, core=0.1)
    numbers = vortex.numbers()

    def speed_at(r):
        from gambol.spatial import Vector

        u = vortex.air(numbers, Vector(1.0 + r, 2.0, 5.0))
        assert (u.x, u.z) == (0.0, 0.0)
        return u.y

    assert 2.0 * math.pi * 2.0 * speed_at(2.0) == pytest.approx(3.0, rel=1e-12)
    turn = 3.0 / (2.0 * math.pi * 0.01)  # G / (2 pi c2)
    assert speed_at(1e-6) / 1e-6 == pytest.approx(turn, rel=1e-9)
    assert speed_at(0.1) == pytest.approx(3.0 * (1.0 - math.exp(-1.0)) / (2.0 * math.pi * 0.1), rel=1e-12)


def test_a_particle_that_follows_a_line_has_no_error_after_the_transient():
    pull = CurvePull(straight((0.0, 0.0, 0.0), (10.0, 0.0, 0.0)), speed=1.5, frequency=2.0, damping=1.0)
    stepper, state = one(pull, position=(0.0, 1.0, 0.0))
    w = 4.0 * math.pi
    state = after(stepper, state, 0.3, 300)
    expected = (1.0 + w * 0.3) * math.exp(-w * 0.3)  # critically damped from rest
    assert state.position[0, 1] == pytest.approx(expected, abs=2e-4)
    state = after(stepper, state, 2.7, 2700)
    np.testing.assert_allclose(state.position[0], [4.5, 0.0, 0.0], atol=1e-9)
    np.testing.assert_allclose(state.velocity[0], [1.5, 0.0, 0.0], atol=1e-9)
