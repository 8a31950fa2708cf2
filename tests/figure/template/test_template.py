"""Packed figures: the same bodies in the same places, for any topology."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from bodies import random_body, start_of
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.dynamics import kinematics
from gambol.errors import FigureError
from gambol.figure import Box, Figure, Joint, JointSpring, Link, Part, Sphere, random_figure, random_state, stacked
from gambol.figure.parameters import parameters, topology
from gambol.figure.template import ABSENT_RADIUS, any_tree, carries, pack, parents
from gambol.spatial import Vector

KINDS = ("revolute", "prismatic")


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), links=st.integers(1, 8), branching=st.sampled_from([0.0, 0.5, 1.0]))
def test_every_link_is_where_it_was(seed: int, links: int, branching: float):
    """Centres of mass in the world, their velocities, and angular momenta about them, by the given figure's names."""
    figure = random_figure(seed, links, kinds=KINDS, root="free", branching=branching)
    packed = pack(figure, any_tree(8))
    q, v = (x.tolist() for x in random_state(figure, seed))
    own, data = kinematics(figure, q, v), kinematics(packed.figure, packed.coordinates(q), packed.coordinates(v))
    for link in figure.links:
        slot = packed.figure.link(packed.names[link.name])
        pairs = [(own, link), (data, slot)]
        places = [s.point_position(one.index, Vector(*one.mass_properties.com)) for s, one in pairs]
        speeds = [s.point_velocity(one.index, Vector(*one.mass_properties.com)) for s, one in pairs]
        spins = [
            s.poses[one.index].rotation @ Vector(*np.array(one.mass_properties.inertia) @ [*s.velocities[one.index].w])
            for s, one in pairs
        ]
        for one, other in (places, speeds, spins):
            np.testing.assert_allclose([*other], [*one], rtol=0.0, atol=1e-13 * (1.0 + max(map(abs, one))))


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), links=st.integers(1, 8))
def test_ancestor_masks_give_the_tree(seed: int, links: int):
    figure = random_figure(seed, links, kinds=KINDS, root="free")
    packed = pack(figure, any_tree(8))
    number = {name: packed.figure.link(slot).index for name, slot in packed.names.items()}
    for link in figure.links[1:]:
        slot = packed.figure.links[number[link.name] - 1]
        above = figure.links[link.parent_index - 1].name
        assert [k for k, is_it in parents(packed.figure, slot) if is_it] == [number[above]]
        carriers = {number[one.name] for one in figure.path_to_root(link.index)}
        assert {k for k in range(1, 9) if carries(packed.figure, k, slot.index)} == carriers


def test_every_tree_of_five_links_can_be_packed():
    """All 24 ways to connect links to earlier ones: the packed parent is the given one."""
    cube = (Part(Box((0.1, 0.1, 0.1)), colliding=False),)
    for choice in product(range(1), range(2), range(3), range(4)):
        hung = [Link(f"{n}", f"{on}", Joint("revolute"), cube) for n, on in enumerate(choice, start=1)]
        packed = pack(Figure("tree", (Link("0", None, Joint("free"), cube), *hung)), any_tree(5))
        for n, on in enumerate(choice, start=1):
            slot, above = packed.figure.link(packed.names[f"{n}"]), packed.figure.link(packed.names[f"{on}"])
            assert [k for k, is_it in parents(packed.figure, slot) if is_it] == [above.index]


@pytest.mark.parametrize("seed", range(4))
def test_balls_touch_where_they_did(seed: int):
    figure = random_body(seed, 5)
    packed = pack(figure, any_tree(8))
    q, v = (x.tolist() for x in start_of(figure, seed))
    own, data = kinematics(figure, q, v), kinematics(packed.figure, packed.coordinates(q), packed.coordinates(v))
    for link in figure.links:
        slot = packed.figure.link(packed.names[link.name])
        for one, other in zip(link.contact_points(), slot.contact_points(), strict=True):
            assert one.radius == other.radius
            places = (
                own.point_position(link.index, Vector(*one.position)),
                data.point_position(slot.index, Vector(*other.position)),
            )
            np.testing.assert_allclose([*places[0]], [*places[1]], atol=1e-14)
    absent = [link for link in packed.figure.links if link.name not in packed.names.values()]
    assert len(absent) == 2
    assert {p.radius for link in absent for p in link.contact_points()} == {ABSENT_RADIUS}
    assert all(link.mass_properties.mass == 0.0 for link in absent)


def test_all_bodies_have_the_topology_of_their_template():
    template = any_tree(6)
    bodies = [pack(random_body(seed, 1 + seed, KINDS), template).figure for seed in range(5)]
    assert all(topology(body) == topology(template) for body in bodies)
    assert len({tuple(parameters(body).values()) for body in bodies}) == 5


def test_coordinates_are_packed_and_unpacked():
    figure = random_figure(3, 7, kinds=KINDS, root="free", branching=1.0)
    packed = pack(figure, any_tree(9))
    for x in random_state(figure, 1):
        assert packed.source_coordinates(packed.coordinates(x.tolist())) == x.tolist()


def test_springs_have_their_joints_and_scales():
    figure = random_figure(4, 6, kinds=KINDS, root="free", branching=1.0)
    spring, absent = JointSpring(stiffness=2.0, scale="distal mass"), JointSpring(stiffness=1.0)
    packed = pack(figure, any_tree(8))
    springs = packed.springs({figure.links[3].name: spring}, absent)
    mine = springs.pop(packed.names[figure.links[3].name])
    assert isinstance(mine, tuple)
    assert mine[0].stiffness == pytest.approx(2.0 * figure.distal_mass(4))
    assert list(springs.values()) == [absent] * 6


def on_a_trunk(*links: Link) -> Figure:
    return Figure("odd", (Link("trunk", None, Joint("free"), (Part(Box((0.3, 0.2, 0.1))),)), *links))


ARM = Link("arm", "trunk", Joint("revolute"), (Part(Sphere(0.1)),))
ODD = {
    "the template 1": (any_tree(1), on_a_trunk(ARM)),
    "stacked": (any_tree(4), on_a_trunk(replace(ARM, joint=Joint("universal")))),
    "not free": (any_tree(4), on_a_trunk(ARM).with_base("fixed")),
    "touches with 8 points": (any_tree(4, root_balls=4), on_a_trunk(ARM)),
    "a surface with other": (any_tree(4), on_a_trunk(replace(ARM, parts=(Part(Sphere(0.1), friction=0.3),)))),
}


@pytest.mark.parametrize("why", ODD)
def test_what_does_not_fit_is_refused(why: str):
    template, figure = ODD[why]
    with pytest.raises(FigureError, match=why):
        pack(figure, template)


def test_stacked_joints_fit():
    links = stacked(ARM, [("yaw", Joint("revolute", (0.0, 0.0, 1.0))), ("pitch", Joint("revolute", (0.0, 1.0, 0.0)))])
    packed = pack(on_a_trunk(*links), any_tree(4))
    assert packed.figure.links[1].mass_properties.mass == 0.0
    assert packed.names == {"trunk": "link 1", "yaw": "link 2", "arm": "link 3"}


@pytest.mark.parametrize("wrong", [{"links": 0}, {"links": 3, "balls": -1}, {"links": 3, "root_balls": -1}])
def test_impossible_templates_are_refused(wrong: dict[str, int]):
    with pytest.raises(FigureError):
        any_tree(**wrong)
