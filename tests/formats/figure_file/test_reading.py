"""Figure files written by hand: every key of one, and the messages for mistakes."""

import math
from pathlib import Path

import numpy as np
import pytest
from model_files import HOPPER, TOY

from gambol.errors import GambolError
from gambol.figure import Closure, Coupling, Ellipsoid, Hull, JointSpring, rotation_about
from gambol.formats import Motor, read_figure
from gambol.formats.figure_file import figure_text, parse_figure
from gambol.formats.figure_file.schema import OLD_JOINT_KINDS


def test_a_figure_written_by_hand_has_its_values():
    hopper = parse_figure(HOPPER, "hopper.toml")
    figure = hopper.figure
    assert (figure.name, [link.name for link in figure.links]) == ("hopper", ["trunk", "thigh", "hand"])
    assert (hopper.ground, hopper.gravity) == (True, (0.0, 0.0, -1.6))
    assert figure.link("trunk").mass_properties.mass == pytest.approx(500 * 0.3 * 0.2 * 0.1)
    assert figure.link("thigh").mass_properties.com == (0.0, 0.0, -0.2)
    assert figure.link("hand").mass_properties.inertia[1] == (1e-5, 2e-3, 3e-5)
    assert hopper.springs["thigh"] == JointSpring(stiffness=3.0, lower=-1.0, upper=0.5)
    assert hopper.springs["hand"] == (JointSpring(damping=0.1), JointSpring(friction=2.0, scale="mass"))
    assert hopper.motors == (Motor("hip", "thigh", "position", (2.0,), 20.0),)
    assert hopper.q == (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.3, 0.1, 0.2)
    assert hopper.v == (0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    point, coupling = figure.constraints
    assert isinstance(point, Closure)
    assert (point.other_position, coupling) == ((0.0, 0.0, 0.3), Coupling("thigh", None, (0.1,)))
    np.testing.assert_allclose(point.other_rotation, rotation_about("y", 2 * math.acos(0.6)), atol=1e-15)


def test_a_file_with_old_names_of_joint_kinds_gives_the_same_figure():
    """It is written again with the new names."""
    old = HOPPER
    for name, new in OLD_JOINT_KINDS.items():
        old = old.replace(f'kind = "{new}"', f'kind = "{name}"')
    assert old != HOPPER
    model = parse_figure(old, "hopper.toml")
    assert model == parse_figure(HOPPER, "hopper.toml")
    assert not any(f'"{name}"' in figure_text(model) for name in OLD_JOINT_KINDS)


def test_shapes_friction_masks_and_pairs_are_read():
    toy = parse_figure(TOY, "toy.toml").figure
    (stone,) = toy.link("stone").parts
    assert stone.shape == Hull(((0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1), (0.0, 0.0, 0.0)))
    assert (stone.friction, stone.restitution, stone.group, stone.mask) == (0.3, 0.5, 2, 3)
    assert toy.link("arm").parts[0].shape == Ellipsoid((0.1, 0.02, 0.02))
    assert (toy.apart, toy.paired) == ((("stone", "egg"),), (("stone", "arm"),))


@pytest.mark.parametrize(
    ("printed", "written", "why"),
    [
        ("[0, 0, 0.1]]", "[0.1, 0.1, 0]]", "line 10: links.1.parts.1: the points of a hull lie in a plane"),
        ("[0, 0, 0.1]]", "[0, 0]]", "line 12: links.1.parts.1.vertices.4 is .* three numbers"),
        ("[0, 0, 0.1]]", "[0, 0, nan]]", "line 12: links.1.parts.1.vertices.4.3 is nan"),
        ("radii = [0.1, 0.02, 0.02]", "radii = [0.1, 0, 0.02]", "line 22: links.2.parts.1: an ellipsoid has y = 0 m"),
        ("friction = 0.3", "friction = -0.3", 'line 6: links.1: link "stone", part 1 .hull., has a friction of -0.3'),
        ("restitution = 0.5", "restitution = 2", "has a restitution of 2; give 0 to 1"),
        ("group = 2", "group = 2.0", "line 15: links.1.parts.1.group is 2.0; it should be a whole number"),
        ("group = 2", "gruop = 2", 'line 15: links.1.parts.1: the key "gruop".*did you mean "group"'),
        ('["stone", "egg"]', '["stone", "eg"]', 'no link "eg"; did you mean "egg"'),
        ('["stone", "egg"]', '["stone"]', "line 3: apart.1 is .* a list of link, other"),
        ('["stone", "egg"]', '["egg", "egg"]', 'pairs link "egg" with itself'),
    ],
)
def test_errors_of_contact_keys_name_file_line_and_remedy(printed: str, written: str, why: str):
    assert TOY.count(printed) == 1
    with pytest.raises(GambolError, match=f"^toy.toml.*{why}"):
        parse_figure(TOY.replace(printed, written), "toy.toml")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("rotation = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]", rotation_about("z", math.pi / 2)),
        ("quaternion = [0.8, 0, 0.6, 0]", rotation_about("y", 2 * math.acos(0.8))),
        ("axis_angle = [1, 1, 0, 2]", rotation_about([1.0, 1.0, 0.0], 2.0)),
        ('turns_deg = [["x", 90], ["z", 90]]', ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))),
    ],
)
def test_a_rotation_can_be_written_in_four_ways(written, expected):
    model = parse_figure(HOPPER.replace('turns_deg = [["y", 90], ["x", 30]]', written), "hopper.toml")
    np.testing.assert_allclose(model.figure.link("thigh").joint.rotation, expected, atol=1e-15)


