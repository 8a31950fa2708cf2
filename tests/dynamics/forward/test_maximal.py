"""Maximal coordinates: what joints bear, and links that drift apart and are brought together again."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from figures import random_sample, state_of

from gambol.dynamics import kinematics
from gambol.dynamics.bodies import rigid_biases, rigid_inertias
from gambol.dynamics.forward import Apart, Drift, link_accelerations, link_rates, seen_whole, taken_apart
from gambol.dynamics.tangent import displaced
from gambol.figure import JOINTS, Figure, Joint, random_figure
from gambol.lanes import Program, Recipe, repeat
from gambol.spatial.motion import NO_FORCE

KINDS = sorted(set(JOINTS) - {"fixed"})
H = 0.005  # s


def shaken(links: Apart, size: float, seed: int) -> Apart:
    """The links, each moved a little by itself."""
    random = np.random.default_rng(seed)
    free = JOINTS["free"]
    count = len(links.v) // 6
    q = [x for n in range(count) for x in free.displaced(links.q[7 * n : 7 * n + 7], random.normal(scale=size, size=6))]
    return Apart(
        q, [x + y for x, y in zip(links.v, random.normal(scale=size, size=6 * count), strict=True)], links.near
    )


@pytest.mark.parametrize("kind", KINDS)
def test_links_of_a_figure_tell_its_coordinates_again(kind: str):
    figure = random_figure(1, 3, kinds=(kind,))
    sample = random_sample(figure, 1)
    links = taken_apart(state_of(figure, sample))
    away = displaced(figure, sample.q, [0.05] * figure.nv)  # what is known of the coordinates need not be right
    whole, apart = seen_whole(figure, Apart(links.q, links.v, away))
    np.testing.assert_allclose(whole.v, sample.v, atol=1e-12)
    for link in figure.links:
        q, known = np.array(whole.q[link.q]), np.array(sample.q[link.q])
        np.testing.assert_allclose(q * (np.sign(q[0] * known[0]) if JOINTS[kind].turns else 1.0), known, atol=1e-12)
    np.testing.assert_allclose([motion[k] for motion in apart for k in range(6)], 0.0, atol=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_joints_keep_momentum_even_where_links_have_come_apart(seed: int):
    figure = random_figure(seed, 5, root="free", rotors=0.5)
    root = replace(figure.given[0], joint=Joint("free"))  # a rotor there would push itself off the world
    figure = replace(figure, given=(root, *figure.given[1:]))
    sample = random_sample(figure, seed)
    whole, apart = seen_whole(figure, shaken(taken_apart(state_of(figure, sample)), 0.02, seed))
    tau = [0.0] * 6 + sample.tau[6:]
    accelerations = link_accelerations(whole, tau, gravity=0.0, drift=Drift(apart, 10.0))
    I = rigid_inertias(figure)
    forces = [
        X @ (body @ a + p) for X, body, a, p in zip(whole.poses, I, accelerations, rigid_biases(whole, I), strict=True)
    ]
    total, largest = sum(forces, NO_FORCE), max(abs(f[k]) for f in forces for k in range(6))
    np.testing.assert_allclose([total[k] for k in range(6)], 0.0, atol=1e-12 * largest)


def test_joints_close_as_a_critically_damped_spring_does():
    """Their distance is d (1 + r t) exp(-r t), but for terms of its square."""
    figure = random_figure(3, 2, kinds=("spherical",))
    there = kinematics(figure, random_sample(figure, 3).q, [0.0] * figure.nv)
    links, d, r = taken_apart(there), 1e-5, 8.0
    links = Apart([x + d * (k == 8 + 4) for k, x in enumerate(links.q)], links.v, links.near)
    before = gap(figure, links)
    moved = stepped(figure, r, gravity=0.0)(links, 40)
    t = 40 * H
    np.testing.assert_allclose(gap(figure, moved), before * (1.0 + r * t) * np.exp(-r * t), rtol=1e-3)


def gap(figure: Figure, links: Apart) -> float:
    """The largest constrained motion by which a joint has come apart."""
    whole, apart = seen_whole(figure, links)
    held = ((apart[i], psi) for i, joint in enumerate(whole.joints) for psi in joint.constraints())
    return max(abs(motion.dot(psi)) for motion, psi in held)


def stepped(figure: Figure, settling: float, gravity: float = 9.81) -> Callable[[Apart, int], Apart]:
    """A compiled function that gives the links after some steps of a Runge-Kutta method."""
    free, count = JOINTS["free"], len(figure.links)

    def ahead(at: Apart, rates: list[Apart], shares: list[float]) -> Apart:
        def moved(x: list[Any], changes: list[list[Any]]) -> list[Any]:
            return [y + sum(H * s * c[k] for s, c in zip(shares, changes, strict=True)) for k, y in enumerate(x)]

        q, v = moved(list(at.q), [list(r.q) for r in rates]), moved(list(at.v), [list(r.v) for r in rates])
        q = [x for n in range(count) for x in free.normalised(q[7 * n : 7 * n + 7])]
        return Apart(q, v, rates[-1].near)

    def step(flat: tuple[list[Any], list[Any], list[Any]]) -> tuple[Any, Any, Any]:
        at = Apart(*flat)

        def rates(there: Apart) -> Apart:
            return link_rates(figure, there, [0.0] * figure.nv, settling, gravity=gravity)

        k1 = rates(at)
        k2 = rates(ahead(at, [k1], [0.5]))
        k3 = rates(ahead(at, [k2], [0.5]))
        k4 = rates(ahead(at, [k3], [1.0]))
        new = ahead(at, [k1, k2, k3, k4], [1 / 6, 1 / 3, 1 / 3, 1 / 6])
        return list(new.q), list(new.v), list(new.near)

    def run(q: list[Any], v: list[Any], near: list[Any], steps: list[Any]) -> tuple[Any, ...]:
        return repeat(steps[0], step, (q, v, near))

    sizes = (7 * count, 6 * count, figure.nq, 1)
    program = Program(Recipe("apart", run, tuple([0.0] * size for size in sizes)))

    def after(links: Apart, steps: int) -> Apart:
        given = (links.q, links.v, links.near, [steps])
        found = program(*(np.array(x, float)[:, None] for x in given))
        return Apart(*([float(x) for x in row[:, 0]] for row in found))

    return after


def test_drift_stays_bounded():
    """A double pendulum tumbles for twenty seconds; its links come apart by themselves unless they are held."""
    figure = random_figure(3, 2, kinds=("spherical", "universal"))
    links = taken_apart(state_of(figure, random_sample(figure, 3)))
    held = stepped(figure, 20.0)
    assert all(gap(figure, held(links, steps)) < 1e-5 for steps in (200, 1000, 2000, 4000))
    assert gap(figure, stepped(figure, 0.0)(links, 4000)) > 1e-2
