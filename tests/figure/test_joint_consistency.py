"""Rows of the table of joint kinds agree with themselves; a row that does not is an error that names the field."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pages import restored

from gambol.errors import FigureError
from gambol.figure import JOINTS, Figure, Joint, Link, Part, Sphere
from gambol.figure.generator import random_joint, random_rotation
from gambol.figure.joint import JointKind, Placement
from gambol.figure.joint_consistency import PACKAGE_KINDS, check_row
from gambol.lanes import Scalar
from gambol.spatial import Force, Motion, Vector


@pytest.mark.parametrize("kind", sorted(PACKAGE_KINDS))
@pytest.mark.parametrize("seed", range(3))
def test_rows_of_the_package_agree_with_themselves(kind: str, seed: int):
    check_row(random_joint(np.random.default_rng(seed), kind, rotor=True), "a joint")


def displaced_at_rest(joint: Joint, q: Any) -> Placement:
    placement = JOINTS["rolling"].place(joint, q)
    return replace(placement, X_PJ=replace(placement.X_PJ, position=placement.X_PJ.position + Vector(0.1, 0.0, 0.0)))


def changed(**fields: Callable[[Placement], Any]) -> Callable[[Joint, Any], Placement]:
    """The placement of a rolling joint with other fields."""

    def place(joint: Joint, q: Any) -> Placement:
        placement = JOINTS["rolling"].place(joint, q)
        return replace(placement, **{name: value(placement) for name, value in fields.items()})

    return place


def twice(q: Any, v: Any) -> list[Scalar]:
    return [2.0 * x for x in v]


X = Motion(Vector(1.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0))
TURN = Joint("revolute", (0.0, 1.0, 0.0))
WRONG: dict[str, tuple[str, dict[str, Any]]] = {
    "pose at rest": ("`place` at `rest` is not at", {"place": displaced_at_rest}),
    "velocities": ("column 0 of S is", {"place": changed(columns=lambda p: (p.columns[0] + X,))}),
    "number of columns": ("returns 2 columns of S", {"place": changed(columns=lambda p: (*p.columns, X))}),
    "rates": ("column 0 of S is", {"rates": twice}),
    "number of rates": ("`rates` returns 2 numbers", {"rates": lambda q, v: [*v, 0.0]}),
    "derivatives": ("column 0 of S changes", {"place": changed(derivatives=lambda p: ())}),
    "forces with power": ("have power", {"place": changed(constraint_forces=lambda p: five_forces())}),
    "number of forces": ("are 4; they must be 5", {"place": changed(constraint_forces=lambda p: five_forces()[1:])}),
    "travel": ("`travel` says 0 m", {"travel": lambda joint, extents: 0.0}),
    "mirror image": ("numbers of `mirrored`", {"mirrored": lambda joint: {"radius": 0.3}}),
    "series": ("`in_series` do not take the pose", {"in_series": lambda joint: (("", TURN, 0),)}),
    "spring of a series": ("has the spring None", {"in_series": lambda joint: (("", TURN, None),)}),
}


def five_forces() -> tuple[Force, ...]:
    zero = Force(Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0))
    return tuple(zero.with_component(k, 1.0) for k in range(5))


def figure_with(row: JointKind) -> Figure:
    JOINTS["mine"] = row
    joint = Joint("mine", (0.0, 1.0, 0.0), across=(1.0, 0.0, 0.0), radius=0.1, parent_radius=0.2)
    return Figure("mine", (Link("link", None, joint, (Part(Sphere(0.1)),)),))


def test_the_row_of_a_rolling_joint_is_taken_as_it_is():
    with restored(JOINTS):
        assert figure_with(replace(JOINTS["rolling"])).nv == 1


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_row_is_an_error_that_names_the_field(name: str):
    words, fields = WRONG[name]
    with restored(JOINTS), pytest.raises(FigureError, match=rf'link "link": the row of "mine" joints .*{words}'):
        figure_with(replace(JOINTS["rolling"], **fields))


def raises(joint: Joint, q: Any) -> Placement:
    raise ZeroDivisionError("division by zero")


def not_turning(v: Any) -> list[Scalar]:
    return [0.0 for _ in v]


def planar_by_halves(old: Any, new: Any, v: Any) -> list[Scalar]:
    """Velocities of a planar joint, re-expressed to the second order of the angle only."""
    angle = new[0] - old[0]
    c, s = 1.0 - angle * angle / 2.0, angle
    return [v[0], c * v[1] + s * v[2], c * v[2] - s * v[1]]


TURNING = JOINTS["planar"].turning
assert TURNING is not None
WRONG_ROWS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "place raises": ("revolute", "ZeroDivisionError: division by zero", {"place": raises}),
    "coaxial": ("rolling", "it is `coaxial`, but column 0 of S is", {"coaxial": True, "axes": 1}),
    "directions": ("revolute", "`axes` is 0, but the pose depends on `axis`", {"axes": 0, "coaxial": False}),
    "acceleration": (
        "planar",
        "with `turning.acceleration` the link's velocity in its parent changes",
        {"turning": replace(TURNING, acceleration=not_turning)},
    ),
    "re-expressed": (
        "free",
        "with `turning.re_expressed` the link's velocity in its parent changes",
        {"turning": replace(JOINTS["free"].turning, re_expressed=lambda old, new, v: list(v))},  # pyright: ignore[reportArgumentType]
    ),
    "number of accelerations": (
        "planar",
        "`turning.acceleration` returns 2 numbers; it must return 3",
        {"turning": replace(TURNING, acceleration=lambda v: [0.0, 0.0])},
    ),
    "axes of a third position": (
        "planar",
        "from one position to a third",
        {"turning": replace(TURNING, re_expressed=planar_by_halves)},
    ),
    "number not named": ("helical", 'the pose depends on "pitch" of the joint, which', {"numbers": {}}),
    "number without effect": (
        "helical",
        '`numbers` names "radius", but the pose does not',
        {"numbers": {**JOINTS["helical"].numbers, "radius": lambda random, size: 0.1}},
    ),
    "number that is none": (
        "helical",
        '`numbers` draws nan for "pitch"',
        {"numbers": {"pitch": lambda random, size: float("nan")}},
    ),
    "numbers that are refused": (
        "rolling",
        "a joint with the numbers that `numbers` draws rolls with a radius of 0 m",
        {"numbers": {"radius": lambda random, size: 0.0, "parent_radius": lambda random, size: 0.1}},
    ),
}


@pytest.mark.parametrize("name", WRONG_ROWS)
def test_directions_numbers_and_turning_axes_are_tried(name: str):
    kind, words, fields = WRONG_ROWS[name]
    joint = replace(random_joint(np.random.default_rng(5), kind), rotation=random_rotation(np.random.default_rng(5)))
    with restored(JOINTS):
        JOINTS[kind] = replace(JOINTS[kind], **fields)
        with pytest.raises(FigureError, match=rf'a joint: the row of "{kind}" joints .*{words}'):
            check_row(joint, "a joint")


def test_a_row_with_a_number_that_joints_do_not_have_is_refused():
    with pytest.raises(FigureError, match='the number "lead"; a joint has the numbers parent_radius, pitch'):
        replace(JOINTS["helical"], numbers={"lead": lambda random, size: 0.1})
