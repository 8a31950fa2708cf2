"""Derivatives of dynamics against a peer and extended-precision differences, and their meaning."""

from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from differences import differences, displaced
from figures import in_pinocchio, pinocchio_order, random_sample, random_tree, state_of

from gambol.dynamics import aba, kinematics, kinetic_energy, potential_energy, rnea
from gambol.dynamics.quantities import (
    forward_dynamics_derivatives,
    gravity_forces,
    inverse_dynamics_derivatives,
    position_jacobian,
    time_derivative,
)
from gambol.figure import Figure, Link, random_figure
from gambol.lanes import Program, ProgramSpec
from gambol.spatial import Force, Vector

SEEDS = range(8)


def relative(found: Any, expected: Any) -> float:
    """Return the largest error, relative to the largest expected number."""
    return float(np.max(np.abs(np.array(found) - expected)) / (1.0 + np.max(np.abs(expected))))


def depth_first(figure: Figure) -> Figure:
    """The figure with its links in the order in which the peer's derivatives need them."""

    def branch(parent: str | None) -> list[Link]:
        return [x for link in figure.given_links if link.parent == parent for x in (link, *branch(link.name))]

    return Figure(figure.name, tuple(branch(None)))


@pytest.mark.parametrize("seed", SEEDS)
def test_inverse_dynamics_agrees_with_pinocchio(seed: int):
    figure = depth_first(random_tree(seed, links=2 + seed, root="free" if seed % 2 else None))
    sample, model = random_sample(figure, seed), in_pinocchio(figure)
    iq, iv = pinocchio_order(figure, model)
    q, v, rates = (np.array(x)[i] for x, i in ((sample.q, iq), (sample.v, iv), (sample.rates, iv)))
    data = model.createData()  # kept, since the peer's matrices are views of it
    by_q, by_v, M = pin.computeRNEADerivatives(model, data, q, v, rates)
    found = inverse_dynamics_derivatives(state_of(figure, sample), sample.rates)
    order = np.ix_(iv, iv)
    M = np.triu(M) + np.triu(M, 1).T  # of which the peer fills the upper triangle
    for ours, theirs in ((found.by_q, by_q), (found.by_v, by_v), (found.by_input, M)):
        assert relative(np.array(ours)[order], theirs) < 1e-13


@pytest.mark.parametrize("seed", SEEDS)
def test_forward_dynamics_agrees_with_pinocchio(seed: int):
    figure = depth_first(random_tree(seed, links=2 + seed, root="free" if seed % 2 else None))
    sample, model = random_sample(figure, seed), in_pinocchio(figure)
    iq, iv = pinocchio_order(figure, model)
    q, v, tau = (np.array(x)[i] for x, i in ((sample.q, iq), (sample.v, iv), (sample.tau, iv)))
    data = model.createData()
    by_q, by_v, M_inverse = pin.computeABADerivatives(model, data, q, v, tau)
    M_inverse = np.triu(M_inverse) + np.triu(M_inverse, 1).T
    found = forward_dynamics_derivatives(state_of(figure, sample), sample.tau)
    order = np.ix_(iv, iv)
    for ours, theirs in ((found.by_q, by_q), (found.by_v, by_v), (found.by_input, M_inverse)):
        assert relative(np.array(ours)[order], theirs) < 1e-10


def pushes(sample: Any, links: int) -> dict[int, Force]:
    return {k: Force(Vector(*sample.f_ext[k][:3]), Vector(*sample.f_ext[k][3:])) for k in range(1, links + 1)}


@pytest.mark.parametrize("seed", SEEDS)
def test_inverse_dynamics_of_all_joint_kinds_against_differences(seed: int):
    figure = random_figure(seed, links=5, rotors=0.5)
    sample, n = random_sample(figure, seed), figure.nv
    f_ext, gravity = pushes(sample, 5), Vector(1.0, -2.0, -9.0)

    def forces(x: list[Any]) -> list[Any]:
        state = kinematics(figure, displaced(figure, sample.q, x[:n]), x[n : 2 * n])
        return rnea(state, x[2 * n :], f_ext=f_ext, gravity=gravity)[0]

    expected = differences(forces, [*[0.0] * n, *sample.v, *sample.rates])
    found = inverse_dynamics_derivatives(state_of(figure, sample), sample.rates, f_ext=f_ext, gravity=gravity)
    assert relative(np.hstack([found.by_q, found.by_v, found.by_input]), expected) < 1e-12


@pytest.mark.parametrize("seed", SEEDS)
def test_forward_dynamics_of_all_joint_kinds_against_differences(seed: int):
    figure = random_figure(seed, links=5, rotors=0.5)
    sample, n = random_sample(figure, seed), figure.nv
    f_ext = pushes(sample, 5)

    def accelerations(x: list[Any]) -> list[Any]:
        return aba(kinematics(figure, displaced(figure, sample.q, x[:n]), x[n : 2 * n]), x[2 * n :], f_ext=f_ext)[0]

    expected = differences(accelerations, [*[0.0] * n, *sample.v, *sample.tau])
    found = forward_dynamics_derivatives(state_of(figure, sample), sample.tau, f_ext=f_ext)
    np.testing.assert_allclose(found.value, aba(state_of(figure, sample), sample.tau, f_ext=f_ext)[0], rtol=1e-12)
    assert relative(np.hstack([found.by_q, found.by_v, found.by_input]), expected) < 1e-10


@pytest.mark.parametrize("seed", SEEDS)
def test_gravity_forces_are_the_slope_of_potential_energy(seed: int):
    figure = random_figure(seed, links=6)
    state = state_of(figure, random_sample(figure, seed))
    _, (slope,) = position_jacobian(potential_energy, state)
    np.testing.assert_allclose(gravity_forces(state), slope, rtol=1e-12, atol=1e-12 * figure.mass)


@pytest.mark.parametrize("seed", SEEDS)
def test_energy_changes_by_the_power_of_joint_forces(seed: int):
    figure = random_figure(seed, links=6, rotors=0.5)
    sample = random_sample(figure, seed)
    state = state_of(figure, sample)
    tau, _ = rnea(state, sample.rates)
    power = time_derivative(lambda s: (kinetic_energy(s), potential_energy(s)), state, sample.rates)
    np.testing.assert_allclose(sum(power), np.dot(tau, sample.v), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize(("precision", "tolerance"), [("float64", 1e-12), ("float32", 2e-3)])
def test_compiled_derivatives_agree_with_floats(precision: Any, tolerance: float):
    figure = random_figure(5, links=4, root="free")
    samples = [random_sample(figure, k) for k in range(5)]
    q, v, tau = (np.array([getattr(s, name) for s in samples]).T.copy() for name in ("q", "v", "tau"))

    def derivatives(q: list[Any], v: list[Any], tau: list[Any]) -> tuple[Any, ...]:
        found = forward_dynamics_derivatives(kinematics(figure, q, v), tau)
        return found.by_q, found.by_v, found.by_input

    sizes = figure.nq, figure.nv, figure.nv
    compiled = Program(ProgramSpec("derivatives", derivatives, tuple([0.0] * n for n in sizes)), precision)(q, v, tau)
    for k, sample in enumerate(samples):
        found = forward_dynamics_derivatives(state_of(figure, sample), sample.tau)
        for ours, expected in zip(compiled, (found.by_q, found.by_v, found.by_input), strict=True):
            assert relative(ours[:, k].reshape(figure.nv, figure.nv), expected) < tolerance