@pytest.mark.parametrize(
    ("printed", "written", "why"),
    [
        ('"gambol figure 1"', '"gambol figure 2"', r'hopper.toml, line 1: format: .*did you mean "gambol figure 1"'),
        (
            'format = "gambol figure 1"',
            "",
            r'hopper.toml: this is not a figure file; a figure file begins with format = "gambol figure 1"',
        ),
        ("ground = true", "ground = 1", "line 3: ground is 1; it should be true or false"),
        ("ground", "gruond", r'line 3: the key "gruond" is not known here; did you mean "ground"'),
        ('kind = "free" }', 'kind = "fre" }', 'line 8: links.1.joint.kind: "fre" is not allowed; did you mean "free"'),
        ("density = 500", "densty = 500", r'line 9: links.1.parts.1: the key "densty".*did you mean "density"'),
        ("density = 500", "density = -5", r"line 6: links.1: link \"trunk\", part 1 \(box\), has a density of -5"),
        ("size = [0.3,", "size = [0,", "line 9: links.1.parts.1: a box has x = 0 m"),
        ('shape = "box"', 'shape = "bux"', 'line 9: links.1.parts.1.shape: "bux".*did you mean "box"'),
        (
            'parent = "trunk"\nmass',
            'parent = "trunc"\nmass',
            r'line 11: links.2: .*has the parent "trunc".*mean "trunk"',
        ),
        ("com = [0, 0, -0.2]", "com = [0, 0]", "line 14: links.2.mass.com is .*three numbers"),
        ("[0.02, 0.02, 0.001]", "[0.02, 0.01, 0.001]", "line 14: links.2.mass: it has an inertia that no body can"),
        ("[0.02, 0.02, 0.001]", "[0.02, 0.01]", "line 14: links.2.mass.inertia has 2 numbers"),
        ("axis = [0, 1, 0]", "axis = [0, 0, 0]", r'line 11: links.2: link "thigh" has the axis .* has no direction'),
        ("axis = [0, 1, 0]", "axis = [0, y, 0]", "not readable as TOML: .*line 18"),
        (
            "axis = [0, 1, 0]",
            "axis = [0, nan, 0]",
            "line 18: links.2.joint.axis.2 is nan; it should be a finite number",
        ),
        ('["x", 30]', '["w", 30]', 'line 20: links.2.joint.turns_deg.2.axis: "w" is not allowed; there are: "x"'),
        ("axis_angle", "quaternion", "line 30: links.3.joint.quaternion is a quaternion of length 2.06"),
        ("axis_angle", "position = [0, 0, 0], axis_angles", 'line 30: links.3.joint: the key "axis_angles"'),
        ("axis_angle =", "quaternion = [1, 0, 0, 0], axis_angle =", 'line 30: .*"quaternion" and "axis_angle" both'),
        ("axis_angle = [0, 0, 2, 0.5]", "axis_angle = [0, 0, 2]", "line 30: .*axis_angle has 3 numbers; give an axis"),
        ("axis_angle = [0, 0, 2,", "axis_angle = [0, 0, 0,", "line 30: .*axis_angle has the axis .*has no direction"),
        ("upper = 0.5", "upper = -2", r'line 11: links.2: the spring at "thigh" has limits -1 to -2'),
        ("    { damping = 0.1 },\n", "", r'line 27: links.3: "hand" has 1 springs; its cylindrical joint takes 2'),
        ('scale = "mass"', 'scale = "masses"', 'line 33: links.3.springs.2.scale: "masses".*did you mean "mass"'),
        ('other = "hand"', 'other = "hnad"', r'needs a link "hnad", which does not exist; did you mean "hand"'),
        ('kind = "point"', 'kind = "pin"', 'line 41: constraints.1.kind: "pin" is not allowed; did you mean'),
        ('joint = "thigh"\nkind', 'joint = "thig"\nkind', r'has no link "thig"; did you mean "thigh"'),
        ("gear = 2", "gear = [2, 3]", r'line 52: motors.1: the motor "hip" has 2 gears; the revolute joint'),
        ("hand = [0.1, 0.2]", "hand = 0.1", 'line 61: start.q.hand: the cylindrical joint of "hand" takes 2 numbers'),
        ("thigh = 0.3", "thight = 0.3", 'line 60: start.q: the key "thight" is not known.*"thigh"'),
        ("[start.v]", "[start.w]", 'line 63: start: the key "w" is not known here'),
        ("trunk = [0, 0, 1,", "trunk = [0, 0, true,", "line 64: start.v.trunk.3 is True; it should be a finite number"),
        ('name = "hand"', 'name = "thigh"', 'two links of the name "thigh"'),
        ("size = [0.3, 0.2,", "size = [1e200, 1e300,", "hopper.toml.* numbers are too large or too small"),
    ],
)
def test_errors_name_file_line_and_remedy(printed, written, why):
    assert printed in HOPPER
    with pytest.raises(GambolError, match=why):
        parse_figure(HOPPER.replace(printed, written, 1), "hopper.toml")


def test_files_that_cannot_be_read_are_named(tmp_path: Path):
    with pytest.raises(GambolError, match=r'"none\.toml" cannot be read'):
        read_figure("none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(GambolError, match=r"binary\.toml.*is not text.*UTF-8"):
        read_figure(tmp_path / "binary.toml")
    with pytest.raises(GambolError, match="cannot be read"):
        read_figure(tmp_path)
