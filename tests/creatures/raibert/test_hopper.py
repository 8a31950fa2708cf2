"""The planar hopper: hops in place by closed forms, a hop by another program, and runs at the asked speeds."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import gambol
from gambol.creatures.raibert.hopper import GAINS, MACHINE, SIZE
from gambol.world import Push, World

BODY, LEG, G = MACHINE.mass, SIZE.mass, 9.81
STIFFNESS = SIZE.stiffness


def signal(film: gambol.Film, name: str) -> Any:
    return film.signals[name][:, 0]


def passive() -> World:
    """The hopper without thrust, dropped from its start upright and at rest: it hops in place."""
    return replace(MACHINE, gains=replace(GAINS, max_thrust=0.0)).world(speed=0.0)


def touchdowns(film: gambol.Film) -> tuple[Any, Any]:
    """Return the first frames of contact and of flight, by turns; the film begins in the air."""
    stands = signal(film, "push")[:, 0] > 0.0
    return np.flatnonzero(stands[1:] & ~stands[:-1]) + 1, np.flatnonzero(~stands[1:] & stands[:-1]) + 1


def test_hops_without_thrust_obey_closed_forms():
    """In stance the body is a mass on a spring, which lands with v: it stands (2 pi - 2 atan(w v / g)) / w.

    As the leg reaches its stop the body's momentum is shared with the leg, so each hop has (M / (M + m))^2 of the last
    height. Frames and steps last 1 ms, which bounds the errors of times; those of heights are a hundredth.
    """
    world = passive()
    film = gambol.run(world, gambol.start(world), seconds=2.0, rate=1000.0)
    z, (lands, leaves) = film.position[:, 0, 0, 2], touchdowns(film)
    standing = z[lands[0]]
    v, w = math.sqrt(2.0 * G * (MACHINE.start - 1.4)), math.sqrt(STIFFNESS / BODY)
    assert standing == pytest.approx(1.4, abs=3e-3)  # hip 0.4 m under the body on a leg of 1 m
    stance = film.time[leaves[0]] - film.time[lands[0]]
    assert stance == pytest.approx((2.0 * math.pi - 2.0 * math.atan(w * v / G)) / w, abs=2e-3)
    tops = [MACHINE.start - 1.4, *(z[a:b].max() - 1.4 for a, b in zip(leaves[:2], lands[1:3], strict=True))]
    ratios = np.array(tops[1:]) / np.array(tops[:-1])
    np.testing.assert_allclose(ratios, (BODY / (BODY + LEG)) ** 2, rtol=0.02)


@pytest.mark.parametrize("second_order", [False, True])
def test_each_hop_lands_once(second_order: bool):
    """Wherever in a step: 16 starts, each 0.1 mm higher. A hop has two events: its landing, and the stop of its leg.

    A foot that landed after the end of its step was lifted, by the correction of an overlap of the leg with its stop
    that existed at no time, and landed again up to 5 ms later. In the air the leg is at its stop to rounding.
    """
    world = passive()
    contact = replace(world.method, second_order_landings=second_order)  # type: ignore[type-var]  # Stepping
    world = replace(world, contact=contact)
    engine, state = gambol.Engine(world), gambol.start(world, 16)
    state.q[:, 1] += 1e-4 * np.arange(16)
    stood, landings, events = np.zeros(16, bool), np.zeros(16, int), np.zeros(16)
    for step in range(1500):
        engine.advance(state, step + 1)
        cache = state.step_state.memory.contact_cache
        assert cache is not None
        stands = np.array(cache.impulses[0][0]) > 0.0
        landings += stands & ~stood
        events += np.array(cache.had_event[0]) if second_order else 0.0
        stood = stands
    np.testing.assert_array_equal(landings, 2)
    np.testing.assert_array_equal(events, 4.0 if second_order else 0.0)


def test_each_hop_returns_to_the_desired_height():
    world = MACHINE.world(speed=0.0)
    film = gambol.run(world, gambol.start(world), seconds=8.0, rate=200.0)
    late = signal(film, "centre")[film.time > 5.0, 2]
    assert late.max() == pytest.approx(GAINS.height, abs=0.1)


@pytest.mark.parametrize("speed", [2.0, 3.0])
def test_it_settles_at_the_requested_speed(speed: float):
    world = MACHINE.world(speed=speed)
    film = gambol.run(world, gambol.start(world), seconds=25.0, rate=100.0)
    centre, late = signal(film, "centre"), np.flatnonzero(film.time >= 15.0)
    mean = (centre[-1, 0] - centre[late[0], 0]) / (film.time[-1] - film.time[late[0]])
    assert mean == pytest.approx(speed, rel=0.05)
    assert centre[:, 2].min() > 0.8
    assert signal(film, "outside")[-1] == 0.0
    assert abs(signal(film, "unaccounted")[-1]) < 0.01 * signal(film, "motors")[-1]


def test_contact_by_springs_gives_the_same_speed():
    world = MACHINE.world(speed=2.0, contact="penalty")
    film = gambol.run(world, gambol.start(world), seconds=25.0, rate=50.0)
    centre, late = signal(film, "centre"), np.flatnonzero(film.time >= 15.0)
    mean = (centre[-1, 0] - centre[late[0], 0]) / (film.time[-1] - film.time[late[0]])
    assert mean == pytest.approx(2.0, rel=0.05)


def test_it_runs_on_after_a_push():
    world = MACHINE.world(speed=2.0, push=Push((40.0, 0.0, 0.0), 12.0, 12.1))
    film = gambol.run(world, gambol.start(world), seconds=25.0, rate=50.0)
    assert signal(film, "centre")[:, 2].min() > 0.8
    assert signal(film, "outside")[-1] != 0.0


def test_impossible_speeds_are_refused():
    with pytest.raises(gambol.WorldError, match="cannot run at 9 m/s"):
        MACHINE.world(speed=9)
