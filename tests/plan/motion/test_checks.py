"""Error messages for invalid plans, before any work."""

import math
import re
from dataclasses import replace

import pytest

from gambol.errors import GambolError, PlanError
from gambol.figure import Closure, Figure, Joint, Link
from gambol.plan import Cost, Cycle, Mesh, Phase, PhaseTime, Plan, Point, PointPath, PointTarget, Pose, Window, solve
from gambol.plan.motion.checks.plan_checks import check_plan
from gambol.plan.problems import block_move, cart_pole, hopper_leap, quadruped_trot
from gambol.plan.problems.rods import hinge, point_mass, rod


def rigid(**changes):
    """Return the plan of a body of 1 kg that is thrown and flies for a second."""
    figure = Figure("stone", (Link("stone", None, Joint("free"), (), point_mass(1.0)),))
    here = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    plan = Plan(figure, start=Pose(positions={"stone": here}, velocities={"stone": (0, 0, 0, 1.0, 0, 5.0)}))
    return replace(plan, **changes)


TROT = quadruped_trot()
CART_POLE = cart_pole()
MIDDLE = PhaseTime("stance", 0.5)

CASES = {
    "no phase": (replace(block_move(), phases=()), "no phase"),
    "one name twice": (replace(block_move(), phases=(Phase(), Phase())), "two phases"),
    "duration": (replace(block_move(), phases=(Phase(duration=(1.0, 0.5)),)), "duration of phase"),
    "sum of durations": (replace(block_move(), duration=2.0), "no duration satisfies both"),
    "unknown joint": (replace(block_move(), torques={"bock": 1.0}), "did you mean"),
    "limit": (replace(cart_pole(), limits={"pole": 1.0}), "outside its limits"),
    "reversed limit": (replace(cart_pole(), limits={"pole": (1.0, -1.0)}), "lower end first"),
    "numbers of a pose": (replace(block_move(), start=Pose(positions={"block": (0.0, 1.0)})), "takes 1"),
    "not finite": (replace(block_move(), start=Pose(positions={"block": math.nan})), "not finite"),
    "time": (replace(block_move(), poses=(Pose(1.5, {"block": 0.5}),)), "outside the plan"),
    "order": (replace(block_move(), poses=(Pose(0.6, {"block": 0.5}), Pose(0.4, {"block": 0.5}))), "order of time"),
    "phase of a time": (replace(block_move(), poses=(Pose(PhaseTime("motoin"), {}),)), "did you mean"),
    "seconds after a free duration": (
        replace(block_move(), phases=(Phase(duration=(0.5, 1.0)),), poses=(Pose(0.2, {"block": 0.5}),)),
        "fraction of a phase",
    ),
    "cost": (replace(block_move(), costs=(Cost("efort"),)), 'did you mean "effort"'),
    "no cost": (replace(block_move(), costs=()), "the plan has no cost"),
    "infinite cost": (replace(block_move(), costs=(Cost("effort", math.inf),)), "finite"),
    "nothing holds": (replace(block_move(), costs=(Cost("duration"),)), "has neither a cost nor a bound"),
    "idle joint": (replace(cart_pole(), costs=(Cost("effort", joints=("pole",)),)), "no actuator"),
    "method": (replace(block_move(), mesh=Mesh("simpson")), "no method"),
    "mesh": (replace(block_move(), mesh=Mesh(intervals=0)), "at least 1"),
    "contact": (replace(hopper_leap(), points=()), "no point"),
    "contact in the air": (
        replace(hopper_leap(), start=Pose(positions={"body": (0.0, 0.0, 1.5), "leg": 0.0, "foot": 0.9})),
        "above the ground",
    ),
    "found contacts": (replace(hopper_leap(), phases=(Phase(may_touch=("sole",)),)), "backward euler"),
    "centre of mass as a contact": (
        replace(hopper_leap(), points=(Point("sole", ""),)),
        "centre of mass",
    ),
    "friction": (replace(hopper_leap(), friction=-1.0), "0 or more"),
    "no friction": (replace(hopper_leap(), friction=0.0), "no friction"),
    "trunk above its standing feet": (
        replace(TROT, start=Pose(positions={"trunk": (None, None, None, None, 0.0, None, 2.0)})),
        '"trunk" at the start is out of reach of "shank front left", which stands in "stance"',
    ),
    "target above standing feet": (
        replace(TROT, targets=(PointTarget("trunk", (None, None, 3.0), MIDDLE, relation="above"),)),
        "is out of reach",
    ),
    "foot above the other feet": (
        replace(TROT, targets=(PointTarget("shank hind left", (None, None, 2.0), MIDDLE),)),
        "is out of reach",
    ),
    "free flight": (
        rigid(goal=Pose(positions={"stone": (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 5.0)})),
        "falls freely",
    ),
    "nowhere": (rigid(start=Pose(positions={"stone": (None,) * 6 + (1.0,)})), "no goal determines"),
    "only heights": (replace(TROT, start=Pose()), "no goal determines"),
    "quaternion": (rigid(start=Pose(positions={"stone": (2.0, 0, 0, 0, 0, 0, 1.0)})), "length must be 1"),
    "part of a quaternion": (rigid(start=Pose(positions={"stone": (1.0, None, 0, 0, 0, 0, 1.0)})), "all four"),
    "prescribed": (replace(rigid(), figure=replace(rigid().figure, prescribed=True)), "prescribed"),
    "loop": (
        replace(CART_POLE, figure=replace(CART_POLE.figure, constraints=(Closure("point", "pole", None),))),
        "has loop constraints, which plans do not support",
    ),
    "no mirror image": (
        replace(quadruped_trot(), cycle=Cycle(0.2, mirrored=True, pairs=(("thigh front left", "thigh hind right"),))),
        "not the mirror image",
    ),
    "travel": (replace(cart_pole(), cycle=Cycle((1.0, 0.0))), "travel"),
    "empty target": (replace(cart_pole(), targets=(PointTarget("pole"),)), "no place"),
    "relation": (replace(cart_pole(), targets=(PointTarget("pole", (0.0, None, None), relation="on"),)), "relation"),
    "path of no time": (
        replace(cart_pole(), paths=(PointPath("pole", ((0, 0, 0), (1, 0, 0)), 1.0, 1.0),)),
        "ends before it begins",
    ),
}


