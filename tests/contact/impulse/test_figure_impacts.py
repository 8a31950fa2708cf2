"""Impacts of figures: momentum, energy and the tree's own inertia, by independent routes."""

import math

import numpy as np
import pytest

from gambol.contact.complementarity import FrictionalContact, JointLimit, response
from gambol.contact.impulse import collision, resolve_impacts
from gambol.dynamics import kinematics
from gambol.dynamics.bodies import kinetic_energy
from gambol.dynamics.forward import mass_matrix
from gambol.dynamics.quantities import Contact, articulated, collision_matrix, link_jacobian
from gambol.errors import WorldError
from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.figure.generator import random_figure, random_state
from gambol.lanes import Program, ProgramSpec
from gambol.spatial import Rotation, Vector

LAWS = ("newton", "poisson", "stronge", "at_once", "reflection")
UP = Vector(0.0, 0.0, 1.0)


def state_of(figure, seed):
    q, v = random_state(figure, seed)
    return kinematics(figure, q.tolist(), v.tolist())


def moving(state, v):
    return kinematics(state.figure, list(state.q), [float(x) for x in v])


def feet(state, seed, count=3, mu=0.7, e=0.5):
    """Points of random links that touch a floor, and one of the last link that touches the first."""
    random, last = np.random.default_rng(seed), len(state.figure.links)
    links = random.integers(1, last + 1, count)
    result = [
        FrictionalContact(Contact(int(i), Vector(*random.normal(scale=0.2, size=3).tolist())), UP, mu, e) for i in links
    ]
    point = Vector(0.1, 0.0, 0.2)
    first = state.poses[1]
    seen = first.rotation.transpose @ (state.point_position(last, point) - first.position)
    normal = Vector(*(np.array([1.0, 2.0, 2.0]) / 3.0).tolist())
    return [*result, FrictionalContact(Contact(last, point, 1, seen), normal, mu, e)]


@pytest.mark.parametrize("seed", range(5))
def test_the_tree_gives_its_collision_matrices(seed):
    """By the mass matrix, and by forces that go through the articulated bodies."""
    figure = random_figure(seed, 6, root="free")
    state = state_of(figure, seed)
    contacts = feet(state, seed)
    A = np.array(response(state, contacts).A)
    bodies = articulated(state.at_rest())
    for i, first in enumerate(contacts):
        for j, second in enumerate(contacts):
            K = np.array(collision_matrix(bodies, first.contact, second.contact).rows)
            R, Q = (np.array(Rotation.with_z_axis(s.normal).rows) for s in (first, second))
            np.testing.assert_allclose(
                A[3 * i : 3 * i + 3, 3 * j : 3 * j + 3], R.T @ K @ Q, atol=1e-9 * np.abs(A).max()
            )


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("seed", range(4))
def test_momentum_and_energy_of_a_struck_figure(seed, law):
    """M (v' - v) is the sum of J^T p over the contacts, in world axes; the reported energy is that of the tree."""
    figure = random_figure(seed, 5, root="free", kinds=("revolute", "spherical"))
    state = state_of(figure, seed)
    contacts = feet(state, seed)
    after = resolve_impacts(state, contacts, law=law)
    M = np.array(mass_matrix(state))
    force = np.zeros(figure.nv)
    for contact, p in zip(contacts, after.impulses, strict=True):
        for link, point, sign in contact.contact.sides:
            columns = link_jacobian(state, link, point)
            force += sign * np.array([list(c.v) for c in columns]) @ np.array(list(p))
    scale = np.abs(force).max() + 1.0
    np.testing.assert_allclose(M @ (np.array(after.v) - np.array(state.v)), force, atol=1e-8 * scale)
    gained = kinetic_energy(moving(state, after.v)) - kinetic_energy(state)
    energy = kinetic_energy(state)
    assert after.impacts.converged == 1.0
    np.testing.assert_allclose(gained, after.impacts.change, atol=1e-8 * energy)
    if law != "newton":
        assert gained <= 1e-10 * energy


