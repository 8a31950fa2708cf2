"""Muscles in a page that a browser draws, and in a picture: the same tube, and its colours."""

import numpy as np
from playwright.sync_api import sync_playwright

from gambol.view.page import write_page
from gambol.view.scene.tube import ENDS, RINGS, SIDES, SWELLING, tube, tube_triangles
from gambol.view.still import write_still
from gambol.world import Film
from gambol.world.film import FilmMuscle

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
FRAMES, RATE = 5, 10.0
WIDTH = 0.1


def film(each: FilmMuscle) -> Film:
    """A film of one muscle, without shapes of links."""
    still = np.zeros((FRAMES, 1, 1, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, 1, 1, 1))
    return Film("scene", np.arange(FRAMES) / RATE, *still, ("stage",), (), matter=(each,))


def muscle(activation: float) -> FilmMuscle:
    """A muscle bent around a corner, whose force falls from frame to frame."""
    corners = np.array([[0.0, 0.0, 0.2], [0.0, 0.0, 1.0], [0.6, 0.0, 1.0]], np.float32)
    points = np.stack([corners + np.float32(0.05 * f) for f in range(FRAMES)])
    levels = np.full(FRAMES, activation, np.float32), np.linspace(1.0, 0.0, FRAMES).astype(np.float32)
    return FilmMuscle("bent", points, *levels, WIDTH)


def test_a_tube_is_round_thin_at_its_ends_and_thicker_under_force():
    line = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 2.0]])
    for force in (0.0, 1.0):
        corners, normals = tube(line, WIDTH, force)
        radii = np.linalg.norm(corners[..., :2], axis=-1)
        swollen = 0.5 * WIDTH * (1.0 - SWELLING + 2.0 * SWELLING * force)
        np.testing.assert_allclose(radii[RINGS // 2], swollen, rtol=1e-12)
        np.testing.assert_allclose(radii[[0, -1]], ENDS * swollen, rtol=1e-12)
        np.testing.assert_allclose(np.linalg.norm(normals, axis=-1), 1.0, rtol=1e-12)
    # outward: a closed tube has a positive volume by the divergence theorem
    a, b, c = (corners.reshape(-1, 3)[tube_triangles()][:, k] for k in range(3))
    assert np.sum(np.einsum("ij,ij->i", a, np.cross(b, c))) > 0.0


def test_a_browser_draws_the_tube_of_pictures(browser_path, tmp_path):
    path = write_page(film(muscle(0.25)), tmp_path / "muscle.html", speed=1.0)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(bypass_csp=True, viewport={"width": 500, "height": 360})
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        page.wait_for_function("window.player && player.time > 0", timeout=60_000)
        page.evaluate("player.paused = true; player.seek(0.2); player.pose()")
        drawn = page.evaluate("Array.from(player.matter.parts[0].geometry.attributes.position.array)")
        color = page.evaluate("player.matter.parts[0].material.color.toArray()")
        ends = page.evaluate("[player.matter.parts[0].idle.toArray(), player.matter.parts[0].active.toArray()]")
        size = page.evaluate("player.film.size")
        browser.close()
    assert not complaints
    expected, _ = tube(muscle(0.25).points[2].astype(float), WIDTH, 0.5)
    np.testing.assert_allclose(
        np.array(drawn).reshape(RINGS, SIDES, 3) * size, expected, atol=2e-3 * WIDTH + 1e-4 * size
    )
    # activation is stored in steps of 1/255
    np.testing.assert_allclose(color, 0.75 * np.array(ends[0]) + 0.25 * np.array(ends[1]), atol=1.0 / 255.0)


def test_a_picture_shows_active_muscles_red_and_idle_ones_blue(tmp_path):
    from matplotlib.image import imread

    shares = []
    for activation in (0.0, 1.0):
        image = imread(write_still(film(muscle(activation)), tmp_path / f"{activation}.png"))[..., :3]
        shares.append([(image[..., k] > image[..., 2 - k] + 0.15).mean() for k in (0, 2)])
    (idle_red, idle_blue), (active_red, active_blue) = shares
    assert idle_blue > 0.01 > idle_red
    assert active_red > 0.01 > active_blue
