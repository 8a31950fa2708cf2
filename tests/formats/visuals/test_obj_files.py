"""Visuals that are written with a figure: places, colours and textures by our readers, by MuJoCo and by trimesh."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest
import trimesh
from panels import image, panel_figure, panel_visual, points

from gambol.dynamics import kinematics
from gambol.figure import Box, Finish, Material, Part, Sphere, Submesh, Visual, VisualMesh
from gambol.formats import Model, read_figure, read_mjcf, read_urdf, write_figure, write_mjcf, write_urdf
from gambol.formats.mjcf import figure_state
from gambol.formats.visuals import image_pixels, png_texture

TURN = ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))  # a quarter turn about z
PANEL = Visual(panel_visual().shape, (0.1, 0.2, 0.3), TURN)
GLASS = panel_visual(opacity=0.25, texture=False, color="#ff8000")
BALL = Visual(Sphere(0.3), (0.0, 0.0, 1.0), material=Material("#102030"))
FIGURE = panel_figure(PANEL, GLASS, BALL, parts=(Part(Box((0.2, 0.2, 0.2))),))
FORMATS = {"a.toml": (write_figure, read_figure), "a.xml": (write_mjcf, read_mjcf), "a.urdf": (write_urdf, read_urdf)}


def written(folder, name):
    write, read = FORMATS[name]
    assert not write(Model(FIGURE), folder / name)
    return read(folder / name, "free") if name == "a.urdf" else read(folder / name)


def surfaces(figure):
    """Return corners (T, 3, 3) or the position, the surface and the material of each visual of the first link."""
    found = []
    for visual in figure.links[0].visuals:
        for surface, material in visual.surfaces():
            position = np.array(visual.position)
            if isinstance(surface, Submesh):
                corners = surface.points[surface.triangles].astype(float) @ np.array(visual.rotation).T + position
                found.append((corners, surface, material))
            else:
                found.append((position, surface, material))
    return found


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_written_looks_the_same_when_it_is_read(tmp_path, name):
    model = written(tmp_path, name)
    seen, expected = surfaces(model.figure), surfaces(FIGURE)
    assert len(seen) == 3
    assert [part.shape for part in model.figure.links[0].parts if part.colliding] == [Box((0.2, 0.2, 0.2))]
    for (places, surface, material), (own_places, own, own_material) in zip(seen, expected, strict=True):
        np.testing.assert_allclose(places, own_places, atol=1e-6)  # of 1 m, in float32, turned twice
        assert material.opacity == own_material.opacity
        assert material.color in (own_material.color, own_material.color or "#ffffff")
        if own_material.texture:
            np.testing.assert_array_equal(image_pixels(material.texture)[..., :3], image())
            np.testing.assert_allclose(surface.uv[surface.triangles], own.uv[own.triangles], atol=1e-6)
        elif not isinstance(own, Submesh):
            assert surface == own


@pytest.mark.parametrize("name", FORMATS)
def test_pixels_stay_transparent_and_finishes_are_kept_or_noted(tmp_path, name):
    """Figure files have finishes, MJCF and URDF have none."""
    pixels = np.dstack([image(), np.full((64, 64), 128, np.uint8)])
    material = Material(texture=png_texture("a.png", pixels), finish=Finish(0.25, 0.5, "#102030"))
    mesh = replace(PANEL.shape.submeshes[0], material=material)
    write, read = FORMATS[name]
    notes = write(Model(panel_figure(Visual(VisualMesh((mesh,))))), tmp_path / name)
    ((_, _, seen),) = surfaces(read(tmp_path / name).figure)
    np.testing.assert_array_equal(image_pixels(seen.texture), pixels)
    if name == "a.toml":
        assert seen.finish == material.finish
    else:
        assert any("roughness" in note for note in notes)


def test_mujoco_shows_the_visuals_and_hides_the_parts(tmp_path):
    """In its groups, at its places; it has no corner that is not one of the panel's, and no visual that touches."""
    write_mjcf(Model(FIGURE), tmp_path / "a.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "a.xml"))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    assert sorted(model.geom_group.tolist()) == [2, 2, 2, 3]
    touching = [geom for geom in range(model.ngeom) if model.geom_contype[geom] or model.geom_conaffinity[geom]]
    assert model.geom_group[touching].tolist() == [3]
    q, v = figure_state(model, data.qpos, np.zeros(model.nv))
    pose = kinematics(FIGURE, list(q), list(v)).poses[1]
    R, p = np.array(pose.rotation.rows, float), np.array([*pose.position], float)
    meshes = [geom for geom in range(model.ngeom) if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_MESH]
    for geom, (corners, _, _) in zip(meshes, surfaces(FIGURE), strict=False):
        mesh = model.geom_dataid[geom]
        rows = slice(model.mesh_vertadr[mesh], model.mesh_vertadr[mesh] + model.mesh_vertnum[mesh])
        seen = model.mesh_vert[rows].astype(float) @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
        expected = corners.reshape(-1, 3) @ R.T + p
        nearest = np.linalg.norm(seen[:, None] - expected, axis=-1).min(axis=1)
        np.testing.assert_allclose(nearest, 0.0, atol=1e-6)
    glass = next(geom for geom in meshes if model.geom_matid[geom] < 0)
    np.testing.assert_allclose(model.geom_rgba[glass], [1.0, 128 / 255, 0.0, 0.25], atol=1e-6)


def test_trimesh_reads_the_meshes_and_their_texture(tmp_path):
    write_urdf(Model(FIGURE), tmp_path / "a.urdf")
    mesh = trimesh.load_mesh(tmp_path / "a-visual-1.obj", process=False)
    assert len(mesh.faces) == 2
    nearest = np.linalg.norm(mesh.vertices[:, None] - points(), axis=-1).min(axis=1)
    np.testing.assert_allclose(nearest, 0.0, atol=1e-7)
    picture = np.asarray(mesh.visual.material.image.convert("RGB"))
    np.testing.assert_array_equal(picture, image())


def test_equal_meshes_share_a_file(tmp_path):
    twice = panel_figure(GLASS, Visual(GLASS.shape, (1.0, 0.0, 0.0)), parts=(Part(Box((0.2, 0.2, 0.2))),))
    for name, (write, _) in FORMATS.items():
        write(Model(twice), tmp_path / name)
        assert [path.name for path in tmp_path.glob("*.obj")] == ["a-visual-1.obj"]
