"""Energy and momentum: against two peers, and against their rates by the laws of motion."""

import numpy as np
import pinocchio as pin
import pytest
from figures import Sample, in_pinocchio, pinocchio_order, random_sample, random_tree, state_of

from gambol.dynamics import aba, centre_of_mass, kinematics, kinetic_energy, momentum, potential_energy
from gambol.figure import Figure, Joint, Link
from gambol.figure.generator import random_mass
from gambol.figure.joint import q_dot as rates_of
from gambol.spatial import Vector

SEEDS = range(8)
STEP = 1e-5  # s; central differences are then good to about (STEP^2 + 1e-16 / STEP) times the figures' rates, 1e-9


def moved(figure: Figure, sample: Sample, acceleration: list[float], time: float) -> Sample:
    """Return the sample a short time later, by two terms of a series in time about the half-way velocity."""
    v = np.array(sample.v) + time * np.array(acceleration)
    mid = (np.array(sample.v) + 0.5 * time * np.array(acceleration)).tolist()
    q = np.array(sample.q)
    half = np.array(sample.q)
    for link in figure.outward():
        half[link.q] += 0.5 * time * np.array(rates_of(link.joint, q[link.q].tolist(), sample.v[link.v]))
    for link in figure.outward():
        q[link.q] += time * np.array(rates_of(link.joint, half[link.q].tolist(), mid[link.v]))
        if link.joint.kind == "free":
            q[link.q.start : link.q.start + 4] /= np.linalg.norm(q[link.q.start : link.q.start + 4])
    return Sample(q.tolist(), v.tolist(), sample.rates, sample.tau, sample.f_ext)


@pytest.mark.parametrize("seed", SEEDS)
def test_energies_agree_with_pinocchio(seed: int):
    figure = random_tree(seed, links=3 + seed, root="revolute")  # Pinocchio leaves out what is fixed to the world
    sample = random_sample(figure, seed)
    model = in_pinocchio(figure)
    data = model.createData()
    iq, iv = pinocchio_order(figure, model)
    q, v = np.array(sample.q)[iq], np.array(sample.v)[iv]
    state = state_of(figure, sample)
    np.testing.assert_allclose(kinetic_energy(state), pin.computeKineticEnergy(model, data, q, v), rtol=1e-11)
    np.testing.assert_allclose(potential_energy(state), pin.computePotentialEnergy(model, data, q), rtol=1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_kinetic_energy_grows_by_the_power_of_joints_and_gravity(seed: int):
    figure = random_tree(seed, links=5, root="free")
    sample = random_sample(figure, seed)
    acceleration, _ = aba(state_of(figure, sample), sample.tau)
    before, after = (state_of(figure, moved(figure, sample, acceleration, t)) for t in (-STEP, STEP))
    energy = [kinetic_energy(s) + potential_energy(s) for s in (before, after)]
    power = float(np.dot(sample.tau, sample.v))
    scale = 1.0 + abs(power) + abs(energy[0])
    np.testing.assert_allclose((energy[1] - energy[0]) / (2 * STEP), power, atol=1e-6 * scale)


@pytest.mark.parametrize("seed", SEEDS)
def test_momentum_of_a_floating_figure_changes_by_its_weight_alone(seed: int):
    figure = random_tree(seed, links=5, kinds=("revolute", "prismatic", "fixed"), root="free")
    sample = random_sample(figure, seed)
    tau = [0.0] * 6 + sample.tau[6:]  # forces inside the figure
    state = state_of(figure, sample)
    acceleration, _ = aba(state, tau)
    before, after = (momentum(state_of(figure, moved(figure, sample, acceleration, t))) for t in (-STEP, STEP))
    weight = Vector(0.0, 0.0, -9.81 * figure.mass)
    rate = (after - before) * (1.0 / (2 * STEP))
    np.testing.assert_allclose(list(rate.f), list(weight), atol=1e-5)
    np.testing.assert_allclose(list(rate.n), list(centre_of_mass(state).cross(weight)), atol=1e-5)


@pytest.mark.parametrize("seed", SEEDS)
def test_momentum_is_mass_times_velocity_of_the_centre_of_mass(seed: int):
    figure = random_tree(seed, links=5)
    sample = random_sample(figure, seed)
    before, after = (state_of(figure, moved(figure, sample, [0.0] * figure.nv, t)) for t in (-STEP, STEP))
    velocity = (centre_of_mass(after) - centre_of_mass(before)) * (1.0 / (2 * STEP))
    np.testing.assert_allclose(list(momentum(state_of(figure, sample)).f), list(velocity * figure.mass), atol=1e-6)


def test_a_falling_stone_trades_height_for_speed():
    stone = Link("stone", None, Joint("free"), (), random_mass(np.random.default_rng(0)))
    figure = Figure("stone", (stone,))
    at_rest = kinematics(figure, [1.0] + [0.0] * 6, [0.0] * 6)
    lifted = kinematics(figure, [1.0] + [0.0] * 5 + [2.0], [0.0] * 6)
    np.testing.assert_allclose(potential_energy(lifted) - potential_energy(at_rest), figure.mass * 9.81 * 2.0)
