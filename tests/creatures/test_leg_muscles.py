"""The roach with muscles in place of its legs' springs: what follows from the springs, and its walk."""

import numpy as np
import pytest

from gambol.creatures import LegMuscles, roach, world_of
from gambol.creatures.gait_metrics import measure
from gambol.creatures.leg_muscles import leg_antagonists, without_driven_springs, working_point
from gambol.creatures.make_world import make_world
from gambol.dynamics.joint_forces import exponential_spring
from gambol.errors import WorldError
from gambol.figure import JointSpring
from gambol.world import run, start

ROACH = roach()


def test_the_working_point_lies_on_the_spring():
    spring = JointSpring(alpha=2.0, beta=5.0)
    deflection, stiffness = working_point(spring, 10.0)
    force, _ = exponential_spring(deflection, 2.0, 5.0)
    assert -force == pytest.approx(20.0)
    assert stiffness * deflection == pytest.approx(20.0)
    assert working_point(JointSpring(stiffness=3.0), 10.0) == (0.0, 3.0)


def test_every_driven_joint_has_the_range_of_its_program_and_the_damping_of_its_spring():
    springs, pairs = ROACH.resolved_springs(), leg_antagonists(ROACH, LegMuscles())
    assert [pair.joint for pair in pairs] == [joint for leg in ROACH.legs for joint in leg.joints]
    for pair in pairs:
        assert pair.damping == pytest.approx(springs[pair.joint].damping)
        targets = [c.target for leg in ROACH.legs for c in (*leg.step, *leg.stance) if c.joint == pair.joint]
        lower, upper = pair.middle - pair.reach, pair.middle + pair.reach
        deflection = working_point(springs[pair.joint], LegMuscles().load)[0]
        assert min(*targets, springs[pair.joint].rest) == pytest.approx(lower + deflection)
        assert max(*targets, springs[pair.joint].rest) == pytest.approx(upper - deflection)


def test_joints_have_the_damping_that_muscles_lack():
    pairs = leg_antagonists(ROACH, LegMuscles(max_velocity=1000.0))
    given, left = ROACH.resolved_springs(), without_driven_springs(ROACH, pairs)
    for pair in pairs:
        assert left[pair.joint].damping + pair.damping == pytest.approx(given[pair.joint].damping)
        assert left[pair.joint].stiffness == left[pair.joint].alpha == 0.0
    driven = {pair.joint for pair in pairs}
    assert all(left[name] == spring for name, spring in given.items() if name not in driven)


def test_left_and_right_muscles_mirror_each_other():
    pairs = {pair.joint: pair for pair in leg_antagonists(ROACH, LegMuscles())}
    for rank in ("front", "middle", "back"):
        legs = ROACH.leg(f"{rank} left"), ROACH.leg(f"{rank} right")
        for left, right in zip(*(leg.joints for leg in legs), strict=True):
            assert pairs[right].middle == pytest.approx(-pairs[left].middle)
            assert pairs[right].positive.max_force == pytest.approx(pairs[left].positive.max_force)


def test_the_roach_walks_by_muscles_about_as_fast_as_by_springs():
    world = make_world(ROACH, muscles=True)
    film = run(world, start(world), 0.6)
    walk = measure(film, world)[0]
    spring_world = make_world(ROACH)
    by_springs = measure(run(spring_world, start(spring_world), 0.6), spring_world)[0]
    assert walk.speed_cm_per_s == pytest.approx(by_springs.speed_cm_per_s, rel=0.25)
    assert walk.belly_clearance_mm == pytest.approx(by_springs.belly_clearance_mm, rel=0.1)
    assert list(walk.duty_factor.values()) == pytest.approx(list(by_springs.duty_factor.values()))
    assert walk.outside_work_j == 0.0
    assert walk.unaccounted_energy_fraction < 0.01  # the limit of its warning: tolerance 1e-3, of 1 mJ turned over
    activations = [x for name, x in film.signals.items() if name.endswith(" activation")]
    assert len(activations) == 36
    assert 0.0 < np.min(activations) < np.max(activations) < 1.0


def test_a_lost_leg_takes_its_muscles_along():
    world = world_of(ROACH.without_leg("middle left"), muscles=True)
    assert len(world.actuators) == 30


def test_impossible_numbers_are_refused():
    with pytest.raises(WorldError, match=r"the arm of leg muscles is 0\.0"):
        LegMuscles(arm=0.0)
    with pytest.raises(WorldError, match=r"the lead of leg muscles is -1\.0"):
        LegMuscles(lead=-1.0)
    with pytest.raises(WorldError, match="need the excitation"):
        world_of(ROACH, muscles=LegMuscles(co_contraction=0.9))
