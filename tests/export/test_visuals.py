"""Visuals in exported files: textures, opacity and places, beside Khronos' and USD's validators, trimesh and Pillow."""

import io
from dataclasses import replace

import numpy as np
import pygltflib
import pytest
import trimesh
from export.test_usd import errors
from gltf_files import issues
from panels import image, panel, panel_figure, panel_visual, points
from PIL import Image
from pxr import Ar, Usd, UsdGeom, UsdPhysics, UsdShade

from gambol.errors import FigureError
from gambol.export import write_bvh, write_gltf, write_usd
from gambol.figure import Finish, Material, Part, Sphere, Visual, VisualMesh
from gambol.figure.color import linear_rgb, rgb_values
from gambol.formats import Model, read_figure, write_figure
from gambol.formats.visuals import image_pixels, png_texture, read_visual_mesh
from gambol.view import posture_film
from gambol.world import Film

FIGURE = panel_figure(
    panel_visual(), panel_visual(opacity=0.25, texture=False, color="#ff8000"), parts=(Part(Sphere(0.3)),)
)
TEXTURE = FIGURE.links[0].visuals[0].shape.submeshes[0].material.texture


@pytest.fixture(scope="module")
def film():
    return posture_film(FIGURE)


def test_gltf_embeds_the_image_and_validates(film, tmp_path):
    path = write_gltf(film, tmp_path / "panel.glb")
    assert issues(path)["messages"] == []
    gltf = pygltflib.GLTF2().load(str(path))
    view = gltf.bufferViews[gltf.images[0].bufferView]
    assert gltf.binary_blob()[view.byteOffset :][: view.byteLength] == TEXTURE.data
    assert [(m.alphaMode, m.pbrMetallicRoughness.baseColorFactor[3]) for m in gltf.materials] == [
        ("OPAQUE", 1.0), ("BLEND", 0.25),
    ]  # fmt: skip


def test_trimesh_sees_the_texture_where_it_belongs(film, tmp_path):
    """The image is red above and on the left of the picture: at the corner of the panel that has these coordinates."""
    scene = trimesh.load_scene(write_gltf(film, tmp_path / "panel.glb"))
    meshes = [g for g in scene.geometry.values() if getattr(g.visual, "uv", None) is not None and len(g.visual.uv)]
    (mesh,) = [g for g in meshes if g.visual.material.baseColorTexture is not None]
    picture = np.asarray(mesh.visual.material.baseColorTexture.convert("RGB"))
    np.testing.assert_array_equal(picture, image())
    edge = len(picture)
    for corner, uv in zip(mesh.vertices, mesh.visual.uv, strict=True):  # trimesh has v from below
        row, column = round((1.0 - uv[1]) * (edge - 1)), round(uv[0] * (edge - 1))
        nearest = int(np.linalg.norm(points() - corner, axis=1).argmin())
        expected = {0: (edge - 1, 0), 1: (edge - 1, edge - 1), 2: (0, edge - 1), 3: (0, 0)}[nearest]
        np.testing.assert_array_equal(picture[row, column], image()[expected])


def test_our_reader_reads_what_we_write(film, tmp_path):
    """glTF's root node turns z up to y up, and the reader turns it back."""
    mesh = read_visual_mesh(write_gltf(film, tmp_path / "panel.glb"))
    for each in mesh.submeshes:
        distances = np.linalg.norm(each.points[:, None] - points(), axis=-1).min(axis=1)
        np.testing.assert_allclose(distances, 0.0, atol=1e-6)
    assert sorted(each.material.opacity for each in mesh.submeshes) == [0.25, 1.0]


