"""Gains of servos from the masses that joints carry."""

import math

import numpy as np
import pytest

import gambol
from gambol import Figure, Joint, Link, MassProperties
from gambol.creatures.holding.gains import SAG, carried_part, hold_gains
from gambol.dynamics.states import kinematics

Y, G = (0.0, 1.0, 0.0), 9.81


def test_a_pendulum_has_the_gains_of_its_closed_form():
    mass, length, inertia, rotor = 2.0, 0.7, 0.03, 0.01
    bob = MassProperties(mass, (0.0, 0.0, -length), ((inertia, 0, 0), (0, inertia, 0), (0, 0, inertia)))
    figure = Figure("pendulum", (Link("rod", None, Joint("revolute", Y, rotor=rotor), given_mass=bob),))
    I = mass * length**2 + inertia + rotor
    k = mass * G * length / SAG
    ((stiffness, damping),) = hold_gains(figure, [0.3], 1.0, ()).values()
    assert math.isclose(stiffness, k, rel_tol=1e-12)
    assert math.isclose(damping, 2.0 * math.sqrt(k * I), rel_tol=1e-12)


def test_a_balanced_wheel_swings_like_a_pendulum_as_long_as_its_sag():
    wheel = MassProperties(3.0, (0.0, 0.0, 0.0), ((0.1, 0, 0), (0, 0.2, 0), (0, 0, 0.1)))
    figure = Figure("wheel", (Link("wheel", None, Joint("revolute", Y), given_mass=wheel),))
    ((stiffness, _),) = hold_gains(figure, [0.0], 0.5, ()).values()
    assert math.isclose(stiffness / 0.2, G / (SAG * 0.5), rel_tol=1e-12)


def test_a_lift_sinks_by_its_sag_of_the_size():
    body = MassProperties(4.0, (0.1, 0.0, 0.0))
    figure = Figure("lift", (Link("lift", None, Joint("prismatic", (0.0, 0.0, 1.0)), given_mass=body),))
    ((stiffness, damping),) = hold_gains(figure, [0.0], 0.5, ()).values()
    assert math.isclose(4.0 * G / stiffness, SAG * 0.5, rel_tol=1e-12)
    assert math.isclose(damping, 2.0 * math.sqrt(4.0 * stiffness), rel_tol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_an_outer_part_has_the_inertia_of_the_mass_matrix_and_the_weight_of_the_potential(seed: int):
    figure = gambol.random_figure(seed, 7, root="free")
    q, _ = gambol.random_state(figure, seed)
    states, M = kinematics(figure, q), gambol.mass_matrix(figure, q)
    for link in figure.links:
        if link.v.stop - link.v.start == 1:
            part = carried_part(states, link, ())
            assert math.isclose(part.inertia, M[link.v.start, link.v.start], rel_tol=1e-9)
            rest = np.zeros(figure.nv)
            weights = [gambol.inverse_dynamics(figure, q, rest, rest, gravity=tuple(g)) for g in np.eye(3)]
            assert math.isclose(part.weight, G * math.hypot(*(w[link.v.start] for w in weights)), rel_tol=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_an_inner_part_has_the_energy_of_a_motion_in_which_the_outer_link_rests(seed: int):
    """The base moves so that the link of the joint rests while the joint turns at 1: then 2 T = I."""
    figure = gambol.random_figure(seed, 7, root="free")
    q, _ = gambol.random_state(figure, seed)
    states, M = kinematics(figure, q), gambol.mass_matrix(figure, q)
    for link in figure.links:
        if link.v.stop - link.v.start == 1:
            J, v = states.jacobian(link.name), np.zeros(figure.nv)
            v[link.v.start] = 1.0
            v[:6] = -np.linalg.solve(J[:, :6], J[:, link.v.start])
            part = carried_part(states, link, {link.index})
            assert math.isclose(part.inertia, v @ M @ v, rel_tol=1e-9)
