"""Observations of a world: rotations as quaternions, energies, clearances and feet."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from quadrupeds import quadruped
from scipy.spatial.transform import Rotation as Peer
from worlds import ball, block, touch

from gambol.collide import NoGround, Plane
from gambol.contact import SurfaceProperties
from gambol.dynamics import Dynamics
from gambol.spatial import Rotation
from gambol.spatial.rotation import quaternion_of
from gambol.world import Engine, External, World, start
from gambol.world.observe import MAX_CLEARANCE, observe_wrench_accelerations


@given(st.lists(st.floats(-1.0, 1.0), min_size=4, max_size=4).filter(lambda q: np.linalg.norm(q) > 0.1))
def test_quaternions_of_rotations_agree_with_scipy(q: list[float]):
    matrix = Peer.from_quat(q, scalar_first=True).as_matrix()
    result = np.array(quaternion_of(Rotation(tuple(tuple(row) for row in matrix.tolist()))))
    np.testing.assert_allclose(np.linalg.norm(result), 1.0, atol=1e-14)
    np.testing.assert_allclose(Peer.from_quat(result, scalar_first=True).as_matrix(), matrix, atol=1e-14)


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (0, 1, -1)])
def test_half_turns_have_quaternions_too(axis: tuple[int, int, int]):
    matrix = Peer.from_rotvec(np.pi * np.array(axis) / np.linalg.norm(axis)).as_matrix()
    result = quaternion_of(Rotation(tuple(tuple(row) for row in matrix.tolist())))
    np.testing.assert_allclose(Peer.from_quat(result, scalar_first=True).as_matrix(), matrix, atol=1e-14)


def test_poses_energies_and_clearance_of_a_block_in_the_air():
    world = World(block((0.4, 0.2, 0.1), mass=2.0), ground=Plane(0.5), surface=SurfaceProperties(touch()))
    engine, state = Engine(world), start(world, 2, position=np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 1.0]]))
    turn = Peer.from_rotvec([0.0, np.pi / 6, 0.0])
    state.q[0, :4] = turn.as_quat(scalar_first=True)
    state.v[0, 3:] = turn.inv().apply([0.0, 3.0, 0.0])
    seen = engine.observe(state)
    np.testing.assert_allclose([x[0] for x in seen.positions], [1.0, 2.0, 3.0])
    np.testing.assert_allclose([x[0] for x in seen.quaternions], turn.as_quat(scalar_first=True), atol=1e-15)
    np.testing.assert_allclose([x[0] for x in seen.centre], [1.0, 2.0, 3.0])
    np.testing.assert_allclose(seen.kinetic, [9.0, 0.0])
    np.testing.assert_allclose(seen.potential, [2.0 * 9.81 * 3.0, 2.0 * 9.81])
    np.testing.assert_allclose(seen.stored, 0.0)
    down = 0.2 * np.sin(np.pi / 6) + 0.05 * np.cos(np.pi / 6)
    np.testing.assert_allclose(seen.clearance, [2.5 - down, 0.45])


def test_feet_are_seen_where_they_touch_and_bear_what_they_press():
    world = World(ball(0.05), surface=SurfaceProperties(touch(stiffness=1e4), feet=("ball",)))
    engine, state = Engine(world), start(world, 2, position=np.array([[0.3, 0.0, 0.049], [0.3, 0.0, 0.06]]))
    seen = engine.observe(state)
    np.testing.assert_allclose(seen.normal_forces[0], [10.0, 0.0])
    np.testing.assert_allclose(seen.stored, [0.5 * 1e4 * 1e-6, 0.0])
    np.testing.assert_allclose(np.array(list(seen.feet)), [[0.3, 0.3], [0.0, 0.0], [-0.001, 0.01]], atol=1e-15)
    assert (
        np.asarray(seen.clearance) == MAX_CLEARANCE
    ).all()  # a figure that consists of a foot has no belly clearance


def test_accelerations_by_wrenches_agree_with_the_mass_matrix_and_the_jacobian():
    """J M^-1 J^T, for a wrench on one link and the motion of all; M and J by other algorithms, M inverted by NumPy."""
    links = tuple(link.name for link in quadruped().links)
    world = World(quadruped(), ground=NoGround(), external=External(wrenches=links))
    rng = np.random.default_rng(3)
    state, engine = start(world, jitter=0.5, seed=1), Engine(world, lanes=1)
    state.rows[:4, 0] = Peer.random(random_state=4).as_quat(scalar_first=True)
    wrench = rng.normal(size=6)
    inputs = engine.numbers(wrenches={**world.numbers()["wrenches"], links[4]: wrench.tolist()})
    (rows,) = engine.observer("wrench accelerations", observe_wrench_accelerations)(state.rows, inputs)
    dynamics, (q,) = Dynamics(world.figure), state.q
    tau = dynamics.jacobian(q, links[4]).T @ wrench
    a = np.linalg.solve(dynamics.mass_matrix(q), tau)
    expected = np.concatenate([dynamics.jacobian(q, name) @ a for name in links])
    np.testing.assert_allclose(rows[:, 0], expected, rtol=0.0, atol=1e-11 * abs(expected).max())
