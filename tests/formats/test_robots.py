"""Real robots, read from their files: their dynamics and motions agree with Pinocchio and MuJoCo."""

import pytest

from benchmarks.robot_checks import compare
from benchmarks.robots import ROBOTS, Robot, robot

QUICK = ("ANYmal B", "Solo 12", "Panda", "half cheetah", "humanoid", "reacher")
"""A quadruped whose fixed links have impossible masses, one whose have not, an arm; joints that share bodies; trees."""


@pytest.mark.parametrize("name", QUICK)
def test_dynamics_agree_with_the_peers(name: str):
    comparison = compare(robot(name), moving=False)
    assert comparison.read != "none"


@pytest.mark.parametrize("name", ["UR5", "ant"])
def test_a_motion_differs_from_mujocos_by_the_errors_of_both_methods(name: str):
    comparison = compare(robot(name)).motion
    assert comparison is not None
    assert comparison.explained


@pytest.mark.slow
@pytest.mark.parametrize("each_robot", ROBOTS, ids=lambda each_robot: each_robot.name)
def test_every_robot_agrees_with_its_peers(each_robot: Robot):
    compare(each_robot)
