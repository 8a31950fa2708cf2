"""The middle of a smooth step follows from the acceleration of the step before: smaller errors in free motion."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation
from sprung_figures import above_ground, falls, stander
from worlds import point, touch

from gambol.collide import NoGround
from gambol.contact import Stepping, SurfaceProperties
from gambol.contact.stepping import pushing_changed
from gambol.figure import Figure, Joint, JointSpring, Link, MassProperties
from gambol.world import Engine, Timing, World, start
from gambol.world.capacity import resized

G, LENGTH = 9.81, 0.5  # m/s2, m


def swinging(extrapolated: bool, h: float, gravity: float, spring: float, steps: int) -> np.ndarray:
    """Return the angles (steps + 1) of a pendulum that starts at a small angle, after each step of h [s]."""
    bob = Link("bob", None, Joint("revolute", (0.0, 1.0, 0.0)), (), point(1.0, (0.0, 0.0, -LENGTH)))
    world = World(
        Figure("pendulum", (bob,)),
        {"bob": JointSpring(stiffness=spring)} if spring else {},
        gravity=gravity,
        ground=NoGround(),
        contact=Stepping(extrapolated=extrapolated),
        timing=Timing(h, h),
    )
    state, engine, angles = start(world, 1), Engine(world), [1e-4]
    state.q[:], state.v[:] = angles[0], 0.0
    for _ in range(steps):
        engine.advance(state, round(float(state.step_state.clock.control_steps[0])) + 1)
        angles.append(float(state.q[0, 0]))
    return np.array(angles)


def rate_and_decay(angles: np.ndarray) -> tuple[float, float]:
    """Return angle and decay per step of an oscillation: angles x obey x'' - 2 r cos(a) x' + r^2 x = 0, r = 1 - decay.

    x, x', x'' are three angles, one after the other.
    """
    pairs = np.stack([angles[11:-1], -angles[10:-2]], axis=1)
    (twice, square), *_ = np.linalg.lstsq(pairs, angles[12:], rcond=None)
    return float(np.arccos(0.5 * twice / np.sqrt(square))), float(1.0 - np.sqrt(square))


def test_the_frequency_of_a_pendulum_has_half_the_error_and_the_opposite_sign():
    """With w = (omega h)^2 the step has the eigenvalues z of s = w (1 - s / (8 z)), s = -(z - 1)^2 / z.

    For small w: z = exp(i omega h (1 - w / 48) - w^2 / 16). A leapfrog has s = w: 1 + w / 24, and no decay.
    """
    h = 0.02
    w = G / LENGTH * h * h
    for extrapolated, error, decay in ((False, 1.0 / 24.0, 0.0), (True, -1.0 / 48.0, w * w / 16.0)):
        rate, found = rate_and_decay(swinging(extrapolated, h, G, 0.0, 200))
        assert rate / np.sqrt(w) - 1.0 == pytest.approx(error * w, rel=0.02)  # terms of w^2 are left out
        assert found == pytest.approx(decay, rel=0.02, abs=1e-9)


def test_springs_keep_their_energy():
    """They act in the middle of the displacement, as without extrapolation, which would damp explicit stiff ones."""
    stiffness, h = 40.0, 0.05  # of the explicit stiffness that is stable, 0.7 is used
    plain, extrapolated = (swinging(x, h, 0.0, stiffness, 100) for x in (False, True))
    np.testing.assert_allclose(extrapolated, plain, rtol=0.0, atol=1e-12)
    assert np.abs(plain).max() > 0.99e-4


MOMENTS, SPIN = np.array([1.0, 2.0, 2.8]), np.array([0.3, 6.0, 0.5])  # kg m2, rad/s: about the unstable axis


def tumbling_error(extrapolated: bool, steps: int, seconds: float = 2.0) -> float:
    """Return the error of the attitude [rad] of a free body, against Euler's equations."""
    body = MassProperties(1.0, (0.0, 0.0, 0.0), tuple(map(tuple, np.diag(MOMENTS).tolist())))  # type: ignore[arg-type]
    world = World(
        Figure("body", (Link("body", None, Joint("free"), (), body),)),
        gravity=0.0,
        ground=NoGround(),
        contact=Stepping(extrapolated=extrapolated),
        timing=Timing(seconds, seconds / steps),
    )
    state = start(world, 1)
    state.q[:], state.v[:] = [1.0, *[0.0] * 6], [*SPIN, 0.0, 0.0, 0.0]
    Engine(world).advance(state, 1)

    def euler(_: float, y: np.ndarray) -> np.ndarray:
        w, (a, *b) = y[:3], y[3:]
        turning = [-0.5 * np.dot(b, w), *(0.5 * (a * w + np.cross(b, w)))]
        return np.concatenate([np.cross(MOMENTS * w, w) / MOMENTS, turning])

    end = solve_ivp(euler, (0.0, seconds), [*SPIN, 1.0, 0.0, 0.0, 0.0], rtol=1e-11, atol=1e-12).y[3:, -1]
    exact, found = (Rotation.from_quat(x, scalar_first=True) for x in (end, np.array(state.q[0, :4])))
    return float((exact.inv() * found).magnitude())


