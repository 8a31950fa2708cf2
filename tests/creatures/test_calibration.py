"""Reflexes calibrated on undisturbed walking: inactive in it, equal left and right, and stored in the roach file."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.creatures import Creature, roach, standing_state, world_of
from gambol.creatures.calibration import calibrate
from gambol.errors import WorldError
from gambol.gait import Leg, MotorCommand
from gambol.gait.leg import stance_direction
from gambol.world import run

ROACH = roach()


def steps_and_centre(creature: Creature, reflexes: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return which legs step, and the centre of mass, in four strides on level ground."""
    world = world_of(creature, reflexes=reflexes)
    film = run(world, standing_state(creature, world), 0.5)
    return film.signals["stepping"][:, 0], film.signals["centre"][:, 0]


def test_calibrated_reflexes_are_inactive_without_disturbance():
    (on, centre_on), (off, centre_off) = (steps_and_centre(ROACH, reflexes) for reflexes in (True, False))
    np.testing.assert_array_equal(on, off)
    np.testing.assert_array_equal(centre_on, centre_off)


def test_reflexes_within_the_ranges_of_walking_are_active():
    early = tuple(replace(t, bent_back=t.bent_back - 0.2, load=t.load / 2) for t in ROACH.reflexes)
    on, off = (steps_and_centre(replace(ROACH, reflexes=early), reflexes)[0] for reflexes in (True, False))
    assert (on != off).any()


def test_the_roach_has_the_reflexes_of_its_calibration():
    for calibrated, stored in zip(calibrate(ROACH), ROACH.reflexes, strict=True):
        assert stored.bent_back == pytest.approx(calibrated.bent_back, abs=5.1e-4)  # the file has three digits
        assert stored.load == pytest.approx(calibrated.load, rel=5e-3)
        assert stored.direction == calibrated.direction


def test_stance_turns_a_leg_from_where_it_lands_to_where_it_lifts():
    assert [stance_direction(leg) for leg in ROACH.legs] == [1.0, -1.0, 1.0, -1.0, -1.0, 1.0]


def test_legs_that_nothing_swings_cannot_be_calibrated():
    lift = MotorCommand("knee", 0.1, 0.0, 1.0)
    with pytest.raises(WorldError, match='moves "hip", the first joint of leg "left"'):
        stance_direction(Leg("left", "left", 0, ("hip", "knee"), (lift,), (lift,)))
    with pytest.raises(WorldError, match="at least one speed"):
        calibrate(ROACH, speeds=())
