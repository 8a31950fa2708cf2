"""Springs and servos of large steps by the midpoint rule: exact linear motion, landings, and balanced books."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from drives import ConstantPattern
from hypothesis import given, settings
from hypothesis import strategies as st
from sprung_figures import falls, stander, train
from worlds import touch

from gambol.actuation import Servo
from gambol.collide import NoGround
from gambol.contact import Stepping, SurfaceProperties
from gambol.contact.stepping.implicit_part import STIFFEST
from gambol.control import Drive
from gambol.dynamics import Dynamics
from gambol.dynamics.forward.crba import MAX_DENSE_PATH
from gambol.figure import Figure, JointSpring
from gambol.world import Engine, Timing, World, start

Array = np.ndarray[Any, Any]

EACH = 4  # wagons
H = 0.01  # s
MIDPOINT = Stepping(explicit_servos=True, midpoint_springs=True)


def sprung_and_driven(
    figure: Figure, springs: Array, servos: Array, contact: Stepping = MIDPOINT
) -> tuple[World, Array]:
    """Return a world without weight and ground, with both at each joint, and its mass matrix where all joints are at 0.

    springs, servos: stiffness and damping of each (2, EACH).
    """
    names = [f"wagon{n}" for n in range(len(springs.T))]
    passive = {name: JointSpring(stiffness=K, damping=B) for name, (K, B) in zip(names, springs.T, strict=True)}
    motors = {name: Servo(-1.0, 1.0, k, d) for name, (k, d) in zip(names, servos.T, strict=True)}
    drive = Drive(ConstantPattern((0.0,) * len(names)), motors)
    world = World(
        figure,
        passive,
        contact=contact,
        gravity=0.0,
        ground=NoGround(),
        controller=drive,
        timing=Timing(H, H),
    )
    return world, np.array(Dynamics(figure).mass_matrix(np.zeros(figure.nv)))


@pytest.mark.parametrize("extrapolated", [False, True])
@settings(max_examples=10)
@given(st.integers(0, 2**16))
def test_steps_are_the_cayley_transform_of_the_equations_of_motion(extrapolated: bool, seed: int):
    """The midpoint rule is x+ = (1 - h A / 2)^-1 (1 + h A / 2) x for a linear motion dx/dt = A x.

    Springs and servos share a joint, in a train, whose mass matrix is far from diagonal. Most of them are too stiff to
    be explicit: that would need h^2 K < 4 S, and S is at most M_kk. Extrapolated steps change nothing: M is constant,
    and springs and servos do not act at the extrapolated configuration.
    """
    random = np.random.default_rng(seed)
    figure = train(10.0 ** random.uniform(-1.0, 0.0, EACH))
    M = np.array(Dynamics(figure).mass_matrix(np.zeros(EACH)))
    shares = random.dirichlet([1.0, 1.0], EACH).T
    K = np.diag(M) * STIFFEST / H**2 * random.uniform(0.1, 1.0, EACH)
    B = np.diag(M) * 2.0 / H * random.uniform(0.0, 1.0, EACH)
    contact = replace(MIDPOINT, extrapolated=extrapolated)
    world, _ = sprung_and_driven(figure, np.array([K, B]) * shares[0], np.array([K, B]) * shares[1], contact)
    engine, state = Engine(world, lanes=1), start(world)
    state.q[0], state.v[0] = random.normal(size=EACH), random.normal(size=EACH) / H
    zero, one = np.zeros((EACH, EACH)), np.eye(EACH)
    inverse = np.linalg.inv(M)
    A = np.block([[zero, one], [-inverse @ np.diag(K), -inverse @ np.diag(B)]])
    turn = np.linalg.solve(np.eye(2 * EACH) - 0.5 * H * A, np.eye(2 * EACH) + 0.5 * H * A)
    scale = np.repeat([1.0, H], EACH)
    exact = np.linalg.matrix_power(turn, 20) @ np.concatenate([state.q[0], state.v[0]])
    engine.advance(state, 20)
    found = np.concatenate([state.q[0], state.v[0]])
    np.testing.assert_allclose(scale * found, scale * exact, rtol=0.0, atol=1e-9)


@settings(max_examples=20)
@given(st.integers(0, 2**16))
def test_the_energy_of_the_scheme_follows_its_formula_at_any_stiffness(seed: int):
    """Stiffness and damping from a thousand times below to a thousand times above what acts by the midpoint rule."""
    random = np.random.default_rng(seed)
    figure = train(10.0 ** random.uniform(-3.0, 0.0, EACH))
    M = np.array(Dynamics(figure).mass_matrix(np.zeros(EACH)))
    springs, servos = (
        np.array([np.diag(M) * STIFFEST / H**2, np.diag(M) * 2.0 / H]) * 10.0 ** random.uniform(-3.0, 3.0, (2, EACH))
        for _ in range(2)
    )
    world, _ = sprung_and_driven(figure, springs, servos)
    K, B = springs + servos
    K_i, B_A = np.maximum(K - STIFFEST * np.diag(M) / H**2, 0.0), np.maximum(B - np.diag(M) / H, 0.5 * B)
    B_e = 2.0 * (B - B_A)
    kinetic = M + np.diag(0.25 * H * H * K_i + 0.5 * H * (B - B_e))

    def energy(q: Array, v: Array) -> float:
        return float(0.5 * v @ kinetic @ v + 0.5 * q @ (K * q))

    engine, state = Engine(world, lanes=1), start(world)
    state.q[0], state.v[0] = random.normal(size=(2, EACH))
    for step in range(1, 20):
        q, v = state.q[0].copy(), state.v[0].copy()
        engine.advance(state, step)
        total = v + state.v[0]
        lost = 0.25 * H * total @ ((H * K_i + B - B_e + B_e) * total)
        speed = max(np.abs([v, state.v[0]]).max(), np.abs(q).max() / H)
        largest = max(kinetic.max(), (K * H * H).max()) * speed**2
        assert energy(state.q[0], state.v[0]) == pytest.approx(energy(q, v) - lost, rel=0.0, abs=1e-11 * largest)


@pytest.mark.parametrize("factor", [1.5, 1e4])
def test_springs_that_are_far_too_stiff_for_the_step_come_to_rest(factor: float):
    """By the midpoint rule alone they would oscillate for ever. What exceeds STIFFEST damps them."""
    world, M = sprung_and_driven(
        train(np.ones(1)), np.array([[factor * STIFFEST / H**2], [0.0]]), np.array([[1e-9], [0.0]])
    )
    engine, state = Engine(world, lanes=1), start(world)
    state.q[0] = 1.0
    engine.advance(state, 200)
    K_i = M[0, 0] * STIFFEST / H**2 * (factor - 1.0)
    trapezoid = 0.25 * STIFFEST + 1.0
    # v+ A = v A - h K (q + h v / 2) - h^2 K_i v with A = M + h^2 (K_i + K_m / 4), in units of M and h.
    step_matrix = np.eye(2)
    kick = np.array([-factor * STIFFEST, -0.5 * factor * STIFFEST - K_i * H**2]) / (trapezoid + K_i * H**2)
    step_matrix[1] += kick
    step_matrix[0] = [1.0 + 0.5 * kick[0], 1.0 + 0.5 * kick[1]]
    exact = np.linalg.matrix_power(step_matrix, 200) @ [1.0, 0.0]
    assert state.q[0, 0] == pytest.approx(exact[0], abs=1e-9)
    assert np.abs(np.linalg.eigvals(step_matrix)).max() < 1.0
    assert abs(state.q[0, 0]) < 1e-3


def test_a_figure_of_many_levels_takes_its_springs_by_the_midpoint_rule():
    """Springs of such figures are implicit as a whole otherwise, and dissipate energy."""
    figure = train(np.ones(MAX_DENSE_PATH + 1))
    springs, kept = {link.name: JointSpring(stiffness=1.0 / H**2) for link in figure.links}, list[float]()
    for contact in (Stepping(), MIDPOINT):
        world = World(figure, springs, contact=contact, gravity=0.0, ground=NoGround(), timing=Timing(H, H))
        engine, state = Engine(world, lanes=1), start(world)
        state.q[0] = np.random.default_rng(2).normal(size=figure.nq)
        before = engine.observe(state)
        engine.advance(state, 50)
        after = engine.observe(state)
        kept.append((after.kinetic + after.stored).item() / (before.kinetic + before.stored).item())
    assert kept[0] < 0.5
    assert kept[1] == pytest.approx(1.0, rel=1e-9)


def landed(contact: Stepping, counts: Sequence[int], servos: Mapping[str, Servo] | None = None) -> list[Array]:
    """Return the coordinates of a trunk on two legs after 0.3 s with landings, for numbers of steps in that time."""
    figure, springs = stander()
    rough, timing = SurfaceProperties(touch(restitution=0.0, friction=0.8)), Timing(0.3, 0.3)
    drive = Drive(ConstantPattern((0.0,) * 4), servos) if servos else None
    held = {} if servos else springs
    world = World(figure, held, surface=rough, contact=contact, controller=drive, timing=timing)
    return falls(world, 64, counts)


def legs(stiffness: float, damping: float) -> dict[str, Servo]:
    """Return servos that hold the legs as the springs do."""
    return {
        name: Servo(rest - 0.1, rest + 0.1, stiffness, damping)
        for leg in ("front", "hind")
        for name, rest in ((f"{leg} thigh", 0.4), (f"{leg} shank", -0.8))
    }


def test_long_steps_of_landing_legs_are_more_accurate_than_with_implicit_parts():
    """Steps of 20 ms, in which springs and dampers of the legs are partly implicit otherwise."""
    (reference,) = landed(Stepping(iterations=20), (3000,))
    errors = [
        np.median(np.abs(landed(Stepping(iterations=20, midpoint_springs=midpoint), (15,))[0] - reference).max(axis=1))
        for midpoint in (False, True)
    ]
    assert errors[1] < 0.5 * errors[0]


@pytest.mark.parametrize("servos", [None, legs(20.0, 0.3)])
def test_landings_by_the_midpoint_rule_are_of_second_order(servos: Mapping[str, Servo] | None):
    contact = Stepping(iterations=20, second_order_landings=True, explicit_servos=True, midpoint_springs=True)
    coarse, fine, reference = landed(contact, (60, 240, 1200), servos)
    errors = [np.median(np.abs(q - reference).max(axis=1)) for q in (coarse, fine)]
    assert np.log2(errors[0] / errors[1]) / 2.0 > 1.6


def test_the_books_of_a_moving_rest_angle_are_closed():
    """A damped mass on a servo and a driven spring: what the ledger says is what the mass and the spring have."""
    figure = train(np.ones(1))
    world, _ = sprung_and_driven(figure, np.array([[4.0 / H**2], [0.2 / H]]), np.array([[3.0 / H**2], [0.1 / H]]))
    engine, state = Engine(world, lanes=1), start(world)
    state.q[0], state.v[0] = 0.7, 3.0
    before = engine.observe(state)
    engine.advance(state, 7)
    after, ledger = engine.observe(state), state.step_state.ledger
    change = sum((getattr(after, x) - getattr(before, x)).item() for x in ("kinetic", "potential", "stored"))
    given, taken = (float(np.asarray(x).item()) for x in (ledger.motors + ledger.outside, ledger.damping))
    assert change == pytest.approx(given - taken, rel=1e-11)
    assert float(np.asarray(ledger.numerical_damping).item()) == pytest.approx(0.0, abs=1e-9 * abs(change))
