"""The dog's leg: inverse kinematics against forward kinematics, torques against virtual work, both against figures."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambol.creatures.dog.figure import LEGS, LIMBS, dog_figure, joint_names, joint_position, limb, paw
from gambol.dynamics import kinematics
from gambol.spatial import Vector

POSITION_TOLERANCE = 1e-9


@pytest.mark.parametrize("kind", LIMBS)
@given(st.floats(-0.25, 0.25), st.floats(-0.15, 0.15), st.floats(-0.45, -0.32))
def test_the_foot_is_where_the_angles_put_it(kind: str, x: float, y: float, z: float):
    leg = LIMBS[kind].leg
    q = leg.angles_at(Vector(x, y, z))
    foot = leg.points(q)[-1]
    assert np.allclose([foot.x, foot.y, foot.z], [x, y, z], atol=POSITION_TOLERANCE)
    assert q[2] + q[3] == pytest.approx(
        leg.delta, abs=POSITION_TOLERANCE
    )  # the first and the third segment keep their angle


@pytest.mark.parametrize("kind", LIMBS)
def test_out_of_reach_the_foot_points_the_right_way(kind: str):
    leg = LIMBS[kind].leg
    foot = leg.points(leg.angles_at(Vector(0.6, 0.1, -0.8)))[-1]
    far = np.array([0.6, 0.1, -0.8])
    assert np.allclose([foot.x, foot.y, foot.z], far / np.linalg.norm(far) * leg.longest, atol=POSITION_TOLERANCE)


@pytest.mark.parametrize("kind", LIMBS)
def test_torques_are_those_of_virtual_work(kind: str):
    leg, random, step = LIMBS[kind].leg, np.random.default_rng(4), 1e-6
    for _ in range(5):
        q, f = random.uniform(-0.6, 0.6, 4), random.standard_normal(3)
        torques = leg.torques(q.tolist(), Vector(*f.tolist()))
        for k in range(4):
            ends = []
            for sign in (1.0, -1.0):
                moved = q.copy()
                moved[k] += sign * step
                p = leg.points(moved.tolist())[-1]
                ends.append(np.array([p.x, p.y, p.z]))
            slope = (ends[0] - ends[1]) / (2.0 * step)
            assert torques[k] == pytest.approx(-float(f @ slope), abs=1e-8)  # the foot pushes against f


@pytest.mark.parametrize("leg", LEGS)
def test_the_figure_has_the_same_leg(leg: str):
    figure, random = dog_figure(), np.random.default_rng(5)
    angles = random.uniform(-0.5, 0.5, 4)
    q = [1.0, *[0.0] * (figure.nq - 1)]
    for name, angle in zip(joint_names(leg), angles, strict=True):
        q[figure.link(name).q.start] = float(angle)
    state = kinematics(figure, q, [0.0] * figure.nv)
    link, own = figure.link(paw(leg)), limb(leg).leg
    foot = state.point_position(link.index, Vector(0.0, 0.0, -own.lengths[2]))
    expected = Vector(*joint_position(leg)) + own.points(angles.tolist())[-1]
    assert np.allclose([foot.x, foot.y, foot.z], [expected.x, expected.y, expected.z], atol=POSITION_TOLERANCE)