@pytest.mark.parametrize("ending", [".usda", ".usdc", ".usdz"])
def test_usd_validates_and_has_the_image(film, tmp_path, ending):
    path = write_usd(film, tmp_path / f"panel{ending}", figure=FIGURE)
    assert errors(path) == []
    stage = Usd.Stage.Open(str(path))
    mesh = UsdShade.MaterialBindingAPI(stage.GetPrimAtPath("/Creature/panel/visual_0")).ComputeBoundMaterial()[0]
    sampler = UsdShade.Shader(stage.GetPrimAtPath(f"{mesh.GetPath()}/texture"))
    asset = sampler.GetInput("file").Get()
    if ending != ".usdz":
        assert (tmp_path / asset.path).read_bytes() == TEXTURE.data
    else:
        layer = stage.GetRootLayer()
        opened = Ar.GetResolver().OpenAsset(Ar.ResolvedPath(layer.ComputeAbsolutePath(asset.path)))
        np.testing.assert_array_equal(np.asarray(Image.open(io.BytesIO(opened.GetBuffer())))[..., :3], image())


def test_usd_collides_with_guides_and_not_with_visuals(film, tmp_path):
    stage = Usd.Stage.Open(str(write_usd(film, tmp_path / "panel.usdc", figure=FIGURE)))
    meshes = {p.GetName(): p for p in stage.Traverse() if p.IsA(UsdGeom.Gprim)}
    assert {name: p.HasAPI(UsdPhysics.CollisionAPI) for name, p in meshes.items()} == {
        "visual_0": False, "visual_1": False, "collider_0": True,
    }  # fmt: skip
    collider = UsdGeom.Sphere(meshes["collider_0"])
    assert collider.GetPurposeAttr().Get() == "guide"
    assert collider.GetRadiusAttr().Get() == FIGURE.root.parts[0].shape.sizes[0]
    place = UsdGeom.PrimvarsAPI(meshes["visual_0"]).GetPrimvar("st").Get()
    assert len(place) == 4


def test_a_film_without_guides_has_the_visuals_alone(film, tmp_path):
    stage = Usd.Stage.Open(str(write_usd(film, tmp_path / "panel.usda")))
    assert [p.GetName() for p in stage.Traverse() if p.IsA(UsdGeom.Mesh)] == ["visual_0", "visual_1"]


def test_bones_and_skins_are_of_what_collides(film, tmp_path):
    assert write_bvh(replace(film, parents=(-1,)), tmp_path / "panel.bvh").stat().st_size
    gltf = pygltflib.GLTF2().load(str(write_gltf(film, tmp_path / "skin.glb", skin=True)))
    assert len(gltf.skins) == 1
    assert not gltf.images


def test_a_primitive_as_a_visual_is_exported(tmp_path):
    film = posture_film(panel_figure(Visual(Sphere(0.2), (0.0, 0.0, 1.0))))
    scene = trimesh.load_scene(write_gltf(film, tmp_path / "ball.glb"))
    np.testing.assert_allclose(scene.bounds.mean(axis=0), [0.0, 1.0, 0.0], atol=1e-6)


PIXELS = np.dstack([image(), np.full((64, 64), 255, np.uint8)])
HOLED = PIXELS.copy()
HOLED[:8, :8, 3] = 0  # invisible
GLASS = PIXELS.copy()
GLASS[..., 3] = 128
LOOKS = {"OPAQUE": PIXELS, "MASK": HOLED, "BLEND": GLASS}
LAMP = Finish(0.25, 0.75, "#102030")


def finished_film(pixels):
    """A film of a panel with these pixels and the finish LAMP."""
    material = Material(None, 1.0, png_texture("panel.png", pixels), LAMP)
    mesh = replace(panel().submeshes[0], material=material)
    return posture_film(panel_figure(Visual(VisualMesh((mesh,)))))


@pytest.mark.parametrize("mode", LOOKS)
def test_pixels_are_as_transparent_in_gltf_and_usd_as_in_the_image(tmp_path, mode):
    film = finished_film(LOOKS[mode])
    path = write_gltf(film, tmp_path / "a.glb")
    assert issues(path)["messages"] == []
    (material,) = pygltflib.GLTF2().load(str(path)).materials
    assert material.alphaMode == mode
    stage = Usd.Stage.Open(str(write_usd(film, tmp_path / "a.usda")))
    surface = next(UsdShade.Shader(p) for p in stage.Traverse() if p.GetName() == "surface")
    assert bool(surface.GetInput("opacity").GetConnectedSources()[0]) == (mode != "OPAQUE")
    assert bool(surface.GetInput("opacityThreshold")) == (mode == "MASK")
    assert errors(tmp_path / "a.usda") == []


