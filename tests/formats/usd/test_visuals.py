"""Visuals in USD files: meshes, materials and images, written by us and with OpenUSD's own interface."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from panels import CORNERS, UV, image, panel, panel_figure, points
from pxr import Gf, Sdf, Usd, UsdGeom, UsdPhysics, UsdShade, Vt
from usd_stages import WORLD, body, stage_at

from gambol.export import write_usd
from gambol.figure import Finish, Material, Part, Sphere, Visual, VisualMesh
from gambol.formats import Model, read_usd
from gambol.formats.visuals import image_pixels, png_texture
from gambol.view import posture_film

A = f"{WORLD}/a"
FINISH = Finish(0.25, 0.75, "#102030")
TURN = ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))


def written(tmp_path: Path, ending: str = ".usdc", alpha: int = 255, scale: float = 1.0) -> Model:
    pixels = np.dstack([image(), np.full((64, 64), alpha, np.uint8)])
    material = Material("#80ff80", 0.75, png_texture("panel.png", pixels), FINISH)
    mesh = VisualMesh((replace(panel().submeshes[0], material=material),))
    figure = panel_figure(Visual(mesh, (0.1, 0.2, 0.3), TURN), parts=(Part(Sphere(0.3)),))
    film = posture_film(figure)
    return read_usd(write_usd(film, tmp_path / f"a{ending}", figure=Model(figure), scale=scale))


@pytest.mark.parametrize(("ending", "scale"), [(".usda", 1.0), (".usdc", 100.0), (".usdz", 1.0)])
def test_a_visual_mesh_that_is_written_comes_back(tmp_path: Path, ending: str, scale: float):
    model = written(tmp_path, ending, scale=scale)
    (link,) = model.figure.links
    assert [part.shape for part in link.parts] == [Sphere(pytest.approx(0.3, rel=1e-6))]
    (visual,) = link.visuals
    ((mesh, material),) = visual.surfaces()
    corners = mesh.points[mesh.triangles] @ np.array(visual.rotation).T + visual.position
    expected = points()[CORNERS] @ np.array(TURN).T + (0.1, 0.2, 0.3)  # the file says what its unit is
    np.testing.assert_allclose(corners, expected, atol=1e-5)
    np.testing.assert_allclose(mesh.uv[mesh.triangles], UV[CORNERS], atol=1e-6)
    np.testing.assert_array_equal(image_pixels(material.texture)[..., :3], image())
    assert (material.color, material.opacity, material.finish) == ("#80ff80", 0.75, FINISH)


def test_transparent_pixels_come_back(tmp_path: Path):
    (visual,) = written(tmp_path, alpha=128).figure.links[0].visuals
    assert (image_pixels(visual.shape.submeshes[0].material.texture)[..., 3] == 128).all()


def test_visuals_can_be_left_unread(tmp_path: Path):
    written(tmp_path)
    assert read_usd(tmp_path / "a.usdc", visuals=False).figure.links[0].visuals == ()


def quad(stage: Usd.Stage, path: str) -> UsdGeom.Mesh:
    """Two squares beside each other in the plane z = 0, as faces of four corners."""
    mesh = UsdGeom.Mesh.Define(stage, path)
    mesh.CreatePointsAttr([(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (1, 1, 0), (2, 1, 0)])
    mesh.CreateFaceVertexCountsAttr([4, 4])
    mesh.CreateFaceVertexIndicesAttr([0, 1, 4, 3, 1, 2, 5, 4])
    return mesh


def area_normal(mesh) -> np.ndarray:
    corners = mesh.points[mesh.triangles].astype(float)
    return np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]).sum(axis=0) / 2.0


def painted(stage: Usd.Stage, path: str, color: tuple[float, float, float]) -> UsdShade.Material:
    material, shader = UsdShade.Material.Define(stage, path), UsdShade.Shader.Define(stage, f"{path}/s")
    shader.CreateIdAttr("UsdPreviewSurface")
    shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f).Set(Gf.Vec3f(*color))
    material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
    return material


@pytest.mark.parametrize("orientation", ["rightHanded", "leftHanded"])
def test_faces_have_the_material_of_their_subset_and_face_the_same_way(tmp_path: Path, orientation: str):
    """The second square is red, the first has the mesh's own colour; mirrored by a scale of -3 along x, 3 m wide."""
    stage = stage_at(tmp_path / "a.usda")
    body(stage, A, (0.0, 0.0, 0.0), mass=1.0)
    mesh = quad(stage, f"{A}/look")
    mesh.CreateOrientationAttr(orientation)
    mesh.CreateDisplayColorAttr([(0.0, 0.0, 1.0)])
    UsdGeom.Xformable(mesh).AddScaleOp().Set(Gf.Vec3f(-3.0, 1.0, 1.0))
    subset = UsdGeom.Subset.CreateGeomSubset(mesh, "right", "face", Vt.IntArray([1]), "materialBind")
    UsdShade.MaterialBindingAPI.Apply(subset.GetPrim()).Bind(painted(stage, f"{A}/red", (1.0, 0.0, 0.0)))
    stage.Save()
    (visual,) = read_usd(tmp_path / "a.usda").figure.links[0].visuals
    found = {mesh.material.color: mesh for mesh in visual.shape.submeshes}
    assert set(found) == {"#ff0000", "#0000ff"}
    R = np.array(visual.rotation)
    world = {color: mesh.points @ R.T + visual.position for color, mesh in found.items()}
    np.testing.assert_allclose(
        np.sort([world["#ff0000"][:, 0].min(), world["#ff0000"][:, 0].max()]), [-6, -3], atol=1e-6
    )
    sign = 1.0 if orientation == "rightHanded" else -1.0
    for mesh in found.values():
        np.testing.assert_allclose(R @ area_normal(mesh), [0, 0, 3.0 * sign], atol=1e-5)
        np.testing.assert_allclose(mesh.normals @ R.T, [[0, 0, sign]] * len(mesh.normals), atol=1e-6)


