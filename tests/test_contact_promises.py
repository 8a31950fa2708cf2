"""Tests of velocity steps: standing bodies keep standing, falling ones gain no energy, lanes agree to the bit."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from worlds import mechanical, moved, touch

from gambol.collide.broad import Pair
from gambol.contact import Stepping, SurfaceProperties
from gambol.creatures import roach, standing_state, world_of
from gambol.figure import Box, Capsule, Figure, Joint, Link, Part, Sphere, make_forest, random_figure
from gambol.figure.generator import random_state
from gambol.lanes import Precision
from gambol.world import Engine, State, Timing, World, depth_of, start

H = 1e-3
WORLDS = 24


def steps(figure: Figure, h: float = H, **changes: float | tuple[Pair, ...]) -> World:
    given = touch(friction=float(changes.pop("friction", 0.6)), restitution=float(changes.pop("restitution", 0.0)))
    return World(
        figure, surface=SurfaceProperties(given), contact="stepping", timing=Timing(control_step=h, step=h), **changes
    )


def stack(heavier: float = 1.0, iterations: int = 8) -> tuple[World, State]:
    """Two boxes of 0.1 m on each other, the upper one heavier by a factor and 1 cm aside."""
    boxes = [
        Figure(name, (Link(name, None, Joint("free"), (Part(Box((0.1, 0.1, 0.1)), density=density),)),))
        for name, density in (("lower", 1000.0), ("upper", 1000.0 * heavier))
    ]
    world = steps(make_forest("stack", boxes), 2e-3, pairs=(Pair(2, 0, 3, 0),))
    world = replace(world, contact=Stepping(max_contacts=16, iterations=iterations))
    return world, start(world, position={"lower": (0.0, 0.0, 0.05), "upper": (0.01, 0.0, 0.15)})


def top_heavy_stack() -> tuple[World, State]:
    """A load of four times the weight needs more iterations: with 8 such a stack creeps, and the state reports it."""
    return stack(4.0, 30)


def quadruped() -> tuple[World, State]:
    """A trunk of 9 kg on four stiff legs with balls for feet."""
    feet = tuple(Part(Sphere(0.02), (x, y, -0.23), density=3e3) for x in (0.2, -0.2) for y in (0.1, -0.1))
    figure = Figure(
        "quadruped", (Link("trunk", None, Joint("free"), (Part(Box((0.5, 0.3, 0.1)), density=600.0), *feet)),)
    )
    world = steps(figure, 2e-3)
    return world, start(world, position=(0.0, 0.0, 0.25))


@pytest.mark.slow
@pytest.mark.parametrize("made", [stack, top_heavy_stack, quadruped])
def test_standing_bodies_stand_for_a_minute(made):
    world, begun = made()
    engine = Engine(world, lanes=1)
    settled = moved(engine, begun, 1.0)
    after = moved(engine, settled, 59.0)
    # A creep of 1e-6 m/s would move it by 6e-5 m; a depth of 1e-4 of 0.1 m shows as a lower place.
    assert np.abs(after.q - settled.q).max() < 59e-6
    assert np.abs(after.v).max() < 1e-6
    heights = (after.q - begun.q)[0, [k + 6 for k in range(0, world.figure.nq, 7)]]
    assert np.abs(heights).max() < 1e-5
    assert after.step_state.memory.contact_cache.unsolved[0] == settled.step_state.memory.contact_cache.unsolved[0]
    np.testing.assert_allclose(mechanical(engine, after), mechanical(engine, settled), rtol=1e-6)


@pytest.mark.slow
def test_a_roach_stands_for_a_minute():
    """Six feet of a ten-thousandth of its weight each, held up by springs."""
    creature = roach()
    world = world_of(creature, begins=1e3, reflexes=False, contact="stepping")
    engine = Engine(world, lanes=1)
    settled = moved(engine, standing_state(creature, world), 3.0)
    after = moved(engine, settled, 57.0)
    # Far below a creep of 1e-6 m/s, which would move it by 6e-5 m; it is 3 cm long.
    assert np.abs(after.q - settled.q).max() < 1e-9
    assert np.abs(after.v).max() < 1e-9
    assert after.step_state.memory.contact_cache.unsolved[0] == settled.step_state.memory.contact_cache.unsolved[0]
    assert depth_of(world, after.q[0].tolist()) < 1e-4 * world.size
    np.testing.assert_allclose(mechanical(engine, after), mechanical(engine, settled), rtol=1e-9)


@cache
def dropped(seed: int) -> tuple[World, Figure]:
    """A random figure with balls and rods for limbs, of 2 to 6 links."""
    bare = random_figure(seed, 2 + seed % 5, kinds=("revolute", "spherical", "universal"), root="free")
    limbs = [
        replace(link, parts=(Part(Capsule(0.05, 0.2) if k % 2 else Sphere(0.1), inertial=False),))
        for k, link in enumerate(bare.given_links)
    ]
    figure = Figure("dropped", tuple(limbs))
    return steps(figure, restitution=0.5), figure


def falling(seed: int, precision: Precision, h: float = H) -> tuple[Engine, State, np.ndarray]:
    """Return worlds in which it falls, each with its own friction, restitution and initial state."""
    world, figure = dropped(seed)
    world = replace(world, timing=Timing(control_step=10 * h, step=h))
    engine, random = Engine(world, precision), np.random.default_rng(seed)
    state = start(world, WORLDS, precision=precision)
    for k in range(WORLDS):
        state.q[k], state.v[k] = random_state(figure, 100 * seed + k)
    state.q[:, 4:7] = (0.0, 0.0, 1.5)
    mu, e = random.uniform(0.0, 1.5, WORLDS), random.uniform(0.0, 1.0, WORLDS)
    mu[0], e[1], e[2] = 0.0, 0.0, 1.0
    numbers = engine.numbers(touch=replace(world.surface.parameters, friction=mu, restitution=e))
    return engine, state, numbers


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_what_is_dropped_gains_no_energy_and_stays_in_its_cone(seed: int):
    engine, state, numbers = falling(seed, "float64", 2.5e-4)
    mu = np.random.default_rng(seed).uniform(0.0, 1.5, WORLDS)
    mu[0] = 0.0
    before = seen = mechanical(engine, state)
    worst = 0.0
    for k in range(1, 401):
        engine.advance(state, k, numbers)
        assert (state.step_state.clock.status == 0.0).all()
        assert np.isfinite(state.rows).all()
        now = mechanical(engine, state)
        worst = max(worst, float(np.max((now - seen) / before)))
        seen = np.minimum(seen, now)
        impulses = state.step_state.memory.contact_cache.impulses
        for p, one, other in (impulse for impulse in impulses if len(impulse) == 3):
            assert (np.hypot(one, other) <= mu * p * (1.0 + 1e-9) + 1e-12).all()
            assert (p >= 0.0).all()
    # Limbs that whirl after an elastic bounce are moved to first order in the step; at 1 ms it is four times as much.
    assert worst < 0.03


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_lanes_threads_and_widths_make_the_same_bits(precision: Precision):
    engine, state, numbers = falling(1, precision)
    whole, threaded, few = state.copied(), state.copied(), State(engine.world, state.rows[:, 5:10].copy())
    engine.advance(whole, 60, numbers)
    engine.advance(threaded, 60, numbers, threads=2)
    engine.advance(few, 60, np.ascontiguousarray(numbers[:, 5:10]))
    one = State(engine.world, state.rows[:, 7:8].copy())
    Engine(engine.world, precision, lanes=1).advance(one, 60, np.ascontiguousarray(numbers[:, 7:8]))
    np.testing.assert_array_equal(threaded.rows, whole.rows)
    np.testing.assert_array_equal(few.rows, whole.rows[:, 5:10])
    np.testing.assert_array_equal(one.rows[:, 0], whole.rows[:, 7])
    assert np.ptp(whole.q, axis=0).max() > 0.1
