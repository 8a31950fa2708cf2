"""The look of pages: light and dark, shadows below feet, and use by keyboard and by screen readers."""

from dataclasses import replace

import numpy as np
import pytest
from films import hexapod_film
from playwright.sync_api import sync_playwright

from gambol.view import write_page
from gambol.view.scene import look

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--disable-background-networking", "--no-first-run", "--disable-component-update"]  # fmt: skip
FOOT = 10  # a link of the hexapod's film

# Darkening of the picture by the contact shadow, its centre, and the point below the link on the ground, in pixels.
SHADOW = """(link) => {
  const gl = player.renderer.getContext(), { drawingBufferWidth: w, drawingBufferHeight: h } = gl;
  const picture = (strength) => {
    player.scenery.ground.uniforms.contactStrength.value = strength;
    player.stale = true;
    player.draw(0);
    const pixels = new Uint8Array(4 * w * h);
    gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return pixels;
  };
  const [without, shaded] = [picture(0), picture(1)], sum = [0, 0, 0];
  for (let i = 0; i < w * h; i++) {
    const darker = without[4 * i] - shaded[4 * i];
    [i % w, Math.floor(i / w), 1].forEach((x, k) => (sum[k] += darker * x));
  }
  const body = player.bodies[0][link], { position } = player.film.shapes[0];
  body.updateMatrixWorld();
  const below = body.localToWorld(body.position.clone().set(...position.map((x) => x / player.film.size))).setZ(0);
  below.project(player.camera);
  const centre = [sum[0] / sum[2], sum[1] / sum[2]];
  return { centre, below: [(below.x + 1) * w / 2, (below.y + 1) * h / 2], dark: sum[2] };
}"""


@pytest.fixture(scope="module")
def opened(browser_path, tmp_path_factory):
    """Return a page that shows one link of a hexapod, beside its middle."""
    film = hexapod_film(seconds=0.3)
    film = replace(film, shapes=tuple(shape for shape in film.shapes if shape.link == FOOT))
    path = write_page(film, tmp_path_factory.mktemp("look") / "foot.html")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(bypass_csp=True, viewport={"width": 500, "height": 360})
        complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.goto(path.as_uri())
        page.wait_for_function("window.player && player.time > 0", timeout=60_000)
        page.evaluate("player.paused = true")
        yield page
        browser.close()
    assert not complaints


def test_the_ground_is_dark_below_a_foot(opened):
    """The centre of the darkening lies below the link, within a third of the link's distance from the middle."""
    opened.evaluate("player.resetView(); player.draw(0)")  # in the full look
    found = opened.evaluate(SHADOW, FOOT)
    assert found["dark"] > 1000
    middle = opened.evaluate("[player.canvas.width / 2, player.canvas.height / 2]")
    away = np.linalg.norm(np.subtract(found["below"], middle))
    assert away > 20
    assert np.linalg.norm(np.subtract(found["below"], found["centre"])) < away / 3


def test_a_page_is_dark_if_the_browser_prefers_it(opened):
    sky = "'#' + player.scene.fog.color.getHexString()"
    for scheme, color in (("dark", look.DARK["sky"]), ("light", look.SKY)):
        opened.emulate_media(color_scheme=scheme)
        opened.wait_for_function(f"{sky} === '{color}'", timeout=20_000)
        rgb = ", ".join(str(int(color[k : k + 2], 16)) for k in (1, 3, 5))
        assert opened.evaluate("getComputedStyle(document.body).backgroundColor") == f"rgb({rgb})"


def test_keys_turn_the_view_and_move_in_time(opened):
    angles = "[player.controls.getAzimuthalAngle(), player.controls.getPolarAngle(), player.controls.getDistance()]"
    opened.keyboard.press("r")
    opened.evaluate("player.draw(0)")
    azimuth, polar, distance = opened.evaluate(angles)
    for key in ("Shift+ArrowLeft", "Shift+ArrowUp", "+"):
        opened.keyboard.press(key)
    opened.evaluate("for (let k = 0; k < 300; k++) player.controls.update()")  # the view moves on, ever slower
    turned = opened.evaluate(angles)
    assert turned == pytest.approx([azimuth - 0.1, polar - 0.1, 0.9 * distance], rel=1e-3)
    opened.keyboard.press("End")
    assert opened.evaluate("player.time === player.duration")
    opened.keyboard.press("Home")
    assert opened.evaluate("player.time") == 0.0


def test_a_focused_checkbox_receives_its_key(opened):
    opened.focus("#follow")
    before = opened.evaluate("[player.following, player.paused]")
    opened.keyboard.press("Space")
    assert opened.evaluate("[player.following, player.paused]") == [not before[0], before[1]]
    opened.keyboard.press("Space")


def test_each_part_has_a_label_for_screen_readers(opened):
    tree = opened.locator("body").aria_snapshot()
    name = opened.title()
    for part in (f'img "{name}"', 'button "play"', 'combobox "speed"', 'checkbox "follow"', 'slider "time"',
                 'button "reset view"', 'img "stepping pattern'):  # fmt: skip
        assert part in tree, tree
    assert opened.get_attribute("#clock", "aria-live") == "off"  # it changes in each frame
    assert opened.get_attribute("#scrub", "aria-valuetext") == opened.inner_text("#clock")
