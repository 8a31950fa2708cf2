"""Colours of parts in the files of figures: figure files, MJCF and URDF."""

from dataclasses import replace

import mujoco
import numpy as np
import pinocchio as pin
import pytest

from gambol.errors import FigureError
from gambol.figure import Box, Figure, Joint, Link, Part, Sphere
from gambol.formats import Model, read_figure, read_mjcf, read_urdf, write_figure, write_mjcf, write_urdf

MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
SHAPE = "<geometry><sphere radius='1'/></geometry>"
PARTS = (Part(Box((0.1, 0.1, 0.1)), color="#10ff80"), Part(Sphere(0.1)), Part(Sphere(0.2), color="#000001"))
MODEL = Model(Figure("ball", (Link("ball", None, Joint("fixed"), PARTS),)))


def colors(model):
    return [part.color for link in model.figure.links for part in link.parts]


def of_mjcf(tmp_path, geoms, assets=""):
    path = tmp_path / "model.xml"
    path.write_text(f"<mujoco><asset>{assets}</asset><worldbody><body>{geoms}</body></worldbody></mujoco>")
    return colors(read_mjcf(path))


def of_urdf(tmp_path, shapes, materials=""):
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="r">{materials}<link name="base">{MASS}{shapes}</link></robot>')
    model = read_urdf(path)
    return colors(model), model.notes


@pytest.mark.parametrize(
    ("read", "write", "name"),
    [(read_figure, write_figure, "a.toml"), (read_mjcf, write_mjcf, "a.xml"), (read_urdf, write_urdf, "a.urdf")],
)
def test_colours_are_written_and_read_back(tmp_path, read, write, name):
    write(MODEL, tmp_path / name)
    found = colors(read(tmp_path / name))
    expected = [part.color for part in PARTS]
    assert found == expected or (name == "a.urdf" and found == ["#10ff80", "#10ff80", "#000001"])


def test_mujoco_reads_the_colours_that_are_written(tmp_path):
    write_mjcf(MODEL, tmp_path / "a.xml")
    rgba = mujoco.MjModel.from_xml_path(str(tmp_path / "a.xml")).geom_rgba
    np.testing.assert_allclose(255.0 * rgba[0, :3], [16.0, 255.0, 128.0], atol=1e-4)


def test_pinocchio_reads_the_colours_that_are_written(tmp_path):
    write_urdf(MODEL, tmp_path / "a.urdf")
    _, _, visual = pin.buildModelsFromUrdf(str(tmp_path / "a.urdf"))
    np.testing.assert_allclose(255.0 * visual.geometryObjects[0].meshColor[:3], [16.0, 255.0, 128.0], atol=1e-4)


def test_a_geom_has_its_colour_or_that_of_its_material_or_none(tmp_path):
    geoms = '<geom size="1" rgba="1 0 0 0.3"/><geom size="1" material="m"/><geom size="1"/>'
    geoms += '<geom size="1" material="m" rgba="0 0 1 1"/>'
    material = '<material name="m" rgba="0 1 0 1"/>'
    assert of_mjcf(tmp_path, geoms, material) == ["#ff0000", "#00ff00", None, "#0000ff"]


def test_a_default_class_gives_geoms_a_colour(tmp_path):
    path = tmp_path / "model.xml"
    geom = '<body><geom size="1"/></body>'
    path.write_text(f'<mujoco><default><geom rgba="1 1 0 1"/></default><worldbody>{geom}</worldbody></mujoco>')
    assert colors(read_mjcf(path)) == ["#ffff00"]


def test_a_visual_has_the_colour_of_its_material_in_place_or_by_name(tmp_path):
    material = '<material name="sky"><color rgba="0 0 1 1"/></material>'
    shapes = f'<visual>{SHAPE}<material name="sky"/></visual>'
    shapes += f'<visual>{SHAPE}<material name=""><color rgba="1 0 0 1"/></material></visual>'
    shapes += f'<visual>{SHAPE}<material name="unknown"/></visual><visual>{SHAPE}</visual>'
    assert of_urdf(tmp_path, shapes, material)[0] == ["#0000ff", "#ff0000", None, None]


def test_a_material_may_be_defined_by_another_link(tmp_path):
    first = f'<visual>{SHAPE}<material name="sky"><color rgba="0 1 1 1"/></material></visual>'
    path = tmp_path / "robot.urdf"
    path.write_text(
        f'<robot name="r"><link name="a">{MASS}<visual>{SHAPE}<material name="sky"/></visual></link>'
        f'<link name="b">{MASS}{first}</link>'
        '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>'
    )
    assert colors(read_urdf(path)) == ["#00ffff", "#00ffff"]


def test_a_collision_shape_has_the_colour_of_its_visual(tmp_path):
    def visual(rgba):
        return f'<visual>{SHAPE}<material name=""><color rgba="{rgba}"/></material></visual>'

    collision = f"<collision>{SHAPE}</collision>"
    pairs = visual("1 0 0 1") + collision + visual("0 1 0 1") + collision
    assert of_urdf(tmp_path, pairs)[0] == ["#ff0000", "#00ff00"]
    assert of_urdf(tmp_path, visual("1 0 0 1") + collision * 2)[0] == ["#ff0000"] * 2


@pytest.mark.parametrize("rgba", ["red", "1 0", "nan 0 0 1", "1e999 0 nan 1"])
def test_a_wrong_colour_of_a_robot_is_left_out(tmp_path, rgba):
    found, notes = of_urdf(tmp_path, f'<visual>{SHAPE}<material name="m"><color rgba="{rgba}"/></material></visual>')
    assert found == [None]
    assert notes == ("Left out: colours that are not three or four numbers.",)


def test_a_figure_file_with_a_wrong_colour_is_refused(tmp_path):
    parts = (replace(PARTS[0]),)
    model = Model(Figure("ball", (Link("ball", None, Joint("fixed"), parts),)))
    write_figure(model, tmp_path / "a.toml")
    text = (tmp_path / "a.toml").read_text().replace("#10ff80", "green")
    (tmp_path / "b.toml").write_text(text)
    with pytest.raises(FigureError, match='has the colour "green"'):
        read_figure(tmp_path / "b.toml")
