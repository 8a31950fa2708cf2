"""Bodies on the ground: they bounce, stand, slide, stick and tumble, and every joule is accounted for."""

import math
from typing import Any

import numpy as np
import pytest
from worlds import Array, ball, block, energy_balance, mechanical, moved, touch

from gambol.collide import HeightGrid, Plane
from gambol.contact import StickyFoot, SurfaceProperties
from gambol.figure import Box, Figure, Joint, JointSpring, Link, Part
from gambol.gait import GaitController, Leg
from gambol.world import Engine, State, Timing, World, start

G = 9.81
TIMING = Timing(control_step=0.01, step=1e-3, tolerance=1e-6)

# Blocks that slide to a stop: speed, mu, distance. Blocks let go on a slope: angle [degrees], mu, acceleration.
STOPS = [(2.0, 0.5, 0.4077471967380224), (1.0, 0.1, 0.509683995922528)]
SLOPES = [
    (20.0, 0.3, 0.5897022230518818),
    (20.0, 0.4, 0.0),
    (30.0, 0.5, 0.6571453944373277),
    (30.0, 0.6, 0.0),
    (45.0, 0.5, 3.468358761720015),
]


def dropped(e: float, height: float) -> tuple[Engine, State]:
    world = World(
        ball(0.05),
        surface=SurfaceProperties(touch(restitution=e)),
        timing=Timing(control_step=1e-3, step=1e-4, tolerance=1e-8),
    )
    return Engine(world), start(world, position=(0.0, 0.0, 0.05 + height))


@pytest.mark.parametrize("e", [1.0, 0.8, 0.5])
def test_a_ball_rebounds_to_its_share_of_the_height(e: float):
    """The ground stores all energy and returns e of it: m g (h + d) = k d^2 / 2, apex = e (h + d) - d."""
    h, k = 0.5, 1e4
    d = (G + math.sqrt(G * G + 2 * k * G * h)) / k
    engine, state = dropped(e, h)
    passed: list[Array] = []
    for _ in range(700):
        state = moved(engine, state, 1e-3)
        passed.append(np.array([state.q[0, 6], state.v[0, 5]]))
    z, speed = np.array(passed).T
    lowest = int(np.argmax(speed > 0.0))
    apex = lowest + int(np.argmax(speed[lowest:] < 0.0))
    # Restitution comes in over the first 1e-3 of 3 m/s. The floor is seen at a frame: k d / m dt^2 / 8.
    assert z[apex] - 0.05 == pytest.approx(e * (h + d) - d, abs=1e-4)
    assert z[:apex].min() - 0.05 == pytest.approx(-d, abs=k * d * 1e-6 / 8)


def test_balls_come_to_rest_where_the_exponential_spring_carries_them():
    alpha, beta = 2.0, 500.0
    world = World(
        ball(), surface=SurfaceProperties(touch(stiffness=0.0, alpha=alpha, beta=beta, damping=20.0)), timing=TIMING
    )
    engine, state = Engine(world), start(world, position=(0.0, 0.0, 0.06))
    after = moved(engine, state, 3.0)
    assert 0.05 - after.q[0, 6] == pytest.approx(math.log1p(G / alpha) / beta, rel=1e-6)
    np.testing.assert_allclose(energy_balance(engine, after), energy_balance(engine, state), atol=1e-5)


@pytest.mark.parametrize("feet", [("block",), ()], ids=["feet", "no_feet"])
@pytest.mark.parametrize(("speed", "mu", "distance"), STOPS)
def test_a_block_slides_to_a_stop(speed: float, mu: float, distance: float, feet: tuple[str, ...]):
    world = World(block(), surface=SurfaceProperties(touch(friction=mu, damping=100.0), feet=feet), timing=TIMING)
    engine, state = Engine(world), start(world, position=(0.0, 0.0, 0.01 - G / 4e4))
    state.v[0, 3] = speed
    after = moved(engine, state, 1.5 * speed / (mu * G))
    # A bristle bends by mu m g / (4 k) = 1e-5 m at most; regularised friction creeps on for v / (4 c / m).
    assert after.q[0, 4] == pytest.approx(distance, rel=1e-3)
    assert abs(after.v[0, 3]) < (1e-6 if feet else 1e-3)  # the stiff damper oscillates at a few times the tolerance
    np.testing.assert_allclose(after.step_state.ledger.sliding, 0.5 * speed**2, rtol=1e-3)