@pytest.mark.parametrize("mode", LOOKS)
def test_pixels_are_as_transparent_as_a_gltf_file_says(tmp_path, mode):
    """The image of a file has transparent pixels, and the material says whether they count."""
    path = write_gltf(finished_film(GLASS if mode != "MASK" else HOLED), tmp_path / "a.glb")
    gltf = pygltflib.GLTF2().load(str(path))
    gltf.materials[0].alphaMode = mode
    gltf.save(str(path))
    (mesh,) = read_visual_mesh(path).submeshes
    np.testing.assert_array_equal(image_pixels(mesh.material.texture), LOOKS[mode])


def test_a_mask_cuts_at_the_opacity_that_a_gltf_file_says(tmp_path):
    path = write_gltf(finished_film(GLASS), tmp_path / "a.glb")
    gltf = pygltflib.GLTF2().load(str(path))
    gltf.materials[0].alphaMode, gltf.materials[0].alphaCutoff = "MASK", 0.6
    gltf.save(str(path))
    (mesh,) = read_visual_mesh(path).submeshes
    assert (image_pixels(mesh.material.texture)[..., 3] == 0).all()  # 128 / 255 is 0.502


def test_finishes_are_those_of_the_material_in_every_file(tmp_path):
    """Linear light in glTF and USD; the film file has them as they are."""
    film = finished_film(PIXELS)
    light = linear_rgb(rgb_values(LAMP.emission))
    (material,) = pygltflib.GLTF2().load(str(write_gltf(film, tmp_path / "a.glb"))).materials
    surface = material.pbrMetallicRoughness
    assert (surface.roughnessFactor, surface.metallicFactor) == (LAMP.roughness, LAMP.metallic)
    np.testing.assert_allclose(material.emissiveFactor, light, atol=1e-7)
    assert read_visual_mesh(tmp_path / "a.glb").submeshes[0].material.finish == LAMP
    stage = Usd.Stage.Open(str(write_usd(film, tmp_path / "a.usda")))
    shader = next(UsdShade.Shader(p) for p in stage.Traverse() if p.GetName() == "surface")
    seen = {name: shader.GetInput(name).Get() for name in ("roughness", "metallic", "emissiveColor")}
    assert (seen["roughness"], seen["metallic"]) == (LAMP.roughness, LAMP.metallic)
    np.testing.assert_allclose(seen["emissiveColor"], light, atol=1e-7)
    film.save(tmp_path / "a.npz")
    assert Film.load(tmp_path / "a.npz").visuals[0].finish == LAMP


def test_a_finish_is_in_figure_files(tmp_path):
    shape = Visual(Sphere(0.2), material=Material("#ff0000", finish=LAMP))
    write_figure(Model(panel_figure(shape)), tmp_path / "a.toml")
    assert read_figure(tmp_path / "a.toml").figure.links[0].visuals[0].material == shape.material


@pytest.mark.parametrize(("key", "value"), [("roughness", "1.5"), ("metallic", "-1"), ("emission", '"red"')])
def test_an_impossible_finish_in_a_figure_file_is_refused(tmp_path, key, value):
    write_figure(Model(panel_figure(Visual(Sphere(0.2)))), tmp_path / "a.toml")
    text = (tmp_path / "a.toml").read_text()
    (tmp_path / "a.toml").write_text(text.replace('shape = "sphere"', f'shape = "sphere", {key} = {value}'))
    with pytest.raises(FigureError, match=r"a\.toml, line \d+"):
        read_figure(tmp_path / "a.toml")
