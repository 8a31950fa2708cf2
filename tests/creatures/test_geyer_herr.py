"""The reflex walker: its body and muscles against formulas written anew, its law, and its walk."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from gambol.actuation import ActuatorInput
from gambol.contact.penalty.hunt_crossley import hertz_force
from gambol.control import Senses
from gambol.creatures.geyer_herr.entry import ground_law, initial_state, walker_world
from gambol.creatures.geyer_herr.figure import walker_figure
from gambol.creatures.geyer_herr.law import ReflexWalkerLaw
from gambol.creatures.geyer_herr.muscles import MUSCLES, walker_muscles
from gambol.creatures.geyer_herr.reflexes import TUNED
from gambol.dynamics import kinematics, rnea
from gambol.errors import WorldError
from gambol.spatial import Vector

Array = NDArray[np.float64]
DEG = math.pi / 180.0


def test_the_body_has_80_kg_and_the_height_of_a_person() -> None:
    figure = walker_figure()
    assert figure.mass == 80.0
    assert figure.nv == 9
    top = max(p.position[2] + p.radius for part in figure.link("trunk").parts for p in part.outline())
    assert top == pytest.approx(0.8, abs=1e-12)  # the source's length of the trunk


@pytest.mark.parametrize("slope", [0.0, 0.05, -0.05])
def test_the_start_is_the_source_s_along_the_ground(slope: float) -> None:
    q, v = initial_state(slope)
    figure = walker_figure()
    state = kinematics(figure, list(q), list(v))
    foot, right = figure.link("left foot"), figure.link("right foot")
    for x, along in ((0.16, 0.0), (-0.04, -0.2)):
        point = state.point_position(foot.index, Vector(x, 0.0, 0.0))
        assert (point.x, point.z) == pytest.approx((along * math.cos(slope), along * math.sin(slope)), abs=1e-12)
    ahead = [state.point_position(right.index, Vector(x, 0.0, 0.0)) for x in (0.16, -0.04)]
    assert all(point.z > slope * point.x for point in ahead)
    velocity = state.poses[1].rotation @ state.velocities[1].v
    assert (velocity.x, velocity.z) == pytest.approx((1.3 * math.cos(slope), 1.3 * math.sin(slope)), abs=1e-12)


def lagrange(q: Array, v: Array) -> tuple[Array, Array]:
    """Return mass matrix and bias forces over hip x, z and absolute forward leans of trunk, thighs, shanks and feet.

    A planar chain by hand: the centre of each segment is a sum of sines and cosines of the leans, and the acceleration
    that velocities cause is the sum of the centripetal ones.
    """
    M, bias = np.zeros((9, 9)), np.zeros(9)
    chains = [(53.5, 3.0, [(2, 0.35, 0.0)])]
    for leg in range(2):
        thigh, shank, foot = 3 + 3 * leg, 4 + 3 * leg, 5 + 3 * leg
        chains += [
            (8.5, 0.15, [(thigh, -0.2, 0.0)]),
            (3.5, 0.05, [(thigh, -0.5, 0.0), (shank, -0.2, 0.0)]),
            (1.25, 0.005, [(thigh, -0.5, 0.0), (shank, -0.5, 0.0), (foot, 0.0, 0.02)]),
        ]
    for mass, inertia, chain in chains:
        J, a = np.zeros((2, 9)), np.zeros(2)
        J[0, 0] = J[1, 1] = 1.0
        for k, along, ahead in chain:  # a vector (ahead, along) of a segment that leans by q[k]
            s, c = math.sin(q[k]), math.cos(q[k])
            r = np.array([along * s + ahead * c, along * c - ahead * s])
            J[:, k] += [r[1], -r[0]]
            a -= r * v[k] ** 2
        M += mass * J.T @ J
        M[chain[-1][0], chain[-1][0]] += inertia
        bias += mass * J.T @ (a + np.array([0.0, 9.81]))
    return M, bias


def test_its_dynamics_are_those_of_a_planar_chain() -> None:
    """Inverse dynamics, in leans instead of joint angles."""
    rng = np.random.default_rng(4)
    figure = walker_figure()
    q, v, a = (rng.normal(0.0, scale, 9) for scale in (0.5, 2.0, 10.0))
    T = np.zeros((9, 9))  # leans and hip by coordinates
    T[0, 1] = T[1, 2] = 1.0
    T[2, 0] = -1.0
    for leg in range(2):
        for segment in range(3):
            T[3 + 3 * leg + segment, 0] = -1.0
            T[3 + 3 * leg + segment, 3 + 3 * leg : 4 + 3 * leg + segment] = -1.0
    # the planar joint's velocity is in the link's axes, that of the hip in those of the world
    c, s = math.cos(q[0]), math.sin(q[0])
    R = np.eye(9)
    R[1:3, 1:3] = [[c, -s], [s, c]]
    v_world = R @ v
    M, bias = lagrange(T @ q, T @ v_world)
    S = T @ R
    turned = np.zeros(9)
    turned[1:3] = v[0] * np.array([-v_world[2], v_world[1]])  # of the axes
    tau, _ = rnea(kinematics(figure, list(q), list(v)), list(a), gravity=9.81)
    expected = S.T @ (M @ (S @ a + T @ turned) + bias)
    np.testing.assert_allclose(np.array(tau, float), expected, rtol=0, atol=1e-8)


TABLE = {
    "SOL": [("ankle", 0.05, 80.0, 110.0, 0.5)],
    "TA": [("ankle", -0.04, 110.0, 80.0, 0.7)],
    "GAS": [("ankle", 0.05, 80.0, 110.0, 0.7), ("knee", -0.05, 165.0, 140.0, 0.7)],
    "VAS": [("knee", 0.06, 125.0, 165.0, 0.7)],
    "HAM": [("hip", 0.08, 155.0, None, 0.7), ("knee", -0.05, 180.0, 180.0, 0.7)],
    "GLU": [("hip", 0.10, 150.0, None, 0.5)],
    "HFL": [("hip", -0.10, 180.0, None, 0.5)],
}
"""Joint, arm (positive: it opens the angle phi) [m], reference and angle of the greatest arm [degrees], rho."""


@pytest.mark.parametrize("name", TABLE)
def test_lengths_and_arms_are_the_source_s_in_its_own_angles(name: str) -> None:
    muscle, data = walker_muscles()[f"right {name}"], MUSCLES[name]
    angles = {"ankle": 97.0, "knee": 152.0, "hip": 161.0}
    to_q = {"ankle": lambda phi: 90.0 - phi, "knee": lambda phi: phi - 180.0, "hip": lambda phi: 180.0 - phi}
    sign = {"ankle": -1.0, "knee": 1.0, "hip": -1.0}
    q = [to_q[joint](angles[joint]) * DEG for joint, *_ in TABLE[name]]
    at = ActuatorInput(0.0, q, [0.0] * len(q), [0.0], {"activation": 0.01, "fibre_length": 1.0})
    length = data.optimal_length + data.slack_length
    arms: list[float] = []
    for joint, r, reference, maximum, rho in TABLE[name]:
        phi, ref = angles[joint] * DEG, reference * DEG
        if maximum is None:
            length -= rho * r * (phi - ref)
            arms.append(sign[joint] * r)
        else:
            length -= rho * r * (math.sin(phi - maximum * DEG) - math.sin(ref - maximum * DEG))
            arms.append(sign[joint] * r * math.cos(phi - maximum * DEG))
    assert muscle.outputs(muscle.numbers(), at)["length"] == pytest.approx(length, abs=1e-14)
    assert muscle.path.arms(muscle.path.numbers(), at) == pytest.approx(arms, abs=1e-14)


def silent() -> dict[str, dict[str, float]]:
    """Return outputs of muscles that neither pull nor are stretched beyond the offsets of their spindles."""
    return {name: {"force": 0.0, "fibre_length": 0.5} for name in walker_muscles()}


def settled(contacts: tuple[float, float], loads: tuple[float, float], lean: float = 0.0) -> dict[str, float]:
    """Return the excitations after a second of the same senses, by name of the muscle."""
    law = ReflexWalkerLaw(1e-3, ((4, 4), (7, 7)), tuned=False)
    numbers, memory = law.numbers(), law.memory()
    q = [-lean, 0.0, 1.0, 0.0, -0.3, 0.0, 0.0, -0.3, 0.0]
    commands: list[float] = []
    for k in range(1000):
        senses = Senses(k * 1e-3, contacts=contacts, loads=loads, q=q, v=[0.0] * 9, actuator_outputs=silent())
        now, memory = law.commands(numbers, memory, senses, 1e-3)
        commands = [float(u) for u in now]
    return dict(zip(walker_muscles(), commands, strict=True))


def test_a_swinging_leg_has_its_prestimulation() -> None:
    u = settled((1.0, 0.0), (1.0, 0.0), lean=6.0 * DEG)
    for name in MUSCLES:
        assert u[f"right {name}"] == pytest.approx(0.01)
    assert u["left VAS"] == pytest.approx(0.08)
    load = (80.0 - 1.25 - 3.5 - 6.8) / 53.5
    assert u["left HAM"] == pytest.approx(0.05 * load)  # upright beyond the reference: only the tone
    assert u["left HFL"] == pytest.approx(0.05 * load)
    assert u["left GLU"] == pytest.approx(0.7 * 0.05 * load)


@pytest.mark.parametrize(("lean", "pulls", "rests"), [(16.0, "HAM", "HFL"), (-4.0, "HFL", "HAM")])
def test_a_lean_is_answered_by_the_muscles_that_turn_the_trunk_back(lean: float, pulls: str, rests: str) -> None:
    u, load = settled((1.0, 0.0), (1.0, 0.0), lean=lean * DEG), 68.45 / 53.5
    assert u[f"left {pulls}"] == pytest.approx((0.05 + 10.0 / 30.0) * load)
    assert u[f"left {rests}"] == pytest.approx(0.05 * load)


def test_the_tuned_numbers_are_the_source_s_times_the_factors() -> None:
    source, tuned = (ReflexWalkerLaw(1e-3, (), tuned=tuned).numbers() for tuned in (False, True))
    assert source["lean"] == pytest.approx(6.0 * DEG)
    assert source["stance"] == [1.2, -0.4, 1.1, 1.1, 1.2]
    assert source["swing"] == [1.1, 0.5, -4.0, 0.65, 0.5]
    for name, factor in TUNED.items():
        np.testing.assert_allclose(tuned[name], np.multiply(source[name], factor), rtol=1e-15)
        assert np.all(np.greater(factor, 0.0))  # every reflex keeps its sign


def test_the_rear_leg_gives_way_after_the_other_has_landed_and_the_delay() -> None:
    law = ReflexWalkerLaw(1e-3, ((4, 4), (7, 7)), tuned=False)
    numbers, memory, q = law.numbers(), law.memory(), [-6.0 * DEG, 0.0, 1.0, 0.0, -0.3, 0.0, 0.0, -0.3, 0.0]
    history: list[dict[str, float]] = []
    for k in range(300):
        right = 1.0 if k >= 100 else 0.0
        senses = Senses(
            k * 1e-3,
            contacts=(1.0, right),
            loads=(1.0 - 0.5 * right, 0.5 * right),
            q=q,
            v=[0.0] * 9,
            actuator_outputs=silent(),
        )
        now, memory = law.commands(numbers, memory, senses, 1e-3)
        history.append(dict(zip(walker_muscles(), (float(u) for u in now), strict=True)))
    swing_start = [k for k in range(1, 300) if history[k]["left HFL"] > history[k - 1]["left HFL"] + 0.2]
    assert swing_start == [110]  # 10 ms after the right foot landed
    assert history[299]["left VAS"] == pytest.approx(0.01)  # 0.08, less the other leg's load, bounded
    assert history[299]["right VAS"] == pytest.approx(0.08)


def test_the_compliant_ground_is_the_source_s_where_it_carries_the_weight() -> None:
    law = ground_law(80.0)
    assert hertz_force(law, 0.01, 0.0).force == pytest.approx(80.0 * 9.81)
    assert hertz_force(law, 0.01, 0.03).force == pytest.approx(0.0, abs=1e-9)
    assert hertz_force(law, 0.01, -0.03).force == pytest.approx(2.0 * 80.0 * 9.81)


def test_impossible_slopes_are_refused() -> None:
    with pytest.raises(WorldError, match="slope"):
        walker_world(slope=2.0)
    with pytest.raises(WorldError, match="not both"):
        walker_world(slope=0.1, ground=walker_world().ground)
