"""Quantities of states as arrays, against Pinocchio, for one state and for many."""

import numpy as np
import pinocchio as pin
import pytest
from figures import in_pinocchio, pinocchio_order, random_tree

from gambol.dynamics import Dynamics, states
from gambol.errors import GambolError, WorldError
from gambol.figure import Figure, Joint, Link, MassProperties, random_state

W = 4


@pytest.fixture(params=[1, 2, 3])
def sample(request):
    figure = random_tree(request.param, links=6, root="free")
    q, v = (np.array(x) for x in zip(*(random_state(figure, seed) for seed in range(W)), strict=True))
    model = in_pinocchio(figure)
    return figure, q, v, model, pinocchio_order(figure, model)


def test_momentum_energy_and_centre_agree_with_pinocchio(sample):
    figure, q, v, model, (iq, iv) = sample
    data = model.createData()
    momentum = states.momentum(figure, q, v)
    for k in range(W):
        q_k, v_k = q[k][iq], v[k][iv]
        h = pin.computeCentroidalMomentum(model, data, q_k, v_k)
        c = pin.centerOfMass(model, data, q_k)
        np.testing.assert_allclose(momentum.linear[k], h.linear, atol=1e-11)
        np.testing.assert_allclose(momentum.angular[k], h.angular, atol=1e-11)
        np.testing.assert_allclose(momentum.angular_about_origin[k], h.angular + np.cross(c, h.linear), atol=1e-11)
        np.testing.assert_allclose(momentum.centre_of_mass[k], c, atol=1e-12)
        np.testing.assert_allclose(states.centre_of_mass(figure, q[k]), c, atol=1e-12)
        kinetic = pin.computeKineticEnergy(model, data, q_k, v_k)
        np.testing.assert_allclose(states.kinetic_energy(figure, q, v)[k], kinetic, rtol=1e-11)
        potential = pin.computePotentialEnergy(model, data, q_k)
        np.testing.assert_allclose(states.potential_energy(figure, q)[k], potential, rtol=1e-11)


def test_matrices_and_dynamics_agree_with_pinocchio(sample):
    figure, q, v, model, (iq, iv) = sample
    data, tau = model.createData(), np.linspace(-1.0, 1.0, figure.nv)
    a = states.forward_dynamics(figure, q, v, tau)
    np.testing.assert_allclose(states.inverse_dynamics(figure, q, v, a), np.tile(tau, (W, 1)), atol=1e-9)
    M = states.mass_matrix(figure, q)
    for k in range(W):
        peer = pin.aba(model, data, q[k][iq], v[k][iv], tau[iv])
        rates = a[k][iv].copy()
        np.testing.assert_allclose(rates, peer, atol=1e-9)
        upper = np.triu(pin.crba(model, data, q[k][iq]))
        np.testing.assert_allclose(np.triu(M[k][np.ix_(iv, iv)]), upper, atol=1e-11)


def test_link_states_agree_with_pinocchio(sample):
    figure, q, v, model, (iq, iv) = sample
    data, point = model.createData(), (0.1, -0.2, 0.3)
    seen = states.kinematics(figure, q, v)
    for k in range(W):
        pin.forwardKinematics(model, data, q[k][iq], v[k][iv])
        for name in seen.link_names:
            if not model.existJointName(name):
                continue  # Pinocchio merges links without motion
            joint, i = model.getJointId(name), seen.index(name)
            pose, motion = data.oMi[joint], pin.getVelocity(model, data, joint, pin.LOCAL_WORLD_ALIGNED)
            np.testing.assert_allclose(seen.position[k, i], pose.translation, atol=1e-12)
            np.testing.assert_allclose(seen.rotation[k, i], pose.rotation, atol=1e-12)
            same = abs(seen.quaternion[k, i] @ np.roll(pin.Quaternion(pose.rotation).coeffs(), 1))
            assert same == pytest.approx(1.0, abs=1e-12)
            np.testing.assert_allclose(seen.velocity[k, i], motion.linear, atol=1e-11)
            np.testing.assert_allclose(seen.angular_velocity[k, i], motion.angular, atol=1e-11)
            p = pose.act(np.array(point))
            np.testing.assert_allclose(seen.point(name, point)[k], p, atol=1e-12)
            at_point = motion.linear + np.cross(motion.angular, p - pose.translation)
            np.testing.assert_allclose(seen.point_velocity(name, point)[k], at_point, atol=1e-11)


def test_jacobians_give_the_velocities_of_their_points(sample):
    figure, q, v, *_ = sample
    seen, point = states.kinematics(figure, q, v), (0.1, -0.2, 0.3)
    for name in seen.link_names:
        J = seen.jacobian(name, point)
        assert J.shape == (W, 6, figure.nv)
        motion = np.einsum("wij,wj->wi", J, v)
        np.testing.assert_allclose(motion[:, 3:], seen.point_velocity(name, point), atol=1e-10)
        np.testing.assert_allclose(motion[:, :3], seen.angular_velocity[:, seen.index(name)], atol=1e-10)


def test_one_state_and_many_are_the_same(sample):
    figure, q, v, *_ = sample
    one, many = states.kinematics(figure, q[2], v[2]), states.kinematics(figure, q, v)
    for name in ("position", "rotation", "quaternion", "velocity", "angular_velocity"):
        np.testing.assert_allclose(getattr(one, name), getattr(many, name)[2], atol=1e-13)
    assert states.kinetic_energy(figure, q[0], v[0]).shape == ()
    assert states.forward_dynamics(figure, q[0], v).shape == v.shape
    np.testing.assert_allclose(
        states.forward_dynamics(figure, q, v), Dynamics(figure).forward(q, v), rtol=1e-9, atol=1e-9
    )


def test_arrays_that_do_not_fit_are_refused():
    figure = Figure(
        "arm", (Link("arm", None, Joint("revolute", (1.0, 0.0, 0.0)), (), MassProperties(1.0, (0.0, 0.0, -1.0))),)
    )
    with pytest.raises(GambolError, match=r"shape \(2,\) does not fit as q"):
        states.kinematics(figure, (0.0, 1.0))
    with pytest.raises(GambolError, match="2 and 3 states"):
        states.kinematics(figure, np.zeros((2, 1)), np.zeros((3, 1)))
    with pytest.raises(WorldError, match="method"):
        states.forward_dynamics(figure, [0.0], [0.0], method="abba")
