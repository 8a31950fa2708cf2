"""Prepared inverse kinematics: the poses of inverse_kinematics(), and closed forms, while targets change in place."""

import numpy as np
import pytest

from gambol.errors import GambolError
from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.plan.pose import OrientationGoal, PointGoal, PreparedPoses, inverse_kinematics

UNIT = MassProperties(1.0, (0.5, 0.0, 0.0), ((0.01, 0.0, 0.0), (0.0, 0.01, 0.0), (0.0, 0.0, 0.01)))


def arm() -> Figure:
    """Two rods of 1 m in a plane."""
    hinge = (Joint("revolute", (0.0, 0.0, 1.0), position=p) for p in ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)))
    names = (("upper", None), ("lower", "upper"))
    return Figure("arm", tuple(Link(n, p, joint, (), UNIT) for (n, p), joint in zip(names, hinge, strict=True)))


def tip(target) -> PointGoal:
    return PointGoal("lower", target, (1.0, 0.0, 0.0), axes="xy")


def test_an_arm_follows_a_target_by_the_law_of_cosines():
    prepared = PreparedPoses(arm(), [0.2, 1.0], [tip((1.0, 1.0, 0.0))], posture=[0.2, 1.0])
    q = prepared.q
    for angle in np.linspace(0.0, 1.0, 20):
        x, y = 1.2 * np.cos(angle), 1.2 * np.sin(angle)
        prepared.numbers[0][:2] = x, y
        assert prepared.solve() is q
        bend = np.arccos((x * x + y * y - 2.0) / 2.0)
        np.testing.assert_allclose(q, [angle - bend / 2.0, bend], atol=1e-12)
        assert prepared.solution().reached


@pytest.mark.parametrize("poses", [1, 3, 8])
def test_poses_are_those_of_single_calls(poses: int):
    """Three poses do not fill the lanes of a register; those that are left over do not count."""
    random = np.random.default_rng(poses)
    radius, turn = random.uniform(0.5, 1.9, poses), random.uniform(-3.0, 3.0, poses)
    targets = np.stack([radius * np.cos(turn), radius * np.sin(turn), 0.0 * turn], axis=1)
    start = [0.1, 0.8]
    prepared = PreparedPoses(arm(), start, [tip(np.ones((poses, 3)))])
    prepared.numbers[0][:, :3] = targets
    found = prepared.solve().copy()
    assert found.shape == (poses, 2)
    assert prepared.solution().reached.all()
    each = [inverse_kinematics(arm(), start, [tip(target)]).q for target in targets]
    np.testing.assert_allclose(found, each, atol=1e-12)


def test_a_goal_out_of_reach_is_reported_and_a_later_one_is_found():
    prepared = PreparedPoses(arm(), [0.1, 0.8], [tip((4.0, 3.0, 0.0))])
    prepared.solve()
    assert not prepared.solution().reached
    assert prepared.solution().residuals[0] == pytest.approx(3.0, abs=1e-5)
    prepared.numbers[0][:2] = 1.0, 0.5
    prepared.q[:] = 0.1, 0.8
    prepared.solve()
    assert prepared.solution().reached


def test_the_posture_may_change_in_place():
    figure = Figure("ball", (Link("ball", None, Joint("free"), (), UNIT),))
    rest = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    prepared = PreparedPoses(figure, rest, [OrientationGoal("ball", (0.6, 0.8, 0.0, 0.0))])
    prepared.posture[4:] = 1.0, 2.0, 3.0
    found = prepared.solve()
    np.testing.assert_allclose(found[:4], [0.6, 0.8, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(found[4:], [1.0, 2.0, 3.0], atol=1e-4)


def test_wrong_arguments_raise_before_work():
    with pytest.raises(GambolError, match="1 or more"):
        PreparedPoses(arm(), [0.0, 0.0], [tip((1.0, 1.0, 0.0))], max_iterations=0)
    with pytest.raises(GambolError, match="takes"):
        PreparedPoses(arm(), [0.0], [tip((1.0, 1.0, 0.0))])
    with pytest.raises(GambolError, match="poses"):
        PreparedPoses(arm(), np.zeros((2, 2)), [tip(np.ones((3, 3)))])
