"""Sleeping bodies: they are where a pile without sleep has them, and wake by contact, pushes and changes."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.errors import WorldError
from gambol.figure.shapes import Box, Sphere
from gambol.rigid import Body, Pile, PileState, PileStepper, Sleeping, SurfaceMaterial, initial_state
from gambol.rigid.islands import islands

EDGE, BOXES = 0.2, 4
BALL = BOXES + 1  # number of the ball beside the tower


def tower() -> tuple[Pile, PileState]:
    """A tower of boxes, and a ball that rolls past it at 1 m/s, 2 m away."""
    pile = Pile([Body(Box((EDGE,) * 3), 1.0)] * BOXES + [Body(Sphere(0.1), 1.0)])
    start = initial_state(pile, [[0.0, 0.0, EDGE * (k + 0.5)] for k in range(BOXES)] + [[0.0, 2.0, 0.1]])
    return pile, with_velocity(start, BALL, [0.0, 10.0, 0.0, 1.0, 0.0, 0.0])


def with_velocity(state: PileState, body: int, velocity: list[float]) -> PileState:
    changed = state.velocity.copy()
    changed[:, body] = velocity
    return replace(state, velocity=changed)


def slept() -> tuple[PileStepper, PileState]:
    """A stepper of the tower, which sleeps, while the ball rolls."""
    pile, start = tower()
    stepper = PileStepper(pile, sleeping=Sleeping())
    state = stepper.advance(start, 300)
    assert state.asleep.tolist() == [True] * BOXES + [False]
    return stepper, state


def test_islands_are_those_of_a_search_from_each_body():
    rng = np.random.default_rng(2)
    first, second = rng.integers(0, 200, (2, 130))
    label = islands(first, second, 200)
    links = [(a, b) for a, b in zip(first.tolist(), second.tolist(), strict=True) if a and b]
    for body in range(200):
        reached, rest = {body}, [body]
        while rest:
            here = rest.pop()
            new = {b if a == here else a for a, b in links if here in (a, b)} - reached
            reached |= new
            rest.extend(new)
        assert label[body] == min(reached)


def test_bodies_at_rest_sleep_where_a_pile_without_sleep_has_them():
    """A body that sleeps is off by its speed at most, over the time without it; here the tower rests to 1e-9 m/s."""
    pile, start = tower()
    stepper, state = slept()
    plain = PileStepper(pile).advance(start, 300)
    assert np.abs(state.position - plain.position).max() < 1e-9
    assert (state.velocity[:, 1:BALL] == 0.0).all()
    change = stepper.energy(state) - stepper.energy(start)
    assert abs(change - state.ledger.total) < 1e-12 * stepper.energy(start)
    assert -0.5 * BOXES * Sleeping().speed ** 2 <= state.ledger.sleep <= 0.0


def test_a_body_that_creeps_below_the_limit_loses_its_energy_to_the_ledger():
    pile = Pile([Body(Sphere(0.1), 2.0)], None, gravity=(0.0, 0.0, 0.0))
    limit = Sleeping(speed=0.1, time=0.05)
    creep = with_velocity(initial_state(pile, [[0.0, 0.0, 0.0]]), 1, [0.3, 0.0, 0.0, 0.06, 0.0, 0.0])
    stepper = PileStepper(pile, sleeping=limit)  # 0.06 m/s and 0.3 rad/s at a radius of 0.1 m: 0.09 m/s
    before, asleep = stepper.advance(creep, 49), stepper.advance(creep, 60)
    assert not before.asleep[0]
    assert asleep.asleep[0]
    assert asleep.ledger.sleep == pytest.approx(-0.5 * 2.0 * 0.06**2 - 0.5 * 0.4 * 2.0 * 0.1**2 * 0.3**2, rel=1e-12)
    assert asleep.position[0, 1] == pytest.approx(0.06 * 0.05, abs=0.06 * 0.05 / 8 + 1e-12)  # looked for 8 times
    assert not PileStepper(pile, sleeping=Sleeping(0.089, 0.05)).advance(creep, 60).asleep[0]


def test_a_ball_that_hits_a_tower_wakes_it():
    """From the hit on, all is as without sleep: the states differ by what they differed before."""
    pile, start = tower()
    stepper, state = slept()
    plain = PileStepper(pile)
    throw = [30.0, -5.0, 0.0, -0.5, -3.0, 0.0]  # rolls from x = 0.3 m, y = 2 m to x = 0, y = 0.2 m
    shot, without = with_velocity(state, BALL, throw), with_velocity(plain.advance(start, 300), BALL, throw)
    asleep = []
    for _ in range(14):
        shot, without = stepper.advance(shot, 50), plain.advance(without, 50)
        asleep.append(bool(shot.asleep[0]))
    assert asleep[0]
    assert not asleep[-1]
    assert np.linalg.norm(without.position[:, 1:BALL] - start.position[:, 1:BALL]) > 0.01  # the tower was hit
    assert np.abs(shot.position - without.position).max() < 1e-6


def test_a_push_wakes_an_island():
    stepper, state = slept()
    push = np.zeros((BALL, 6))
    push[0, 3] = 20.0  # the lowest box
    after = stepper.advance(state, 1, push)
    assert not after.asleep.any()
    assert stepper.advance(state, 1).asleep[0]


def test_a_tower_falls_when_its_lowest_box_is_taken_away():
    stepper, state = slept()
    position = state.position.copy()
    position[:, 1] = [5.0, 5.0, 0.5 * EDGE]
    after = stepper.advance(replace(state, position=position), 100)
    fallen = EDGE * 1.5 - after.position[2, 2]
    assert fallen == pytest.approx(0.5 * 9.81 * 0.1**2, rel=1e-6)


def test_a_stored_state_with_sleeping_bodies_has_the_same_future():
    pile, _ = tower()
    stepper, state = slept()
    shot = with_velocity(state, BALL, [0.0, 0.0, 0.0, -0.3, -2.0, 0.0])
    expected = stepper.advance(shot, 800)
    again = PileStepper(pile, sleeping=Sleeping(), lanes=1).advance(shot, 400)
    found = PileStepper(pile, sleeping=Sleeping()).advance(again, 400)
    for name in ("position", "orientation", "velocity"):
        assert np.array_equal(getattr(found, name), getattr(expected, name))
    assert np.array_equal(found.asleep, expected.asleep)


def test_a_stepper_without_sleep_continues_a_state_with_sleeping_bodies():
    pile, start = tower()
    _, state = slept()
    after = PileStepper(pile).advance(state, 50)
    assert not after.asleep.any()
    assert np.abs(after.position[:, 1:BALL] - start.position[:, 1:BALL]).max() < 1e-8


@pytest.mark.parametrize(("speed", "time"), [(0.0, 0.1), (1e-3, -1.0), (float("nan"), 0.1)])
def test_limits_that_are_not_positive_are_refused(speed, time):
    with pytest.raises(WorldError, match="must be more than 0"):
        Sleeping(speed, time)


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_give_the_same_bits(threads):
    """Balls with friction and bounces, enough for several blocks of each colour, some of them asleep."""
    count = 7
    grid = np.stack(np.meshgrid(*[np.arange(count)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    places = 0.2005 * grid + [0.0, 0.0, 0.1] + np.random.default_rng(3).uniform(0.0, 2e-4, grid.shape)
    far = [[30.0 + 0.5 * k, 0.0, 0.1] for k in range(100)]
    pile = Pile([Body(Sphere(0.1), 10.0)] * (len(grid) + len(far)), surface=SurfaceMaterial(0.5, 0.2))
    start = initial_state(pile, [*places, *far])
    sleep = Sleeping(time=0.02)
    one, several = (PileStepper(pile, threads=n, sleeping=sleep).advance(start, 60) for n in (1, threads))
    assert one.asleep[-1]
    for name in ("position", "orientation", "velocity"):
        assert np.array_equal(getattr(one, name), getattr(several, name))
    assert (one.sweeps, one.residual, one.ledger) == (several.sweeps, several.residual, several.ledger)


def test_no_threads_are_refused():
    pile, _ = tower()
    with pytest.raises(WorldError, match="at least one"):
        PileStepper(pile, threads=0)
