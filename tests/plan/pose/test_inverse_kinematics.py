"""Poses found by inverse kinematics, against closed forms, other optimisers, MuJoCo, and single searches."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import optimize

import gambol
from gambol.dynamics import centre_of_mass, kinematics
from gambol.errors import GambolError
from gambol.figure import Closure, Figure, Joint, JointSpring, Link, MassProperties
from gambol.plan.pose import (
    AxisGoal,
    BalanceGoal,
    GazeGoal,
    JointGoal,
    OrientationGoal,
    PointGoal,
    inverse_kinematics,
)
from gambol.spatial import Vector

UNIT = MassProperties(1.0, (0.5, 0.0, 0.0), ((0.01, 0.0, 0.0), (0.0, 0.01, 0.0), (0.0, 0.0, 0.01)))


def arm(*lengths: float, root: str = "revolute") -> Figure:
    """Rods in a plane, on revolute joints about z; each begins where the one before it ends."""
    links = [Link("rod0", None, Joint(root, (0.0, 0.0, 1.0)), (), UNIT)]
    for k, length in enumerate(lengths[:-1]):
        joint = Joint("revolute", (0.0, 0.0, 1.0), position=(length, 0.0, 0.0))
        links.append(Link(f"rod{k + 1}", f"rod{k}", joint, (), UNIT))
    return Figure("arm", tuple(links))


def tip(target: Any, links: int, length: float = 1.0) -> PointGoal:
    return PointGoal(f"rod{links - 1}", target, (length, 0.0, 0.0), axes="xy")


def tip_of(lengths: tuple[float, ...], q: Any) -> np.ndarray:
    """Closed form of the tip of a planar arm."""
    angles = np.cumsum(q)
    return np.array([lengths @ np.cos(angles), lengths @ np.sin(angles)])


@pytest.mark.parametrize("elbow", [1.0, -1.0])
def test_a_two_link_arm_is_the_law_of_cosines(elbow: float):
    """Lengths 1 and 0.7; the elbow bends to the side at which it starts."""
    x, y = 0.6, 0.8
    bend = elbow * math.acos((x * x + y * y - 1.0 - 0.49) / 1.4)
    first = math.atan2(y, x) - math.atan2(0.7 * math.sin(bend), 1.0 + 0.7 * math.cos(bend))
    found = inverse_kinematics(arm(1.0, 0.7), [0.5, elbow], [tip((x, y, 0.0), 2, 0.7)])
    assert found.reached
    np.testing.assert_allclose(found.q, [first, bend], atol=1e-12)


def test_a_straight_arm_is_a_singular_start_and_is_left():
    found = inverse_kinematics(arm(1.0, 1.0), [0.0, 0.0], [tip((0.5, 0.0, 0.0), 2)])
    assert found.reached
    np.testing.assert_allclose(tip_of(np.ones(2), found.q), [0.5, 0.0], atol=1e-12)


def test_out_of_reach_the_arm_points_at_its_goal():
    """The nearest point of a disc of radius 3; near a straight arm the error of a bend is of second order."""
    found = inverse_kinematics(arm(1.0, 1.0, 1.0), [0.1, 0.4, -0.3], [tip((4.0, 3.0, 0.0), 3)])
    assert not found.reached
    assert "not reached" in str(found)
    assert found.residuals[0] == pytest.approx(2.0, abs=1e-6)
    np.testing.assert_allclose(tip_of(np.ones(3), found.q), [2.4, 1.8], atol=2e-3)


def test_freedoms_that_no_goal_holds_are_nearest_to_the_start():
    """Against the least |q - q0| under the constraint of the tip, by sequential quadratic programming."""
    figure, q0, target = arm(*[1.0] * 5), np.array([0.3, 0.5, -0.4, 0.6, 0.2]), np.array([2.0, 2.5])
    found = inverse_kinematics(figure, q0, [tip((*target, 0.0), 5)])
    constraint = {"type": "eq", "fun": lambda q: tip_of(np.ones(5), q) - target}
    best = optimize.minimize(lambda q: (q - q0) @ (q - q0), q0, constraints=constraint, options={"ftol": 1e-15})
    assert found.reached
    np.testing.assert_allclose(found.q, best.x, atol=1e-4)  # the posture's weight of 1e-4 gives way to the goal's


def test_limits_hold_and_cost_no_more_than_another_optimiser_finds():
    figure, rng = arm(1.0, 1.0, 1.0), np.random.default_rng(3)
    limits = {"rod0": (-1.0, 1.0), "rod1": (0.0, 1.2), "rod2": JointSpring(lower=-0.2, upper=0.9)}
    lower, upper = np.array([-1.0, 0.0, -0.2]), np.array([1.0, 1.2, 0.9])
    q0 = np.array([0.0, 0.5, 0.3])
    for target in rng.uniform(-3.0, 3.0, (12, 2)):
        found = inverse_kinematics(figure, q0, [tip((*target, 0.0), 3)], limits=limits)
        assert ((found.q >= lower) & (found.q <= upper)).all()
        best = optimize.least_squares(
            lambda q, p=target: tip_of(np.ones(3), q) - p, q0, bounds=(lower, upper), xtol=1e-15, ftol=1e-15, gtol=1e-15
        )
        assert found.residuals[0] <= np.linalg.norm(best.fun) + 1e-6


def test_the_limit_of_an_orientation_is_the_largest_angle():
    """A ball joint that may turn by 0.5 rad, asked for 2 rad about z: it turns by 0.5 rad about z."""
    figure = Figure("ball", (Link("ball", None, Joint("spherical"), (), UNIT),))
    goal = OrientationGoal("ball", (math.cos(1.0), 0.0, 0.0, math.sin(1.0)))
    found = inverse_kinematics(figure, [1.0, 0.0, 0.0, 0.0], [goal], limits={"ball": JointSpring(upper=0.5)})
    np.testing.assert_allclose(found.q, [math.cos(0.25), 0.0, 0.0, math.sin(0.25)], atol=1e-7)
    assert found.residuals[0] == pytest.approx(1.5, abs=1e-7)


def test_a_free_body_turns_the_short_way_from_any_orientation():
    figure, rng = Figure("brick", (Link("brick", None, Joint("free"), (), UNIT),)), np.random.default_rng(0)
    turns = rng.normal(size=(64, 4))
    goals = [OrientationGoal("brick", turns), PointGoal("brick", rng.normal(size=(64, 3)), (0.1, 0.2, 0.3))]
    found = inverse_kinematics(figure, [1.0, 0, 0, 0, 0, 0, 0], goals)
    assert found.reached.all()
    assert found.q.shape == (64, 7)
    unit = turns / np.linalg.norm(turns, axis=1, keepdims=True)
    np.testing.assert_allclose(abs((found.q[:, :4] * unit).sum(axis=1)), 1.0, atol=1e-12)


def test_gaze_axis_and_balance_by_their_own_geometry():
    figure = arm(1.0, 1.0, 1.0, root="spherical")
    q0 = np.array([1.0, 0.0, 0.0, 0.0, 0.4, 0.3])
    goals = [
        GazeGoal("rod2", (1.0, 2.0, 3.0), axis=(0.0, 1.0, 1.0), point=(0.5, 0.0, 0.1)),
        AxisGoal("rod0", (0.0, 0.0, 1.0), (0.1, 0.2, 1.0)),
    ]
    found = inverse_kinematics(figure, q0, goals)
    assert found.reached
    state = kinematics(figure, found.q.tolist(), [0.0] * figure.nv)
    eye, axis = state.poses[3] @ Vector(0.5, 0.0, 0.1), state.poses[3].rotation @ Vector(0.0, 1.0, 1.0)
    line = np.array([1.0, 2.0, 3.0]) - [*eye]
    assert np.linalg.norm(np.cross([*axis], line)) / np.linalg.norm(line) < 1e-9
    assert np.dot([*axis], line) > 0.0
    up = np.array([*state.poses[1].rotation.columns[2]])
    np.testing.assert_allclose(np.cross(up, [0.1, 0.2, 1.0]), 0.0, atol=1e-9)
    corners = [(0.0, 0.0), (0.5, 0.0), (0.5, 0.5), (0.0, 0.5)]
    balanced = inverse_kinematics(figure, q0, [BalanceGoal(corners, margin=0.05)])
    centre = centre_of_mass(kinematics(figure, balanced.q.tolist(), [0.0] * figure.nv))
    assert balanced.reached
    assert min(centre.x, centre.y) >= 0.05 - 1e-6
    assert max(centre.x, centre.y) <= 0.45 + 1e-6


def test_closed_loops_stay_closed():
    """A parallelogram of rods of 1 m and 0.6 m: its corners stay a parallelogram where its coupler is asked for."""
    links = arm(0.6, 1.0, 0.6).given_links
    rocker = Closure("point", "rod2", None, position=(0.6, 0.0, 0.0), other_position=(1.0, 0.0, 0.0))
    figure = Figure("parallelogram", links, constraints=(rocker,))
    q0 = [math.pi / 2, -math.pi / 2, -math.pi / 2]
    reach = (0.6 * math.cos(1.2), 0.6 * math.sin(1.2), 0.0)
    found = inverse_kinematics(figure, q0, [PointGoal("rod1", reach)])
    assert found.reached
    np.testing.assert_allclose(found.q, [1.2, -1.2, 1.2 - math.pi], atol=1e-9)
    away = inverse_kinematics(figure, q0, [PointGoal("rod1", (3.0, 0.5, 0.0))])
    assert not away.reached
    assert away.loop_gap < 1e-12
    assert away.residuals[0] == pytest.approx(math.hypot(3.0, 0.5) - 0.6, abs=1e-5)


def test_lanes_give_the_bits_of_single_searches():
    figure, rng = arm(1.0, 1.0, 1.0), np.random.default_rng(5)
    targets, starts = rng.uniform(-1.5, 1.5, (19, 3)), rng.normal(size=(19, 3))
    together = inverse_kinematics(figure, starts, [tip(targets, 3)])
    for k in range(19):
        alone = inverse_kinematics(figure, starts[k], [tip(targets[k], 3)])
        np.testing.assert_array_equal(together.q[k], alone.q)
        assert together.reached[k] == alone.reached


def test_a_new_target_compiles_nothing(monkeypatch: pytest.MonkeyPatch):
    figure = arm(1.0, 1.0)
    inverse_kinematics(figure, [0.1, 0.5], [tip((1.0, 1.0, 0.0), 2)])

    def refuse(*args: Any) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr("gambol.plan.pose.solver.Program", refuse)
    found = inverse_kinematics(figure, [0.1, 0.5], [tip((0.3, 1.0, 0.0), 2)], posture=[0.0, 1.0])
    assert found.reached


def test_the_goals_are_reached_in_mujoco():
    """Body positions and the centre of mass by MuJoCo's kinematics, at the coordinates found here."""
    mujoco = pytest.importorskip("mujoco")
    mjcf = pytest.importorskip("benchmarks.mjcf").mjcf
    figure = gambol.random_figure(4, 6, kinds=("revolute",), root="free")
    rng = np.random.default_rng(2)
    q0 = np.concatenate([[1.0, 0, 0, 0, 0, 0, 0], 0.3 * rng.normal(size=figure.nq - 7)])
    near = q0 + np.concatenate([np.zeros(7), 0.2 * rng.normal(size=figure.nq - 7)])
    state = kinematics(figure, near.tolist(), [0.0] * figure.nv)
    names, point = [figure.links[k].name for k in (3, 5)], (0.1, -0.05, 0.02)
    places = [[*state.point_position(figure.link(n).index, Vector(*point))] for n in names]
    centre = [*centre_of_mass(state)]
    goals = [*(PointGoal(n, p, point) for n, p in zip(names, places, strict=True)), BalanceGoal(centre[:2])]
    found = inverse_kinematics(figure, q0, goals)
    assert found.reached
    model = mujoco.MjModel.from_xml_string(mjcf(figure, 1e-3))
    data = mujoco.MjData(model)
    root = kinematics(figure, found.q.tolist(), [0.0] * figure.nv).poses[1]
    data.qpos[:3], data.qpos[7:] = [*root.position], found.q[7:]
    mujoco.mju_mat2Quat(data.qpos[3:7], np.array(root.rotation.rows).ravel())
    mujoco.mj_forward(model, data)
    for name, place in zip(names, places, strict=True):
        body = data.body(name)
        np.testing.assert_allclose(body.xpos + body.xmat.reshape(3, 3) @ point, place, atol=1e-9)
    np.testing.assert_allclose(data.subtree_com[1][:2], centre[:2], atol=1e-9)


