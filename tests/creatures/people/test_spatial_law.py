"""The law of SIMBICON in space: torques of the hips hold pelvis and trunk as its formulas say."""

import numpy as np
from numpy.typing import NDArray

from gambol.control import PhaseMemory, Senses
from gambol.creatures.people.gaits import WALK_IN_SPACE
from gambol.creatures.people.person import person
from gambol.creatures.people.spatial_law import AXIAL, LUMBAR, Gains, SpatialSimbicon, hip_links
from gambol.dynamics import kinematics
from gambol.lanes import Scalar

FIGURE = person()
GAINS = Gains()
LAW = SpatialSimbicon(FIGURE, WALK_IN_SPACE, GAINS)
RNG = np.random.default_rng(5)


def state_of(turn: float) -> tuple[list[float], list[float]]:
    """Return random coordinates, with rotations of about `turn` [rad], and velocities."""
    x = RNG.normal(0.0, turn, FIGURE.nq - 7)
    quaternion = np.array([1.0, *RNG.normal(0.0, 0.5 * turn, 3)])
    q = [*(quaternion / np.linalg.norm(quaternion)), *RNG.normal(0.0, 1.0, 3), *x]
    return [float(c) for c in q], [float(c) for c in RNG.normal(0.0, 1.0, FIGURE.nv)]


def joint_torque(q: list[float], v: list[float], names: tuple[str, ...], torques: list[Scalar]) -> NDArray[np.float64]:
    """Return the one torque [N m] whose components along the axes of three hinges are these."""
    state = kinematics(FIGURE, q, v)
    links = [FIGURE.link(name) for name in names]
    axes = [np.array(state.poses[link.index].rotation.rows) @ np.array(link.joint.axis) for link in links]
    return np.linalg.solve(np.array(axes), np.array(torques, float))


def expected_torque(q: list[float], v: list[float], name: str, gain: tuple[float, float]) -> NDArray[np.float64]:
    """Return kp sin(angle) axis - kd w for the rotation from a link to upright, by its axis and angle."""
    state, index = kinematics(FIGURE, q, v), FIGURE.link(name).index
    R = np.array(state.poses[index].rotation.rows, float)
    pitch = 0.0 if name == "pelvis" else WALK_IN_SPACE.phases[0].values["torso"]
    c, s = np.cos(-pitch), np.sin(-pitch)
    missing = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]) @ R.T
    vector = 0.5 * np.array(
        [missing[2, 1] - missing[1, 2], missing[0, 2] - missing[2, 0], missing[1, 0] - missing[0, 1]]
    )
    torque = gain[0] * vector - gain[1] * (R @ np.array(list(state.velocities[index].w), float))
    return torque - (1.0 - AXIAL) * R[:, 2] * (R[:, 2] @ torque)


def test_hips_and_lumbar_joint_together_give_the_pelvis_its_torque():
    for side in (1.0, -1.0):
        q, v = state_of(0.2)
        senses = Senses(0.0, q=q, v=v, contacts=[0.0, 0.0])
        commands, _ = LAW.commands(LAW.numbers(), PhaseMemory(0.0, 0.0, side), senses, 1e-3)
        groups = (LUMBAR, hip_links("right"), hip_links("left"))
        parts = [joint_torque(q, v, group, list(commands[3 * k : 3 * k + 3])) for k, group in enumerate(groups)]
        np.testing.assert_allclose(parts[0], expected_torque(q, v, "trunk", GAINS.lumbar), rtol=0, atol=1e-9)
        np.testing.assert_allclose(-sum(parts), expected_torque(q, v, "pelvis", GAINS.pelvis), rtol=0, atol=1e-9)


def test_a_person_that_drifts_to_a_side_swings_the_leg_to_that_side():
    q = [1.0, *[0.0] * (FIGURE.nq - 1)]
    rolls: list[float] = []
    for speed in (-0.5, 0.0, 0.5):
        v = [0.0] * FIGURE.nv
        v[4] = speed  # to the left
        senses = Senses(0.0, q=q, v=v, contacts=[0.0, 0.0])
        commands, _ = LAW.commands(LAW.numbers(), PhaseMemory(0.0, 0.0, 1.0), senses, 1e-3)
        rolls.append(float(commands[3 + hip_links("right").index("right hip roll")]))
    assert rolls[0] < rolls[1] < rolls[2]  # a positive roll turns the hanging right leg to the left


def test_arms_swing_with_the_opposite_thigh():
    q = [1.0, *[0.0] * (FIGURE.nq - 1)]
    q[FIGURE.link("right thigh").q.start] = 0.5
    senses = Senses(0.0, q=q, v=[0.0] * FIGURE.nv, contacts=[0.0, 0.0])
    commands, _ = LAW.commands(LAW.numbers(), LAW.memory(), senses, 1e-3)
    right, left = commands[9 + 6], commands[9 + 7]
    assert (right, left) == (0.0, GAINS.arms * 0.5)
