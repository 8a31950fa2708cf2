"""The sets "cockroach" and "agile": their ground forces have the signs and ratios that were measured in animals."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gambol.creatures import roach, standing_state, world_of
from gambol.creatures.gait_metrics import measure
from gambol.creatures.ground_forces import measure_ground_forces
from gambol.world import run

MIN_SPEED, MAX_COST = {"cockroach": 10.0, "agile": 10.5}, {"cockroach": 2.0, "agile": 2.6}
"""Speeds [cm/s], and works of the motors over weight times distance, of each set; the tuned set's work is 6."""


def walked(name):
    creature = roach(name)
    world = world_of(creature, reflexes=False)
    film = run(world, standing_state(creature, world), 0.85, contacts=True)
    return film, measure(film, world)[0], measure_ground_forces(film, world)[0]


@pytest.fixture(scope="module", params=MIN_SPEED)
def walk(request):
    return (*walked(request.param), request.param)


@pytest.mark.parametrize("name", MIN_SPEED)
def test_only_the_numbers_of_the_tuned_set_differ(name):
    """Shapes, masses, gait, friction and the form of the motor programs are those of the thesis."""
    cockroach, thesis, tuned = roach(name), roach("thesis"), roach("tuned")
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
    _, steps, forces, name = walk
    assert steps.speed_cm_per_s > MIN_SPEED[name]
    assert steps.sway_per_stride == 1.0
    assert steps.unaccounted_energy_fraction < 1e-3
    assert steps.belly_clearance_mm > 4.0
    phases = [steps.phase[f"{rank} {side}"] for side in ("left", "right") for rank in ("front", "middle", "back")]
    tripods = np.array([0.0, 0.5, 0.0, 0.5, 0.0, 0.5])  # Wilson's rules at the shortest cycle
    off = (np.array(phases) - tripods + 0.5) % 1.0 - 0.5
    assert np.abs(off).max() < 0.5 / 60  # half a frame of the 60 in a step
    assert forces.motor_cost < MAX_COST[name]


def depths_in_abdomen(film, name):
    """Return the largest depth in the box of the abdomen of 11 points of each hind tibia, from knee to ankle (11,) [m].

    Points are along the axis of a tibia. Depths below 0 are outside.
    """
    figure = roach(name).figure
    half, root = 0.5 * np.array(figure.link("abdomen").parts[0].shape.size), figure.link("abdomen").index - 1
    into = Rotation.from_quat(film.quaternion[:, 0, root], scalar_first=True).inv()
    deepest = np.full(11, -np.inf)
    for tibia in ("leg_bl2", "leg_br2"):
        k, end = figure.link(tibia).index - 1, 2.0 * np.array(figure.link(tibia).parts[0].position)
        turn = Rotation.from_quat(film.quaternion[:, 0, k], scalar_first=True)
        for i, share in enumerate(np.linspace(0.0, 1.0, 11)):
            place = into.apply(film.position[:, 0, k] + turn.apply(share * end) - film.position[:, 0, root])
            deepest[i] = max(deepest[i], (half - np.abs(place)).min(axis=1).max())
    return deepest


def test_no_leg_of_the_agile_set_is_deeper_in_the_abdomen_than_its_knee(walk):
    """Knees of hind legs begin 0.5 mm inside its edge."""
    depths = depths_in_abdomen(walk[0], walk[3])
    if walk[3] == "agile":
        assert depths.argmax() == 0
        assert depths[0] < 1.5e-3
        assert depths[6:].max() < 0.0
    else:
        assert depths.max() > depths[0] + 1e-3
