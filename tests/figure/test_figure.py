"""Figures: order, numbering, masses, and errors for impossible trees."""

import math
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambol import matrix_from_quaternion, quaternion_from_axis_angle
from gambol.errors import FigureError
from gambol.figure import (
    WORLD,
    Box,
    Figure,
    Joint,
    Link,
    MassProperties,
    Part,
    Sphere,
    may_touch,
    rotation_about,
    stacked,
)

CUBE = (Part(Box((0.1, 0.1, 0.1))),)  # 1 kg
HINGE = Joint("revolute", (0.0, 1.0, 0.0), position=(0.1, 0.0, 0.0))


def link(name: str, parent: str | None, joint: Joint = HINGE) -> Link:
    return Link(name, parent, joint, CUBE)


def root(kind: str = "free") -> Link:
    return link("trunk", None, Joint(kind))


ARM = (root(), link("upper", "trunk"), link("lower", "upper"), link("tail", "trunk", Joint("prismatic")))


def test_coordinates_are_numbered_from_the_root_out():
    figure = Figure("arm", ARM)
    assert (figure.nq, figure.nv, figure.base) == (10, 9, "free")
    assert [(l.index, l.parent_index) for l in figure.outward()] == [(1, WORLD), (2, 1), (3, 2), (4, 1)]
    assert [l.name for l in figure.inward()] == ["tail", "lower", "upper", "trunk"]
    assert (figure.link("lower").q, figure.link("lower").v) == (slice(8, 9), slice(7, 8))


@given(st.permutations(ARM))
def test_links_may_come_in_any_order(given_links):
    figure = Figure("arm", tuple(given_links))
    assert all(l.parent_index < l.index for l in figure.links)
    assert [l.index for l in figure.links] == [1, 2, 3, 4]
    assert {l.name: l.parent_index and figure.links[l.parent_index - 1].name for l in figure.links} == {
        "trunk": WORLD, "upper": "trunk", "lower": "upper", "tail": "trunk",
    }  # fmt: skip


def test_axes_come_out_with_length_one():
    figure = Figure("arm", (root("fixed"), link("upper", "trunk", Joint("revolute", (1.0, 0.0, 1.0)))))
    assert figure.link("upper").joint.axis == pytest.approx((math.sqrt(0.5), 0.0, math.sqrt(0.5)))


def test_distal_mass_is_all_that_a_joint_carries():
    figure = Figure("arm", ARM)
    assert figure.distal_mass(figure.link("upper").index) == pytest.approx(2.0)
    assert [l.name for l in figure.subtree(2)] == ["upper", "lower"]
    assert figure.mass == pytest.approx(4.0)


def test_extra_parts_add_their_mass_and_shells_do_not():
    extra = Part(Box((0.1, 0.1, 0.1)), position=(0.1, 0.0, 0.0), colliding=False)
    shell = Part(Sphere(0.2), density=0.0, inertial=False)
    body = Figure("body", (Link("trunk", None, Joint("free"), (*CUBE, extra, shell)),)).root
    assert body.mass_properties.mass == pytest.approx(2.0)
    assert body.mass_properties.com == pytest.approx((0.05, 0.0, 0.0))
    assert len(body.contact_points()) == 8 + 1
    assert max(p.radius for p in body.contact_points()) == 0.2


def test_contact_points_move_with_their_part():
    part = Part(Box((0.2, 0.4, 0.6)), position=(1.0, 0.0, 0.0), rotation=rotation_about("z", math.pi / 2))
    xs, ys, zs = zip(*(p.position for p in part.contact_points()), strict=True)
    assert (min(xs), max(xs)) == pytest.approx((0.8, 1.2))
    assert (min(ys), max(ys), max(zs)) == pytest.approx((-0.1, 0.1, 0.3))


def test_given_mass_takes_the_place_of_the_parts():
    heavy = MassProperties(7.0, (0.0, 0.0, 0.1), ((2.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 3.0)))
    figure = Figure("body", (Link("trunk", None, Joint("free"), CUBE, heavy),))
    assert figure.root.mass_properties == heavy


def test_two_joints_at_one_place_need_no_mass_between_them():
    middle = Link("hub", "trunk", HINGE)
    assert Figure("arm", (root(), middle, link("leg", "hub"))).link("hub").mass_properties.mass == 0.0


def test_a_point_on_a_rod_is_a_pendulum():
    bob = MassProperties(1.0, (0.0, 0.0, -1.0))
    assert Figure("pendulum", (Link("rod", None, HINGE, (), bob),)).nv == 1


def test_base_is_free_fixed_or_prescribed():
    figure = Figure("arm", ARM)
    assert [figure.with_base(base).base for base in ("free", "fixed", "prescribed")] == ["free", "fixed", "prescribed"]
    assert [figure.with_base(base).nv for base in ("free", "fixed", "prescribed")] == [9, 3, 9]
    assert Figure("pendulum", (link("rod", None),)).base == "fixed"


def test_figures_are_frozen_and_equal_by_content():
    figure = Figure("arm", ARM)
    assert figure == Figure("arm", list(ARM))
    assert hash(figure) == hash(Figure("arm", ARM))
    with pytest.raises(FrozenInstanceError):
        figure.name = "leg"


