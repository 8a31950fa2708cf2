"""Joint springs as data: their scales, and errors for invalid values."""

import math
from dataclasses import astuple

import pytest

from gambol.errors import FigureError
from gambol.figure import Box, Figure, Joint, JointSpring, Link, Part, resolve_springs, with_stops

CUBE = (Part(Box((0.1, 0.1, 0.1))),)  # 1 kg
HINGE = Joint("revolute", (0.0, 1.0, 0.0))
FIGURE = Figure(
    "arm",
    (
        Link("trunk", None, Joint("free"), CUBE),
        Link("upper", "trunk", HINGE, (Part(Box((0.1, 0.1, 0.2))),)),
        Link("lower", "upper", HINGE, CUBE),
    ),
)


@pytest.mark.parametrize(("scale", "kilograms"), [("none", 1.0), ("mass", 2.0), ("distal mass", 3.0)])
def test_scales_multiply_all_but_rise_rest_limits_and_bias(scale, kilograms):
    spring = JointSpring(10.0, 2.0, 16.0, 0.03, 0.4, -1.0, 1.0, 50.0, 0.5, 0.7, 0.6, 0.02, scale)
    k = kilograms
    expected = (10.0 * k, 2.0 * k, 16.0, 0.03 * k, 0.4, -1.0, 1.0, 50.0 * k, 0.5 * k, 0.7, 0.6 * k, 0.02)
    resolved = astuple(resolve_springs(FIGURE, {"upper": spring})["upper"][0])
    assert resolved[:-1] == pytest.approx(expected)
    assert resolved[-1] == "none"


@pytest.mark.parametrize(
    ("name", "spring", "why"),
    [
        ("uper", JointSpring(), 'did you mean "upper"'),
        ("trunk", JointSpring(), "free joint takes 4"),
        ("upper", JointSpring(stiffness=-1.0), "stiffness = -1"),
        ("upper", JointSpring(damping=math.nan), "damping = nan"),
        ("upper", JointSpring(alpha=math.inf), "alpha = inf"),
        ("upper", JointSpring(rest=math.nan), "rest = nan"),
        ("upper", JointSpring(lower=1.0, upper=-1.0), "limits 1 to -1"),
        ("upper", JointSpring(scale="distalmass"), 'did you mean "distal mass"'),
    ],
)
def test_impossible_springs_are_refused(name, spring, why):
    with pytest.raises(FigureError, match=why):
        resolve_springs(FIGURE, {name: spring})


def chain(*kinds: str) -> Figure:
    names = [f"{kind}{n}" for n, kind in enumerate(kinds)]
    parents = [None, *names[:-1]]
    return Figure("chain", tuple(Link(n, p, Joint(k), CUBE) for n, p, k in zip(names, parents, kinds, strict=True)))


@pytest.mark.parametrize(
    ("kind", "count"),
    [("fixed", 0), ("revolute", 1), ("cylindrical", 2), ("universal", 2), ("planar", 3), ("spherical", 1), ("free", 4)],
)
def test_a_joint_takes_a_spring_for_each_angle_and_slide_and_one_for_an_orientation(kind, count):
    figure = chain(kind)
    assert resolve_springs(figure, {f"{kind}0": (JointSpring(damping=1.0),) * count})
    with pytest.raises(FigureError, match=f"has {count + 1} springs; its {kind} joint takes {count}"):
        resolve_springs(figure, {f"{kind}0": (JointSpring(),) * (count + 1)})


@pytest.mark.parametrize(
    ("spring", "why"),
    [
        (JointSpring(rest=0.1), "rest and bias must be 0"),
        (JointSpring(bias=0.1), "rest and bias must be 0"),
        (JointSpring(upper=-0.1), "give a limit above 0"),
        (JointSpring(stiction_speed=0.0), r"stiction_speed \(in files: creep\) = 0"),
        (JointSpring(friction=-1.0), "friction = -1"),
    ],
)
def test_springs_that_no_orientation_can_have_are_refused(spring, why):
    with pytest.raises(FigureError, match=why):
        resolve_springs(chain("spherical"), {"spherical0": spring})


def test_a_stop_is_critically_damped_at_its_frequency():
    I = 1.0 * 0.1**2 / 6  # of a cube about its middle
    (spring,) = with_stops(chain("revolute"), "revolute0", JointSpring(lower=-1.0, upper=1.0), hertz=5.0)
    w = 2 * math.pi * 5.0
    assert spring.limit_stiffness == pytest.approx(I * w**2)
    assert spring.limit_damping == pytest.approx(2 * math.sqrt(spring.limit_stiffness * I))


def test_stops_bear_all_that_a_joint_carries():
    figure = chain("planar", "prismatic")
    springs = with_stops(figure, "planar0", (JointSpring(upper=1.0), JointSpring(), JointSpring(upper=1.0)))
    w = 2 * math.pi * 20.0
    assert springs[0].limit_stiffness == pytest.approx(2 * 1.0 * 0.1**2 / 6 * w**2)
    assert springs[2].limit_stiffness == pytest.approx(2.0 * w**2)
    assert springs[1] == JointSpring()


def test_stops_that_were_given_stay():
    given = JointSpring(upper=1.0, limit_stiffness=3.0)
    assert with_stops(chain("revolute"), "revolute0", given) == (given,)
