"""Visuals of links: in films and their files, pictures and pages."""

from dataclasses import replace

import numpy as np
import pytest
from films import hexapod_film
from panels import BLUE, CORNERS, GREEN, RED, RIGHT, UP, UV, image, panel, panel_figure, panel_visual, points, where
from PIL import Image
from playwright.sync_api import sync_playwright

from gambol.errors import FigureError, GambolError
from gambol.figure import Box, Finish, Material, Part, Sphere, Visual, VisualMesh
from gambol.formats.visuals import image_pixels, png_texture, submesh_of
from gambol.view import posture_film, write_page
from gambol.view.scene.bones import bones
from gambol.view.scene.framing import frame_film
from gambol.view.scene.reduced import reduced
from gambol.view.scene.visuals import visual_numbers
from gambol.view.stage import Stage
from gambol.world import Film

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--disable-background-networking", "--no-first-run", "--disable-component-update"]  # fmt: skip
BALL = Part(Sphere(0.3), (0.0, 0.0, 0.5), color="#20c020")


def film_of(*visuals, parts=()):
    return posture_film(panel_figure(*visuals, parts=parts))


def picture(film):
    with Stage(film, 400, 400) as stage:
        stage.pose(0)
        stage.aim(0)
        return stage.screenshot()


def assert_colours_lie_as_in_the_image(seen):
    (red, _), (green, _), (blue, _) = (where(seen, color) for color in (RED, GREEN, BLUE))
    assert red[1] < green[1] - 20
    assert abs(red[0] - green[0]) < 20
    assert blue[0] > red[0] + 20
    assert abs(red[1] - blue[1]) < 20


def test_visuals_are_drawn_in_place_of_the_parts_of_their_link():
    film = film_of(panel_visual(), parts=(BALL,))
    assert [shape.kind for shape in film.drawn] == ["mesh"]
    assert [shape.kind for shape in replace(film, visuals=()).drawn] == ["sphere"]
    assert not bones(panel_figure(panel_visual()))


def test_a_visual_has_its_own_material_or_that_of_its_mesh():
    seen = film_of(panel_visual(opacity=0.5), Visual(panel(opacity=0.5, color="#102030"))).visuals
    assert [(v.color, v.opacity, v.texture is not None) for v in seen] == [(None, 0.5, True), ("#102030", 0.5, True)]
    own = replace(panel_visual(color="#102030"), material=Material("#ff0000", 0.5))
    assert (film_of(own).visuals[0].color, film_of(own).visuals[0].opacity) == ("#ff0000", 0.5)


def test_figures_refuse_visuals_that_are_impossible():
    with pytest.raises(FigureError, match='link "panel", visual 1, has an opacity of 2; give 0 to 1'):
        panel_figure(panel_visual(opacity=2.0))
    with pytest.raises(FigureError, match="visual 1, lies at"):
        panel_figure(replace(panel_visual(), position=(0.0, np.nan, 0.0)))
    with pytest.raises(FigureError, match='the colour "red"'):
        panel_figure(panel_visual(color="red"))


def test_figures_that_differ_in_visuals_are_equal():
    assert panel_figure(panel_visual()) == panel_figure()


def test_a_film_file_holds_each_mesh_and_texture_once(tmp_path):
    mesh = panel()
    film = film_of(Visual(mesh), Visual(mesh, (0.0, 1.0, 0.0)), Visual(Box((1.0, 1.0, 1.0))))
    read = Film.load(film.save(tmp_path / "film.npz"))
    with np.load(tmp_path / "film.npz") as arrays:
        assert [name for name in arrays if name.startswith("visual")] == [
            "visual0:points", "visual0:normals", "visual0:uv", "visual0:triangles",
        ]  # fmt: skip
        assert arrays["texture0"].tobytes() == mesh.submeshes[0].material.texture.data
    assert read.visuals == film.visuals
    assert read.visuals[0].mesh is read.visuals[1].mesh
    for name in ("points", "normals", "uv", "triangles"):
        np.testing.assert_array_equal(getattr(read.visuals[0].mesh, name), getattr(film.visuals[0].mesh, name))