@pytest.mark.parametrize("feet", [("ball",), ()], ids=["foot", "no foot"])
def test_a_ball_that_slides_ends_up_rolling_at_five_sevenths(feet: tuple[str, ...]):
    """Angular momentum about the line of contact is kept; the rest, two sevenths of the energy, is lost to friction."""
    radius, speed = 0.05, 1.0
    world = World(ball(radius), surface=SurfaceProperties(touch(friction=0.5, damping=100.0), feet=feet), timing=TIMING)
    engine, state = Engine(world), start(world, position=(0.0, 0.0, radius - G / 1e4))
    state.v[0, 3] = speed
    after = moved(engine, state, 1.0)  # it slides for 2 v / (7 mu g) = 0.06 s
    along = float(np.hypot(after.v[0, 3], after.v[0, 5]))
    assert along == pytest.approx(5 / 7 * speed, rel=1e-3)
    assert after.v[0, 1] == pytest.approx(along / radius, rel=1e-3)
    np.testing.assert_allclose(after.step_state.ledger.sliding, 0.5 * speed**2 * 2 / 7, rtol=2e-3)
    np.testing.assert_allclose(energy_balance(engine, after), energy_balance(engine, state), atol=1e-5)


@pytest.mark.parametrize(("degrees", "mu", "acceleration"), SLOPES)
def test_a_block_on_a_slope_sticks_or_slides(degrees: float, mu: float, acceleration: float):
    theta = math.radians(degrees)
    slope = HeightGrid(np.array([[100.0, 100.0], [-100.0, -100.0]]) * math.tan(theta), 200.0, -100.0, -100.0)
    ground = touch(friction=mu, damping=100.0)
    world = World(block(), ground=slope, surface=SurfaceProperties(ground, feet=("block",)), timing=TIMING)
    lift = 0.01 - G * math.cos(theta) / 4e4
    start_at = (lift * math.sin(theta), 0.0, lift * math.cos(theta))
    engine, state = Engine(world), start(world, position=start_at)
    state.q[0, :4] = (math.cos(theta / 2), 0.0, math.sin(theta / 2), 0.0)
    early, late = moved(engine, state, 0.5), moved(engine, state, 1.0)
    found = float(late.v[0, 3] - early.v[0, 3]) / 0.5
    if acceleration == 0.0:
        assert np.abs(late.v[0, 3:]).max() < 1e-6
        assert np.abs(late.v[0, :3]).max() < 1e-4  # the tolerance, in a frame
    assert found == pytest.approx(acceleration, rel=1e-3, abs=1e-6)
    np.testing.assert_allclose(energy_balance(engine, late), energy_balance(engine, state), atol=1e-4)


def hanger(reach: float = 4e-4) -> tuple[World, float]:
    """Return a body on a leg of two stiff joints with a sticky foot, and its corners' force at their reach [N]."""
    steel = JointSpring(stiffness=50.0, damping=0.2)
    joint = Joint("revolute", (1.0, 0.0, 0.0))
    links = (
        Link("trunk", None, Joint("free"), (Part(Box((0.02, 0.02, 0.02)), colliding=False),)),
        Link("upper", "trunk", joint, (Part(Box((0.01, 0.01, 0.01)), colliding=False),)),
        Link("foot", "upper", joint, (Part(Box((0.02, 0.02, 0.004)), position=(0.0, 0.0, -0.02)),)),
    )
    stick = StickyFoot(alpha=0.02, beta=5000.0, damping=0.05, restitution=1.0, return_speed=0.1, reach=reach)
    gait = GaitController((Leg("leg", "left", 0, ("upper", "foot"), (), ()),), {}, begins=1e6)
    ground = touch(stiffness=500.0, damping=0.2, bristle_stiffness=500.0, bristle_damping=0.1, skid_damping=0.1)
    world = World(
        Figure("hanger", links),
        {"upper": steel, "foot": steel},
        surface=SurfaceProperties(ground, feet=("foot",), sticky=stick),
        controller=gait,
        timing=TIMING,
    )
    return world, 4 * stick.alpha * math.expm1(stick.beta * reach)