def test_locked_joints_and_prismatic_ones():
    slide = Link("cart", None, Joint("prismatic", (1.0, 0.0, 0.0)), (), UNIT)
    pole = Link("pole", "cart", Joint("revolute", (0.0, 0.0, 1.0)), (), UNIT)
    figure = Figure("cart", (slide, pole))
    goal = PointGoal("pole", (2.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert inverse_kinematics(figure, [0.0, 0.3], [goal]).reached
    held = inverse_kinematics(figure, [0.0, 0.3], [goal], locked=["cart"])
    assert held.q[0] == 0.0
    assert held.residuals[0] == pytest.approx(1.0, abs=1e-6)


BAD: list[tuple[str, Any, dict[str, Any]]] = [
    ("did you mean", [PointGoal("rod9", (1, 0, 0))], {}),
    ("shape", [PointGoal("rod1", (1, 0))], {}),
    ("finite", [PointGoal("rod1", (1, 0, math.nan))], {}),
    ("different targets", [tip((1, 0, 0), 2), tip((0, 1, 0), 2)], {}),
    ("relative to itself", [PointGoal("rod1", (1, 0, 0), other="rod1")], {}),
    ("axes", [PointGoal("rod1", (1, 0, 0), axes="xw")], {}),
    ("no joint that may move", [PointGoal("rod1", (1, 0, 0))], {"locked": ["rod0", "rod1"]}),
    ("beyond its limits", [JointGoal("rod1", 2.0)], {"limits": {"rod1": (-1.0, 1.0)}}),
    ("has limits", [JointGoal("rod1", 2.0)], {"limits": {"rod1": (1.0, -1.0)}}),
    ("weight", [PointGoal("rod1", (1, 0, 0), weight=-1.0)], {}),
    ("length 0", [AxisGoal("rod1", (0, 0, 0), (1, 0, 0))], {}),
    ("convex", [BalanceGoal([(0, 0), (1, 1), (1, 0), (0, 1)])], {}),
    ("nothing of its support", [BalanceGoal([(0, 0), (1, 0), (0, 1)], margin=2.0)], {}),
    ("is not a goal", ["stand"], {}),
    ("poses", [tip(np.zeros((3, 3)), 2), BalanceGoal((0, 0)), AxisGoal("rod1", (1, 0, 0), np.ones((4, 3)))], {}),
]


@pytest.mark.parametrize(("words", "goals", "more"), BAD)
def test_bad_input_is_an_error_before_work(words: str, goals: Any, more: dict[str, Any], monkeypatch: Any):
    monkeypatch.setattr("gambol.plan.pose.solver.Program", None)
    with pytest.raises(GambolError, match=words):
        inverse_kinematics(arm(1.0, 1.0), [0.0, 0.0], goals, **more)


def test_coordinates_of_a_wrong_shape_are_an_error():
    with pytest.raises(GambolError, match="takes"):
        inverse_kinematics(arm(1.0, 1.0), [0.0, 0.0, 0.0], [])