@pytest.mark.parametrize(("plan", "words"), CASES.values(), ids=CASES.keys())
def test_an_impossible_plan_is_an_error_before_work(plan, words):
    with pytest.raises(GambolError, match=words):
        check_plan(plan)


def test_the_error_of_a_place_out_of_reach_names_its_distance():
    """An arm of two rods of 0.4 m cannot reach 1 m: it misses by 0.2 m, stretched towards the place."""
    upper, lower = hinge("upper", None, rod(1.0, 0.4), ()), hinge("lower", "upper", rod(0.5, 0.4), (), (0.0, 0.0, -0.4))
    plan = Plan(
        Figure("arm", (upper, lower)),
        torques={"upper": 10.0, "lower": 10.0},
        points=(Point("hand", "lower", (0.0, 0.0, -0.4)),),
        targets=(PointTarget("hand", (0.6, 0.0, 0.8), 0.5),),
    )
    with pytest.raises(PlanError, match=r"misses it by 0\.2 m, with lower = (\S+), upper = (\S+)") as caught:
        check_plan(plan)
    lower, upper = (float(x) for x in re.findall(r" = (\S+?)(?:,|$)", str(caught.value)))
    assert lower == pytest.approx(0.0, abs=1e-2)
    assert upper == pytest.approx(math.atan2(0.6, -0.8), abs=1e-2)