def test_sticky_feet_hold_a_figure_upside_down_up_to_their_strength():
    world, holds = hanger()
    engine = Engine(world)
    standing = moved(engine, start(world, position=(0.0, 0.0, 0.0225)), 0.5)
    assert sum(a.held[0] for a in standing.step_state.memory.anchors[0]) == 4.0
    most = holds / world.figure.mass
    hanging = moved(engine, standing, 1.0, engine.numbers(gravity=-0.2 * most))  # turned over at once, so it overshoots
    assert hanging.q[0, 6] < 0.0225 + 4e-4
    assert np.abs(hanging.v).max() < 1e-3
    falling = moved(engine, standing, 1.0, engine.numbers(gravity=-1.5 * most))
    assert falling.q[0, 6] > 0.3
    assert all(a.held[0] == 0.0 for a in falling.step_state.memory.anchors[0])


def test_feet_that_do_not_stick_fall_off_the_ceiling():
    world, _ = hanger()
    engine = Engine(
        World(
            world.figure,
            world.springs,
            surface=SurfaceProperties(world.surface.parameters, feet=("foot",)),
            timing=TIMING,
        )
    )
    standing = moved(engine, start(engine.world, position=(0.0, 0.0, 0.0225)), 0.5)
    falling = moved(engine, standing, 0.3, engine.numbers(gravity=-G))
    assert falling.q[0, 6] - standing.q[0, 6] == pytest.approx(0.5 * G * 0.3**2, rel=0.02)


def tumbling(tolerance: float, feet: tuple[str, ...], ground: Any) -> Array:
    """Return the unaccounted energy of blocks thrown at the ground, as a fraction of their initial energy."""
    numbers = touch(stiffness=2e3, restitution=0.6, restitution_speed=0.05, damping=2.0, bristle_stiffness=2e3)
    numbers = numbers if feet else touch(stiffness=2e3, restitution=0.6, restitution_speed=0.05, skid_damping=50.0)
    timing = Timing(control_step=0.01, step=1e-3, tolerance=tolerance)
    world = World(block((0.1, 0.06, 0.04)), ground=ground, surface=SurfaceProperties(numbers, feet=feet), timing=timing)
    rng = np.random.default_rng(3)
    engine, state = Engine(world), start(world, 8, position=rng.uniform((-0.1, -0.1, 0.2), (0.1, 0.1, 0.4), (8, 3)))
    state.q[:, :4] = rng.normal(size=(8, 4))
    state.q[:, :4] /= np.linalg.norm(state.q[:, :4], axis=1, keepdims=True)
    state.v[:] = rng.normal(scale=(5.0, 5.0, 5.0, 0.5, 0.5, 0.5), size=(8, 6))
    after = moved(engine, state, 1.0)
    lost = mechanical(engine, state) - mechanical(engine, after)
    assert (lost > 0.0).all()  # energy never appears
    for loss in (after.step_state.ledger.impact, after.step_state.ledger.sliding):
        assert (loss > 0.0).all()
    return np.abs(energy_balance(engine, after) - energy_balance(engine, state)) / mechanical(engine, state)


@pytest.mark.parametrize("feet", [("block",), ()], ids=["feet", "no_feet"])
def test_the_book_of_a_tumbling_block_closes_as_the_tolerance_does(feet: tuple[str, ...]):
    coarse, fine = (tumbling(tolerance, feet, Plane()) for tolerance in (1e-4, 1e-7))
    assert coarse.max() < 1e-2
    assert fine.max() < 1e-3
    assert fine.mean() < 0.15 * coarse.mean()
