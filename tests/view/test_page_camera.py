"""A page plays camera and light of its film; a drag takes over, and a button returns."""

import numpy as np
import pytest
from playwright.sync_api import sync_playwright

from gambol.view import write_page
from gambol.view.camera import CameraKey, KeyedCamera, OrbitCamera
from gambol.world import Film
from gambol.world.film import FilmShape
from gambol.world.film.shots import with_keys

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--disable-background-networking", "--no-first-run", "--disable-component-update"]  # fmt: skip
POINT = (0.05, -0.1, 0.15)
FROM, TO = (1.0, -2.0, 0.8, 0.2, 0.1, 0.2), (1.0, 1.5, 0.6, 0.2, 0.1, 0.2)
NUMBERS = "[...player.camera.position, ...player.controls.target].map(x => x * player.film.size)"
SEEN = "player.bodies[0][0].position.clone().project(player.camera).toArray().slice(0, 2)"


def ball_film(frames=21):
    """A ball that rests for 2 s at POINT."""
    shape = FilmShape(0, "sphere", (0.1,), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    position = np.tile(POINT, (frames, 1, 1, 1)).astype(float)
    quaternion = np.tile([1.0, 0.0, 0.0, 0.0], (frames, 1, 1, 1))
    return Film("ball", np.linspace(0.0, 2.0, frames), position, quaternion, ("ball",), (shape,))


@pytest.fixture(scope="module")
def pages(browser_path, tmp_path_factory):
    """Return a function that opens the page of a film, paused, and its size in pixels."""
    folder = tmp_path_factory.mktemp("pages")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)

        def opened(film, **options):
            page = browser.new_page(bypass_csp=True, viewport={"width": 400, "height": 300})
            page.goto(write_page(film, folder / "ball.html", **options).as_uri())
            page.wait_for_function("window.player && player.time > 0", timeout=60_000)
            page.evaluate("player.paused = true")
            return page

        yield opened
        browser.close()


def at(page, time, expression):
    return page.evaluate(f"(player.seek({time}), player.draw(0), {expression})")


def projected(numbers, field_of_view):
    """Place of POINT in a pinhole camera, from -1 to 1 across the page and up; its aspect is 4 / 3."""
    position, target = np.array(numbers[:3]), np.array(numbers[3:])
    ahead = (target - position) / np.linalg.norm(target - position)
    right = np.cross(ahead, (0.0, 0.0, 1.0)) / np.linalg.norm(np.cross(ahead, (0.0, 0.0, 1.0)))
    x, y, depth = (axis @ (POINT - position) for axis in (right, np.cross(right, ahead), ahead))
    slope = depth * np.tan(np.radians(field_of_view) / 2.0)
    return x / slope / (4.0 / 3.0), y / slope


def test_a_page_plays_camera_and_light_of_a_script(pages):
    film = with_keys(ball_film(), "camera", [(0.0, FROM), (2.0, TO)])
    page = pages(with_keys(film, "light", [(0.0, (1.0, 0.0, 1.0)), (2.0, (0.0, 0.0, 1.0))]))
    assert page.is_visible("#film-camera")
    for time, numbers in ((0.0, FROM), (0.7, 0.65 * np.array(FROM) + 0.35 * np.array(TO)), (2.0, TO)):
        np.testing.assert_allclose(at(page, time, NUMBERS), numbers, atol=2e-5)  # of steps of 2^-15 sizes of 0.2 m
        np.testing.assert_allclose(at(page, time, SEEN), projected(numbers, 22.0), atol=1e-4)
    np.testing.assert_allclose(at(page, 0.0, "player.sunward.toArray()"), np.array([1, 0, 1]) / np.sqrt(2), atol=1e-4)
    np.testing.assert_allclose(at(page, 2.0, "player.sunward.toArray()"), (0, 0, 1), atol=1e-4)


def test_a_drag_takes_over_and_the_button_returns(pages):
    page = pages(with_keys(ball_film(), "camera", [(0.0, FROM), (2.0, TO)]))
    at(page, 0.0, "0")
    page.mouse.move(200, 100)
    page.mouse.down()
    page.mouse.move(260, 110, steps=3)
    page.mouse.up()
    held = np.array(at(page, 2.0, NUMBERS))  # it no longer follows the keys, and turns around the target
    np.testing.assert_allclose(held[3:], FROM[3:], atol=2e-5)
    arms = [np.linalg.norm(np.subtract(x[:3], x[3:])) for x in (held, FROM)]
    assert arms[0] == pytest.approx(arms[1], rel=1e-4)
    assert min(np.linalg.norm(held[:3] - x[:3]) for x in (FROM, TO)) > 0.1
    page.click("#film-camera")
    np.testing.assert_allclose(at(page, 2.0, NUMBERS), TO, atol=2e-5)
    page.click("#reset")
    assert page.evaluate("[player.usesFilmCamera, player.camera.fov]") == [False, 30]


def test_a_page_plays_a_camera_that_is_given(pages):
    keys = (CameraKey(0.0, FROM[:3], FROM[3:], 40.0), CameraKey(2.0, FROM[:3], FROM[3:], 20.0))
    page = pages(ball_film(), camera=KeyedCamera(keys))
    for time, angle in ((0.0, 40.0), (1.0, 30.0), (2.0, 20.0)):
        assert at(page, time, "player.camera.fov") == pytest.approx(angle, abs=1e-3)
        np.testing.assert_allclose(at(page, time, SEEN), projected(FROM, angle), atol=1e-4)
    orbit = pages(ball_film(), camera=OrbitCamera(period=1.0))
    np.testing.assert_allclose(at(orbit, 0.0, NUMBERS), at(orbit, 1.0, NUMBERS), atol=2e-5)
    np.testing.assert_allclose(at(orbit, 0.5, SEEN), (0.0, 0.0), atol=1e-4)


def test_a_page_of_a_film_without_a_camera_has_no_button(pages):
    page = pages(ball_film())
    assert not page.is_visible("#film-camera")
    assert page.evaluate("player.usesFilmCamera") is False