def test_guides_and_invisible_shapes_are_not_drawn_and_visible_colliders_are(tmp_path: Path):
    """A mesh that collides as its hull is drawn as it is; a sphere that collides and is drawn is a part alone."""
    stage = stage_at(tmp_path / "a.usda")
    for name in "ab":
        body(stage, f"{WORLD}/{name}", (0.0, 0.0, 0.0), mass=1.0)
    mesh = quad(stage, f"{A}/seen")
    mesh.GetPointsAttr().Set([(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (1, 1, 1), (2, 1, 0)])
    UsdPhysics.CollisionAPI.Apply(mesh.GetPrim())
    UsdGeom.Imageable(quad(stage, f"{A}/guide")).CreatePurposeAttr("guide")
    UsdGeom.Imageable(quad(stage, f"{A}/hidden")).MakeInvisible()
    UsdPhysics.CollisionAPI.Apply(UsdGeom.Sphere.Define(stage, f"{WORLD}/b/ball").GetPrim())
    stage.Save()
    links = {link.name: link for link in read_usd(tmp_path / "a.usda").figure.links}
    (visual,) = links["a"].visuals
    assert len(visual.shape.submeshes[0].triangles) == 4
    assert links["b"].visuals == ()


@pytest.mark.parametrize(("name", "text"), [
    ("gone.png", "gone.png"), ("../out.png", "out.png"), ("bad.png", "not a readable image"),
])  # fmt: skip
def test_an_image_that_cannot_be_used_is_noted(tmp_path: Path, name: str, text: str):
    (tmp_path / "out.png").write_bytes(png_texture("out.png", image()).data)
    folder = tmp_path / "inner"
    folder.mkdir()
    written(folder, ".usda")
    (folder / "bad.png").write_text("no image")
    (file,) = folder.glob("a-*.png")
    (folder / "a.usda").write_text((folder / "a.usda").read_text().replace(f"./{file.name}", name))
    model = read_usd(folder / "a.usda")
    assert any(text in note for note in model.notes)
    assert model.figure.links[0].visuals[0].shape.submeshes[0].material.texture is None
