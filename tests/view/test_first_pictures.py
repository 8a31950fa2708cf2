"""The first pictures of a page have simple shaders, in nearly the same colours, and then the full ones."""

import numpy as np
import pytest
from films import hexapod_film
from playwright.sync_api import sync_playwright

from gambol.view import write_page

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--disable-background-networking", "--no-first-run", "--disable-component-update"]  # fmt: skip
STOP = "window.frames_ = []; window.requestAnimationFrame = (call) => frames_.push(call);"
PIXELS = """(draw) => {
  player.scenery.detail = 1;
  player.stale = true;
  draw === "full" ? player.draw(0) : player.drawPicture();
  const gl = player.renderer.getContext(), { drawingBufferWidth: w, drawingBufferHeight: h } = gl;
  const pixels = new Uint8Array(4 * w * h);
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  return Array.from(pixels);
}"""
SCHEMES = ("light", "dark")


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return write_page(hexapod_film(seconds=0.1), tmp_path_factory.mktemp("first") / "page.html")


@pytest.fixture(scope="module")
def browser(browser_path):
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        yield browser
        browser.close()


def opened(browser, path, scheme, script=""):
    page = browser.new_page(bypass_csp=True, color_scheme=scheme, viewport={"width": 240, "height": 180})
    page.add_init_script(script)
    page.goto(path.as_uri())
    page.wait_for_function("!!window.player", polling=20)
    return page


def pixels(page, draw):
    return np.array(page.evaluate(PIXELS, draw), float).reshape(-1, 4)[:, :3]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_simple_look_has_nearly_the_colours_of_the_full_one(browser, path, scheme):
    """The simple one lacks shadows, grain and the gloss of the sun; a hidden figure shows which pixels are its own."""
    page = opened(browser, path, scheme, STOP)
    page.evaluate("player.paused = true")
    assert page.evaluate("player.scenery.look.isSimple && !player.scenery.look.hasShadows")
    simple = pixels(page, "simple")
    page.evaluate("player.figures.group.visible = false")
    figure = np.abs(simple - pixels(page, "simple")).max(axis=1) > 20.0
    page.evaluate("player.figures.group.visible = true")
    full = pixels(page, "full")
    assert not page.evaluate("player.scenery.look.isSimple")
    assert 500 < figure.sum() < 0.5 * len(figure)
    for part in (figure, ~figure):
        assert np.abs(simple[part].mean(axis=0) - full[part].mean(axis=0)).max() < 12.0  # of 255
    assert np.abs(simple - full).max() > 20.0  # shadows
    page.close()


def test_an_animation_comes_to_the_full_look_by_itself(browser, path):
    """All its pixels are those of a page that draws its first picture in the full look."""
    page = opened(browser, path, "light")
    page.evaluate("player.paused = true")
    page.wait_for_function("player.scenery.look.isFinished && player.pace.refined", polling=50, timeout=60_000)
    assert page.evaluate("player.scenery.sun.shadow.intensity") == 1.0
    page.evaluate("player.seek(0)")
    page.evaluate("player.renderer.setAnimationLoop(null); player.scenery.detail = 1")
    grown = pixels(page, "simple")
    other = opened(browser, path, "light", STOP)
    other.evaluate("player.paused = true; player.seek(0)")
    np.testing.assert_array_equal(grown, pixels(other, "full"))
    page.close()
    other.close()