def test_a_single_contact_of_a_tree_is_one_collision():
    figure = random_figure(7, 5, root="free")
    state = state_of(figure, 7)
    contact = Contact(4, Vector(0.1, -0.2, 0.1))
    velocity = state.point_velocity(4, contact.point)
    if velocity.z > 0.0:
        state = moving(state, [-x for x in state.v])
        velocity = state.point_velocity(4, contact.point)
    K = collision_matrix(articulated(state.at_rest()), contact, contact)
    impact = collision(K, velocity, 0.4, 0.6)
    after = resolve_impacts(state, [FrictionalContact(contact, UP, 0.4, 0.6)])
    np.testing.assert_allclose(list(after.impulses[0]), list(impact.impulse), rtol=1e-9)
    new = moving(state, after.v).point_velocity(4, contact.point)
    np.testing.assert_allclose(list(new), list(impact.velocity), atol=1e-9)


def pendulum():
    """Return a rod of 1 kg and 1 m that turns about y at its upper end: a hinge."""
    rod = MassProperties(1.0, (0.0, 0.0, -0.5), ((1 / 12, 0.0, 0.0), (0.0, 1 / 12, 0.0), (0.0, 0.0, 1e-4)))
    return Figure("pendulum", (Link("rod", None, Joint("revolute", (0.0, 1.0, 0.0)), (), rod),))


@pytest.mark.parametrize("law", LAWS)
def test_a_joint_bounces_off_its_limit(law):
    """One degree of freedom: -e of its speed, and the couple I (1 + e) w for this, I = m l^2 / 3."""
    state = kinematics(pendulum(), [0.3], [2.0])
    after = resolve_impacts(state, [], [JointLimit(0, -1.0, 0.5)], law)
    np.testing.assert_allclose(after.v, [-1.0], atol=1e-9)
    np.testing.assert_allclose(after.limits, [(1.0 + 0.5) * 2.0 / 3.0], atol=1e-9)
    leaving = resolve_impacts(state, [], [JointLimit(0, 1.0, 0.5)], law)
    np.testing.assert_allclose(leaving.v, [2.0])


@pytest.mark.parametrize("law", LAWS)
def test_a_box_that_lands_flat_stops(law):
    """Four corners, redundant: without restitution it stops, whatever the law."""
    size = (0.4, 0.3, 0.1)
    I = [(b * b + c * c) * 2.0 / 12.0 for b, c in ((size[1], size[2]), (size[0], size[2]), (size[0], size[1]))]
    mass = MassProperties(2.0, (0.0, 0.0, 0.0), tuple(map(tuple, np.diag(I).tolist())))
    figure = Figure("box", (Link("box", None, Joint("free"), (), mass),))
    state = kinematics(figure, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.05], [0.0, 0.0, 0.0, 0.2, 0.0, -1.5])
    corners = [Vector(0.2 * a, 0.15 * b, -0.05) for a in (-1, 1) for b in (-1, 1)]
    after = resolve_impacts(state, [FrictionalContact(Contact(1, corner), UP, 0.8) for corner in corners], law=law)
    assert after.impacts.converged == 1.0
    np.testing.assert_allclose(after.v, 0.0, atol=1e-7)
    np.testing.assert_allclose(sum(p.z for p in after.impulses), 2.0 * 1.5, rtol=1e-6)
    np.testing.assert_allclose(sum(p.x for p in after.impulses), -2.0 * 0.2, rtol=1e-6)


def test_lanes_strike_as_floats_do():
    figure = random_figure(3, 4, root="free", kinds=("revolute",))
    states = [random_state(figure, seed) for seed in range(4)]
    contacts = feet(state_of(figure, 3), 3, 1)[:1]

    def formula(q, v):
        after = resolve_impacts(kinematics(figure, q, v), contacts, [JointLimit(7, 1.0, 0.3)])
        return after.v, [after.impacts.change]

    program = Program(ProgramSpec("struck", formula, ([0.0] * figure.nq, [0.0] * figure.nv)))
    result, change = program(*(np.array([state[k] for state in states]).T for k in range(2)))
    for n, (q, v) in enumerate(states):
        after = resolve_impacts(kinematics(figure, q.tolist(), v.tolist()), contacts, [JointLimit(7, 1.0, 0.3)])
        np.testing.assert_allclose(result[:, n], after.v, atol=1e-7 * np.abs(after.v).max())
        assert math.isclose(change[0, n], after.impacts.change, rel_tol=1e-6, abs_tol=1e-9)


def test_an_unknown_law_is_refused():
    with pytest.raises(WorldError, match='did you mean "reflection"'):
        resolve_impacts(kinematics(pendulum(), [0.3], [2.0]), [], [], "reflections")
