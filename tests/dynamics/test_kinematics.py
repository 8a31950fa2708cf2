"""Poses and velocities: against a peer, finite differences, and the power of forces."""

import numpy as np
import pinocchio as pin
import pytest
from figures import in_pinocchio, pinocchio_order, random_sample, random_tree, state_of

from gambol.spatial import Motion, Vector

SEEDS = range(8)


@pytest.mark.parametrize("seed", SEEDS)
def test_poses_and_velocities_agree_with_pinocchio(seed: int):
    figure = random_tree(seed, links=3 + seed, kinds=("revolute", "prismatic", "free"))
    sample = random_sample(figure, seed)
    model = in_pinocchio(figure)
    data = model.createData()
    iq, iv = pinocchio_order(figure, model)
    pin.forwardKinematics(model, data, np.array(sample.q)[iq], np.array(sample.v)[iv])
    state = state_of(figure, sample)
    for link in figure.outward():
        number = model.getJointId(link.name)
        pose, velocity = state.poses[link.index], state.velocities[link.index]
        np.testing.assert_allclose(pose.rotation.rows, data.oMi[number].rotation, atol=1e-13)
        np.testing.assert_allclose(list(pose.position), data.oMi[number].translation, atol=1e-12)
        np.testing.assert_allclose([*velocity.v, *velocity.w], data.v[number].vector, atol=1e-11)


def test_a_force_at_a_point_does_the_power_of_force_times_velocity():
    figure = random_tree(5, links=6, root="free")
    state = state_of(figure, random_sample(figure, 5))
    point, force = Vector(0.1, -0.2, 0.3), Vector(3.0, -1.0, 2.0)
    for link in figure.outward():
        on_link = state.force_on_link(link.index, point, force)
        velocity: Motion = state.velocities[link.index]
        power = force.dot(state.point_velocity(link.index, point))
        np.testing.assert_allclose(velocity.dot(on_link), power, rtol=1e-11)
