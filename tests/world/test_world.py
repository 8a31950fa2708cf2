"""Worlds as data: invalid values, and the conditions for two of them to share a program."""

import math
from dataclasses import replace
from typing import Any

import pytest
from worlds import ball, block, body, diagonal, point, touch

from gambol.contact import StickyFoot, SurfaceProperties
from gambol.errors import FigureError, WorldError
from gambol.figure import Figure, Joint, JointSpring, Link
from gambol.gait import GaitController, Leg, MotorCommand
from gambol.world import External, Push, Timing, World

STICK = StickyFoot(alpha=0.4, beta=3000.0, damping=0.0, restitution=1.0, return_speed=0.1, reach=4e-4)


@pytest.mark.parametrize(
    ("timing", "message"),
    [
        ({"method": "rk45"}, 'did you mean "rkf45"'),
        ({"control_step": 0.0}, "control_step"),
        ({"step": -1.0}, "step"),
        ({"tolerance": math.nan}, "tolerance"),
        ({"min_step": math.inf}, "min_step"),
    ],
)
def test_impossible_timing_is_refused(timing: dict[str, Any], message: str):
    with pytest.raises(WorldError, match=message):
        World(ball(), timing=Timing(**timing))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"gravity": math.nan}, WorldError, "gravity"),
        ({"surface": lambda: SurfaceProperties(touch(friction=-1.0))}, WorldError, "friction"),
        ({"surface": lambda: SurfaceProperties(feet=("bal",))}, FigureError, 'did you mean "ball"'),
        ({"surface": lambda: SurfaceProperties(feet=("ball", "ball"))}, WorldError, "twice"),
        ({"springs": {"bal": JointSpring()}}, FigureError, 'did you mean "ball"'),
        ({"surface": lambda: SurfaceProperties(sticky=STICK)}, WorldError, "controller"),
        ({"surface": lambda: SurfaceProperties(sticky=replace(STICK, reach=0.0))}, WorldError, "reach"),
        ({"external": lambda: External(base_acceleration=lambda t, q, v: [0.0] * 6)}, WorldError, "prescribed"),
    ],
)
def test_impossible_worlds_are_refused(options: dict[str, Any], error: type[Exception], message: str):
    with pytest.raises(error, match=message):
        World(ball(), **{name: option() if callable(option) else option for name, option in options.items()})


@pytest.mark.parametrize(
    ("former", "message"),
    [
        ("varied", 'is now called "parameters"'),
        ("room", r"is now contact=Stepping\(max_contacts=...\)"),
        ("max_contacts", r"is now contact=Stepping\(max_contacts=...\)"),
        ("hypothesis", r"is now contact=Impulse\(hypothesis=...\)"),
        ("touch", r"is now surface=SurfaceProperties\(parameters=...\)"),
        ("shove", r"is now external=External\(push=...\)"),
        ("initial_q", r"is now initial=InitialState\(q=...\)"),
    ],
)
def test_options_of_former_names_are_refused_with_the_new_name(former: str, message: str):
    with pytest.raises(WorldError, match=f'"{former}" of World {message}'):
        World(ball(), **{former: 1})  # pyright: ignore[reportArgumentType]


def test_a_foot_without_a_shape_is_refused():
    with pytest.raises(WorldError, match="no part that collides"):
        World(body(diagonal(1.0, 1.0, 1.0, 1.0)), surface=SurfaceProperties(feet=("body",)))


def test_a_sticky_foot_without_corners_is_refused():
    with pytest.raises(WorldError, match='"ball" has only round parts'):
        replace(
            walker(),
            figure=Figure("two", (*walker().figure.given_links, trailing_ball())),
            surface=replace(walker().surface, feet=("ball",), sticky=STICK),
        )


def trailing_ball() -> Link:
    return replace(ball().given_links[0], parent="knee", joint=Joint("revolute", (0.0, 1.0, 0.0)))


@pytest.mark.parametrize(("start", "end"), [(1.0, 0.5), (math.nan, 1.0), (0.0, math.inf)])
def test_a_push_that_ends_before_it_starts_is_refused(start: float, end: float):
    with pytest.raises(WorldError, match="push"):
        Push((1.0, 0.0, 0.0), start, end)


def walker(links: tuple[str, ...] = ("hip", "knee"), driven: str = "knee", sprung: tuple[str, ...] = ("hip", "knee")):
    joint = Joint("revolute", (0.0, 1.0, 0.0))
    figure = Figure(
        "walker",
        (
            Link("trunk", None, Joint("free"), (), diagonal(1.0, 1.0, 1.0, 1.0)),
            Link("hip", "trunk", joint, (), point(0.1, (0.1, 0.0, 0.0))),
            Link("knee", "hip", joint, (), point(0.1, (0.1, 0.0, 0.0))),
        ),
    )
    command = MotorCommand(driven, 0.1, 0.0, 1.0)
    gait = GaitController((Leg("leg", "left", 0, links, (command,), ()),), {driven: 0.0})
    return World(figure, {name: JointSpring(stiffness=1.0) for name in sprung}, controller=gait)


def test_legs_of_missing_links_are_refused():
    assert walker().driven == ("knee",)
    with pytest.raises(FigureError, match='did you mean "knee"'):
        walker(links=("hip", "nee"))


def test_joints_that_a_gait_moves_or_senses_need_springs():
    with pytest.raises(WorldError, match='"knee"'):
        walker(sprung=("hip",))
    with pytest.raises(WorldError, match='"hip"'):
        walker(driven="hip", sprung=("knee",))


def test_the_first_joint_of_a_leg_must_have_an_angle():
    with pytest.raises(WorldError, match='"trunk"'):
        walker(links=("trunk", "knee"))


def test_size_is_twice_the_longest_reach_of_a_link():
    assert World(ball(0.05)).size == pytest.approx(0.1)
    assert World(block((0.3, 0.4, 1.2))).size == pytest.approx(1.3)
    rod = Figure("rod", (Link("rod", None, Joint("revolute"), (), point(1.0, (0.0, 0.7, 0.0))),))
    assert World(rod).size == pytest.approx(1.4)
    assert World(body(diagonal(1.0, 1.0, 1.0, 1.0))).size == 1.0


def test_programs_are_shared_by_structure_and_not_by_numbers():
    bare_world = World(ball(), surface=SurfaceProperties(touch()))
    assert (
        World(ball(), surface=SurfaceProperties(touch(friction=0.1)), gravity=1.62).structure()
        == bare_world.structure()
    )
    assert World(ball(0.06), surface=SurfaceProperties(touch())).structure() != bare_world.structure()
    assert World(ball(), surface=SurfaceProperties(touch(), feet=("ball",))).structure() != bare_world.structure()
    assert World(ball(), timing=Timing(method="rk4")).structure() != bare_world.structure()


def test_names_are_structure_for_feet_refer_to_them():
    def pair(first: str, second: str) -> Figure:
        shape = ball().given_links[0]
        joint = Joint("prismatic", (1.0, 0.0, 0.0))
        return Figure("pair", (replace(shape, name=first), replace(shape, name=second, parent=first, joint=joint)))

    bare_world, other = (
        World(pair(*names), surface=SurfaceProperties(feet=("a",))) for names in (("a", "b"), ("b", "a"))
    )
    assert bare_world.structure() != other.structure()