def test_a_tumbling_body_is_more_accurate():
    """Its velocity changes at a changing rate, which the mean of the velocities before and after a step leaves out."""
    plain, coarse, fine = tumbling_error(False, 400), tumbling_error(True, 400), tumbling_error(True, 800)
    assert coarse < 0.5 * plain
    assert np.log2(coarse / fine) > 1.9


def standing_world(**options: Any) -> World:
    """Return the world of a trunk on two legs with springs and dampers, in one control step of 0.3 s."""
    figure, springs = stander()
    method = Stepping(iterations=20, second_order_landings=True, **options)
    surface = SurfaceProperties(touch(restitution=0.0, friction=0.8))
    return World(figure, springs, surface=surface, contact=method, timing=Timing(0.3, 0.3))


def floating_ends(extrapolated: bool, counts: tuple[int, ...]) -> list[np.ndarray]:
    """Return the coordinates of tumbling figures without springs or ground, after each number of steps."""
    world = replace(standing_world(extrapolated=extrapolated), springs={}, ground=NoGround())
    first, engine, ends = above_ground(world, 64), Engine(world), list[np.ndarray]()
    for count in counts:
        state = first.copied()
        state.v[:] *= 20.0
        state.step_state.clock.step[:] = world.timing.control_step / count
        engine.advance(state, 1)
        ends.append(np.array(state.q))
    return ends


def test_a_floating_figure_has_a_smaller_error():
    """Reference: short steps without extrapolation."""
    plain, exact = floating_ends(False, (60, 6000))
    coarse, fine = floating_ends(True, (60, 240))
    error, coarse_error, fine_error = (np.median(np.abs(q - exact).max(axis=1)) for q in (plain, coarse, fine))
    assert coarse_error < 0.6 * error
    assert np.log2(coarse_error / fine_error) / 2.0 > 1.9


def test_a_contact_that_begins_or_ceases_to_push_is_a_change():
    pushing, other = [[0.2, 0.1, 0.0], [0.0, 0.0, 0.0], [0.3]], [[0.1, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0]]
    assert pushing_changed(pushing, other, 2) == 0.0  # dry friction, which comes last, does not count
    assert pushing_changed(pushing, other, 3) == 1.0
    assert pushing_changed(other, pushing, 3) == 1.0


def test_landings_stay_of_second_order():
    coarse = 60
    ends = falls(standing_world(extrapolated=True), 64, (coarse, 8 * coarse, 80 * coarse))
    errors = [np.median(np.abs(q - ends[-1]).max(axis=1)) for q in ends[:-1]]
    assert np.log2(errors[0] / errors[1]) / 3.0 > 1.6


def test_divided_steps_of_a_world_do_not_depend_on_other_worlds():
    """Each world knows the acceleration of its own step before."""
    world = standing_world(extrapolated=True, landing_steps=4)
    state = above_ground(world, 32)
    few = start(world, 3)
    few.rows[:] = state.rows[:, :3]
    for each in (state, few):
        each.step_state.clock.step[:] = 0.3 / 60
        Engine(world).advance(each, 1)
    assert np.array_equal(state.rows[:, :3], few.rows)


def test_another_contact_capacity_keeps_the_acceleration():
    world = standing_world(extrapolated=True)
    state = above_ground(world, 2)
    state.step_state.clock.step[:] = 0.3 / 60
    Engine(world).advance(state, 1)
    larger = standing_world(extrapolated=True, max_contacts=3)
    caches = [x.step_state.memory.contact_cache for x in (state, resized(state, larger))]
    before, after = (np.array(cache.acceleration) for cache in caches if cache is not None)
    np.testing.assert_array_equal(after, before)
    assert np.abs(before).max() > 0.0


def unaccounted(world: World, steps: int) -> float:
    """Return the median energy without a cause [J] of standers that land."""
    state, engine, energies = above_ground(world, 64), Engine(world), list[np.ndarray]()
    state.step_state.clock.step[:] = world.timing.control_step / steps
    for _ in range(2):
        seen, ledger = engine.observe(state), state.step_state.ledger
        energy = np.array(seen.kinetic + seen.potential + seen.stored + ledger.damping + ledger.impact, float)
        energies.append(energy + np.array(ledger.sliding - ledger.stabilisation, float))
        engine.advance(state, 1)
    return float(np.median(np.abs(energies[1] - energies[0])))


def test_the_energy_is_in_the_books():
    plain, extrapolated = (unaccounted(standing_world(extrapolated=x), 60) for x in (False, True))
    assert extrapolated < 1.1 * plain
