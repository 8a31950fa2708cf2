"""Hertz's spring with Hunt and Crossley's damping: depth, rebound, creep, and colliding balls."""

from typing import Any

import numpy as np
import pytest
from worlds import Array, ball, block, energy_balance, moved, touch

from gambol.collide.broad import allowed_pairs
from gambol.contact import HuntCrossley, SurfaceProperties
from gambol.errors import WorldError
from gambol.figure import make_forest
from gambol.world import Engine, State, Timing, World, start

G, R = 9.81, 0.05
FINE = Timing(control_step=1e-3, step=1e-5, method="dormand-prince", tolerance=1e-9)


def hit(law: HuntCrossley, speed: float) -> tuple[float, float]:
    """Return the greatest depth of a ball of 1 kg that hits the ground without gravity, and its speed afterwards."""
    world = World(ball(R), surface=SurfaceProperties(law), timing=FINE, gravity=0.0)
    engine, state = Engine(world), start(world, position=(0.0, 0.0, R))
    state.v[0, 5] = -speed
    heights: list[float] = []
    for frame in range(1, 40):
        engine.advance(state, frame)
        heights.append(float(state.q[0, 6]))
    return R - min(heights), float(state.v[0, 5])


def test_a_spring_of_hertz_is_pressed_as_deep_as_energy_predicts():
    """m v^2 / 2 = 2/5 k d^(5/2); sampled once in a millisecond of a contact of some ten."""
    depth, leaving = hit(HuntCrossley(1e5), 0.5)
    assert depth == pytest.approx((0.5 * 0.25 / (0.4 * 1e5)) ** 0.4, rel=0.01)
    assert leaving == pytest.approx(0.5, rel=1e-5)


@pytest.mark.parametrize("speed", [0.05, 0.1])
def test_slow_impacts_rebound_with_one_minus_a_v(speed: float):
    """[Hunt and Crossley 1975] to first order; the next term of the series is of order (a v)^2."""
    law = HuntCrossley(1e6, dissipation=0.5)
    _, leaving = hit(law, speed)
    assert leaving / speed == pytest.approx(1.0 - 0.5 * speed, abs=(0.5 * speed) ** 2)


def test_the_depth_of_a_standing_body_follows_from_its_weight():
    world = World(ball(R), surface=SurfaceProperties(HuntCrossley(1e5, 2.0)), timing=FINE)
    after = moved(Engine(world), start(world, position=(0.0, 0.0, R)), 4.0)
    assert R - after.q[0, 6] == pytest.approx((G / 1e5) ** (2.0 / 3.0), rel=1e-3)


def test_friction_creeps_where_it_holds():
    """On a slope (tilted gravity) that needs half of the available friction: v = p s / sqrt(1 - p^2) with p = 1/2."""
    law, mu = HuntCrossley(1e6, 5.0, friction=0.8, stiction_speed=1e-3), 0.8
    slope = np.arctan(0.5 * mu)
    world = World(
        block(), surface=SurfaceProperties(law), timing=FINE, gravity=(G * np.sin(slope), 0.0, -G * np.cos(slope))
    )
    after = moved(Engine(world), start(world, position=(0.0, 0.0, 0.01)), 1.0)
    assert after.v[0, 3] == pytest.approx(0.5 * 1e-3 / np.sqrt(0.75), rel=0.02)


def unbooked(tolerance: float) -> float:
    """Return the imbalance of the ledger of a block that lands and slides, at the end [J]."""
    timing = Timing(control_step=1e-3, step=1e-5, method="dormand-prince", tolerance=tolerance)
    world = World(block(), surface=SurfaceProperties(HuntCrossley(1e6, 0.5, friction=0.5)), timing=timing)
    engine, begun = Engine(world), start(world, position=(0.0, 0.0, 0.05))
    begun.v[0, 3] = 1.0
    ended = moved(engine, begun, 0.5)
    return float(abs(energy_balance(engine, ended) - energy_balance(engine, begun))[0])


def test_the_book_closes_with_the_tolerance():
    """The laws have corners where contact begins, which an integrator resolves only to its tolerance."""
    assert unbooked(1e-10) < 0.1 * unbooked(1e-6) < 1e-3


@pytest.mark.parametrize("law", [touch(restitution=1.0, friction=0.0), HuntCrossley(1e6)])
def test_balls_of_two_figures_exchange_their_speeds(law: Any):
    figure = make_forest("two", [ball(R), ball(R)])
    world = World(figure, surface=SurfaceProperties(law), timing=FINE, gravity=0.0, pairs=allowed_pairs(figure))
    state = start(world)
    state.q[0, 4:7], state.q[0, 11:14] = (0.0, 0.0, 1.0), (0.2, 0.0, 1.0)
    state.v[0, 3] = 1.0
    after: State = moved(Engine(world), state, 0.3)
    found: Array = after.v[0, [3, 9]]
    np.testing.assert_allclose(found, [0.0, 1.0], atol=1e-5)


@pytest.mark.parametrize(
    "changes", [{"stiffness": -1.0}, {"stiction_speed": 0.0}, {"friction": float("nan")}, {"deepest": 0.0}]
)
def test_impossible_numbers_are_refused(changes: dict[str, float]):
    with pytest.raises(WorldError, match=next(iter(changes))):
        World(ball(R), surface=SurfaceProperties(HuntCrossley(**{"stiffness": 1.0} | changes)))
