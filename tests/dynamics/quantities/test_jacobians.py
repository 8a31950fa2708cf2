"""Jacobians of frames on links, and their rates, against a peer, velocities of the frames, and differences."""

from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from differences import differences, displaced
from figures import in_pinocchio, pinocchio_order, random_sample, random_tree, state_of

from gambol.dynamics import kinematics
from gambol.dynamics.quantities import bias_acceleration, link_jacobian, link_jacobian_rate, point_jacobian
from gambol.figure import random_figure
from gambol.lanes import Program, ProgramSpec, leaves
from gambol.spatial import Vector

SEEDS = range(8)
POINT = Vector(0.3, -0.2, 0.5)
AXES = ("world", "link")


def matrix(columns: Any) -> np.ndarray:
    """Columns of motions or vectors as an array of 6 or 3 rows."""
    return np.array([leaves(column) for column in columns]).T


@pytest.mark.parametrize("axes", AXES)
@pytest.mark.parametrize("seed", SEEDS)
def test_frames_agree_with_pinocchio(seed: int, axes: Any):
    figure = random_tree(seed, links=6, root="free" if seed % 2 else None)
    sample, model = random_sample(figure, seed), in_pinocchio(figure)
    iq, iv = pinocchio_order(figure, model)
    moving = [link for link in figure.links if model.existJointName(link.name)]
    tip = moving[-1]
    frame = pin.Frame("tip", model.getJointId(tip.name), pin.SE3(np.eye(3), np.array(list(POINT))), pin.OP_FRAME)
    number = model.addFrame(frame)
    data, q, v = model.createData(), np.array(sample.q)[iq], np.array(sample.v)[iv]
    seen_from = pin.LOCAL_WORLD_ALIGNED if axes == "world" else pin.LOCAL
    pin.computeJointJacobiansTimeVariation(model, data, q, v)
    pin.updateFramePlacements(model, data)
    J = pin.getFrameJacobian(model, data, number, seen_from)[[3, 4, 5, 0, 1, 2]]  # the peer's linear part is first
    rate = pin.getFrameJacobianTimeVariation(model, data, number, seen_from)[[3, 4, 5, 0, 1, 2]]
    state = state_of(figure, sample)
    np.testing.assert_allclose(matrix(link_jacobian(state, tip.index, POINT, axes))[:, iv], J, atol=1e-13)
    np.testing.assert_allclose(matrix(link_jacobian_rate(state, tip.index, POINT, axes))[:, iv], rate, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_jacobian_times_joint_velocities_is_the_velocity(seed: int):
    figure = random_figure(seed, links=7)
    sample = random_sample(figure, seed)
    state = state_of(figure, sample)
    for link in figure.links:
        moved = matrix(point_jacobian(state, link.index, POINT)) @ sample.v
        np.testing.assert_allclose(moved, list(state.point_velocity(link.index, POINT)), atol=1e-13)
        own = matrix(link_jacobian(state, link.index, axes="link")) @ sample.v
        np.testing.assert_allclose(own, leaves(state.velocities[link.index]), atol=1e-13)


@pytest.mark.parametrize("axes", AXES)
@pytest.mark.parametrize("seed", SEEDS)
def test_bias_acceleration_is_the_rate_of_the_jacobian_times_v(seed: int, axes: Any):
    figure = random_figure(seed, links=7)
    sample = random_sample(figure, seed)
    state = state_of(figure, sample)
    for link in figure.links:
        rate = matrix(link_jacobian_rate(state, link.index, POINT, axes))
        found = leaves(bias_acceleration(state, link.index, POINT, axes))
        np.testing.assert_allclose(rate @ sample.v, found, atol=1e-12)


@pytest.mark.parametrize("axes", AXES)
def test_rate_of_the_jacobian_against_differences(axes: Any):
    figure = random_figure(2, links=6)
    sample = random_sample(figure, 2)

    def later(time: list[Any]) -> Any:
        q = displaced(figure, sample.q, [time[0] * x for x in sample.v])
        return link_jacobian(kinematics(figure, q, sample.v), 6, POINT, axes)

    expected = differences(later, [0.0])[:, 0].reshape(figure.nv, 6).T
    found = matrix(link_jacobian_rate(state_of(figure, sample), 6, POINT, axes))
    np.testing.assert_allclose(found, expected, atol=1e-11)


def test_joints_that_do_not_carry_a_link_do_not_move_it():
    figure = random_figure(1, links=8, root="free")
    state = state_of(figure, random_sample(figure, 1))
    for link in figure.links:
        J = matrix(link_jacobian(state, link.index, POINT))
        for other in figure.links:
            assert link in figure.subtree(other.index) or not J[:, other.v].any()


@pytest.mark.parametrize(("precision", "tolerance"), [("float64", 1e-13), ("float32", 1e-4)])
def test_compiled_jacobians_agree_with_floats(precision: Any, tolerance: float):
    figure = random_figure(3, links=5)
    samples = [random_sample(figure, k) for k in range(5)]
    q, v = (np.array([getattr(s, name) for s in samples]).T.copy() for name in ("q", "v"))

    def quantities(state: Any) -> tuple[Any, ...]:
        return link_jacobian(state, 5, POINT), link_jacobian_rate(state, 5, POINT), bias_acceleration(state, 5, POINT)

    forms = [0.0] * figure.nq, [0.0] * figure.nv
    spec = ProgramSpec("jacobians", lambda q, v: quantities(kinematics(figure, q, v)), forms)
    compiled = np.concatenate(Program(spec, precision)(q, v))
    expected = np.array([leaves(quantities(state_of(figure, sample))) for sample in samples]).T
    np.testing.assert_allclose(compiled, expected, atol=tolerance * (1.0 + np.abs(expected).max()))
