"""Reflexes read off undisturbed walking: silent in it, the same left and right, and those that the roach is given."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.control import Leg, MotorCommand
from gambol.creatures import Creature, roach, set_down, world_of
from gambol.creatures.calibration import calibrate, stance_direction
from gambol.errors import WorldError
from gambol.world import run

ROACH = roach()


def steps_and_way(creature: Creature, reflexes: bool) -> tuple[np.ndarray, np.ndarray]:
    """Which legs step, and where the centre of mass is, in four strides on level ground."""
    world = world_of(creature, reflexes=reflexes)
    film = run(world, set_down(creature, world), 0.5)
    return film.signals["stepping"][:, 0], film.signals["centre"][:, 0]


def test_calibrated_reflexes_are_silent_where_nothing_disturbs():
    (on, there), (off, here) = (steps_and_way(ROACH, reflexes) for reflexes in (True, False))
    np.testing.assert_array_equal(on, off)
    np.testing.assert_array_equal(there, here)


def test_reflexes_within_the_ranges_of_walking_are_not_silent():
    early = tuple(replace(t, bent_back=t.bent_back - 0.2, load=t.load / 2) for t in ROACH.reflexes)
    on, off = (steps_and_way(replace(ROACH, reflexes=early), reflexes)[0] for reflexes in (True, False))
    assert (on != off).any()


def test_the_roach_has_the_reflexes_of_its_calibration():
    for found, given in zip(calibrate(ROACH), ROACH.reflexes, strict=True):
        assert given.bent_back == pytest.approx(found.bent_back, abs=5.1e-4)  # the file has three digits
        assert given.load == pytest.approx(found.load, rel=5e-3)
        assert given.direction == found.direction


def test_stance_turns_a_leg_from_where_it_lands_to_where_it_lifts():
    assert [stance_direction(leg) for leg in ROACH.legs] == [1.0, -1.0, 1.0, -1.0, -1.0, 1.0]


def test_legs_that_nothing_swings_cannot_be_calibrated():
    lift = MotorCommand("knee", 0.1, 0.0, 1.0)
    with pytest.raises(WorldError, match='moves "hip", the first joint of leg "left"'):
        stance_direction(Leg("left", "left", 0, ("hip", "knee"), (lift,), (lift,)))
    with pytest.raises(WorldError, match="at least one speed"):
        calibrate(ROACH, speeds=())