def test_a_film_without_visuals_has_the_file_of_before(tmp_path):
    film_of(parts=(BALL,)).save(tmp_path / "film.npz")
    with np.load(tmp_path / "film.npz") as arrays:
        assert b"visuals" not in arrays["about"].tobytes()


@pytest.mark.parametrize(
    ("name", "value", "match"),
    [
        ("visual0:triangles", np.array([[0, 1, 9]], np.uint32), "do not fit together"),
        ("visual0:points", np.full((4, 3), np.nan, np.float32), "do not fit together"),
        ("visual0:uv", np.zeros((4, 3), np.float32), r'needs an array "visual0:uv" \(N, 2\)'),
        ("texture0", np.zeros(5, np.uint8), "is not a readable image"),
        ("texture0", None, 'no array "texture0"'),
    ],
)
def test_a_film_file_with_wrong_visuals_is_refused(tmp_path, name, value, match):
    path = film_of(panel_visual()).save(tmp_path / "film.npz")
    with np.load(path) as file:
        arrays = dict(file) | {name: value}
    np.savez(tmp_path / "bad.npz", **{key: array for key, array in arrays.items() if array is not None})
    with pytest.raises(GambolError, match=match):
        Film.load(tmp_path / "bad.npz")


@pytest.mark.usefixtures("renderer")
def test_a_picture_shows_the_texture_upright():
    assert_colours_lie_as_in_the_image(picture(film_of(panel_visual())))


@pytest.mark.usefixtures("renderer")
def test_a_picture_shows_what_is_behind_glass():
    """Half of the light of a red panel in front comes from the green ball behind it."""
    red = panel_visual(texture=False, color="#ff0000")
    glass = panel_visual(texture=False, color="#ff0000", opacity=0.5)
    behind = Visual(Sphere(0.3), (-0.8, 0.72, 0.5), material=Material("#00ff00"))
    solid, clear = (picture(film_of(front, behind)).astype(float) for front in (red, glass))
    for seen, low, high in ((solid, 0, 100), (clear, 500, 160_000)):
        of_both = (seen[..., 0] > seen[..., 2] + 40) & (seen[..., 1] > seen[..., 2] + 40)
        assert low <= of_both.sum() <= high


@pytest.mark.usefixtures("renderer")
def test_a_picture_shows_what_is_behind_invisible_pixels():
    """A green ball behind the panel, of which the upper left quarter, and only this, is invisible."""
    behind = Visual(
        Sphere(0.6), tuple(points().mean(axis=0) + np.cross(RIGHT, UP) * -0.7), material=Material("#14c814")
    )
    seen = {}
    for alpha in (255, 0):
        pixels = np.dstack([image(), np.full((64, 64), 255, np.uint8)])
        pixels[:32, :32, 3] = alpha
        mesh = replace(panel().submeshes[0], material=Material(texture=png_texture("a.png", pixels)))
        seen[alpha] = picture(film_of(Visual(VisualMesh((mesh,))), behind))
    assert where(seen[255], RED)[1] > 1000
    assert where(seen[0], RED)[1] < 50
    assert where(seen[0], BLUE)[1] == pytest.approx(where(seen[255], BLUE)[1], rel=0.05)
    assert where(seen[0], GREEN)[1] > where(seen[255], GREEN)[1] + 500


def test_a_page_has_the_transparency_of_pixels_and_the_finish_of_shapes():
    finish = Finish(0.25, 0.5, "#102030")
    rows = []
    for alpha in (255, 128, 0):
        pixels = np.dstack([image(), np.full((64, 64), 255, np.uint8)])
        pixels[:32, :32, 3] = alpha
        material = Material(texture=png_texture("a.png", pixels), finish=finish)
        film = film_of(Visual(VisualMesh((replace(panel().submeshes[0], material=material),))))
        rows += visual_numbers(film.drawn)
    assert [row.get("alpha") for row in rows] == [None, "blend", "mask"]
    assert all((row["roughness"], row["metallic"], row["emission"]) == (0.25, 0.5, "#102030") for row in rows)


