"""The set "cockroach": its ground forces have the signs and ratios that were measured in animals."""

import numpy as np
import pytest

from gambol.creatures import roach, standing_state, world_of
from gambol.creatures.gait_metrics import measure
from gambol.creatures.ground_forces import measure_ground_forces
from gambol.world import run


@pytest.fixture(scope="module")
def walk():
    creature = roach("cockroach")
    world = world_of(creature, reflexes=False)
    film = run(world, standing_state(creature, world), 0.85, contacts=True)
    return film, measure(film, world)[0], measure_ground_forces(film, world)[0]


def test_only_the_numbers_of_the_tuned_set_differ():
    """Shapes, masses, gait, friction and the form of the motor programs are those of the thesis."""
    cockroach, thesis, tuned = roach("cockroach"), roach("thesis"), roach("tuned")
    assert (cockroach.figure, cockroach.gait, cockroach.stick) == (thesis.figure, thesis.gait, thesis.stick)
    assert cockroach.ground == tuned.ground
    for leg, printed in zip(cockroach.legs, thesis.legs, strict=True):
        for own, other in zip((*leg.step, *leg.stance), (*printed.step, *printed.stance), strict=True):
            assert (own.joint, own.begins, own.lasts) == (other.joint, other.begins, other.lasts)
    for name, spring in cockroach.springs.items():
        assert (spring.stiffness, spring.scale) == (thesis.springs[name].stiffness, thesis.springs[name].scale)


def test_every_pair_of_legs_pushes_as_in_cockroaches(walk):
    """Front legs brake, hind legs drive, middle legs do both in turn [Full, Blickhan and Ting 1991].

    All are pushed toward the midline [Chen et al. 2006, figure 1B].
    """
    front, middle, back = walk[2].pairs.values()
    assert front.fore_aft < 0.0 < back.fore_aft
    assert front.early_fore_aft < 0.0
    assert front.late_fore_aft < 0.0
    assert middle.early_fore_aft < 0.0 < middle.late_fore_aft
    assert back.early_fore_aft > 0.0
    assert back.late_fore_aft > 0.0
    assert min(pair.medial for pair in (front, middle, back)) > 0.0
    assert walk[2].trunk_vertical == 0.0


def test_the_lateral_force_fluctuates_less_than_half_as_much_as_the_vertical_one(walk):
    """[Full and Tu 1990]"""
    assert walk[2].lateral_over_vertical < 0.5
    assert walk[2].lateral_over_vertical_rms < 0.5


def test_it_walks_straight_and_its_ledger_closes(walk):
    _, steps, forces = walk
    assert steps.speed_cm_per_s > 10.0
    assert steps.sway_per_stride == 1.0
    assert steps.unaccounted_energy_fraction < 1e-3
    assert steps.belly_clearance_mm > 4.0
    phases = [steps.phase[f"{rank} {side}"] for side in ("left", "right") for rank in ("front", "middle", "back")]
    tripods = np.array([0.0, 0.5, 0.0, 0.5, 0.0, 0.5])  # Wilson's rules at the shortest cycle
    off = (np.array(phases) - tripods + 0.5) % 1.0 - 0.5
    assert np.abs(off).max() < 0.5 / 60  # half a frame of the 60 in a step
    assert forces.motor_cost < 2.0
