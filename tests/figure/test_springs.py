"""Joint springs as data: their scales and what is refused."""

import math
from dataclasses import astuple

import pytest

from gambol.errors import FigureError
from gambol.figure import Box, Figure, Joint, JointSpring, Link, Part, resolve_springs

CUBE = (Part(Box((0.1, 0.1, 0.1))),)  # 1 kg
HINGE = Joint("rotary", (0.0, 1.0, 0.0))
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
def test_springs_that_cannot_be_are_refused(name, spring, why):
    with pytest.raises(FigureError, match=why):
        resolve_springs(FIGURE, {name: spring})