def test_a_page_shows_the_texture_upright(browser_path, tmp_path):
    path = write_page(film_of(panel_visual()), tmp_path / "panel.html")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(bypass_csp=True, viewport={"width": 500, "height": 400})
        complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        page.wait_for_function("window.player && !player.stale", timeout=60_000)
        geometry = "player.bodies[0][0].children[0].geometry"
        page.wait_for_function("player.bodies[0][0].children[0].material.map?.image?.width === 64", timeout=60_000)
        found = page.evaluate(f"Array.from({geometry}.attributes.position.array).map(x => x * player.film.size)")
        index = page.evaluate(f"Array.from({geometry}.index.array)")
        uv = page.evaluate(f"Array.from({geometry}.attributes.uv.array)")
        page.wait_for_timeout(500)
        shot = page.screenshot(path=tmp_path / "page.png")
        browser.close()
    assert not complaints
    assert shot
    assert_colours_lie_as_in_the_image(np.asarray(Image.open(tmp_path / "page.png").convert("RGB"))[60:300])
    corners, places = np.reshape(found, (-1, 3))[index], np.reshape(uv, (-1, 2))[index]
    np.testing.assert_allclose(corners.mean(axis=0), points()[CORNERS].mean(axis=(0, 1)), atol=1e-4)
    for corner, place in zip(corners, places, strict=True):
        np.testing.assert_allclose(place, UV[np.linalg.norm(points() - corner, axis=1).argmin()], atol=2e-4)


def test_a_figure_of_visuals_alone_is_framed():
    size = frame_film(film_of(panel_visual())).size
    assert size == pytest.approx(1.0, rel=1e-6)  # the height of the panel, which is as high as it is wide


def test_a_stepping_leg_has_its_visuals():
    film = hexapod_film(seconds=0.1)
    row = film_of(panel_visual()).visuals[0]
    assert len(replace(film, visuals=(replace(row, link=5),)).drawn) == len(film.shapes)


def ball(count=120):
    """A ball of many triangles."""
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, count), np.linspace(0, np.pi, count), indexing="ij")
    grid = np.stack([np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)], -1)
    index = np.arange(count * count).reshape(count, count)
    a, b, c, d = index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]
    faces = np.stack([a, d, c, a, c, b], -1).reshape(-1, 3)
    return submesh_of(grid.reshape(-1, 3), faces, grid.reshape(-1, 3)[faces.reshape(-1)])


@pytest.mark.parametrize("cell", [0.02, 0.1, 0.3])
def test_a_reduced_mesh_is_within_a_cube_of_the_first(cell):
    first, small = ball(), reduced(ball(), cell)
    assert len(small.triangles) < len(first.triangles)
    radius = np.linalg.norm(small.points, axis=1)
    assert radius.max() <= 1.0 + 1e-6
    assert radius.min() > 1.0 - np.sqrt(3.0) * cell
    a, b, c = small.points[small.triangles].transpose(1, 0, 2).astype(float)
    volume = np.sum(np.cross(a, b) * c) / 6.0
    assert 0.0 < 4.0 / 3.0 * np.pi - volume < 4.0 * np.pi * np.sqrt(3.0) * cell  # the shell that may be missing


def test_a_mesh_that_would_vanish_stays():
    (mesh,) = panel().submeshes
    assert reduced(mesh, 10.0) is mesh


def test_pixels_are_those_of_the_image():
    np.testing.assert_array_equal(image_pixels(panel().submeshes[0].material.texture)[..., :3], image())
    assert image_pixels(panel().submeshes[0].material.texture, 16).shape == (16, 16, 4)
    assert isinstance(panel(), VisualMesh)
