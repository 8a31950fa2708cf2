"""Figures written as URDF: Pinocchio and gambol read them as the same figures."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest
from link_accelerations import relative_difference

from benchmarks.robot_checks import agreement
from benchmarks.robot_peers import PinocchioRobot
from gambol.dynamics import kinematics
from gambol.dynamics.method import accelerations
from gambol.errors import GambolError
from gambol.figure import (
    Box,
    Capsule,
    Closure,
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
    compose,
    random_figure,
    random_state,
    rotated,
    rotation_about,
)
from gambol.formats import Model, Motor, read_urdf, write_urdf
from gambol.formats.urdf.element_writers import origin_element as origin_element
from gambol.formats.urdf.shapes import origin_of
from gambol.formats.xml_file import Element

KINDS = ("revolute", "prismatic", "cylindrical", "universal", "planar", "fixed")
CUBE = (Part(Box((0.1, 0.1, 0.1))),)
TILT = rotation_about([1.0, 2.0, 0.3], 0.7)


def moving(figure: Figure, seed: int) -> Model:
    q, v = random_state(figure, seed)
    return Model(figure, q=tuple(q), v=tuple(v))


def written(model: Model, tmp_path: Path, **options: object) -> Model:
    """Write a model and read it again, with its initial state."""
    write_urdf(model, tmp_path / "written.urdf", **options)
    base = "free" if model.figure.root.joint.kind == "free" else "fixed"
    return read_urdf(tmp_path / "written.urdf", base)


@pytest.mark.parametrize("seed", range(16))
def test_links_accelerate_as_they_did(tmp_path: Path, seed: int):
    figure = random_figure(seed, links=1 + seed // 2, kinds=KINDS, root=None if seed % 2 else "revolute")
    model = moving(figure, seed)
    back = written(model, tmp_path)
    assert (back.figure.nq, back.figure.nv) == (figure.nq, figure.nv)
    assert relative_difference(model, replace(back, q=model.q, v=model.v)) < 1e-12


@pytest.mark.parametrize("seed", range(6))
def test_a_free_figure_comes_back_with_a_free_base(tmp_path: Path, seed: int):
    """Its pose at rest is left out: coordinates are relative to it."""
    figure = random_figure(seed, links=4, kinds=KINDS, root="free")
    root = replace(figure.given_links[0], joint=Joint("free"))
    model = moving(replace(figure, given_links=(root, *figure.given_links[1:])), seed)
    back = written(model, tmp_path)
    assert relative_difference(model, replace(back, q=model.q, v=model.v)) < 1e-12


@pytest.mark.parametrize("seed", range(6))
def test_pinocchio_moves_what_was_written_as_gambol_does(tmp_path: Path, seed: int):
    figure = random_figure(seed, links=5, kinds=("revolute", "prismatic", "cylindrical", "universal"), root="revolute")
    back = written(Model(figure), tmp_path)
    peer = PinocchioRobot(back.figure, tmp_path / "written.urdf", free=False)
    assert agreement(back, peer, states=2).worst < 1e-11


@pytest.mark.parametrize("pitch", [0.3, np.pi / 2, -np.pi / 2, np.pi / 2 - 1e-9, 1e-9 - np.pi / 2, 3.0])
def test_turns_come_back_also_where_roll_and_yaw_are_about_one_axis(pitch: float):
    R = compose(rotation_about("z", 1.1), rotation_about("y", pitch), rotation_about("x", -0.4))
    _, back = origin_of(Element("joint", children=[origin_element((0.0, 0.0, 0.0), R)]))
    np.testing.assert_allclose(back, R, atol=3e-16)


ARM = Figure(
    "arm",
    (
        Link("base", None, Joint("fixed"), CUBE),
        Link("upper", "base", Joint("revolute", (0.0, 1.0, 0.0), TILT), CUBE),
        Link("lower", "upper", Joint("revolute", (1.0, 0.0, 0.0), position=(0.1, 0.2, 0.3)), CUBE),
        Link("slide", "lower", Joint("prismatic", (1.0, 0.0, 0.0), position=(0.1, 0.0, 0.0)), CUBE),
        Link("tip", "slide", Joint("fixed", position=(0.1, 0.0, 0.0))),
    ),
    constraints=(Coupling("lower", "upper", (0.1, 0.2)),),
)
FULL = Model(
    ARM,
    {
        "upper": JointSpring(damping=0.1, friction=0.2, lower=-1.0, upper=2.0),
        "slide": JointSpring(lower=-0.5),
    },
    (
        Motor("knee", "upper", weakest=-3.0, strongest=3.0),
        Motor("geared", "slide", gear=(-20.0,), weakest=-3.0, strongest=3.0),
    ),
)


def test_limits_dampers_motors_and_couplings_come_back(tmp_path: Path):
    back = written(FULL, tmp_path)
    assert back.springs == FULL.springs
    assert back.motors == FULL.motors
    assert back.figure.constraints == ARM.constraints
    assert [link.name for link in back.figure.links] == [link.name for link in ARM.links]
    model = pin.buildModelFromUrdf(str(tmp_path / "written.urdf"))
    assert list(model.names) == ["universe", "knee", "lower joint", "geared"]


def test_what_is_written_twice_is_the_same(tmp_path: Path):
    back = written(FULL, tmp_path)
    first = (tmp_path / "written.urdf").read_text()
    written(back, tmp_path)
    assert (tmp_path / "written.urdf").read_text() == first


def test_shapes_come_back_capsules_in_three_pieces(tmp_path: Path):
    shapes = (Sphere(0.1), Box((0.1, 0.2, 0.3)), Cylinder(0.2, 0.1), Capsule(0.1, 0.4))
    parts = tuple(Part(shape, (0.1, 0.2, 0.3), TILT) for shape in shapes)
    model = Model(Figure("body", (Link("body", None, Joint("free"), parts),)))
    notes = write_urdf(model, tmp_path / "body.urdf")
    assert notes == ("Capsules become cylinders with a ball on each end.",)
    (body,) = read_urdf(tmp_path / "body.urdf", "free").figure.links
    found = [part.shape for part in body.parts]
    assert found == [*shapes[:3], Cylinder(0.1, 0.4), Sphere(0.1), Sphere(0.1)]
    up = np.array(TILT)[:, 2] * 0.2
    np.testing.assert_allclose(body.parts[5].position, np.array([0.1, 0.2, 0.3]) + up, atol=1e-15)
    cone = Model(Figure("cone", (Link("cone", None, Joint("free"), (Part(Frustum(0.2, 0.1, 0.5)),)),)))
    assert write_urdf(cone, tmp_path / "cone.urdf") == ("Frustums become cylinders of their mean radius.",)


def test_a_root_that_is_turned_or_moves_hangs_on_the_world(tmp_path: Path):
    for joint in (Joint("fixed", rotation=TILT, position=(0.0, 0.0, 1.0)), Joint("revolute", rotation=TILT)):
        model = moving(Figure("one", (Link("one", None, joint, CUBE),)), 1)
        back = written(model, tmp_path)
        assert [link.name for link in back.figure.links] == ["world", "one"]
        assert back.figure.link("one").joint.position == joint.position
        np.testing.assert_allclose(back.figure.link("one").joint.rotation, TILT, atol=1e-15)
        assert relative_difference(model, replace(back, q=model.q, v=model.v)) < 1e-12


def test_hulls_and_ellipsoids_are_meshes_beside_the_file(tmp_path: Path):
    wedge = Hull(((0.0, 0.0, 0.0), (1.0, 0.0, 0.1), (0.0, 1.0, 0.0), (0.0, 0.0, 0.7), (1.0, 0.0, 0.7)))
    egg = Ellipsoid((0.1, 0.2, 0.3))
    parts = (Part(wedge, (0.1, 0.2, 0.3), TILT), Part(wedge), Part(egg))
    model = Model(Figure("body", (Link("body", None, Joint("free"), parts),)))
    assert write_urdf(model, tmp_path / "body.urdf") == ("Ellipsoids become meshes of 26 corners.",)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["body-1.obj", "body-2.obj", "body.urdf"]
    tilted, straight, round_one = read_urdf(tmp_path / "body.urdf", "free").figure.root.parts
    for part, given in ((tilted, parts[0]), (straight, parts[1])):
        places = [np.array(rotated(part.rotation, v)) + part.position for v in part.shape.vertices]
        expected = [np.array(rotated(given.rotation, v)) + given.position for v in wedge.vertices]
        np.testing.assert_allclose(places, expected, atol=1e-15)
    assert 0.75 < round_one.shape.volume / egg.volume < 1.0


def test_a_screw_is_a_turn_whose_slide_mimics_it(tmp_path: Path):
    screw = Joint("helical", (0.0, 0.6, 0.8), TILT, (0.1, 0.2, 0.3), pitch=0.4)
    figure = Figure("press", (Link("base", None, Joint("fixed"), CUBE), Link("bit", "base", screw, CUBE)))
    model = Model(figure, {"bit": JointSpring(damping=0.1, lower=-1.0, upper=2.0)})
    back = written(model, tmp_path)
    assert back.springs == model.springs
    assert back.figure.constraints == (Coupling("bit slide", "bit", (0.0, 0.4)),)
    ours = kinematics(figure, [0.7], [0.5])
    theirs = kinematics(back.figure, [0.28, 0.7], [0.2, 0.5])
    np.testing.assert_allclose(list(theirs.poses[-1].position), list(ours.poses[-1].position), atol=1e-15)
    np.testing.assert_allclose(
        [*theirs.velocities[-1].w, *theirs.velocities[-1].v],
        [*ours.velocities[-1].w, *ours.velocities[-1].v],
        atol=1e-15,
    )
    (alone,), _ = accelerations("aba", ours, [0.3])
    (_, coupled), _ = accelerations("aba", theirs, [0.0, 0.3])
    assert coupled == pytest.approx(alone, rel=1e-12)


def test_joints_that_urdf_lacks_are_refused(tmp_path: Path):
    figure = Figure("f", (Link("base", None, Joint("fixed"), CUBE), Link("odd", "base", Joint("spherical"), CUBE)))
    with pytest.raises(GambolError, match='"odd" has a spherical joint, which URDF does not have'):
        write_urdf(Model(figure), tmp_path / "no.urdf")
    assert not list(tmp_path.iterdir())


def one(**joint: object) -> Figure:
    return Figure("one", (Link("one", None, Joint("revolute", **joint), CUBE),))


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (Model(one(), {"one": JointSpring(stiffness=1.0)}), "springs"),
        (Model(one(rotor=1.0)), "rotors"),
        (Model(replace(ARM, constraints=(Closure("point", "tip"),))), "closures"),
        (Model(replace(ARM, constraints=(Coupling("upper", None, (1.0,)),))), "couplings"),
        (Model(one(), motors=(Motor("m", "one", "position"),)), "motors"),
        (Model(Figure("c", (Link("c", None, Joint("free"), CUBE),), prescribed=True)), "prescribed base"),
    ],
)
def test_what_urdf_lacks_is_refused_by_name_or_left_out_with_a_note(tmp_path: Path, model: Model, name: str):
    with pytest.raises(GambolError, match=rf"URDF cannot hold; leave_out=\['{name}'\]"):
        write_urdf(model, tmp_path / "some.urdf")
    assert any(note.startswith("Left out") for note in write_urdf(model, tmp_path / "some.urdf", leave_out=[name]))
    read_urdf(tmp_path / "some.urdf")


def test_what_lies_outside_a_urdf_is_noted(tmp_path: Path):
    model = Model(one(), q=(0.5,), gravity=(0.0, 0.0, -1.6), ground=True, density=1.2)
    notes = write_urdf(model, tmp_path / "some.urdf")
    assert notes == ("Left out: ground and gravity.", "Left out: the medium.", "Left out: the initial state.")
    free = Model(Figure("c", (Link("c", None, Joint("free", position=(0.0, 0.0, 1.0)), CUBE),)))
    assert write_urdf(free, tmp_path / "some.urdf") == ("Left out: the pose of the root at rest.",)
