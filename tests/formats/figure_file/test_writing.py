"""Figure files are written and read back without loss."""

import math
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from model_files import random_model

from gambol.creatures import roach
from gambol.errors import GambolError
from gambol.figure import (
    JOINTS,
    Box,
    Capsule,
    Coupling,
    Cylinder,
    Ellipsoid,
    Figure,
    Frustum,
    Hull,
    Joint,
    JointSpring,
    Link,
    Part,
    Sphere,
    random_figure,
    random_state,
    rotation_about,
)
from gambol.formats import Model, read_figure, write_figure
from gambol.formats.figure_file import figure_text, parse_figure


def same_bits(a: object, b: object) -> bool:
    """Return True for nested dataclasses that are equal including signs of zeros, which repr shows and == does not."""
    return a == b and repr(a) == repr(b)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_written_is_read_back_to_the_last_bit(seed: int):
    model = replace(random_model(seed), density=1.5 * seed, viscosity=0.1 * seed)
    back = parse_figure(figure_text(model), "random.toml")
    assert back == model
    assert same_bits((back.figure.given_links, back.q, back.v), (model.figure.given_links, model.q, model.v))
    assert figure_text(back) == figure_text(model)


def test_the_roach_is_written_and_read_back(tmp_path: Path):
    creature = roach("thesis")
    model = Model(creature.figure, creature.springs)
    write_figure(model, tmp_path / "roach.toml")
    assert read_figure(tmp_path / "roach.toml") == model


def test_every_shape_is_written_and_read_back():
    plain = (Box((1.0, 2.0, 3.0)), Sphere(0.1), Capsule(0.1, 0.3), Cylinder(0.2, 0.1), Frustum(0.3, 0.0, 1.0))
    wedge = Hull(((0.0, 0.0, 0.0), (1.0, 0.0, 0.1), (0.0, 1.0, 0.0), (0.0, 0.0, 0.7), (1.0, 0.0, 0.7)))
    shapes = (*plain, Ellipsoid((0.1, 0.2, 0.3)), wedge)
    parts = tuple(
        Part(shape, (0.1, 0.0, -0.0), rotation_about("x", 1.0), 7.0, True, k % 2 == 0) for k, shape in enumerate(shapes)
    )
    ghost = Part(Sphere(1.0), inertial=False, colliding=False)
    icy = Part(Sphere(1.0), friction=0.0, restitution=0.5, group=6, mask=0)
    model = Model(Figure("shapes", (Link("all", None, Joint("free"), (*parts, ghost, icy)),)))
    back = parse_figure(figure_text(model), "shapes.toml")
    assert same_bits(back.figure, model.figure)


def test_every_number_of_a_joint_is_written_and_read_back():
    joint = Joint("axial", (0.0, 1.0, 0.0), slides=0.25, rotor=0.01, gear=3.0)
    cube = (Part(Box((0.1, 0.1, 0.1))),)
    model = Model(Figure("screw", (Link("base", None, Joint("free"), cube), Link("nut", "base", joint, cube))))
    back = parse_figure(figure_text(model), "screw.toml")
    assert same_bits(back.figure, model.figure)


def test_couplings_and_prescribed_bases_are_written_and_read_back():
    cube = (Part(Box((0.1, 0.1, 0.1))),)
    links = (
        Link("base", None, Joint("free"), cube),
        Link("a", "base", Joint("revolute"), cube),
        Link("b", "a", Joint("helical", pitch=0.1), cube),
    )
    figure = Figure("geared", links, True, (Coupling("a", "b", (0.0, 2.0, 0.1)), Coupling("b", None, (0.3,))))
    assert parse_figure(figure_text(Model(figure)), "geared.toml").figure == figure


def test_pairs_that_touch_or_do_not_are_written_and_read_back():
    figure = random_figure(1, 3)
    links = [link.name for link in figure.links]
    with_pairs = replace(figure, apart=((links[0], links[2]),), paired=((links[0], links[1]), (links[1], links[2])))
    assert parse_figure(figure_text(Model(with_pairs)), "pairs.toml").figure == with_pairs


def test_defaults_are_not_written():
    figure = Figure("ball", (Link("ball", None, Joint("free"), (Part(Sphere(0.5)),)),))
    assert tomllib.loads(figure_text(Model(figure))) == {
        "format": "gambol figure 1",
        "name": "ball",
        "links": [{"name": "ball", "joint": {"kind": "free"}, "parts": [{"shape": "sphere", "radius": 0.5}]}],
    }


def test_lines_stay_short_enough_to_read():
    assert max(map(len, figure_text(random_model(3)).splitlines())) < 260  # a 3 x 3 matrix of 17 digits


def test_infinite_limits_are_the_absence_of_limits():
    figure = random_figure(1, 1, kinds=("revolute",))
    text = figure_text(Model(figure, {"link0": JointSpring(lower=-math.inf, upper=1.0)}))
    assert "lower" not in text
    assert parse_figure(text, "one.toml").springs["link0"] == JointSpring(upper=1.0)


def test_a_name_that_is_no_text_is_refused():
    model = Model(replace(random_figure(1, 1), name="\ud800"))
    with pytest.raises(GambolError, match="cannot be written"):
        figure_text(model)


def test_every_kind_of_joint_is_written_with_a_start_of_its_own():
    for kind in JOINTS:
        figure = random_figure(7, 1, kinds=(kind,))
        q, v = random_state(figure, 2)
        model = Model(figure, {}, (), tuple(q), tuple(v))
        assert same_bits(parse_figure(figure_text(model), "one.toml").q, model.q)
