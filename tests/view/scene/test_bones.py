"""Bones: lines from joint to joint, dots at the centres of mass."""

import numpy as np
import pytest

from gambol.figure import Box, Figure, Joint, Link, MassProperties, Part, make_forest, random_figure
from gambol.view.scene.bones import bones
from gambol.view.scene.pose import rotation

BODY = MassProperties(1.0, (0.0, 0.0, 0.1))


@pytest.mark.parametrize("seed", range(5))
def test_sticks_lead_from_each_joint_to_the_next_and_to_the_mass(seed: int):
    figure = random_figure(seed, 6)
    made = bones(figure)
    for link in figure.links:
        ends = [child.joint.position for child in figure.links if child.parent_index == link.index]
        expected = [end for end in (*ends, link.mass_properties.com) if np.linalg.norm(end) > 1e-6]
        sticks = [s for s in made if s.link == link.index - 1 and s.kind == "capsule"]
        assert len(sticks) == len(expected)
        for stick, end in zip(sticks, expected, strict=True):
            half = rotation(np.array(stick.quaternion)) @ [0.0, 0.0, stick.size[1] / 2]
            np.testing.assert_allclose(np.array(stick.position) - half, 0.0, atol=1e-12)  # begins at the joint
            np.testing.assert_allclose(np.array(stick.position) + half, end, atol=1e-12)


def test_dots_lie_where_the_mass_is_and_have_volumes_like_it():
    joint = Joint("revolute", position=(0.0, 0.0, -1.0))
    bodies = [MassProperties(m, (0.0, 0.1, -0.5), np.diag([0.1] * 3).tolist()) for m in (8.0, 1.0)]
    figure = Figure("two", (Link("a", None, Joint("free"), (), bodies[0]), Link("b", "a", joint, (), bodies[1])))
    first, second = (shape for shape in bones(figure) if shape.kind == "sphere")
    assert first.position == second.position == (0.0, 0.1, -0.5)
    assert first.size[0] / second.size[0] == pytest.approx(2.0)


def test_a_forest_has_the_bones_of_its_figures_and_no_others():
    trees = [random_figure(seed, 4, root="revolute") for seed in range(2)]
    forest, alone = bones(make_forest("forest", trees)), [shape for tree in trees for shape in bones(tree)]
    assert [shape.kind for shape in forest] == [shape.kind for shape in alone]
    assert 0 not in {shape.link for shape in forest}


def test_links_with_shapes_have_no_bones():
    cube = (Part(Box((0.1, 0.1, 0.1))),)
    links = (
        Link("a", None, Joint("free"), cube),
        Link("b", "a", Joint("revolute"), (), MassProperties(1.0, (1.0, 0.0, 0.0))),
    )
    assert {shape.link for shape in bones(Figure("half", links))} == {1}


def test_what_stands_between_two_joints_is_no_post_in_a_figure_with_shapes():
    def rails(parts: tuple[Part, ...]) -> Figure:
        return Figure(
            "cart",
            (
                Link("rail", None, Joint("prismatic", (1.0, 0.0, 0.0), position=(0.0, 0.0, 1.2))),
                Link("cart", "rail", Joint("prismatic", position=(0.0, 0.0, -1.2)), parts, BODY),
            ),
        )

    assert bones(rails((Part(Box((0.1, 0.1, 0.1))),))) == ()
    assert {shape.link for shape in bones(rails(()))} == {0, 1}


def test_a_stick_may_point_straight_down():
    body = MassProperties(1.0, (0.0, 0.0, -1.0))
    stick, _ = bones(Figure("rod", (Link("rod", None, Joint("revolute", (0.0, 1.0, 0.0)), (), body),)))
    np.testing.assert_allclose(rotation(np.array(stick.quaternion)) @ [0.0, 0.0, 1.0], [0.0, 0.0, -1.0], atol=1e-15)
