"""Raibert's machines in space and with more legs: heading, gaits, and steps of each leg."""

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import gambol
from gambol import Place
from gambol.creatures.raibert import biped, hopper_3d, quadruped
from gambol.creatures.raibert.machine import Machine

RATE = 100.0  # frames/s


def run(machine: Machine, seconds: float, **options: Any) -> gambol.Film:
    world = machine.world(**options)
    return gambol.run(world, gambol.start(world), seconds=seconds, rate=RATE)


def mean_velocity(film: gambol.Film, start: float) -> Any:
    """Return the mean velocity of the centre of mass from a time on [m/s]."""
    centre, k = film.signals["centre"][:, 0], int(start * RATE)
    return (centre[-1] - centre[k]) / (film.time[-1] - film.time[k])


def runs_on_its_own(film: gambol.Film, lowest: float) -> None:
    """Nothing but ground and gravity acts on it, it does not fall, and its books close."""
    last = {name: float(x[-1, 0]) for name, x in film.signals.items() if x.ndim == 2}
    assert last["outside"] == 0.0
    assert film.signals["centre"][:, 0, 2].min() > lowest
    assert abs(last["unaccounted"]) < 0.01 * last["motors"]


@pytest.mark.parametrize("speed", [2.0, 3.0])
def test_the_hopper_in_space_follows_a_heading(speed: float):
    heading = 2.0
    machine = replace(hopper_3d.MACHINE, gains=replace(hopper_3d.MACHINE.gains, heading=heading))
    film = run(machine, 25.0, speed=speed)
    velocity = mean_velocity(film, 15.0)
    assert math.hypot(velocity[0], velocity[1]) == pytest.approx(speed, rel=0.05)
    assert math.atan2(velocity[1], velocity[0]) == pytest.approx(heading, abs=0.05)
    runs_on_its_own(film, 0.8)


def test_the_biped_runs_on_two_feet_in_turn():
    film = run(biped.MACHINE, 25.0, speed=2.0)
    assert mean_velocity(film, 15.0)[0] == pytest.approx(2.0, rel=0.05)
    runs_on_its_own(film, 0.8)
    stands = film.signals["push"][film.time > 15.0, 0] > 0.0
    assert not stands.all(axis=1).any()  # it runs: the feet never stand together
    firsts = [int(np.argmax(row)) for k, row in enumerate(stands[1:]) if row.any() and not stands[k].any()]
    assert len(firsts) > 10
    assert all(a != b for a, b in itertools.pairwise(firsts))


PAIRS = {"trot": ((0, 3), (1, 2)), "pace": ((0, 2), (1, 3)), "bound": ((0, 1), (2, 3))}


@pytest.mark.parametrize("gait", PAIRS)
def test_the_quadruped_runs_in_each_gait_on_pairs_of_legs(gait: str):
    film = run(quadruped.machine(gait), 15.0, speed=1.0)
    velocity = mean_velocity(film, 10.0)
    assert velocity[0] == pytest.approx(1.0, rel=0.05)
    assert abs(velocity[1]) < 0.05
    runs_on_its_own(film, 0.4)
    stands = film.signals["push"][film.time > 10.0, 0] > 0.0
    first, second = PAIRS[gait]
    for a, b in (first, second):
        assert (stands[:, a] == stands[:, b]).mean() > 0.9  # a pair acts as one
    assert (stands[:, first[0]] & stands[:, second[0]]).mean() < 0.05  # pairs stand in turn
    assert stands[:, first[0]].mean() > 0.1
    assert stands[:, second[0]].mean() > 0.1


@pytest.mark.parametrize("gait", PAIRS)
def test_the_quadruped_keeps_its_heading_for_a_minute(gait: str):
    """With half of the damping of yaw, its yaw swings wider and wider: a trot fell after 25 s, a pace after 39 s."""
    world = quadruped.make_world(gait=gait)
    film = gambol.run(world, gambol.start(world, 4, jitter=0.01, seed=20), 60.0, rate=50.0)
    w, x, y, z = np.moveaxis(film.quaternion[:, :, 0], -1, 0)
    yaw = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    assert film.position[:, :, 0, 2].min() > 0.5
    assert np.abs(yaw).max() < np.radians(20.0)
    assert np.abs(yaw[film.time > 50.0]).max() < 1.5 * np.abs(yaw[film.time < 20.0]).max()


def test_an_unknown_gait_is_refused():
    with pytest.raises(gambol.WorldError, match='did you mean "trot"'):
        quadruped.make_world(gait="trott")


def test_a_machine_elsewhere_moves_as_at_the_origin():
    """Its law knows its position only by differences from where its strides began."""
    quadruped = gambol.make_world("raibert-quadruped")
    worlds = [gambol.together([quadruped], [Place(0.0, y)]) for y in (0.0, 20.0)]
    films = [gambol.run(world, gambol.start(world), 1.5, rate=25.0, coordinates=True) for world in worlds]
    here, there = (film.signals["q"][:, 0] for film in films)
    there[:, 5] -= 20.0
    # positions at 20 m are rounded to 4e-15 m in each of 6,000 steps of the integration; landings enlarge this
    np.testing.assert_allclose(there, here, atol=1e-9)
