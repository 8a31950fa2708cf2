"""Meshes and particles in a page that a browser draws, and in a picture."""

from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import sync_playwright

from gambol.view.page import write_page
from gambol.view.scene.distance import distance_to_see
from gambol.view.scene.framing import frame_film
from gambol.view.still import write_still
from gambol.world import Film
from gambol.world.film import FilmMesh, FilmParticles

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--disable-background-networking", "--no-first-run", "--disable-component-update"]  # fmt: skip
FRAMES, RATE = 5, 10.0
TIMES = np.arange(FRAMES) / RATE


def sheet():
    """A square of two triangles that rises by 0.1 m in a frame; the second one is torn from frame 3 on."""
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]])
    points = np.stack([corners + np.array([0.0, 0.0, 0.1 * f]) for f in range(FRAMES)]).astype(np.float32)
    visible = np.ones((FRAMES, 2), bool)
    visible[3:, 1] = False
    triangles = np.array([[0, 1, 2], [1, 3, 2]], np.int32)
    return FilmMesh("sheet", points, triangles, np.zeros((0, 2), np.int32), "#0000ff", visible)


def thread():
    """A thread of three pieces along x at rest; the middle one is torn from frame 3 on."""
    points = np.array([[0.0, 0.0, 0.5], [0.3, 0.0, 0.5], [0.7, 0.0, 0.5], [1.0, 0.0, 0.5]], np.float32)
    visible = np.ones((FRAMES, 3), bool)
    visible[3:, 1] = False
    lines = np.array([[0, 1], [1, 2], [2, 3]], np.int32)
    return FilmMesh("thread", np.tile(points, (FRAMES, 1, 1)), np.zeros((0, 3), np.int32), lines, "#ff0000", visible)


def drops(streak=0.0):
    """One drop in the first frame, two in the second and so on; each flies along x at 1 m/s."""
    counts = np.arange(1, FRAMES + 1)
    points = np.concatenate([[[0.1 * f + 0.2 * k, 0.5, 0.5] for k in range(n)] for f, n in enumerate(counts)])
    n = len(points)
    return FilmParticles(
        "drops", np.concatenate([[0], np.cumsum(counts)]), points.astype(np.float32),
        np.tile(np.array([1.0, 0.0, 0.0], np.float32), (n, 1)), np.tile(np.array([255, 0, 0, 255], np.uint8), (n, 1)),
        np.full(n, 0.05, np.float32), np.concatenate([np.arange(n) for n in counts]), streak,
    )  # fmt: skip


def film(*matter):
    still = np.zeros((FRAMES, 1, 1, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, 1, 1, 1))
    return Film("scene", TIMES, *still, ("stage",), (), matter=matter)


def test_a_browser_draws_the_points_of_the_film(browser_path, tmp_path):
    path = write_page(film(sheet(), drops(), drops(streak=0.1), thread()), tmp_path / "scene.html", speed=1.0)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(bypass_csp=True, viewport={"width": 500, "height": 360})
        complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.goto(path.as_uri())
        page.wait_for_function("window.player && player.time > 0", timeout=60_000)
        page.evaluate("player.paused = true; player.seek(0.15); player.pose()")
        at_middle = [page.evaluate(f"Array.from({points})") for points in POINTS]
        whole = page.evaluate("player.matter.parts[0].geometry.drawRange.count")
        drawn = [page.evaluate(f"player.matter.parts[{k}].geometry.drawRange.count") for k in (1, 2)]
        page.evaluate("player.seek(0.4); player.pose()")
        torn = page.evaluate("player.matter.parts[0].geometry.drawRange.count")
        lines = page.evaluate(f"Array.from({DRAWN_LINES})")
        size = page.evaluate("player.film.size")
        browser.close()
    assert not complaints
    assert (whole, torn, drawn) == (6, 3, [2, 12])
    assert lines == [0, 1, 2, 3]
    mesh, balls, streaks = (np.array(points).reshape(-1, 3) * size for points in at_middle)
    np.testing.assert_allclose(mesh[:, 2], 0.15, atol=1e-4 * size)
    # frame 1 has two drops, at 0.1 and 0.3 m, which move on for half a frame
    np.testing.assert_allclose(balls[:2], [[0.15, 0.5, 0.5], [0.35, 0.5, 0.5]], atol=1e-4 * size)
    np.testing.assert_allclose(sorted(set(np.round(streaks[:12, 0], 3))), [0.05, 0.15, 0.25, 0.35], atol=1e-3)


DRAWN_LINES = "((g) => g.index.array.slice(0, g.drawRange.count))(player.matter.parts[3].torn[0])"
POINTS = [f"player.matter.parts[{k}].geometry.attributes.position.array" for k in range(3)]


def test_a_picture_shows_the_colours_of_meshes_and_particles(tmp_path):
    from matplotlib.image import imread

    image = imread(write_still(film(sheet(), drops()), tmp_path / "scene.png", frame=1))[..., :3]
    blue = (image[..., 2] > image[..., 0] + 0.3) & (image[..., 2] > image[..., 1] + 0.3)
    red = (image[..., 0] > image[..., 1] + 0.4) & (image[..., 0] > image[..., 2] + 0.4)
    assert blue.mean() > 0.02
    assert 0.0005 < red.mean() < blue.mean()


def test_a_picture_of_a_torn_thread_has_a_gap(tmp_path):
    from matplotlib.image import imread

    red = []
    for frame in (2, 4):
        image = imread(write_still(film(thread()), tmp_path / f"thread{frame}.png", frame=frame))[..., :3]
        red.append(((image[..., 0] > image[..., 1] + 0.4) & (image[..., 0] > image[..., 2] + 0.4)).sum())
    assert red[1] == pytest.approx(0.6 * red[0], rel=0.1)  # 0.4 of its length is missing


def test_a_scene_without_a_figure_is_framed_by_its_matter():
    framing = frame_film(film(sheet()))
    assert framing.size == 1.0
    np.testing.assert_allclose(framing.path[:, 0], np.tile([0.5, 0.5, 0.2], (FRAMES, 1)), atol=1e-6)
    direction = np.array([1.0, 0.0, 0.0])
    far = distance_to_see(film(sheet()), framing, direction, 30.0, 1.0)
    larger = replace(sheet(), points=sheet().points * np.float32(2.0))
    # a sheet twice as large, seen in the same framing, needs twice the distance or more
    assert distance_to_see(film(larger), framing, direction, 30.0, 1.0) > 2.0 * far
