"""Maximal coordinates: constraint forces of joints, and stabilisation of joint errors."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from figures import random_sample, state_of

from gambol.dynamics import kinematics
from gambol.dynamics.bodies import rigid_biases, rigid_inertias
from gambol.dynamics.forward import (
    JointErrors,
    MaximalState,
    joint_state,
    link_accelerations,
    maximal_derivative,
    maximal_state,
)
from gambol.dynamics.tangent import integrate_configuration
from gambol.figure import JOINTS, Figure, Joint, random_figure
from gambol.lanes import Program, ProgramSpec, repeat
from gambol.spatial.motion import NO_FORCE

KINDS = sorted(set(JOINTS) - {"fixed"})
H = 0.005  # s


def shaken(links: MaximalState, size: float, seed: int) -> MaximalState:
    """Return the links, each displaced a little by itself."""
    random = np.random.default_rng(seed)
    free = JOINTS["free"]
    count = len(links.v) // 6
    q = [x for n in range(count) for x in free.integrate(links.q[7 * n : 7 * n + 7], random.normal(scale=size, size=6))]
    return MaximalState(
        q, [x + y for x, y in zip(links.v, random.normal(scale=size, size=6 * count), strict=True)], links.q_joints
    )


@pytest.mark.parametrize("kind", KINDS)
def test_the_state_of_links_gives_the_coordinates_again(kind: str):
    figure = random_figure(1, 3, kinds=(kind,))
    sample = random_sample(figure, 1)
    links = maximal_state(state_of(figure, sample))
    away = integrate_configuration(figure, sample.q, [0.05] * figure.nv)  # known coordinates need not be right
    state, errors = joint_state(figure, MaximalState(links.q, links.v, away))
    np.testing.assert_allclose(state.v, sample.v, atol=1e-12)
    for link in figure.links:
        q, known = np.array(state.q[link.q]), np.array(sample.q[link.q])
        np.testing.assert_allclose(
            q * (np.sign(q[0] * known[0]) if JOINTS[kind].has_quaternion else 1.0), known, atol=1e-12
        )
    np.testing.assert_allclose([motion[k] for motion in errors for k in range(6)], 0.0, atol=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_joints_conserve_momentum_even_with_joint_errors(seed: int):
    figure = random_figure(seed, 5, root="free", rotors=0.5)
    root = replace(figure.given_links[0], joint=Joint("free"))  # a rotor there would push itself off the world
    figure = replace(figure, given_links=(root, *figure.given_links[1:]))
    sample = random_sample(figure, seed)
    state, errors = joint_state(figure, shaken(maximal_state(state_of(figure, sample)), 0.02, seed))
    tau = [0.0] * 6 + sample.tau[6:]
    accelerations = link_accelerations(state, tau, gravity=0.0, errors=JointErrors(errors, 10.0))
    I = rigid_inertias(figure)
    forces = [
        X @ (body @ a + p) for X, body, a, p in zip(state.poses, I, accelerations, rigid_biases(state, I), strict=True)
    ]
    total, largest = sum(forces, NO_FORCE), max(abs(f[k]) for f in forces for k in range(6))
    np.testing.assert_allclose([total[k] for k in range(6)], 0.0, atol=1e-12 * largest)


def test_joints_close_as_a_critically_damped_spring_does():
    """Their distance is d (1 + r t) exp(-r t), up to terms of its square."""
    figure = random_figure(3, 2, kinds=("spherical",))
    there = kinematics(figure, random_sample(figure, 3).q, [0.0] * figure.nv)
    links, d, r = maximal_state(there), 1e-5, 8.0
    links = MaximalState([x + d * (k == 8 + 4) for k, x in enumerate(links.q)], links.v, links.q_joints)
    before = gap(figure, links)
    moved = stepped(figure, r, gravity=0.0)(links, 40)
    t = 40 * H
    np.testing.assert_allclose(gap(figure, moved), before * (1.0 + r * t) * np.exp(-r * t), rtol=1e-3)


def gap(figure: Figure, links: MaximalState) -> float:
    """The largest constrained motion of a joint error."""
    state, errors = joint_state(figure, links)
    held = ((errors[i], psi) for i, joint in enumerate(state.joints) for psi in joint.constraint_subspace())
    return max(abs(motion.dot(psi)) for motion, psi in held)


def stepped(figure: Figure, rate: float, gravity: float = 9.81) -> Callable[[MaximalState, int], MaximalState]:
    """A compiled function that gives the links after some steps of a Runge-Kutta method."""
    free, count = JOINTS["free"], len(figure.links)

    def ahead(at: MaximalState, rates: list[MaximalState], shares: list[float]) -> MaximalState:
        def moved(x: list[Any], changes: list[list[Any]]) -> list[Any]:
            return [y + sum(H * s * c[k] for s, c in zip(shares, changes, strict=True)) for k, y in enumerate(x)]

        q, v = moved(list(at.q), [list(r.q) for r in rates]), moved(list(at.v), [list(r.v) for r in rates])
        q = [x for n in range(count) for x in free.normalised(q[7 * n : 7 * n + 7])]
        return MaximalState(q, v, rates[-1].q_joints)

    def step(flat: tuple[list[Any], list[Any], list[Any]]) -> tuple[Any, Any, Any]:
        at = MaximalState(*flat)

        def rates(there: MaximalState) -> MaximalState:
            return maximal_derivative(figure, there, [0.0] * figure.nv, rate, gravity=gravity)

        k1 = rates(at)
        k2 = rates(ahead(at, [k1], [0.5]))
        k3 = rates(ahead(at, [k2], [0.5]))
        k4 = rates(ahead(at, [k3], [1.0]))
        new = ahead(at, [k1, k2, k3, k4], [1 / 6, 1 / 3, 1 / 3, 1 / 6])
        return list(new.q), list(new.v), list(new.q_joints)

    def run(q: list[Any], v: list[Any], near: list[Any], steps: list[Any]) -> tuple[Any, ...]:
        return repeat(steps[0], step, (q, v, near))

    sizes = (7 * count, 6 * count, figure.nq, 1)
    program = Program(ProgramSpec("maximal", run, tuple([0.0] * size for size in sizes)))

    def after(links: MaximalState, steps: int) -> MaximalState:
        given = (links.q, links.v, links.q_joints, [steps])
        found = program(*(np.array(x, float)[:, None] for x in given))
        return MaximalState(*([float(x) for x in row[:, 0]] for row in found))

    return after


def test_drift_stays_bounded():
    """A double pendulum tumbles for twenty seconds; without stabilisation its links come apart."""
    figure = random_figure(3, 2, kinds=("spherical", "universal"))
    links = maximal_state(state_of(figure, random_sample(figure, 3)))
    held = stepped(figure, 20.0)
    assert all(gap(figure, held(links, steps)) < 1e-5 for steps in (200, 1000, 2000, 4000))
    assert gap(figure, stepped(figure, 0.0)(links, 4000)) > 1e-2