def test_points_too_far_apart_are_told_by_the_lengths_of_the_links():
    """From the middle of the trunk to a foot's centre: 0.335 m to the hip, 0.08 m across, and two rods of 0.25 m."""
    trunk = 2.0
    plan = replace(TROT, start=Pose(positions={"trunk": (None, None, None, None, 0.0, None, trunk)}))
    longest = math.hypot(0.3, 0.15) + 0.08 + 0.25 + 0.25
    words = rf"apart, but parts .* allow {longest:.3g} m at most; move it by {trunk - 0.02 - longest:.3g} m"
    with pytest.raises(PlanError, match=words):
        check_plan(plan)
    lowered = (None, None, None, None, 0.0, None, 0.02 + longest - 1e-3)  # stretched legs would reach, if they could
    check_plan(replace(TROT, start=Pose(positions={"trunk": lowered})))


def arm_on_its_hand(least: float) -> Plan:
    """Return the plan of an arm of two rods of 0.4 m, 0.7 m above the ground; its elbow bends by `least` to 2.5 rad."""
    upper = hinge("upper", None, rod(1.0, 0.4), (), (0.0, 0.0, 0.7))
    figure = Figure("arm", (upper, hinge("lower", "upper", rod(0.5, 0.4), (), (0.0, 0.0, -0.4))))
    return Plan(
        figure,
        (Phase("swing", 0.5), Phase("support", 0.5, ("hand",))),
        torques={"upper": 10.0, "lower": 10.0},
        limits={"lower": (least, 2.5)},
        points=(Point("hand", "lower", (0.0, 0.0, -0.4)),),
    )


def test_a_phase_that_only_joint_limits_forbid_is_an_error():
    """Bent by 1.5 rad, the arm is 0.8 cos(0.75) m long: its hand stays 0.7 m less that above the ground."""
    above = 0.7 - 0.8 * math.cos(0.75)
    words = rf'"support" cannot stand together at the start of phase "support": .* "hand" is {above:.3g} m above'
    with pytest.raises(PlanError, match=words):
        check_plan(arm_on_its_hand(1.5))
    check_plan(arm_on_its_hand(1.0))  # 0.8 cos(0.5) is more than 0.7


def test_a_pose_in_which_limits_keep_feet_off_the_ground_is_an_error():
    """A leg is longest with its knee at -0.2 rad and its hip turned so that the offset of 0.08 m points down, too."""
    reach = math.hypot(0.08, 0.5 * math.cos(0.1)) + 0.02
    level = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.55)
    with pytest.raises(PlanError, match=rf"in key pose 1: .* is {0.55 - reach:.3g} m above the ground"):
        check_plan(replace(TROT, poses=(Pose(MIDDLE, {"trunk": level}),)))
    check_plan(replace(TROT, poses=(Pose(MIDDLE, {"trunk": (*level[:6], reach - 0.01)}),)))


def test_an_empty_window_is_an_error():
    result = solve(block_move())
    with pytest.raises(PlanError, match="no interval"):
        solve(block_move(), start_from=result, window=Window(0.41, 0.42))


@pytest.mark.parametrize("window", [Window(0.5, 0.4), Window(-0.1, 0.4), Window(0.5, 1.5)])
def test_a_window_outside_its_result_is_an_error(window):
    with pytest.raises(PlanError, match="from 0 to 1 s"):
        solve(block_move(), start_from=solve(block_move()), window=window)


def test_a_window_without_a_result_is_an_error():
    with pytest.raises(PlanError, match="start_from"):
        solve(block_move(), window=Window(0.2, 0.4))


def test_a_motion_of_another_figure_is_an_error():
    with pytest.raises(PlanError, match="same figure"):
        solve(cart_pole(), start_from=solve(block_move()).trajectory)


def test_bounds_that_exclude_each_other_are_an_error():
    poses = (Pose(0.5, {"block": 0.5}), Pose(0.5, {"block": 0.6}))
    with pytest.raises(PlanError, match="is impossible"):
        solve(replace(block_move(), poses=poses))
