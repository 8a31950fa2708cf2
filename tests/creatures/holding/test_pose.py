"""Standing poses: balanced, level, within limits, and near the given one."""

import numpy as np
import pytest
from standers import quadruped

import gambol
from gambol.creatures.holding.pose import balanced_pose, legs_of
from gambol.creatures.holding.support import support_of
from gambol.figure.parameters import extent


def off_balance():
    """Return a quadruped whose feet are all in front of its trunk, its coordinates and support."""
    model = quadruped()
    q = np.array(model.q)
    q[7::2] -= 0.8
    return model.figure, q, support_of(model.figure, q, extent(model.figure))


def test_all_four_feet_stand_and_carry_the_legs():
    figure, _, support = off_balance()
    assert support.links == tuple(link.name for link in figure.links if "shank" in link.name)
    assert legs_of(figure, support.links[:1]) == ("fore left shank", "fore left thigh")


def test_the_centre_of_mass_comes_above_the_middle_of_level_feet():
    figure, q, support = off_balance()
    joints = legs_of(figure, support.links)
    assert support.margin(q) < 0.5 * support.best_margin(q)
    found = balanced_pose(support, q, joints, [(-2.0, 2.0)] * 8)
    assert found is not None
    states = gambol.kinematics(figure, found)
    feet = np.array([states.point(name, (0.0, 0.0, -0.2)) for name in support.links])
    np.testing.assert_allclose(gambol.centre_of_mass(figure, found)[:2], feet.mean(axis=0)[:2], atol=2e-6)
    assert np.ptp(feet[:, 2]) < 2e-6
    np.testing.assert_array_equal(found[:7], q[:7])
    assert 0.05 < np.abs(found - q).max() < 1.0


def test_joints_stay_within_their_limits_and_others_take_over():
    figure, q, support = off_balance()
    joints = legs_of(figure, support.links)
    index = [figure.link(name).q.start for name in joints]
    limits = [(q[k], q[k]) if "thigh" in name else (-3.0, 1.0) for k, name in zip(index, joints, strict=True)]
    found = balanced_pose(support, q, joints, limits)
    assert found is not None
    moved = np.abs(found - q)[index]
    assert (moved[0::2] > 0.1).all()
    assert (moved[1::2] == 0.0).all()


def test_there_is_no_pose_if_nothing_can_move():
    figure, q, support = off_balance()
    joints = legs_of(figure, support.links)
    limits = [(q[figure.link(name).q.start],) * 2 for name in joints]
    assert balanced_pose(support, q, joints, limits) is None


@pytest.mark.parametrize("lift", [0.0, 0.3])
def test_a_raised_foot_does_not_stand(lift: float):
    model = quadruped()
    q = np.array(model.q)
    q[8] -= lift
    support = support_of(model.figure, q, extent(model.figure))
    assert len(support.links) == (4 if lift == 0.0 else 3)