@pytest.mark.parametrize(
    ("links", "why"),
    [
        ((root(), link("shin", "tigh"), link("thigh", "trunk")), '"shin" has the parent "tigh".*did you mean "thigh"'),
        ((root(), link("shin", "trunk"), link("shin", "trunk")), 'two links of the name "shin"'),
        ((root(), link("", "trunk")), "without a name"),
        ((root(), link("a", "b"), link("b", "c"), link("c", "a")), 'loop .*"a", "b", "c", "a"'),
        ((root(), link("a", "a")), 'loop .*"a", "a"'),
        ((link("a", "b"), link("b", "a")), "no root.*loop"),
        ((), "no root"),
        ((root(), link("other", None)), "several links without a parent"),
        ((root(), link("a", "trunk", Joint("revolute", (0.0, 0.0, 0.0)))), '"a".*has no direction'),
        ((root(), link("a", "trunk", Joint("prismatic", (0.0, math.nan, 0.0)))), '"a".*has no direction'),
        ((root(), link("a", "trunk", Joint("rotery"))), '"a".*"rotery".*did you mean "revolute"'),
        ((root(), link("a", "trunk", replace(HINGE, position=(0.0, math.inf, 0.0)))), '"a".*not finite'),
        ((root(), link("a", "trunk", replace(HINGE, rotation=((1, 0, 0), (0, 1, 0), (0, 0, -1))))), '"a".*rotation'),
        ((root(), Link("a", "trunk", HINGE)), '"a".*no mass'),
        ((root(), Link("a", "trunk", HINGE, (), MassProperties(1.0))), '"a".*no inertia about an axis'),
        ((Link("a", None, Joint("free"), (), MassProperties(1.0)),), '"a".*no inertia about an axis'),
        ((root(), Link("a", "trunk", HINGE, (Part(Sphere(1.0), density=-1.0),))), '"a", part 1.*density of -1'),
        ((root(), Link("a", "trunk", HINGE, (Part(Sphere(1.0), density=0.0),))), '"a".*inertial=False'),
        ((root(), Link("a", "trunk", HINGE, (Part(Sphere(1.0), friction=-0.1),))), '"a", part 1.*friction of -0.1'),
        ((root(), Link("a", "trunk", HINGE, (Part(Sphere(1.0), restitution=1.1),))), '"a", part 1.*restitution of 1.1'),
        ((root(), Link("a", "trunk", HINGE, CUBE, MassProperties(-2.0))), '"a".*mass of -2'),
        ((root(), Link("a", "trunk", HINGE, (Part(Sphere(1.0), (math.nan, 0.0, 0.0)),))), '"a", part 1.*not finite'),
    ],
)
def test_figures_that_cannot_exist_are_refused_by_name(links, why):
    with pytest.raises(FigureError, match=why):
        Figure("monster", links)


def test_pairs_of_links_are_there_and_two():
    pairs = (("upper", "tail"), ("trunk", "lower"))
    assert Figure("arm", ARM, apart=pairs, paired=list(pairs)).paired == pairs
    with pytest.raises(FigureError, match='no link "uper"'):
        Figure("arm", ARM, apart=(("uper", "tail"),))
    with pytest.raises(FigureError, match='pairs link "tail" with itself'):
        Figure("arm", ARM, paired=(("tail", "tail"),))


def test_parts_touch_where_either_collides_with_the_others_group():
    ball, feeler = Part(Sphere(1.0)), Part(Sphere(1.0), group=2, mask=1)
    assert may_touch(ball, ball)
    assert may_touch(ball, feeler)
    assert may_touch(feeler, ball)
    assert not may_touch(feeler, feeler)
    assert not may_touch(ball, replace(ball, colliding=False))


def test_unknown_names_bring_the_nearest_one():
    figure = Figure("arm", ARM)
    with pytest.raises(FigureError, match='no link "uper"; did you mean "upper"'):
        figure.link("uper")
    with pytest.raises(FigureError, match='"fixd"; did you mean "fixed"'):
        figure.with_base("fixd")
    with pytest.raises(FigureError, match=r'prescribed base.*"revolute" joint'):
        Figure("pendulum", (link("rod", None),), prescribed=True)


def test_several_joints_between_two_links_are_a_stack_of_massless_ones():
    body = MassProperties(1.0, (0.1, 0.0, 0.0), ((1e-3, 0.0, 0.0), (0.0, 1e-3, 0.0), (0.0, 0.0, 1e-3)))
    trunk = Link("trunk", None, Joint("free"), (), body)
    x, z = Joint("revolute", (1.0, 0.0, 0.0), position=(0.0, 0.2, 0.0)), Joint("revolute")
    hip = stacked(Link("thigh", "trunk", Joint("fixed"), (), body), (("yaw", z), ("thigh", x)))
    figure = Figure("hip", (trunk, *hip))
    assert [(link.name, link.parent_index, link.mass_properties.mass) for link in figure.links] == [
        ("trunk", 0, 1.0),
        ("yaw", 1, 0.0),
        ("thigh", 2, 1.0),
    ]
    with pytest.raises(FigureError, match="has no joint; give at least one"):
        stacked(Link("thigh", "trunk", Joint("fixed")), ())


def test_a_part_takes_arrays_and_has_exact_zeros():
    turned = matrix_from_quaternion(quaternion_from_axis_angle((0.0, 1.0, 0.0), math.pi / 2.0))
    part = Part(Box((0.1, 0.2, 0.3)), position=np.array([0.1, 0.0, 0.0]), rotation=turned)
    assert part == Part(Box((0.1, 0.2, 0.3)), (0.1, 0.0, 0.0), rotation_about("y", math.pi / 2.0))
    assert hash(Figure("one", (Link("body", None, Joint("free"), (part,)),)))
