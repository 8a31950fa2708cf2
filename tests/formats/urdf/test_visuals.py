"""Visual elements of URDF: which meshes are drawn, where, and in which colour; against Pinocchio."""

import numpy as np
import pinocchio as pin
import pytest
import trimesh
from panels import image
from PIL import Image

from benchmarks.robots import DATA, FOLDERS
from gambol.formats import read_urdf
from gambol.formats.visuals import image_pixels
from gambol.view import posture_film
from gambol.view.scene.pose import rotation

MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
GO2 = FOLDERS[DATA]() / "go2_description/urdf/go2.urdf"


def mesh(name="box.stl", color=""):
    material = f'<material name=""><color rgba="{color}"/></material>' if color else ""
    return f'<visual><geometry><mesh filename="{name}"/></geometry>{material}</visual>'


def visuals(tmp_path, elements, **options):
    trimesh.creation.box((1, 2, 3)).export(tmp_path / "box.stl")
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="r"><link name="base">{MASS}{elements}</link></robot>')
    model = read_urdf(path, **options)
    return model.figure.links[0].visuals, model.notes


def test_visual_meshes_lie_where_pinocchio_has_them():
    """Origins of all visual meshes of Go2 in a posture, and the corners of one of them."""
    model = read_urdf(GO2, base="fixed")
    robot = pin.buildModelFromUrdf(str(GO2))
    geometry = pin.buildGeomFromUrdf(robot, str(GO2), pin.GeometryType.VISUAL, package_dirs=str(GO2.parents[4]))
    q = np.linspace(-0.5, 0.5, robot.nq)
    data, placed = robot.createData(), geometry.createData()
    pin.updateGeometryPlacements(robot, data, geometry, placed, q)
    start = list(model.q)
    for name, value in zip(robot.names[1:], q, strict=True):
        start[model.figure.link(name.replace("_joint", "")).q] = [value]
    film = posture_film(model.figure, start)
    ours = {}
    for visual in film.visuals:
        R = rotation(film.quaternion[0, 0, visual.link])
        ours[film.link_names[visual.link]] = film.position[0, 0, visual.link] + R @ np.array(visual.position)
    for each, where in zip(geometry.geometryObjects, placed.oMg, strict=True):
        np.testing.assert_allclose(ours[each.name.rsplit("_", 1)[0]], where.translation, atol=1e-9)
    assert len(ours) == len(geometry.geometryObjects) == 17


def test_a_mesh_without_materials_has_the_colour_of_the_visual(tmp_path):
    (visual,), notes = visuals(tmp_path, mesh(color="1 0.5 0 0.25"))
    assert (visual.material.color, visual.material.opacity) == ("#ff8000", 0.25)
    assert not any("Not drawn" in note for note in notes)


def test_a_mesh_has_its_materials(tmp_path):
    faces = "usemtl red\nf 1 2 3\nusemtl none\nf 3 2 1\n"
    (tmp_path / "two.obj").write_text("mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\n" + faces)
    (tmp_path / "m.mtl").write_text("newmtl red\nKd 1 0 0\n")
    (visual,), _ = visuals(tmp_path, mesh("two.obj", "0 0 1 1"))
    assert [each.material.color for each in visual.shape.submeshes] == ["#ff0000", "#0000ff"]


def test_one_file_is_read_once(tmp_path):
    (first, second), _ = visuals(tmp_path, mesh(color="1 0 0 1") + mesh())
    assert first.shape is second.shape


@pytest.mark.parametrize(("rgba", "count"), [("1 0 0 1", 0), ("1 0 0 0.5", 2)])
def test_shapes_that_are_the_parts_anyway_are_no_visuals(tmp_path, rgba, count):
    ball = "<geometry><sphere radius='1'/></geometry>"
    visual = f'<visual>{ball}<material name=""><color rgba="{rgba}"/></material></visual>'
    assert len(visuals(tmp_path, (visual + f"<collision>{ball}</collision>") * 2)[0]) == count


def test_meshes_that_cannot_be_drawn_are_noted_and_the_rest_is_read(tmp_path):
    (tmp_path / "empty.obj").write_text("v 0 0 0\n")
    found, notes = visuals(tmp_path, mesh("none.dae") + mesh("empty.obj") + mesh("a.blend") + mesh())
    assert len(found) == 1
    assert "Visual meshes that were not found are not drawn." in notes
    assert 'Not drawn: the mesh "empty.obj" has no triangles.' in notes


def test_visuals_can_be_left_unread(tmp_path):
    assert visuals(tmp_path, mesh("none.dae"), visuals=False)[0] == ()


BOX = '<visual><geometry><box size="1 2 3"/></geometry><material name="m"/></visual>'
PAINT = '<material name="m"><texture filename="package://r/image.png"/><color rgba="1 0 0 0.5"/></material>'


def painted(tmp_path, elements):
    """Visuals and notes of a link, and the texture in a material of the robot."""
    (tmp_path / "r").mkdir()
    Image.fromarray(image()).save(tmp_path / "r/image.png")
    return visuals(tmp_path, elements.replace('<material name="m"/>', PAINT))


def test_a_texture_is_on_the_sides_of_a_box_and_replaces_the_colour(tmp_path):
    (visual,), notes = painted(tmp_path, BOX)
    ((mesh, material),) = visual.surfaces()
    assert (material.color, material.opacity) == (None, 0.5)
    np.testing.assert_array_equal(image_pixels(material.texture)[..., :3], image())
    np.testing.assert_allclose(np.ptp(mesh.points, axis=0), (1, 2, 3), atol=1e-6)
    np.testing.assert_allclose((mesh.uv.min(axis=0), mesh.uv.max(axis=0)), ((0, 0), (1, 1)), atol=1e-6)
    assert notes == ()


def test_a_texture_is_on_a_mesh_that_has_coordinates_and_no_material(tmp_path):
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n")
    named = [mesh(name).replace("</visual>", '<material name="m"/></visual>') for name in ("a.obj", "box.stl")]
    (first, second), notes = painted(tmp_path, "".join(named))
    assert first.shape.submeshes[0].material.texture is not None
    assert len(first.shape.submeshes[0].uv) == 3
    assert second.shape.submeshes[0].material.texture is None
    assert "Left out: textures of materials on meshes that have no texture coordinates." in notes


def test_a_texture_that_is_missing_or_no_image_is_noted(tmp_path):
    (visual,), notes = visuals(tmp_path, BOX.replace('<material name="m"/>', PAINT))
    assert visual.material.color == "#ff0000"
    assert any("image.png" in note and "not found" in note for note in notes)
    (tmp_path / "image.png").write_text("none")
    _, notes = visuals(tmp_path, BOX.replace('<material name="m"/>', PAINT))
    assert any("image.png" in note and "readable" in note for note in notes)
