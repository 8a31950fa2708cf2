"""Real robots, read from their own files: their dynamics and motions are those of Pinocchio and MuJoCo."""

import pytest

from benchmarks.robot_checks import verdict
from benchmarks.robots import ROBOTS, Robot, robot

QUICK = ("ANYmal B", "Solo 12", "Panda", "half cheetah", "humanoid", "reacher")
"""A quadruped whose fixed links have impossible masses, one whose have not, an arm; joints that share bodies; trees."""


@pytest.mark.parametrize("name", QUICK)
def test_dynamics_agree_with_the_peers(name: str):
    found = verdict(robot(name), moving=False)
    assert found.read != "none"


@pytest.mark.parametrize("name", ["UR5", "ant"])
def test_a_motion_of_a_second_is_as_far_from_mujocos_as_both_methods_say(name: str):
    found = verdict(robot(name)).motion
    assert found is not None
    assert found.within


@pytest.mark.slow
@pytest.mark.parametrize("given", ROBOTS, ids=lambda given: given.name)
def test_every_robot_agrees_with_its_peers(given: Robot):
    verdict(given)
